/** Webhooks: the services, the sender, and its connections. */
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Account } from '../domain/accounts/account.ts'
import { atMostEvery } from '../domain/at-most-every.ts'
import type { Clock } from '../domain/clock.ts'
import { microsOrNull } from '../domain/money.ts'
import { batchRecord } from '../http/routes/batches/present.ts'
import { executionRecord } from '../http/routes/executions/present.ts'
import { workflowItem } from '../http/routes/workflows/present.ts'
import type { createLookup } from '../net/lookup.ts'
import { createWebhookHttp } from '../net/webhook-http.ts'
import type { Images } from '../services/images/images.ts'
import { createWebhookNotices } from '../services/webhooks/webhook-notices.ts'
import { createWebhooks } from '../services/webhooks/webhooks.ts'
import type { Stores } from '../storage/database/open.ts'
import { createWebhookSender, startSending } from '../worker/webhooks.ts'

interface WebhookDependencies {
  config: Config
  stores: Pick<Stores, 'webhookEndpoints' | 'webhookDeliveries'>
  lookup: ReturnType<typeof createLookup>
  clock: Clock
  log: Logger
}

export function openWebhooks({ config, stores, lookup, clock, log }: WebhookDependencies) {
  const { webhookEndpoints: endpoints, webhookDeliveries: deliveries } = stores
  const { problemOf, post } = createWebhookHttp({ allow: config.fetchAllow, allowsHttp: config.webhookHttp, lookup })
  // Each look tries again.
  const onError = atMostEvery(60_000, (err) => log.error({ err }, 'webhooks could not be sent: later'))
  return {
    service: createWebhooks({ endpoints, deliveries, clock, problemOf }),
    notices: createWebhookNotices({
      deliveries,
      clock,
      monthlyBudget: microsOrNull(config.accountBudgetUsdPerMonth),
    }),
    startSending(images: Images) {
      const present = {
        execution: (execution: Parameters<typeof executionRecord>[0], account: Account) =>
          executionRecord(execution, images.urlsOf(account)),
        workflow: (workflow: Parameters<typeof workflowItem>[0]) => ({
          ...workflowItem(workflow),
          ...(workflow.slug === null ? {} : { slug: workflow.slug }),
        }),
        batch: (batch: Parameters<typeof batchRecord>[0]) => batchRecord(batch, clock),
      }
      const onDisabled = (endpoint: string, reason: string) =>
        log.warn({ endpoint, reason }, 'a webhook endpoint was disabled')
      const onUnreadable = (err: unknown, event: string) =>
        log.error({ err, event }, 'the record of a webhook event could not be read: a short message is sent')
      const sender = createWebhookSender({ deliveries, post, present, clock, onDisabled, onUnreadable, onError })
      return startSending(sender, onError)
    },
  }
}
