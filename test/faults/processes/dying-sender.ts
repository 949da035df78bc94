/** A process that sends the webhooks of a database, and kills itself before or after a call of the store or a request. */
import { systemClock } from '../../../src/domain/clock.ts'
import { createWebhookHttp } from '../../../src/net/webhook-http.ts'
import { openDatabase } from '../../../src/storage/database/open.ts'
import { createWebhookSender } from '../../../src/worker/webhooks.ts'

const [file = '', allowed = '', method = '', when = '', lateMs = '0'] = process.argv.slice(2)
const clock = { now: () => systemClock.now() + Number(lateMs) }
const { stores, close } = await openDatabase({ file })

function dying<Args extends unknown[], Result>(
  name: string,
  call: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    if (name === method && when === 'before') process.kill(process.pid, 'SIGKILL')
    const result = await call(...args)
    if (name === method && when === 'after') process.kill(process.pid, 'SIGKILL')
    return result
  }
}

const { dispatch, claim, endSome, record } = stores.webhookDeliveries
const { post } = createWebhookHttp({ allow: [allowed], allowsHttp: false })
function fail(error: unknown): never {
  throw error
}

const sender = createWebhookSender({
  deliveries: {
    dispatch: dying('dispatch', dispatch),
    claim: dying('claim', claim),
    endSome,
    record: dying('record', record),
  },
  post: dying('post', post),
  present: {
    execution: ({ id }) => ({ executionId: id }),
    workflow: ({ id }) => ({ id }),
    batch: ({ id }) => ({ id }),
  },
  clock,
  onDisabled: () => {},
  onUnreadable: fail,
  onError: fail,
})
await sender.look()
await sender.idle()
await close()
