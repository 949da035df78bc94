/**
 * The step cache: results of steps, and the images of outputs, by account and key. It never fails or delays an execution: a
 * failed read is a cache miss, and writes run next to the execution.
 */

import { blobKeyOf } from '../../domain/blob-key.ts'
import type { BlobRemovalStore } from '../../domain/blob-removal.ts'
import { type Clock, elapsedSince, monotonicMs } from '../../domain/clock.ts'
import type { CredentialState } from '../../domain/credentials/credential-state.ts'
import type { NewStepResult, StepResult, StepResultStore } from '../../domain/executions/step-result.ts'
import { newId } from '../../domain/ids.ts'
import { BlobMissing, type BlobStore, type Image, type ImageFormat } from '../../domain/images/image.ts'
import type { Origin } from '../../domain/images/origin.ts'
import { note } from '../../domain/observed.ts'
import type { Retention } from '../../domain/retention.ts'
import { type PackedResult, readFacts } from '../../engine/cache/packed.ts'
import type { StepCache, StoredImage, StoredOutput, StoredResult } from '../../engine/cache/ports.ts'
import { tryDeleteOrphanedBlob } from '../images/orphaned-blobs.ts'
import { createCacheAdmission } from './cache-admission.ts'
import { createUnstoredBytes } from './unstored-bytes.ts'

export interface StepCaches {
  /** `imageIds`: the stored images that the execution has read so far. Results that it offers are removed with them. */
  of(accountId: string, imageIds?: ReadonlySet<string>): StepCache
  /** Stores that the file of this key is this image, which took `durationMs` to create. `pages`: of a PDF. */
  offerOutput(
    key: string,
    image: Image,
    durationMs: number,
    from?: { pages?: number | undefined; imageIds: readonly string[] },
  ): void
  /** Resolves when all offered results are stored. */
  flush(): Promise<void>
  /** Resolves when the write in progress is done. The other offered results are dropped. */
  close(): Promise<void>
}

interface Dependencies {
  stepResults: StepResultStore
  retention: Pick<Retention, 'bytesOf' | 'bytesMaxOf' | 'makeRoom'>
  blobs: BlobStore
  removals: BlobRemovalStore
  clock: Clock
  /** The largest limit of an account. */
  bytesMax: number
  onError(error: unknown): void
}

/** Bytes that a row counts for, without its facts. */
const rowBytes = 500
/** Rows are written in batches that share a commit. */
const flushMs = 25
/**
 * Rows of one statement. SQLite takes some 0.1 ms for each row of a cache with a million rows, because their pages are
 * far apart.
 */
const rowsPerWrite = 100
/** The precision of `usedAt`. */
const touchMs = 5_000
/** The share of a full cache that eviction leaves. */
const evictionTarget = 0.9

interface OutputFacts {
  imageId: string
  format: ImageFormat
  width: number
  height: number
  origin?: Origin
  credentials?: CredentialState
  size: number
  sha256: string
  pages?: number
}

