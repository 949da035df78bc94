/** Events that no request causes: budgets that are nearly spent, and keys that expire soon. */
import { type Clock, timestamp } from '../../domain/clock.ts'
import type { Micros } from '../../domain/models/model.ts'
import { createSkippedErrors } from '../../domain/skipped-errors.ts'
import {
  budgetNotice,
  budgetThresholds,
  keyNotice,
  type NewNotice,
  type WebhookDeliveryStore,
} from '../../domain/webhooks/webhook.ts'
import { limits } from '../../limits.ts'

export interface WebhookNotices {
  /** Writes an event for each budget and key that has none yet. Returns the number of events. Throws an error after the other events are written. */
  send(): Promise<number>
}

interface Dependencies {
  deliveries: Pick<WebhookDeliveryStore, 'budgets' | 'expiringKeys' | 'notify'>
  clock: Clock
  /** Budget of accounts without their own budget. */
  monthlyBudget: Micros | null
}

const dayMs = 86_400_000
/** Keys of one run; the next run continues. */
const keysMax = 1_000

export function createWebhookNotices({ deliveries, clock, monthlyBudget }: Dependencies): WebhookNotices {
  return {
    async send() {
      const now = clock.now()
      const month = timestamp(now).slice(0, 7)
      const errors = createSkippedErrors()
      let count = 0
      const notify = (notice: NewNotice) =>
        errors.skip(async () => {
          if (await deliveries.notify(notice)) count += 1
        })
      for (const budget of await deliveries.budgets(month, monthlyBudget)) {
        for (const threshold of budgetThresholds) {
          const isReached = budget.spentMicros * 100 >= budget.budgetMicros * threshold
          if (isReached) await notify(budgetNotice(budget, month, threshold, now))
        }
      }
      const until = now + limits.keyExpiryNoticeDays * dayMs
      for (const key of await deliveries.expiringKeys(now, until, keysMax)) await notify(keyNotice(key, now))
      errors.throwAny()
      return count
    },
  }
}
