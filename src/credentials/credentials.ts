/** Signs and reads Content Credentials: the port of the domain on processes with the C2PA library. */
import type { X509Certificate } from 'node:crypto'
import { type Clock, systemClock } from '../domain/clock.ts'
import {
  type CredentialFile,
  type Credentials,
  type CredentialsOptions,
  type CredentialsReport,
  checkManifest,
  executionLabel,
  isCredentialFormat,
  type Manifest,
  mayHaveCredentials,
  type SignedFile,
} from '../domain/credentials/credentials.ts'
import { type ImageFormat, imageFormats } from '../domain/images/image.ts'
import { Fault, failure, MachineBusy } from '../errors.ts'
import { limits } from '../limits.ts'
import { type Algorithm, coseBytes, coseSign1 } from './cose.ts'
import { createLibrary, type Library, type LibrarySetup } from './library.ts'
import type { SentFile, SignJob } from './messages.ts'
import { unreadableReport } from './report.ts'
import { reasonOf, type Signer } from './signer.ts'
import type { Timestamp } from './timestamp.ts'

export interface CredentialsSetup {
  signer: Signer
  /** Roots of signers that are trusted, PEM. May be empty. */
  trustedRoots: string
  /** Name and version of this program, which signed files contain. */
  generator: { name: string; version: string }
  /** When the certificates expire, in milliseconds since the Unix epoch. */
  expiresAt: number
  /** `isRequired`: without a time stamp, nothing is signed. */
  timestamp?: { get: Timestamp; isRequired: boolean }
  clock?: Clock
  /** The library's process, replaced in tests. */
  library?: Partial<LibrarySetup>
}

export interface ReaderSetup extends Pick<CredentialsSetup, 'trustedRoots' | 'generator'> {
  /** The certificate of this installation. */
  ownLeaf: X509Certificate | undefined
}

/** Starts a process with the first job. */
export function createCredentials({
  signer,
  trustedRoots,
  generator,
  expiresAt,
  timestamp,
  clock = systemClock,
  library: options,
}: CredentialsSetup): Credentials {
  const certificates = signer.certificates.map(({ raw }) => raw)
  const roots = { others: trustedRoots, installation: rootsOf(signer.certificates) }
  const library = createLibrary({ roots, ownLeaf: certificates[0], generator, ...options })

  async function sign(file: CredentialFile, manifest: Manifest, { signal }: CredentialsOptions): Promise<SignedFile> {
    checkManifest(manifest)
    checkSizes(file, manifest)
    if (clock.now() >= expiresAt) throw expired(expiresAt)
    const parts = { algorithm: signer.algorithm, certificates, hasTimestamp: timestamp !== undefined }
    const job: SignJob = {
      kind: 'sign',
      file: sent(file),
      definition: JSON.stringify(definitionOf(manifest)),
      ingredients: manifest.ingredients.flatMap(({ id, title, relationship, format, bytes }) =>
        bytes === undefined
          ? []
          : [
              {
                definition: JSON.stringify({ title, relationship, instance_id: id }),
                file: sent({ format, bytes }),
              },
            ],
      ),
      algorithm: libraryNames[signer.algorithm],
      coseBytes: coseBytes(parts),
    }
    let warnings: string[] = []
    const cose = (claim: Uint8Array) => {
      // A job can start again.
      warnings = []
      return coseSign1(claim, {
        ...parts,
        sign: (bytes) => signer.sign(bytes, signal),
        timestamp: (bytes) => stamp(bytes, signal, warnings),
      })
    }
    const result = await library.run(job, signal, cose).catch((error) => {
      throw hasEnded(error) ? notSigned(error) : error
    })
    if (!('signed' in result)) throw notSigned(new Error('problem' in result ? result.problem : 'nothing was signed'))
    const { buffer, byteOffset, byteLength } = result.signed
    return { bytes: Buffer.from(buffer, byteOffset, byteLength), warnings }
  }

  async function stamp(bytes: Buffer, signal: AbortSignal, warnings: string[]): Promise<Buffer | undefined> {
    if (timestamp === undefined) return undefined
    try {
      return await timestamp.get(bytes, signal)
    } catch (error) {
      if (signal.aborted) throw signal.reason
      const why = `The time-stamp server (CREDENTIALS_TIMESTAMP_URL) failed: ${reasonOf(error)}`
      if (timestamp.isRequired)
        throw failure('provider_unavailable', `${why}. Retry. If it fails again, contact the operator.`)
      warnings.push(
        `${why}. The output was signed without a time stamp: its Content Credentials become invalid on ${new Date(expiresAt).toISOString()}.`,
      )
      return undefined
    }
  }

  return { sign, read: (file, options) => read(library, file, options), close: async () => library.close() }
}

