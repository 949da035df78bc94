/** Signs the outputs of executions with Content Credentials. */

import { subtle } from 'node:crypto'
import {
  type CredentialFile,
  type Credentials,
  isCredentialFormat,
  type Manifest,
  type ManifestIngredient,
  type SignedFile,
} from '../../domain/credentials/credentials.ts'
import type { ExecutionFacts } from '../../domain/credentials/execution-facts.ts'
import type { ImageSource } from '../../domain/credentials/made-from.ts'
import type { Execution, Step } from '../../domain/executions/execution.ts'
import { type ImageStore, imageFormats } from '../../domain/images/image.ts'
import { orUnavailable } from '../../domain/persist.ts'
import { hashOf } from '../../engine/cache/key.ts'
import type { Plan } from '../../engine/plan/plan.ts'
import type { PixelHashes } from '../../engine/run/pixel-hashes.ts'
import type { SignedFileOf, SignOutput } from '../../engine/run/sign-output.ts'
import { Fault } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { SourceFile, Sources } from '../executions/sources.ts'
import { baseOf, manifestOf } from './manifest.ts'

export interface OutputCredentials {
  /** Credentials for one execution. */
  of(execution: Execution, plan: Plan): ExecutionCredentials
}

export interface ExecutionCredentials {
  sign: SignOutput
  /** Keeps a source that was downloaded and has credentials until the end of the execution. `source`: as the node names it. */
  opened(source: string, file: SourceFile): void
}

export interface OutputCredentialsOptions {
  credentials: Pick<Credentials, 'sign'>
  images: Pick<ImageStore, 'find'>
  sources: Pick<Sources, 'open' | 'identify'>
  /** Version of this program. */
  version: string
}

export function createOutputCredentials({
  credentials,
  images,
  sources,
  version,
}: OutputCredentialsOptions): OutputCredentials {
  return {
    of(execution, plan) {
      const { accountId } = execution
      const downloaded = new Map<string, Buffer>()
      let downloadedBytes = 0
      /** Source -> its SHA-256, for the sources that outputs start from, if this execution has read them. */
      const startHashes = new Map<unknown, string>()
      let starts: ReadonlySet<unknown> | undefined

      /** The source that the chain of first inputs of this node starts from. */
      function startOf(node: string): unknown {
        return baseOf(plan, node)?.params?.source
      }

      async function openedHash(node: string): Promise<string | undefined> {
        const start = startOf(node)
        const hash = startHashes.get(start)
        if (hash !== undefined || typeof start !== 'string') return hash
        return (await orUnavailable(sources.identify(accountId, start)))?.slice(0, 64)
      }

      /** The file of a source with credentials, if it is still the same. `reserve` receives its size. */
      async function bytesOf(
        { sha256, imageId }: ImageSource,
        signal: AbortSignal,
        reserve: Reserve,
      ): Promise<Buffer | undefined> {
        const bytes = downloaded.get(sha256)
        if (bytes !== undefined || imageId === undefined) return bytes
        const file = await sources.open(accountId, imageId, signal, { reserve }).catch(() => undefined)
        signal.throwIfAborted()
        return file && (await sha256Of(file.bytes)) === sha256 ? file.bytes : undefined
      }

      /** Ingredients by SHA-256. Files with credentials are in it as far as `credentialsSourceBytesMax` allows. */
      async function ingredientsOf(sources: readonly ImageSource[], signal: AbortSignal, reserve: Reserve) {
        const ingredients = new Map<string, ManifestIngredient>()
        const warnings: string[] = []
        let left = limits.credentialsSourceBytesMax
        for (const source of sources) {
          const { sha256, format, imageId, credentials } = source
          if (!isCredentialFormat(format)) continue
          const image = imageId === undefined ? undefined : await orUnavailable(images.find(accountId, imageId))
          const fits = (image?.size ?? 0) <= left
          const bytes = credentials && fits ? await bytesOf(source, signal, reserve) : undefined
          left -= bytes?.length ?? 0
          if (credentials && bytes === undefined)
            warnings.push(
              `The Content Credentials of ${imageId ?? 'a downloaded source'} were not copied to the output: ${fits ? 'the file was deleted or changed, or its step came from the cache' : 'the sources are too large'}.`,
            )
          ingredients.set(sha256, {
            id: idOf(sha256),
            title: image?.name ?? 'A downloaded image',
            relationship: 'componentOf',
            format,
            ...(bytes && { bytes }),
          })
        }
        return { ingredients, warnings }
      }

      /** Damaged credentials of a source are left out, if they can't be copied. */
      async function signWhatIsReadable(
        file: CredentialFile,
        manifest: Manifest,
        sources: readonly ImageSource[],
        signal: AbortSignal,
      ): Promise<SignedFile> {
        const invalid = new Set(
          sources.flatMap((source) => (source.credentials === 'invalid' ? [idOf(source.sha256)] : [])),
        )
        const copied = manifest.ingredients.flatMap(({ id, bytes }) => (bytes === undefined ? [] : [id]))
        const damaged = copied.filter((id) => invalid.has(id))
        // Each attempt leaves out more than the one before.
        const attempts = [[], damaged, copied].filter((ids, index, all) => ids.length > (all[index - 1]?.length ?? -1))
        for (const leftOut of attempts) {
          const ingredients = manifest.ingredients.map(({ bytes, ...rest }) =>
            bytes === undefined || leftOut.includes(rest.id) ? rest : { ...rest, bytes },
          )
          try {
            const signed = await credentials.sign(file, { ...manifest, ingredients }, { signal, account: accountId })
            const warnings = manifest.ingredients
              .filter(({ id }) => leftOut.includes(id))
              .map(
                ({ title }) => `The Content Credentials of ${title} were not copied to the output: they are damaged.`,
              )
            return { ...signed, warnings: [...warnings, ...signed.warnings] }
          } catch (error) {
            signal.throwIfAborted()
            const isLast = leftOut === attempts.at(-1)
            if (isLast || !(error instanceof Fault) || error.details.reason !== 'internal') throw error
          }
        }
        throw new Error('the last attempt returns or throws')
      }

      return {
        opened(source, { bytes, sha256, imageId, credentials }) {
          starts ??= new Set(plan.workflow.outputs.map(({ node }) => startOf(node)))
          if (starts.has(source)) startHashes.set(source, sha256)
          if (imageId !== undefined || credentials === undefined || downloaded.has(sha256)) return
          if (downloadedBytes + bytes.length > limits.credentialsDownloadedBytesMax) return
          downloadedBytes += bytes.length
          downloaded.set(sha256, bytes)
        },

        async sign(
          { bytes, format },
          { origin, madeFrom },
          { steps, pixelHashes, isRequired, output, encodedBytesMax, reserve, signal },
        ) {
          const { sources = [] } = madeFrom ?? {}
          const releases: (() => void)[] = []
          const take = async (count: number) => {
            if (reserve) releases.push(await reserve(count, signal))
          }
          try {
            // The thread has a copy, and returns another one.
            await take(2 * bytes.length)
            const { ingredients, warnings } = await ingredientsOf(sources, signal, take)
            const facts = executionFacts(execution, plan, {
              steps,
              pixelHashes,
              output,
              encodedBytesMax,
              sources,
              version,
            })
            const name = [plan.workflow.document.name, output.name].filter(Boolean).join(' ')
            const title = `${name}.${imageFormats[format].extension}`
            const { node } = output
            const opened = await openedHash(node)
            const about = { title, plan, node, steps, origin, madeFrom, ingredients, opened }
            const manifest = manifestOf({ ...about, execution: facts })
            const signed = await signWhatIsReadable({ bytes, format }, manifest, sources, signal)
            // The own certificate is trusted.
            return { bytes: signed.bytes, credentials: 'trusted', warnings: [...warnings, ...signed.warnings] }
          } catch (error) {
            if (isRequired || !(error instanceof Fault) || error.details.reason !== 'limit_exceeded') throw error
            return { bytes, credentials: undefined, warnings: [error.message] }
          } finally {
            for (const release of releases) release()
          }
        },
      }
    },
  }
}

