/** Signs the outputs of executions with Content Credentials. */
import { hash } from 'node:crypto'
import { type Credentials, isCredentialFormat, type ManifestIngredient } from '../domain/credentials.ts'
import type { Execution, Step } from '../domain/execution.ts'
import { type ImageStore, imageFormats } from '../domain/image.ts'
import type { ImageSource } from '../domain/origin.ts'
import { hashOf } from '../engine/cache/key.ts'
import type { Plan } from '../engine/plan/plan.ts'
import type { SignOutput } from '../engine/run/sign-output.ts'
import { Fault } from '../errors.ts'
import { manifestOf } from './manifest.ts'
import type { SourceFile, Sources } from './sources.ts'

export interface OutputCredentials {
  /** For one execution. */
  of(execution: Execution, plan: Plan): ExecutionCredentials
}

export interface ExecutionCredentials {
  sign: SignOutput
  /** Keeps a source that was downloaded and has credentials until the end of the execution. */
  opened(file: SourceFile): void
}

interface Dependencies {
  credentials: Pick<Credentials, 'sign'>
  images: Pick<ImageStore, 'find'>
  sources: Pick<Sources, 'open'>
  /** Of this program. */
  version: string
}

export function createOutputCredentials({ credentials, images, sources, version }: Dependencies): OutputCredentials {
  return {
    of(execution, plan) {
      const { accountId } = execution
      const downloaded = new Map<string, Buffer>()

      async function ingredientOf(source: ImageSource, signal: AbortSignal): Promise<ManifestIngredient | undefined> {
        const { sha256, imageId, credentials } = source
        const bytes = await bytesOf(source, signal)
        const image = imageId === undefined ? undefined : await images.find(accountId, imageId)
        const format = image?.format ?? 'jpeg'
        if (!isCredentialFormat(format)) return undefined
        const title = image?.name ?? 'A downloaded image'
        const id = `xmp:iid:${sha256.slice(0, 32)}`
        return { id, title, relationship: 'componentOf', format, ...(credentials && bytes && { bytes }) }
      }

      async function bytesOf(source: ImageSource, signal: AbortSignal): Promise<Buffer | undefined> {
        const { sha256, imageId, credentials } = source
        if (credentials === undefined) return undefined
        const bytes = downloaded.get(sha256)
        if (bytes !== undefined || imageId === undefined) return bytes
        const file = await sources.open(accountId, imageId, signal).catch(() => undefined)
        signal.throwIfAborted()
        return file && hash('sha256', file.bytes) === sha256 ? file.bytes : undefined
      }

      return {
        opened({ bytes, imageId, credentials }) {
          if (imageId === undefined && credentials) downloaded.set(hash('sha256', bytes), bytes)
        },

        async sign({ bytes, format }, { origin, madeFrom, steps, isRequired }, signal) {
          const ingredients = new Map<string, ManifestIngredient>()
          const warnings: string[] = []
          for (const source of madeFrom?.sources ?? []) {
            const ingredient = await ingredientOf(source, signal)
            if (ingredient) ingredients.set(source.sha256, ingredient)
            if (ingredient && source.credentials && ingredient.bytes === undefined)
              warnings.push(
                `The Content Credentials of ${source.imageId ?? 'a downloaded source'} are not in the output, because the file is no longer available.`,
              )
          }
          const manifest = manifestOf({
            title: `${plan.workflow.document.name}.${imageFormats[format].extension}`,
            plan,
            steps,
            origin,
            madeFrom,
            ingredients,
            execution: executionFacts(execution, plan, steps, { version, sources: madeFrom?.sources ?? [] }),
          })
          try {
            const signed = await credentials.sign({ bytes, format }, manifest, { signal, account: accountId })
            // The own certificate is trusted.
            return { bytes: signed.bytes, credentials: 'trusted', warnings: [...warnings, ...signed.warnings] }
          } catch (error) {
            if (isRequired || !(error instanceof Fault) || error.details.reason !== 'limit_exceeded') throw error
            return { bytes, credentials: undefined, warnings: [error.message] }
          }
        },
      }
    },
  }
}

/** Everything that a later execution needs to make the same pixels, as hashes where the content may be private. */
function executionFacts(
  { id, workflowId, workflowVersion, isDraft, parameters }: Execution,
  { workflow, steps }: Plan,
  records: readonly Step[],
  { version, sources }: { version: string; sources: readonly ImageSource[] },
): Record<string, unknown> {
  const ran = new Set(records.filter(({ status }) => status === 'completed').map(({ node }) => node))
  const used = steps.filter(({ node }) => ran.has(node.id))
  const seeds = used.flatMap(({ node, params }) => (typeof params?.seed === 'number' ? [[node.id, params.seed]] : []))
  return {
    execution: id,
    workflow: workflowId,
    ...(isDraft ? { draft: true } : { version: workflowVersion }),
    document: hashOf(workflow.document),
    parameters: hashOf(parameters),
    inputs: sources.map(({ sha256 }) => sha256),
    operations: Object.fromEntries(used.map(({ node }) => [node.operation.id, node.operation.version])),
    ...(seeds.length > 0 && { seeds: Object.fromEntries(seeds) }),
    engine: version,
  }
}
