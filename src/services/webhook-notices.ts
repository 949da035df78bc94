/** Events that no request causes: budgets that are nearly spent, and keys that expire soon. Also the retention of deliveries. */
import { type Clock, timestamp } from '../domain/clock.ts'
import type { Micros } from '../domain/model.ts'
import { budgetNotice, budgetThresholds, keyNotice, type WebhookDeliveryStore } from '../domain/webhook.ts'
import { limits } from '../limits.ts'

export interface WebhookNotices {
  /** Writes an event for each budget and key that has none yet. Returns the number of events. */
  send(): Promise<number>
  /** Removes at most `rowsMax` old deliveries. Returns how many. */
  sweep(rowsMax: number): Promise<number>
}

interface Dependencies {
  deliveries: Pick<WebhookDeliveryStore, 'budgets' | 'expiringKeys' | 'notify' | 'sweep' | 'sweepNotices'>
  clock: Clock
  /** Of accounts without their own budget. */
  monthlyBudget: Micros | null
}

const dayMs = 86_400_000
/** Keys of one run; the next run continues. */
const keysMax = 1_000
/** Longer than a month, and than the notice of a key. */
const noticesKeptMs = 60 * dayMs

export function createWebhookNotices({ deliveries, clock, monthlyBudget }: Dependencies): WebhookNotices {
  return {
    async send() {
      const now = clock.now()
      const month = timestamp(now).slice(0, 7)
      let count = 0
      for (const budget of await deliveries.budgets(month, monthlyBudget)) {
        for (const threshold of budgetThresholds) {
          const isReached = budget.spentMicros * 100 >= budget.budgetMicros * threshold
          if (isReached && (await deliveries.notify(budgetNotice(budget, month, threshold, now)))) count += 1
        }
      }
      const until = now + limits.keyExpiryNoticeDays * dayMs
      for (const key of await deliveries.expiringKeys(now, until, keysMax))
        if (await deliveries.notify(keyNotice(key, now))) count += 1
      return count
    },

    async sweep(rowsMax) {
      const now = clock.now()
      await deliveries.sweepNotices(now - noticesKeptMs)
      const endedBefore = now - limits.webhookDeliveriesKeptSeconds * 1_000
      return deliveries.sweep(endedBefore, limits.webhookDeliveriesKeptMax, rowsMax)
    },
  }
}