type Reserve = (bytes: number) => Promise<void>

/** Hash in hex. Not on the event loop. */
async function sha256Of(bytes: Buffer): Promise<string> {
  return Buffer.from(
    await subtle.digest('SHA-256', new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length)),
  ).toString('hex')
}

function idOf(sha256: string): string {
  return `xmp:iid:${sha256.slice(0, 32)}`
}

/** The facts of an execution for the manifest of its output. */
interface Recorded {
  steps: readonly Step[]
  pixelHashes: PixelHashes
  output: SignedFileOf
  encodedBytesMax: number | undefined
  sources: readonly ImageSource[]
  /** Version of this program. */
  version: string
}

function executionFacts(
  { id, workflowId, workflowVersion, isDraft, parameters, brand }: Execution,
  { workflow, steps }: Plan,
  { steps: records, pixelHashes, output: { name, format, width }, encodedBytesMax, sources, version }: Recorded,
): ExecutionFacts {
  const ran = new Set(records.filter(({ status }) => status === 'completed').map(({ node }) => node))
  const used = steps.filter(({ node }) => ran.has(node.id))
  const seeds = used.flatMap(({ node, params }) => (typeof params?.seed === 'number' ? [[node.id, params.seed]] : []))
  const hashes = [...pixelHashes]
  return {
    execution: id,
    workflow: workflowId,
    ...(isDraft ? { draft: true } : { version: workflowVersion }),
    document: hashOf(workflow.document),
    parameters: hashOf(parameters),
    ...(brand && { brand: hashOf(brand) }),
    inputs: sources.map(({ sha256 }) => sha256),
    operations: Object.fromEntries(used.map(({ node }) => [node.operation.id, node.operation.version])),
    ...(hashes.length > 0 && { pixels: Object.fromEntries(hashes) }),
    ...(seeds.length > 0 && { seeds: Object.fromEntries(seeds) }),
    ...(name !== undefined && { output: { name, ...(format && { format }), ...(width !== undefined && { width }) } }),
    ...(encodedBytesMax !== undefined && { encodedBytesMax }),
    engine: version,
  }
}
