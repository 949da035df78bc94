/** One of several processes that send the webhooks of a PostgreSQL database, until its parent ends it. Its clock is `lateMs` ahead. */
import { systemClock } from '../../../src/domain/clock.ts'
import { createWebhookHttp } from '../../../src/net/webhook-http.ts'
import { openDatabase } from '../../../src/storage/database/open.ts'
import { createWebhookSender } from '../../../src/worker/webhooks.ts'

const [url = '', allowed = '', lateMs = '0'] = process.argv.slice(2)
const { stores } = await openDatabase({ url, connectionsMax: 4 })
function fail(error: unknown): never {
  throw error
}

const sender = createWebhookSender({
  deliveries: stores.webhookDeliveries,
  post: createWebhookHttp({ allow: [allowed], allowsHttp: false }).post,
  present: {
    execution: ({ id }) => ({ executionId: id }),
    workflow: ({ id }) => ({ id }),
    batch: ({ id }) => ({ id }),
  },
  clock: { now: () => systemClock.now() + Number(lateMs) },
  onDisabled: () => {},
  onUnreadable: fail,
  onError: fail,
})
process.on('disconnect', () => process.exit())
for (;;) {
  await sender.look()
  await sender.idle()
  await new Promise(setImmediate)
}
