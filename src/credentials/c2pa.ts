/**
 * The only file that calls the C2PA library. Its defaults fetch addresses that an image names, so every call has the same
 * settings. Use it in a separate process only: memory of WebAssembly never shrinks, and a call blocks its thread.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import initialize, { WasmBuilder, WasmReader } from '@contentauth/c2pa-wasm'
import type { CredentialsReport } from '../domain/credentials/credentials.ts'
import { signingPurposes } from './chain.ts'
import { manifestsWith } from './jumbf.ts'
import type { LibraryOptions, SentFile, SignJob, TrustedRoots } from './messages.ts'
import { reportOf, unreadableReport } from './report.ts'

export interface C2pa {
  /**
   * The signed file, which was read again and is valid. `cose` returns the finished signature of a claim. Rejects with the text of
   * the library, or an Error.
   */
  sign(job: SignJob, cose: (claim: Uint8Array) => Promise<Uint8Array>): Promise<Uint8Array>
  read(file: SentFile): Promise<CredentialsReport | undefined>
  /** Bytes of memory that it has and never releases. */
  memoryBytes(): number
}

export async function openC2pa({ roots, ownLeaf, generator }: LibraryOptions): Promise<C2pa> {
  const wasm = readFileSync(fileURLToPath(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm')))
  const { memory } = await initialize({ module_or_path: wasm })
  Object.assign(globalThis, { FileReaderSync: BytesReader })
  const signSettings = JSON.stringify(settingsWith(roots))
  const readSettings = JSON.stringify(settingsWith({ ...roots, installation: '' }))
  // Whether the own certificate is trusted is known, and the check takes half of the time.
  const checkSettings = JSON.stringify(settingsWith(roots, { verify_trust: false }))

  /** Labels of the manifests that the certificate of this installation signed. */
  function ownManifestsIn(reader: WasmReader): Set<string> {
    if (ownLeaf === undefined) return new Set()
    try {
      // For the address of a signature, the library returns the entire manifest store.
      const store = reader.resourceToBytes(`self#jumbf=/c2pa/${reader.activeLabel()}/c2pa.signature`)
      return manifestsWith(ownLeaf, store)
    } catch (error) {
      if (isCrash(error)) throw error
      return new Set()
    }
  }

  async function read(file: SentFile, context = readSettings): Promise<CredentialsReport | undefined> {
    let reader: WasmReader | undefined
    try {
      reader = await WasmReader.fromBytes(file.mediaType, file.bytes, context)
      return reportOf(storeOf(reader), ownManifestsIn(reader))
    } catch (error) {
      // The library is not usable after a crash.
      if (isCrash(error)) throw error
      const text = String(error)
      if (text.includes('JumbfNotFound')) return undefined
      return unreadableReport(text.includes('RemoteManifest') ? 'tintype.remote' : 'tintype.unreadable')
    } finally {
      reader?.free()
    }
  }

  return {
    async sign({ file, definition, ingredients, algorithm, coseBytes }, cose) {
      const builder = WasmBuilder.fromJson(withGenerator(definition, generator), signSettings)
      try {
        for (const ingredient of ingredients)
          await builder.addIngredientFromBlob(
            ingredient.definition,
            ingredient.file.mediaType,
            blobOf(ingredient.file.bytes),
          )
        const signer = {
          alg: algorithm,
          reserveSize: coseBytes,
          sign: async (claim: Uint8Array) => copied(await cose(claim)),
        }
        const bytes = await builder.sign(signer, [], file.mediaType, blobOf(file.bytes))
        const report = await read({ ...file, bytes }, checkSettings)
        if (report === undefined || report.state === 'invalid')
          throw new Error(`the signed file is not valid: ${report?.problems.map(({ code }) => code).join(', ')}`)
        return bytes
      } finally {
        builder.free()
      }
    },
    read: (file) => read(file),
    memoryBytes: () => memory.buffer.byteLength,
  }
}

/** `json` returns lists of numbers as base64 and cuts numbers above 255, but also has integers that JavaScript can't represent. */
function storeOf(reader: WasmReader): unknown {
  try {
    return reader.manifestStore()
  } catch (error) {
    if (isCrash(error)) throw error
    return JSON.parse(reader.json())
  }
}

/** An error of WebAssembly itself, such as an unreachable instruction. */
export function isCrash(error: unknown): error is Error {
  return error instanceof Error && error.name === 'RuntimeError'
}

function settingsWith({ others, installation: ownRoots }: TrustedRoots, verify: { verify_trust?: boolean } = {}) {
  return {
    // `verify_after_sign` doesn't find a signature of the wrong size, so signed files are read again instead.
    verify: { ...verify, remote_manifest_fetch: false, ocsp_fetch: false, verify_after_sign: false },
    core: { allowed_network_hosts: [] },
    // The library rejects empty lists.
    trust: {
      ...(others !== '' && { trust_anchors: others }),
      ...(ownRoots !== '' && { user_anchors: ownRoots }),
      trust_config: trustedPurposes,
    },
  }
}

/**
 * Purposes of a certificate that may sign or stamp. C2PA claim signing is the first one, which the library does not accept by
 * itself; then email protection, document signing, time stamping, OCSP and Microsoft's, which it does.
 */
const trustedPurposes = [
  ...Object.values(signingPurposes),
  '1.3.6.1.5.5.7.3.8',
  '1.3.6.1.5.5.7.3.9',
  '1.3.6.1.4.1.311.76.59.1.9',
].join('\n')

function withGenerator(definition: string, generator: LibraryOptions['generator']): string {
  return JSON.stringify({ claim_generator_info: [generator], ...JSON.parse(definition) })
}

/** The parts of a Blob that the library uses, without a copy of the bytes. */
class BytesBlob {
  readonly bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
  get size(): number {
    return this.bytes.byteLength
  }
  slice(start: number, end: number): BytesBlob {
    return new BytesBlob(this.bytes.subarray(start, end))
  }
}

/** Node has no FileReaderSync. The library calls this one method with a `BytesBlob`. */
class BytesReader {
  readAsArrayBuffer(blob: BytesBlob): Uint8Array {
    return blob.bytes
  }
}

function blobOf(bytes: Uint8Array): Blob {
  return new BytesBlob(bytes) as unknown as Blob
}

/** A copy with its own ArrayBuffer, as the library requires. */
function copied(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}
