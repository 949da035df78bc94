/** Previews of step results: created next to an execution, found again by key, stored for some days. */
import type { Clock } from '../../domain/clock.ts'
import { type ExecutionStore, isTerminal, type Step, type StepPreview } from '../../domain/executions/execution.ts'
import { newId } from '../../domain/ids.ts'
import { BlobMissing, type BlobStore } from '../../domain/images/image.ts'
import { type Preview, type PreviewStore, previewBlobKey } from '../../domain/images/preview.ts'
import type { Retention } from '../../domain/retention.ts'
import type { RunPreviews, Shrink } from '../../engine/run/previews.ts'
import { Fault, notFound } from '../../errors.ts'

export interface Previews {
  /** The functions for one run of an execution, which never throw. Its functions never throw. */
  of(accountId: string): RunPreviews
  /** Throws `not_found` if the execution, the step or the preview is missing. */
  read(accountId: string, executionId: string, node: string): Promise<ReadPreview>
  /** Adds the previews that still exist. */
  withPreviews(steps: Step[]): Promise<Step[]>
}

export interface ReadPreview {
  id: string
  bytes: Buffer
  /** Whether the step will not get another preview. */
  isFinal: boolean
}

interface Dependencies {
  previews: PreviewStore
  executions: Pick<ExecutionStore, 'find' | 'listSteps'>
  blobs: BlobStore
  shrink: Shrink
  clock: Clock
  retention: Pick<Retention, 'makeRoom'>
  retentionHours: number
  onError(error: unknown): void
}

/** Rows are written in batches, long before the sweep treats their blobs as orphaned. */
const flushMs = 1_000
/** Parts of older previews that make room: an execution waits for it at its end. The next addition continues. */
export const evictedPartsMax = 4
/** The precision of `usedAt`. */
const touchMs = 60_000

export function createPreviews(dependencies: Dependencies): Previews {
  const { previews, executions, blobs, shrink, clock, retention, onError } = dependencies
  const retentionMs = dependencies.retentionHours * 3_600_000

  return {
    of(accountId) {
      let created: Preview[] = []
      const offered = new Set<string>()
      /** Some steps return their input image. */
      const shrunk = new WeakMap<Parameters<Shrink>[0], ReturnType<Shrink>>()
      let timer: NodeJS.Timeout | undefined
      let writing: Promise<void> = Promise.resolve()

      async function write(): Promise<void> {
        const rows = created
        const ids = [...offered]
        created = []
        offered.clear()
        try {
          if (rows.length > 0) await previews.add(rows)
          if (ids.length > 0) await previews.touch(ids, clock.now())
          if (rows.length > 0) await retention.makeRoom('previews', accountId, { partsMax: evictedPartsMax })
        } catch (error) {
          // The sweep removes the blobs without a row.
          onError(error)
        }
      }

      function flush(): Promise<void> {
        clearTimeout(timer)
        timer = undefined
        writing = writing.then(write)
        return writing
      }

      function show({ id, width, height, usedAt }: Preview): StepPreview {
        if (clock.now() - usedAt >= touchMs) offered.add(id)
        return { id, width, height }
      }

      return {
        async find(keys) {
          try {
            const found = await previews.find(accountId, keys, clock.now() - retentionMs)
            return new Map(found.map((preview) => [preview.key ?? '', show(preview)]))
          } catch (error) {
            onError(error)
            return new Map()
          }
        },

        async isThere({ id }) {
          try {
            if (!(await previews.existing([id])).has(id)) return false
            offered.add(id)
            return true
          } catch (error) {
            onError(error)
            return false
          }
        },

        async make(image, key, context) {
          try {
            const small = shrunk.get(image) ?? shrink(image, context)
            shrunk.set(image, small)
            const { bytes, width, height } = await small
            context.signal.throwIfAborted()
            const now = clock.now()
            const preview = { id: newId('prev', now), width, height }
            // Bytes first: a row never refers to missing bytes.
            await blobs.put(previewBlobKey(preview), bytes)
            created.push({ ...preview, accountId, key: key ?? null, size: bytes.length, createdAt: now, usedAt: now })
            timer ??= setTimeout(() => void flush(), flushMs).unref()
            return preview
          } catch (error) {
            if (!context.signal.aborted) onError(error)
            return undefined
          }
        },

        flush,
      }
    },

    async read(accountId, executionId, node) {
      const execution = await executions.find(accountId, executionId)
      const steps = execution?.previews ? await executions.listSteps(executionId) : []
      const preview = steps.find((step) => step.node === node)?.preview
      if (execution === undefined) throw notFound('execution', executionId)
      if (!execution.previews) throw notEnabled(executionId)
      if (preview === undefined) throw noPreview(node)
      try {
        const bytes = await blobs.read(previewBlobKey(preview))
        return { id: preview.id, bytes, isFinal: isTerminal(execution.status) }
      } catch (error) {
        if (error instanceof BlobMissing) throw expired(node)
        throw error
      }
    },

    async withPreviews(steps) {
      const ids = steps.flatMap(({ preview }) => preview?.id ?? [])
      if (ids.length === 0) return steps
      const there = await previews.existing(ids)
      return steps.map(({ preview, ...step }) => (preview && there.has(preview.id) ? { ...step, preview } : step))
    },
  }
}

function notEnabled(executionId: string): Fault {
  return new Fault(
    'not_found',
    `Execution "${executionId}" has no previews. Execute the workflow with "previews" true.`,
  )
}

function noPreview(node: string): Fault {
  const name = JSON.stringify(node.slice(0, 100))
  return new Fault('not_found', `Node ${name} has no preview: its step has not completed, or returned no image.`)
}

function expired(node: string): Fault {
  return new Fault(
    'not_found',
    `The preview of node ${JSON.stringify(node.slice(0, 100))} has expired, or was removed because newer previews of the account need the space. Execute again.`,
  )
}
