/** The retention of notices and webhook deliveries: ended ones are kept for some days, and up to a number of each account. */
import type { Clock } from '../../domain/clock.ts'
import { createSkippedErrors, startingAfter } from '../../domain/skipped-errors.ts'
import type { WebhookDeliveryStore } from '../../domain/webhooks/webhook.ts'
import { limits } from '../../limits.ts'

export type SweptDeliveries = Pick<
  WebhookDeliveryStore,
  'sweepNotices' | 'sweepOld' | 'accounts' | 'findExcess' | 'sweepUpTo' | 'sweepQueues'
>

/** Time that notices are kept: longer than a month, and than the notice of a key. */
const noticesKeptMs = 60 * 24 * 60 * 60 * 1_000
/** Rows that one statement removes. */
const rowsAtOnce = 500

/** Returns how many deliveries and notices it removed, at most `rowsMax`. The next run continues. The error of one account is thrown after the others had their turn. */
export function createDeliverySweep({ deliveries, clock }: { deliveries: SweptDeliveries; clock: Clock }) {
  /** The last account that had its turn. */
  let lastAccountId = ''

  return async (rowsMax: number, signal?: AbortSignal): Promise<number> => {
    let removed = 0

    async function inParts(sweepSome: (rowsMax: number) => Promise<number>): Promise<void> {
      while (removed < rowsMax && !signal?.aborted) {
        const count = await sweepSome(Math.min(rowsAtOnce, rowsMax - removed))
        removed += count
        if (count === 0) return
      }
    }

    async function sweepOf(accountId: string): Promise<void> {
      await deliveries.sweepQueues(accountId)
      const newest = await deliveries.findExcess(accountId, limits.webhookDeliveriesKeptMax)
      if (newest !== undefined) await inParts((max) => deliveries.sweepUpTo(accountId, newest, max))
    }

    const noticesBefore = clock.now() - noticesKeptMs
    await inParts((max) => deliveries.sweepNotices(noticesBefore, max))
    const endedBefore = clock.now() - limits.webhookDeliveriesKeptSeconds * 1_000
    await inParts((max) => deliveries.sweepOld(endedBefore, max))
    const errors = createSkippedErrors()
    for (const accountId of startingAfter(lastAccountId, await deliveries.accounts())) {
      if (removed >= rowsMax || signal?.aborted) break
      lastAccountId = accountId
      await errors.skip(() => sweepOf(accountId))
    }
    errors.throwAny()
    return removed
  }
}
