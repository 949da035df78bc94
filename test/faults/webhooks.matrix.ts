/** Several processes send the webhooks of one PostgreSQL database. */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { WebhookDelivery } from '../../src/domain/webhooks/webhook.ts'
import { limits } from '../../src/limits.ts'
import { type Database, openDatabase } from '../../src/storage/database/open.ts'
import { execution, refused, tenant } from '../contract/records.ts'
import { endpointOf } from '../contract/webhooks.ts'
import { newDatabaseOn, startPostgres } from '../harness/postgres.ts'
import { until } from '../harness/wait.ts'

const program = fileURLToPath(new URL('processes/webhook-sender.ts', import.meta.url))
const processes = 4
const accounts = 3
const endpointsEach = 2
const eventsEach = 40
const all = accounts * endpointsEach * eventsEach

describe('several processes that send webhooks', () => {
  const serverUrl = process.env.TINTYPE_TEST_POSTGRES
  let server: Awaited<ReturnType<typeof startPostgres>> | undefined
  /** Endpoint and event of each request. */
  let received: string[] = []
  let isHeld = false
  const held: http.ServerResponse[] = []
  const receiver = http.createServer((request, response) => {
    received.push(`${request.url} ${String(request.headers['webhook-id'])}`)
    request.resume().on('end', () => {
      if (isHeld) held.push(response)
      else response.writeHead(204).end()
    })
  })
  let host: string

  before(async () => {
    if (serverUrl === undefined) server = await startPostgres({ durable: false })
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
  })
  after(async () => {
    receiver.close()
    await server?.remove()
  })

  async function openSetup(t: TestContext) {
    received = []
    const url = server ? await server.newDatabase() : await newDatabaseOn(serverUrl ?? '')
    const database = await openDatabase({ url, connectionsMax: 4 })
    const children: ChildProcess[] = []
    t.after(async () => {
      for (const child of children) child.kill('SIGKILL')
      await database.close()
    })
    const start = (lateMs = 0) => {
      const child = fork(program, [url, host, String(lateMs)])
      children.push(child)
      return child
    }
    const { stores } = database
    const tenants = await Promise.all(
      Array.from({ length: accounts }, async () => {
        const { account, workflow } = await tenant(stores)
        for (let i = 0; i < endpointsEach; i += 1) {
          const endpoint = endpointOf(account.id)
          await stores.webhookEndpoints.create({ ...endpoint, url: `http://${host}/${endpoint.id}` })
        }
        return { account, workflow }
      }),
    )
    const emit = () => Promise.all(tenants.map(({ workflow }) => endExecutions(database, workflow)))
    const statuses = () =>
      Promise.all(
        tenants.map(({ account }) =>
          stores.webhookDeliveries.list(account.id, { limit: eventsEach * endpointsEach, offset: 0 }, {}),
        ),
      ).then((pages) => pages.flatMap(({ items }) => items))
    return { start, emit, statuses }
  }

  async function endExecutions({ stores }: Database, workflow: Parameters<typeof execution>[0]): Promise<void> {
    for (let i = 0; i < eventsEach; i += 1) {
      const started = execution(workflow)
      await stores.executions.create(started)
      await stores.executions.cancel(started.id, { error: refused, completedAt: started.createdAt })
    }
  }

  const allDelivered = (statuses: () => Promise<WebhookDelivery[]>) =>
    until('the deliveries', async () => {
      const found = await statuses()
      return found.length === all && found.every(({ status }) => status === 'delivered') ? found : undefined
    })

  test('each endpoint gets each event once, with one attempt', async (t) => {
    const { start, emit, statuses } = await openSetup(t)
    for (let i = 0; i < processes; i += 1) start()
    await emit()
    const delivered = await allDelivered(statuses)
    assert.equal(new Set(received).size, all)
    assert.equal(received.length, all)
    assert.ok(delivered.every(({ attempts }) => attempts === 1))
  })

  test('the deliveries of a killed process are sent again by one of the others', async (t) => {
    const { start, emit, statuses } = await openSetup(t)
    await emit()
    isHeld = true
    const child = start()
    // Its attempts per endpoint are limited, and all of them wait for their response.
    const inFlight = accounts * endpointsEach * limits.webhookAttemptsPerEndpointMax
    await until('requests', () => (received.length >= Math.min(inFlight, all) ? true : undefined))
    child.kill('SIGKILL')
    await once(child, 'exit')
    isHeld = false
    for (const response of held.splice(0)) response.destroy()
    const lost = new Set(received)
    assert.equal(lost.size, received.length)
    received = []
    for (let i = 0; i < processes; i += 1) start(limits.webhookLeaseSeconds * 1_000)
    const delivered = await allDelivered(statuses)
    assert.equal(new Set(received).size, all)
    assert.equal(received.length, all)
    const again = delivered.filter(({ attempts }) => attempts === 2)
    assert.ok(again.every(({ endpointId, eventId }) => lost.has(`/${endpointId} ${eventId}`)))
    assert.equal(again.length, lost.size)
  })
})
