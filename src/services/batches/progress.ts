import type { BatchState } from '../../domain/batches/batch.ts'
import { endedCount } from '../../domain/batches/batch-item.ts'

/** When a running batch will have ended, at the rate since it started or continued. Null if it doesn't run or no row has ended since. */
export function expectedCompletion(batch: BatchState, now: number): number | null {
  const { status, counts, runStartedAt, runEndedBefore } = batch
  const ended = endedCount(counts) - runEndedBefore
  if (status !== 'running' || runStartedAt === null || ended <= 0) return null
  const msEach = (now - runStartedAt) / ended
  return Math.round(now + msEach * (counts.pending + counts.running))
}

/** Whether no row can end any more, unless rows are retried. */
export function isSettled({ status, counts }: BatchState): boolean {
  return status === 'completed' || (status === 'cancelled' && counts.pending + counts.running === 0)
}