/** Reads without a key. */
export function createReader(options: ReaderSetup): Pick<Credentials, 'read' | 'close'> {
  const { trustedRoots, ownLeaf, generator } = options
  const library = createLibrary({ roots: { others: trustedRoots, installation: '' }, ownLeaf: ownLeaf?.raw, generator })
  return { read: (file, options) => read(library, file, options), close: async () => library.close() }
}

async function read(
  library: Library,
  source: CredentialFile | (() => Promise<CredentialFile>),
  { signal }: CredentialsOptions,
): Promise<CredentialsReport | undefined> {
  const file = typeof source === 'function' ? await source() : source
  if (!(await mayHaveCredentials(file))) return undefined
  if (file.bytes.length > limits.credentialsFileBytesMax) return unreadableReport('tintype.tooLarge')
  try {
    const result = await library.run({ kind: 'read', file: sent(file) }, signal)
    return 'report' in result ? result.report : unreadableReport('tintype.unreadable')
  } catch (error) {
    if (signal.aborted || !(error instanceof Fault) || error instanceof MachineBusy) throw error
    return unreadableReport(error.details.reason === 'limit_exceeded' ? 'tintype.tooSlow' : 'tintype.unreadable')
  }
}

/** The issuers in a chain, PEM. Without an issuer, the leaf itself. */
function rootsOf(certificates: readonly X509Certificate[]): string {
  return (certificates.length > 1 ? certificates.slice(1) : certificates).join('\n')
}

const libraryNames: Record<Algorithm, string> = { ES256: 'es256', ES384: 'es384', Ed25519: 'ed25519' }

function sent({ format, bytes }: { format: ImageFormat; bytes: Uint8Array }): SentFile {
  return { mediaType: imageFormats[format].mediaType, bytes }
}

function definitionOf({ title, actions, ingredients, execution }: Manifest) {
  const assertions: { label: string; data: unknown }[] = [
    {
      label: 'c2pa.actions.v2',
      data: {
        actions: actions.map(({ ingredientIds, ...action }) => ({
          ...action,
          ...(ingredientIds && { parameters: { ingredientIds } }),
        })),
      },
    },
  ]
  if (execution) assertions.push({ label: executionLabel, data: execution })
  const named = ingredients.filter(({ bytes }) => bytes === undefined)
  return {
    title,
    assertions,
    ingredients: named.map(({ id, title, relationship, format }) => ({
      title,
      relationship,
      instance_id: id,
      format: imageFormats[format].mediaType,
    })),
  }
}

function checkSizes({ format, bytes }: CredentialFile, { ingredients }: Manifest): void {
  if (!isCredentialFormat(format))
    throw failure(
      'input_invalid',
      `A file of the format ${format} can't have Content Credentials. Convert it to another format first.`,
    )
  const total = ingredients.reduce((sum, ingredient) => sum + (ingredient.bytes?.length ?? 0), bytes.length)
  if (bytes.length > limits.credentialsFileBytesMax || total > limits.credentialsTotalBytesMax)
    throw failure(
      'limit_exceeded',
      `The output has ${bytes.length} bytes, and its sources with it ${total}. To be signed with Content Credentials, a file may have at most ${limits.credentialsFileBytesMax} bytes, with its sources ${limits.credentialsTotalBytesMax}. Reduce its size, or set \`credentials\` of the output to never.`,
    )
  if (ingredients.length > limits.credentialIngredientsMax)
    throw failure(
      'limit_exceeded',
      `The output has ${ingredients.length} sources. With Content Credentials, it may have at most ${limits.credentialIngredientsMax}.`,
    )
}

function expired(expiresAt: number) {
  return failure(
    'internal',
    `The output could not be signed with Content Credentials: the certificate expired on ${new Date(expiresAt).toISOString()}. Contact the operator, who can replace it.`,
  )
}

function notSigned(cause: Error) {
  return failure(
    'internal',
    'The output could not be signed with Content Credentials. Retry. If it fails again, send the request id to the operator.',
    { cause },
  )
}

/** Whether the job took too long, or its process ended. */
function hasEnded(error: unknown): error is Fault {
  return error instanceof Fault && (error.details.reason === 'limit_exceeded' || error.details.reason === 'internal')
}
