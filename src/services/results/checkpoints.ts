/** Checkpoints: results of the completed steps of failed executions, stored for some days for executions that resume them. */
import { blobKeyOf } from '../../domain/blob-key.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Execution, ExecutionStore } from '../../domain/executions/execution.ts'
import type { StepCheckpointRecord, StepResultStore } from '../../domain/executions/step-result.ts'
import { newId } from '../../domain/ids.ts'
import { BlobMissing, type BlobStore } from '../../domain/images/image.ts'
import type { Retention } from '../../domain/retention.ts'
import { type ResultFacts, readFacts } from '../../engine/cache/packed.ts'
import type { Checkpoint, Checkpoints, StoredCheckpoint, StoredFile } from '../../engine/cache/ports.ts'
import { limits } from '../../limits.ts'
import { findResumeChain } from './resume-chain.ts'

export interface CheckpointStore {
  /** Never throws: without its checkpoints a resumed execution runs from the start. */
  keep(execution: Execution, finished: readonly Checkpoint[]): Promise<void>
  /** The checkpoints of the executions in the resume chain of this one. */
  of(execution: Execution): Promise<Checkpoints | undefined>
}

interface Dependencies {
  stepResults: StepResultStore
  retention: Pick<Retention, 'makeRoom'>
  executions: Pick<ExecutionStore, 'find'>
  blobs: BlobStore
  clock: Clock
  /** The limit of each account. */
  bytesMax?: number
  onError(error: unknown): void
}

/** Bytes that a row counts for, without its facts. */
const rowBytes = 500
/** Rows of one statement: others run in between. */
const rowsPerWrite = 100
/**
 * The most parts of older checkpoints that a failed execution evicts, which is more than it adds. Its images are not stored if that makes too little room:
 * its end would otherwise wait until a million small checkpoints are gone.
 */
const evictionsMax = 32

export function createCheckpointStore({
  stepResults,
  retention,
  executions,
  blobs,
  clock,
  bytesMax = limits.checkpointBytesMax,
  onError,
}: Dependencies): CheckpointStore {
  async function store(finished: Checkpoint, fits: boolean): Promise<{ blobKey: string | null; hasImages: boolean }> {
    const { packed, stored } = finished
    if (!fits) return { blobKey: null, hasImages: false }
    if (stored) return { blobKey: await copyFile(stored), hasImages: true }
    if (packed === undefined) return { blobKey: null, hasImages: false }
    if (packed.bytes === 0) return { blobKey: null, hasImages: true }
    const blobKey = newId('step', clock.now())
    const staged = await blobs.stage(inParts(packed.parts), { bytesMax: Number.MAX_SAFE_INTEGER })
    await staged.commit(blobKey)
    return { blobKey, hasImages: true }
  }

  /** The file of an output: the image that it would have become is removed. */
  async function copyFile(file: StoredFile): Promise<string> {
    const blobKey = newId('step', clock.now())
    if (await blobs.copy?.(blobKeyOf(file), blobKey)) return blobKey
    await blobs.put(blobKey, await blobs.read(blobKeyOf(file)))
    return blobKey
  }

  async function save(rows: readonly StepCheckpointRecord[]): Promise<void> {
    const written = await stepResults.saveCheckpoints(rows)
    for (const { task, blobKey } of rows) if (!written.has(task) && blobKey !== null) await blobs.remove(blobKey)
  }

  return {
    async keep({ id, accountId }, finished) {
      if (finished.length === 0) return
      try {
        const tasks = new Set<string>()
        const steps = finished.flatMap((step) => {
          if (tasks.has(step.task)) return []
          tasks.add(step.task)
          return { step, bytes: bytesOf(step), ownBytes: rowSize(textOf(step, false)) }
        })
        const needed = steps.reduce((sum, { bytes, ownBytes }) => sum + bytes + ownBytes, 0)
        // Executions are resumed soon or never, so the oldest checkpoints make room.
        const { bytesLeft } = await retention.makeRoom('step-checkpoints', accountId, {
          bytesMax: Math.max(0, bytesMax - needed),
          partsMax: evictionsMax,
        })
        let left = bytesMax - bytesLeft
        const rows: StepCheckpointRecord[] = []
        for (const { step, bytes, ownBytes } of steps) {
          if (ownBytes > left) continue
          const { task, key = null } = step
          const { blobKey, hasImages } = await store(step, bytes + ownBytes <= left).catch((error) => {
            // The checkpoints of the other steps are kept, and this one without its images.
            onError(error)
            return { blobKey: null, hasImages: false }
          })
          const text = textOf(step, hasImages)
          const size = (blobKey === null ? 0 : bytes) + rowSize(text)
          left -= size
          const createdAt = clock.now()
          rows.push({ executionId: id, accountId, task, key, blobKey, size, facts: text, createdAt })
        }
        for (let start = 0; start < rows.length; start += rowsPerWrite)
          await save(rows.slice(start, start + rowsPerWrite))
      } catch (error) {
        onError(error)
      }
    },

    async of(execution) {
      const ids = await findResumeChain(execution, executions)
      if (ids.length === 0) return undefined
      const rows = await stepResults.findCheckpoints(execution.accountId, ids)
      // The newest first: a source that was read again may have changed.
      rows.sort((a, b) => ids.indexOf(a.executionId) - ids.indexOf(b.executionId))
      const checkpoints = new Map<string, StoredCheckpoint>()
      for (const row of rows) {
        const facts: (ResultFacts & Pick<StoredCheckpoint, 'preview'> & { hasImages?: boolean }) | undefined =
          readFacts(row.facts)
        // Of two checkpoints of a task, the one with images counts.
        if (facts === undefined || checkpoints.get(row.task)?.hasImages) continue
        const hasImages = facts.hasImages === true
        if (checkpoints.has(row.task) && !hasImages) continue
        const { preview } = facts
        checkpoints.set(row.task, {
          facts,
          hasImages,
          preview,
          key: row.key ?? undefined,
          read: () => read(row.blobKey),
        })
      }
      return checkpoints
    },
  }

  async function read(blobKey: string | null): Promise<Buffer | undefined> {
    if (blobKey === null) return Buffer.alloc(0)
    try {
      return await blobs.read(blobKey)
    } catch (error) {
      if (!(error instanceof BlobMissing)) onError(error)
      return undefined
    }
  }
}

function bytesOf({ packed, stored }: Checkpoint): number {
  return packed?.bytes ?? stored?.size ?? 0
}

function textOf({ facts, preview }: Checkpoint, hasImages: boolean): string {
  return JSON.stringify({ ...facts, hasImages, preview })
}

function rowSize(text: string): number {
  return text.length + rowBytes
}

async function* inParts(parts: readonly Buffer[]): AsyncIterable<Uint8Array> {
  for (const part of parts) if (part.length > 0) yield part
}