export function createStepCaches(dependencies: Dependencies): StepCaches {
  const { stepResults, retention, blobs, removals, clock, bytesMax, onError } = dependencies
  const prices = createCacheAdmission()
  /** Rows that are not written yet, by account and key. They can be read already. */
  const fresh = new Map<string, NewStepResult>()
  const waiting: { id: string; accountId: string; key: string; packed: PackedResult; imageIds: readonly string[] }[] =
    []
  /** The ids of `waiting`, and of the result that is being stored. */
  const offered = new Set<string>()
  const unstored = createUnstoredBytes()
  let storing: Promise<void> | undefined
  let flushing: Promise<void> = Promise.resolve()
  let flushTimer: NodeJS.Timeout | undefined
  let touchTimer: NodeJS.Timeout | undefined
  const touched = new Map<string, Set<string>>()
  const totals = new Map<string, { bytes: number; unsure: number; max: number }>()

  const idOf = (accountId: string, key: string) => `${accountId}/${key}`

  async function rowsOf(accountId: string, keys: readonly string[]): Promise<StepResult[]> {
    const known = keys.flatMap((key) => fresh.get(idOf(accountId, key)) ?? [])
    const others = keys.filter((key) => !fresh.has(idOf(accountId, key)))
    try {
      return [...known, ...(await stepResults.find(accountId, others))]
    } catch (error) {
      onError(error)
      return known
    }
  }

  async function readBlob(row: StepResult, blobKey: string): Promise<Buffer | undefined> {
    try {
      const startMs = monotonicMs()
      const bytes = await blobs.read(blobKey)
      prices.wasRead(bytes.length, elapsedSince(startMs))
      note('cacheBytes', { direction: 'read', bytes: bytes.length })
      touch(row)
      return bytes
    } catch (error) {
      if (!(error instanceof BlobMissing)) onError(error)
      else await forget(row).catch(onError)
      return undefined
    }
  }

  /** A second key for the same blob is cheap. Without support for that, the bytes are read and stored again. */
  async function takeOutput(row: StepResult, image: StoredImage & { format: ImageFormat }) {
    const { id: _, format, ...facts } = image
    const id = newId('img', clock.now())
    try {
      if (await blobs.copy?.(blobKeyOf(image), blobKeyOf({ id, format }))) {
        touch(row)
        return { stored: { id, ...facts } }
      }
    } catch (error) {
      if (error instanceof BlobMissing) {
        await forget(row).catch(onError)
        return undefined
      }
      onError(error)
    }
    const bytes = await readBlob(row, blobKeyOf(image))
    return bytes && { bytes }
  }

  /** Removes a row whose bytes are gone. */
  async function forget({ accountId, key }: StepResult): Promise<void> {
    fresh.delete(idOf(accountId, key))
    await stepResults.remove(accountId, key, clock.now())
  }

  function touch({ accountId, key, usedAt }: StepResult): void {
    if (clock.now() - usedAt < touchMs) return
    const keys = touched.get(accountId) ?? new Set()
    touched.set(accountId, keys.add(key))
    touchTimer ??= setTimeout(() => void touchAll(), touchMs).unref()
  }

  async function touchAll(): Promise<void> {
    clearTimeout(touchTimer)
    touchTimer = undefined
    const all = [...touched]
    touched.clear()
    for (const [accountId, keys] of all)
      for (const part of partsOf([...keys])) await stepResults.touch(accountId, part, clock.now()).catch(onError)
  }

  /** One at a time, because it competes with executions. */
  async function storeAll(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { id, accountId, key, packed, imageIds } = next
      await store(accountId, key, packed, imageIds)
      unstored.remove(accountId, packed.bytes)
      offered.delete(id)
    }
    storing = undefined
  }

  async function store(
    accountId: string,
    key: string,
    packed: PackedResult,
    imageIds: readonly string[],
  ): Promise<void> {
    try {
      let blobKey: string | null = null
      if (packed.bytes > 0) {
        blobKey = newId('step', clock.now())
        const staged = await blobs.stage(inParts(packed.parts), { bytesMax: Number.MAX_SAFE_INTEGER })
        await staged.commit(blobKey)
      }
      prices.wasStored(packed.bytes)
      note('cacheBytes', { direction: 'written', bytes: packed.bytes })
      addRow({ accountId, key, blobKey, bytes: packed.bytes, facts: JSON.stringify(packed.facts), imageIds })
    } catch (error) {
      onError(error)
    }
  }

  function addRow({
    bytes,
    ...row
  }: Pick<NewStepResult, 'accountId' | 'key' | 'blobKey' | 'facts' | 'imageIds'> & { bytes: number }) {
    const now = clock.now()
    const size = bytes + row.facts.length + rowBytes
    fresh.set(idOf(row.accountId, row.key), { ...row, size, createdAt: now, usedAt: now })
    flushTimer ??= setTimeout(() => void flushRows(), flushMs).unref()
  }

  /** One at a time: a concurrent flush would find the rows of the first and remove their blobs as duplicates. */
  function flushRows(): Promise<void> {
    clearTimeout(flushTimer)
    flushTimer = undefined
    flushing = flushing.then(writeRows)
    return flushing
  }

  /** Marks the row as written, but not a newer row of the same key, which waits for the next write. */
  function markWritten(row: StepResult): void {
    const id = idOf(row.accountId, row.key)
    if (fresh.get(id) === row) fresh.delete(id)
  }

  async function writeRows(): Promise<void> {
    for (const part of partsOf([...fresh.values()])) await write(part)
  }

  async function write(rows: readonly NewStepResult[]): Promise<void> {
    try {
      const written = new Set(await stepResults.add(rows))
      for (const row of rows) {
        markWritten(row)
        // Another process has written the key first, or an image that it was made from is deleted.
        if (!written.has(row) && row.blobKey !== null) await blobs.remove(row.blobKey)
      }
      for (const accountId of new Set(rows.map((row) => row.accountId))) {
        const ownRows = [...written].filter((row) => row.accountId === accountId)
        await makeRoom(
          accountId,
          ownRows.reduce((sum, { size }) => sum + size, 0),
        )
      }
    } catch (error) {
      // The sweep removes the blobs without a row.
      for (const row of rows) markWritten(row)
      onError(error)
    }
  }

  /** Other processes add to the same account, so the total is read again before much can have been added. */
  async function makeRoom(accountId: string, bytes: number): Promise<void> {
    const known = totals.get(accountId)
    const total = known ?? { ...(await readTotal(accountId)), unsure: 0 }
    totals.set(accountId, total)
    if (known) total.bytes += bytes
    total.unsure += bytes
    if (total.unsure > total.max / 16) Object.assign(total, await readTotal(accountId), { unsure: 0 })
    if (total.bytes <= total.max) return
    await touchAll()
    total.bytes = await evict(accountId, total.max)
    total.unsure = 0
  }

  async function readTotal(accountId: string): Promise<{ bytes: number; max: number }> {
    const [bytes, max] = await Promise.all([
      retention.bytesOf('step-results', accountId),
      retention.bytesMaxOf('step-results', accountId),
    ])
    return { bytes, max }
  }

  /**
   * Evicts in parts. Each removes rows towards the target, and the first one after which the cache is below its limit is the last: of small results,
   * a write then removes about as many as it adds. Returns the bytes that are left.
   */
  async function evict(accountId: string, max: number): Promise<number> {
    const part = { bytesMax: max * evictionTarget, partsMax: 1 }
    for (;;) {
      const { rows, bytesLeft, blobKeys } = await retention.makeRoom('step-results', accountId, part)
      for (const blobKey of blobKeys) await tryDeleteOrphanedBlob(blobKey, blobs, removals)
      if (bytesLeft <= max || rows === 0) return bytesLeft
    }
  }

  async function flush(): Promise<void> {
    await storing
    await flushRows()
    await touchAll()
  }

  return {
    of: (accountId, imageIds = new Set()) => ({
      async find(keys) {
        const rows = await rowsOf(accountId, keys)
        return new Map(
          rows.flatMap((row): [string, StoredResult][] => {
            const stored = storedOf(row)
            // Results that were made from it are worthless without it, so it is used whenever they are.
            if (stored?.facts.variation !== undefined) touch(row)
            return stored ? [[row.key, stored]] : []
          }),
        )
      },

      async findOutputs(keys) {
        const rows = await rowsOf(accountId, keys)
        return new Map(
          rows.flatMap((row): [string, StoredOutput][] => {
            const found = readOutputFacts(row.facts)
            if (found === undefined) return []
            const { imageId: id, size, sha256, ...facts } = found
            return [[row.key, { ...facts, take: () => takeOutput(row, { id, format: facts.format, size, sha256 }) }]]
          }),
        )
      },

      offer(key, packed, durationMs) {
        const id = idOf(accountId, key)
        if (offered.has(id) || fresh.has(id) || packed.bytes > bytesMax / 4) return
        if (packed.bytes === 0) {
          if (prices.isRowWorth(0, durationMs))
            addRow({
              accountId,
              key,
              blobKey: null,
              bytes: 0,
              facts: JSON.stringify(packed.facts),
              imageIds: [...imageIds],
            })
          return
        }
        if (!prices.isWorth(packed.bytes, durationMs) || !unstored.add(accountId, packed.bytes)) return
        offered.add(id)
        waiting.push({ id, accountId, key, packed, imageIds: [...imageIds] })
        storing ??= storeAll()
      },

      async keep(key, packed) {
        if (packed.bytes > bytesMax / 4) return
        await store(accountId, key, packed, [...imageIds])
        await flushRows()
      },
    }),

    offerOutput(
      key,
      { id, accountId, format, width, height, origin, credentials, size, sha256 },
      durationMs,
      { pages, imageIds } = { imageIds: [] },
    ) {
      if (!prices.isRowWorth(size, durationMs)) return
      const facts: OutputFacts = {
        imageId: id,
        format,
        width,
        height,
        size,
        sha256,
        ...(origin && { origin }),
        ...(credentials && { credentials }),
        ...(pages !== undefined && { pages }),
      }
      addRow({ accountId, key, blobKey: null, bytes: 0, facts: JSON.stringify(facts), imageIds })
    },

    flush,
    close() {
      waiting.length = 0
      return flush()
    },
  }

  function storedOf(row: StepResult): StoredResult | undefined {
    const facts = readFacts(row.facts)
    if (facts === undefined) return undefined
    return {
      facts,
      async read() {
        if (row.blobKey !== null) return readBlob(row, row.blobKey)
        touch(row)
        return Buffer.alloc(0)
      },
    }
  }
}

/** A statement for each part: other requests run in between. */
function partsOf<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / rowsPerWrite)
  return Array.from({ length: count }, (_, i) => items.slice(i * rowsPerWrite, (i + 1) * rowsPerWrite))
}

/** Undefined if the text is not of this form. */
function readOutputFacts(text: string): OutputFacts | undefined {
  try {
    const facts: Partial<OutputFacts> | null = JSON.parse(text)
    return typeof facts?.imageId === 'string' && facts.format !== undefined ? (facts as OutputFacts) : undefined
  } catch {
    return undefined
  }
}

async function* inParts(parts: readonly Buffer[]): AsyncIterable<Uint8Array> {
  for (const part of parts) if (part.length > 0) yield part
}
