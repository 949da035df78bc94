/** Streams of the progress of a batch, whichever processes run it. They read the records again and again, at most once a second. */
import type { BatchState } from '../../domain/batches/batch.ts'
import type { BatchItem, BatchItemStore } from '../../domain/batches/batch-item.ts'
import { type Clock, elapsedSince, monotonicMs } from '../../domain/clock.ts'
import { Fault } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { createWakeUp, type EventStreams, type StatusWait, type StreamRequest } from '../event-streams.ts'
import type { Batches } from './batches.ts'
import { isSettled } from './progress.ts'

/** `id`: a time in milliseconds. A stream that continues there repeats some rows that ended shortly before. */
export type BatchEvent = { id: number } & ({ kind: 'batch'; batch: BatchState } | { kind: 'item'; item: BatchItem })

export interface BatchEvents {
  /**
   * The batch as it is now, then the batch after each change, and each row that ends. `last`: the id of the last received event; rows that
   * ended after it come first. The stream comes in parts, and ends with the batch. An empty part says that nothing has happened for a while.
   * If the records can't be read for a while, it ends too: its client connects again, and continues after `last`.
   */
  follow(accountId: string, batchId: string, request: BatchEventsRequest): Promise<AsyncIterable<BatchEvent[]>>
  /**
   * Waits until the batch has ended, the time is over, the client has gone or the service shuts down. Throws `not_found`, and `rate_limited` if
   * too many requests of the account wait.
   */
  ended(accountId: string, batchId: string, wait: StatusWait): Promise<void>
  /** Ends all streams and waits: their clients continue at another process, or later. */
  close(): void
}

interface BatchEventsRequest extends StreamRequest {
  last?: number | undefined
}

interface Dependencies {
  batches: Pick<Batches, 'find'>
  items: Pick<BatchItemStore, 'readEnded'>
  streams: EventStreams
  clock: Clock
  /** The records can't be read. Called for the first failure of a stream, and if it ends because of them. */
  onError(error: unknown, facts: { requestId: string; batchId: string; isEnd: boolean }): void
  lookMs?: number
  keepAliveMs?: number
  openMsMax?: number
}

/** Most rows of one part. */
const rowsAtOnce = 200
/** Looks that fail one after another before the stream ends. */
const failuresMax = 30
/** A row can become visible this long after its end: its transaction takes a while, and clocks differ. */
const lateMs = 3_000

export function createBatchEvents({
  batches,
  items,
  streams,
  clock,
  onError,
  lookMs = 1_000,
  keepAliveMs = limits.eventsKeepAliveSeconds * 1_000,
  openMsMax = limits.eventStreamSeconds * 1_000,
}: Dependencies): BatchEvents {
  const closing = new AbortController()

  async function* stream(
    first: BatchState,
    { last, signal, requestId }: BatchEventsRequest,
    leave: () => void,
  ): AsyncGenerator<BatchEvent[], void> {
    const wakeUp = createWakeUp()
    for (const end of [signal, closing.signal]) end.addEventListener('abort', wakeUp.wake)
    try {
      const openedMs = monotonicMs()
      const readEnded = createEndedReader(items, clock, (last ?? clock.now()) - lateMs)
      let batch = first
      let sent = ''
      let sentMs = monotonicMs()
      let failures = 0
      let isLogged = false
      function failed(error: unknown): void {
        failures += 1
        const isEnd = failures >= failuresMax
        if (!isLogged || isEnd) onError(error, { requestId, batchId: first.id, isEnd })
        isLogged = true
      }
      const isOpen = () => !closing.signal.aborted && !signal.aborted && elapsedSince(openedMs) < openMsMax
      for (let isFirst = true; isOpen(); isFirst = false) {
        // The state comes first once, and after the rows that changed it from then on.
        const isOver = isSettled(batch)
        if (isFirst) {
          sent = stateOf(batch)
          yield [{ id: last ?? clock.now(), kind: 'batch', batch }]
        }
        let isComplete = true
        try {
          for await (const rows of readEnded(batch)) {
            yield rows.map((item) => ({ id: Number(item.endedAt), kind: 'item', item }))
            sentMs = monotonicMs()
          }
        } catch (error) {
          // If the database doesn't respond, the stream reads again later, also after the end of the batch.
          isComplete = false
          failed(error)
        }
        if (isComplete && stateOf(batch) !== sent) {
          sent = stateOf(batch)
          yield [{ id: clock.now(), kind: 'batch', batch }]
          sentMs = monotonicMs()
        } else if (elapsedSince(sentMs) >= keepAliveMs) {
          yield []
          sentMs = monotonicMs()
        }
        if (isOver && isComplete) return
        await wakeUp.wait(lookMs)
        try {
          batch = await batches.find(first.accountId, first.id)
          if (isComplete) failures = 0
        } catch (error) {
          if (error instanceof Fault && error.code === 'not_found') return
          failed(error)
        }
        if (failures >= failuresMax) return
      }
    } finally {
      for (const end of [signal, closing.signal]) end.removeEventListener('abort', wakeUp.wake)
      leave()
    }
  }

  return {
    async follow(accountId, batchId, request) {
      if (closing.signal.aborted) throw new Fault('unavailable', 'The service is shutting down.')
      const batch = await batches.find(accountId, batchId)
      return stream(batch, request, streams.enter(accountId, request.signal))
    },

    async ended(accountId, batchId, { seconds, signal }) {
      let batch = await batches.find(accountId, batchId)
      if (isSettled(batch)) return
      const leave = streams.enter(accountId, signal)
      const wakeUp = createWakeUp()
      const ends = [signal, closing.signal]
      for (const end of ends) end.addEventListener('abort', wakeUp.wake)
      try {
        const sinceMs = monotonicMs()
        const leftMs = () => seconds * 1_000 - elapsedSince(sinceMs)
        while (!isSettled(batch) && leftMs() > 0 && !ends.some((end) => end.aborted)) {
          await wakeUp.wait(Math.min(lookMs, leftMs()))
          batch = await batches.find(accountId, batchId)
        }
      } finally {
        for (const end of ends) end.removeEventListener('abort', wakeUp.wake)
        leave()
      }
    },

    close: () => closing.abort(),
  }
}

function stateOf({ runStartedAt: _, ...shown }: BatchState): string {
  return JSON.stringify(shown)
}

/** No row of a batch has a higher number. PostgreSQL rejects numbers that its column cannot have. */
const lastRow: number = limits.batchRowsMax

/** Reads the rows that have ended since it read last. Looks back, because a row can become visible late. After an error, it reads them again. */
function createEndedReader(items: Dependencies['items'], clock: Clock, since: number) {
  let after = { endedAt: since, row: lastRow }
  /** Row -> when it ended, of the rows after `after` that were returned. A retried row can end again. */
  const returned = new Map<number, number>()
  return async function* (batch: BatchState): AsyncGenerator<BatchItem[], void> {
    const lookBackTo = clock.now() - lateMs
    for (let at = after; ; ) {
      const rows = await items.readEnded(batch, at, rowsAtOnce)
      const fresh = rows.filter(({ row, endedAt }) => returned.get(row) !== endedAt)
      for (const { row, endedAt } of fresh) returned.set(row, Number(endedAt))
      if (fresh.length > 0) yield fresh
      const last = rows.at(-1)
      if (last !== undefined) at = { endedAt: Number(last.endedAt), row: last.row }
      after = { endedAt: Math.max(after.endedAt, Math.min(at.endedAt, lookBackTo)), row: lastRow }
      for (const [row, endedAt] of returned) if (endedAt <= after.endedAt) returned.delete(row)
      if (rows.length === 0) return
    }
  }
}
