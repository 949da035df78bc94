import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { execution, tenant } from '../../test/contract/records.ts'
import { endpointOf } from '../../test/contract/webhooks.ts'
import { newSqlite } from '../../test/harness/sqlite.ts'
import { until } from '../../test/harness/wait.ts'
import { attemptsMax, type WebhookDeliveryStore } from '../domain/webhooks/webhook.ts'
import { limits } from '../limits.ts'
import { bodyWith, shortBody, type WebhookPresenter } from '../services/webhooks/webhook-messages.ts'
import { createWebhooks } from '../services/webhooks/webhooks.ts'
import { createWebhookSender } from './webhooks.ts'

interface Post {
  url: string
  headers: Record<string, string>
  body: string
}

const hourMs = 3_600_000
const error = { code: 'workflow_failed', message: 'no', details: {} } as const

/** A service whose receivers are functions, and whose clock the test moves. */
async function openSetup(
  t: TestContext,
  wrap: (store: WebhookDeliveryStore) => Partial<WebhookDeliveryStore> = () => ({}),
) {
  const { stores } = await newSqlite(t)
  const clock = { ms: Date.UTC(2026, 10, 25), now: () => clock.ms }
  const { account, workflow } = await tenant(stores)
  const posts: Post[] = []
  const receiver = {
    respond: async (_post: Post) => ({ status: 200, body: 'ok', retryAfter: undefined as string | undefined }),
  }
  const errors: unknown[] = []
  const unreadable: string[] = []
  const present: WebhookPresenter = {
    execution: ({ id, status }) => ({ executionId: id, status }),
    workflow: () => ({}),
    batch: () => ({}),
  }
  const deliveries = { ...stores.webhookDeliveries, ...wrap(stores.webhookDeliveries) }
  const newSender = () =>
    createWebhookSender({
      deliveries,
      post: (url, headers, body, signal) => {
        posts.push({ url, headers, body })
        const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        return Promise.race([receiver.respond({ url, headers, body }), aborted])
      },
      present,
      clock,
      onDisabled: () => {},
      onUnreadable: (_, eventId) => unreadable.push(eventId),
      onError: (caught) => errors.push(caught),
    })
  const sender = newSender()
  const webhooks = createWebhooks({ endpoints: stores.webhookEndpoints, deliveries, clock, problemOf: () => undefined })
  const endpoint = await webhooks.create(account.id, { url: 'https://example.com/hook' })
  const fail = async () => {
    const created = execution(workflow)
    await stores.executions.create(created)
    await stores.executions.cancel(created.id, { error, completedAt: clock.ms })
    return created.id
  }
  const send = async () => {
    await sender.look()
    await sender.idle()
  }
  const statusOf = async (page = { limit: 100, offset: 0 }) =>
    (await stores.webhookDeliveries.list(account.id, page, {})).items.map(({ status }) => status)
  return {
    stores,
    account,
    workflow,
    clock,
    posts,
    receiver,
    errors,
    unreadable,
    present,
    sender,
    newSender,
    webhooks,
    endpoint,
    fail,
    send,
    statusOf,
  }
}

test('due deliveries do not wait until there are no more events', async (t) => {
  let looks = 0
  const { fail, send, posts } = await openSetup(t, ({ dispatch }) => ({
    // Events without end, until the first delivery is sent.
    async dispatch(...request) {
      const taken = await dispatch(...request)
      looks += 1
      return posts.length === 0 && looks < 50 ? 1 : taken
    },
  }))
  await fail()
  await send()
  assert.equal(posts.length, 1)
  assert.ok(looks < 50, `${looks} looks at the events before the first delivery`)
})

test('an event whose record cannot be converted is sent as ids and status, and keeps no other event waiting', async (t) => {
  const { fail, send, posts, present, unreadable, stores, clock, workflow } = await openSetup(t)
  const damaged = [await fail(), await fail()]
  const other = await tenant(stores)
  await stores.webhookEndpoints.create(endpointOf(other.account.id, { url: 'https://other.example.com' }))
  const intact = execution(other.workflow)
  await stores.executions.create(intact)
  await stores.executions.cancel(intact.id, { error, completedAt: clock.ms })
  const { execution: presentExecution } = present
  present.execution = (record, account) => {
    assert.ok(!damaged.includes(record.id), 'a value of an earlier version')
    return presentExecution(record, account)
  }
  await send()
  const dataOf = new Map(posts.map(({ headers, body }) => [headers['webhook-id'], JSON.parse(body).data]))
  const short = { workflowId: workflow.id, status: 'failed', isShortened: true }
  assert.deepEqual(Object.fromEntries(dataOf), {
    ...Object.fromEntries(damaged.map((id) => [id.replace('exec_', 'evt_'), { executionId: id, ...short }])),
    [intact.id.replace('exec_', 'evt_')]: { executionId: intact.id, status: 'failed' },
  })
  assert.deepEqual(unreadable, [damaged[0]?.replace('exec_', 'evt_')], 'reported once a minute')
})

test('a webhook has the id of its event and a signature that the library of Standard Webhooks accepts', async (t) => {
  const { fail, send, posts, endpoint, clock } = await openSetup(t)
  t.mock.timers.enable({ apis: ['Date'], now: clock.ms })
  const id = await fail()
  await send()
  const [post, ...others] = posts
  assert.ok(post && others.length === 0)
  assert.equal(post.headers['webhook-id'], id.replace('exec_', 'evt_'))
  assert.deepEqual(new Webhook(endpoint.secret).verify(post.body, post.headers), {
    type: 'execution.failed',
    timestamp: '2026-11-25T00:00:00.000Z',
    data: { executionId: id, status: 'failed' },
  })
})

test('during the overlap of a rotation the old and the new secret verify, and then only the new one', async (t) => {
  const { fail, send, posts, webhooks, account, endpoint, clock } = await openSetup(t)
  t.mock.timers.enable({ apis: ['Date'], now: clock.ms })
  const rotated = await webhooks.rotate(account.id, endpoint.id, 60)
  await fail()
  await send()
  const verifies = (secret: string, post: Post | undefined) => {
    assert.ok(post)
    return new Webhook(secret).verify(post.body, post.headers)
  }
  assert.equal(posts[0]?.headers['webhook-signature']?.split(' ').length, 2)
  for (const secret of [endpoint.secret, rotated.secret]) assert.ok(verifies(secret, posts[0]))
  clock.ms += 61_000
  t.mock.timers.setTime(clock.ms)
  await fail()
  await send()
  assert.ok(verifies(rotated.secret, posts[1]))
  assert.throws(() => verifies(endpoint.secret, posts[1]))
})

test('a receiver that was down for a day gets every event, each with the same id and body', async (t) => {
  const { fail, send, posts, receiver, clock, statusOf } = await openSetup(t)
  const down = clock.ms + 24 * hourMs
  receiver.respond = async () => ({ status: clock.ms < down ? 503 : 200, body: '', retryAfter: undefined })
  for (let i = 0; i < 12; i++) {
    await fail()
    for (let j = 0; j < 6; j++) {
      await send()
      clock.ms += hourMs / 3
    }
  }
  assert.deepEqual(new Set(await statusOf()), new Set(['pending']))
  for (let i = 0; i < 100; i++) {
    clock.ms += hourMs / 2
    await send()
  }
  assert.deepEqual(
    await statusOf(),
    Array.from({ length: 12 }, () => 'delivered'),
  )
  const ofEvents = Map.groupBy(posts, ({ headers }) => headers['webhook-id'])
  assert.equal(ofEvents.size, 12)
  for (const attempts of ofEvents.values()) assert.equal(new Set(attempts.map(({ body }) => body)).size, 1)
})

test('attempts follow the schedule for three days, each a little later, and then the delivery has failed', async (t) => {
  const { fail, send, posts, receiver, clock, stores, account } = await openSetup(t)
  receiver.respond = async () => ({ status: 500, body: 'x', retryAfter: undefined })
  await fail()
  const start = clock.ms
  const times: number[] = []
  for (let i = 0; i < 60; i++) {
    const before = posts.length
    await send()
    if (posts.length > before) times.push(clock.ms - start)
    const [delivery] = (await stores.webhookDeliveries.list(account.id, { limit: 1, offset: 0 }, {})).items
    if (delivery?.nextAttemptAt == null) break
    clock.ms = delivery.nextAttemptAt
  }
  assert.equal(times.length, attemptsMax)
  const delays = times.slice(1).map((at, i) => at - (times[i] ?? 0))
  const expected = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
  for (const [i, seconds] of expected.entries()) {
    const delay = (delays[i] ?? 0) / 1_000
    assert.ok(delay >= seconds && delay <= seconds * 1.2 + 1, `${delay} s for ${seconds} s`)
  }
  const total = (times.at(-1) ?? 0) / hourMs
  assert.ok(total > 72 && total < 96, `${total} hours`)
  const [delivery] = (await stores.webhookDeliveries.list(account.id, { limit: 1, offset: 0 }, {})).items
  assert.equal(delivery?.status, 'failed')
})

test('a short message names its record: the execution, the version of the workflow or the batch, and its status', () => {
  const base = { id: 'evt_1', accountId: 'acct_1', type: 'some.event', createdAt: 0 }
  for (const [brief, data] of [
    [
      { execution: { id: 'exec_1', workflowId: 'wf_1', status: 'failed' } },
      { executionId: 'exec_1', workflowId: 'wf_1', status: 'failed' },
    ],
    [
      { workflow: { id: 'wf_1' }, version: 3 },
      { id: 'wf_1', version: 3 },
    ],
    [{ batch: { id: 'batch_1', status: 'completed' } }, { id: 'batch_1', status: 'completed' }],
    [{ data: { name: 'a', long: 'x'.repeat(201), list: [] } }, { name: 'a' }],
  ] as const)
    assert.deepEqual(JSON.parse(shortBody({ ...base, brief })).data, { ...data, isShortened: true })
})

test('Retry-After delays the next attempt, by at most a day', async (t) => {
  for (const [header, seconds] of [
    ['600', 600],
    ['999999999', 86_400],
    ['Wed, 25 Nov 2026 00:10:00 GMT', 600],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 5],
    ['soon', 5],
    ['-5', 5],
  ] as const) {
    const { fail, send, receiver, clock, stores, account } = await openSetup(t)
    receiver.respond = async () => ({ status: 429, body: '', retryAfter: header })
    await fail()
    await send()
    const [delivery] = (await stores.webhookDeliveries.list(account.id, { limit: 1, offset: 0 }, {})).items
    const delay = ((delivery?.nextAttemptAt ?? 0) - clock.ms) / 1_000
    assert.ok(delay >= seconds && delay <= Math.max(seconds + 1, 7), `${delay} s for ${header}`)
  }
})

test('the log has status, time and first bytes of each attempt, and why it failed', async (t) => {
  const { fail, send, receiver, clock, stores, account } = await openSetup(t)
  receiver.respond = async () => {
    throw new Error('example.com refused the connection.')
  }
  await fail()
  await send()
  receiver.respond = async () => ({ status: 302, body: 'moved', retryAfter: undefined })
  clock.ms += 60_000
  await send()
  const [{ id } = assert.fail()] = (await stores.webhookDeliveries.list(account.id, { limit: 1, offset: 0 }, {})).items
  const { log } = (await stores.webhookDeliveries.find(account.id, id)) ?? assert.fail()
  assert.deepEqual(
    log.map(({ status, response, problem }) => ({ status, response, problem })),
    [
      { status: null, response: '', problem: 'example.com refused the connection.' },
      { status: 302, response: 'moved', problem: 'returned status 302' },
    ],
  )
})

test('slow endpoints of one account use a bounded number of attempts, and another account gets its events meanwhile', async (t) => {
  const { stores, fail, posts, receiver, sender, webhooks, account, clock } = await openSetup(t)
  const held = Promise.withResolvers<void>()
  receiver.respond = async ({ url }) => {
    if (!url.includes('quick')) await held.promise
    return { status: 200, body: '', retryAfter: undefined }
  }
  for (let i = 0; i < 5; i++) await webhooks.create(account.id, { url: `https://example.com/${i}` })
  for (let i = 0; i < 30; i++) await fail()
  await sender.look()
  assert.equal(posts.length, limits.webhookAttemptsPerAccountMax)
  const perUrl = Map.groupBy(posts, ({ url }) => url)
  for (const attempts of perUrl.values()) assert.ok(attempts.length <= limits.webhookAttemptsPerEndpointMax)
  const other = await tenant(stores)
  await stores.webhookEndpoints.create(endpointOf(other.account.id, { url: 'https://quick.example.com' }))
  const created = execution(other.workflow)
  await stores.executions.create(created)
  await stores.executions.cancel(created.id, { error, completedAt: clock.ms })
  await sender.look()
  assert.equal(posts.length, limits.webhookAttemptsPerAccountMax + 1)
  assert.equal(posts.at(-1)?.url, 'https://quick.example.com')
  held.resolve()
  await sender.idle()
  assert.equal(posts.length, 6 * 30 + 1)
})

test('slow endpoints of many accounts leave attempts to an account that has none', async (t) => {
  const { stores, posts, receiver, sender, clock } = await openSetup(t)
  const held = Promise.withResolvers<void>()
  receiver.respond = async ({ url }) => {
    if (!url.includes('quick')) await held.promise
    return { status: 200, body: '', retryAfter: undefined }
  }
  const addAccount = async (urls: string[], events: number) => {
    const { account, workflow } = await tenant(stores)
    for (const url of urls) await stores.webhookEndpoints.create(endpointOf(account.id, { url }))
    for (let i = 0; i < events; i += 1) {
      const created = execution(workflow)
      await stores.executions.create(created)
      await stores.executions.cancel(created.id, { error, completedAt: clock.ms })
    }
  }
  const slow = 2 + limits.webhookAttemptsRunningMax / limits.webhookAttemptsPerAccountMax
  for (let i = 0; i < slow; i += 1)
    await addAccount(
      [1, 2, 3].map((each) => `https://slow.example.com/${i}/${each}`),
      4,
    )
  await sender.look()
  const unreserved = limits.webhookAttemptsRunningMax - limits.webhookAttemptsReserved
  const taken = posts.length
  assert.ok(taken >= unreserved && taken < limits.webhookAttemptsRunningMax, `${taken} attempts in flight`)
  await addAccount(['https://quick.example.com/1', 'https://quick.example.com/2'], 3)
  await sender.look()
  await until('the quick deliveries', async () => posts.length >= taken + 6 || undefined)
  assert.equal(posts.filter(({ url }) => url.includes('quick')).length, 6)
  held.resolve()
  await sender.idle()
  assert.equal(posts.length, slow * 12 + 6)
})

test('an attempt that is aborted at the end of the process is repeated after its lease', async (t) => {
  const { fail, posts, receiver, sender, newSender, clock, statusOf } = await openSetup(t)
  receiver.respond = () => new Promise(() => {})
  await fail()
  await sender.look()
  await sender.stop(0)
  assert.deepEqual(await statusOf(), ['pending'])
  receiver.respond = async () => ({ status: 200, body: '', retryAfter: undefined })
  const next = newSender()
  await next.look()
  await next.idle()
  assert.equal(posts.length, 1)
  clock.ms += limits.webhookLeaseSeconds * 1_000
  await next.look()
  await next.idle()
  assert.deepEqual([posts.length, await statusOf()], [2, ['delivered']])
})

test('whichever call of the store fails, the event is delivered later', async (t) => {
  for (const call of ['dispatch', 'claim', 'record'] as const) {
    let fails = true
    const { fail, send, posts, clock, statusOf } = await openSetup(t, (store) => ({
      [call]: (...args: never[]) => {
        if (fails) return Promise.reject(new Error('the database is away'))
        return (store[call] as (...args: never[]) => unknown)(...args)
      },
    }))
    await fail()
    await send().catch(() => {})
    fails = false
    clock.ms += limits.webhookLeaseSeconds * 1_000
    await send()
    assert.deepEqual(await statusOf(), ['delivered'], call)
    assert.ok(posts.length >= 1)
  }
})

test('a test event goes to one endpoint, and a disabled endpoint gets none', async (t) => {
  const { webhooks, account, endpoint, send, posts } = await openSetup(t)
  await webhooks.create(account.id, { url: 'https://example.com/other' })
  await webhooks.test(account.id, endpoint.id)
  await send()
  assert.deepEqual(
    posts.map(({ url, body }) => [url, JSON.parse(body).type]),
    [[endpoint.url, 'webhook.test']],
  )
  await webhooks.replace(account.id, endpoint.id, { url: endpoint.url, disabled: true })
  await assert.rejects(webhooks.test(account.id, endpoint.id), /disabled/)
})

test('deliveries that end do not delay due ones', async (t) => {
  let parts = 0
  let posted = 0
  const { fail, send, posts } = await openSetup(t, () => ({
    async endSome() {
      if (parts === 0) posted = posts.length
      else if (parts === 5) return undefined
      parts += 1
      return 500
    },
  }))
  await fail()
  await send()
  assert.deepEqual([parts, posted, posts.length], [5, 1, 1])
})

test('an endpoint with another URL starts without failures, and gets the deliveries that wait', async (t) => {
  const { fail, send, posts, receiver, webhooks, account, endpoint, clock } = await openSetup(t)
  receiver.respond = async ({ url }) => ({ status: url === endpoint.url ? 500 : 204, body: '', retryAfter: undefined })
  await fail()
  await send()
  const failingSince = async () => (await webhooks.find(account.id, endpoint.id)).failingSince
  const since = await failingSince()
  assert.notEqual(since, null)
  await webhooks.replace(account.id, endpoint.id, { url: endpoint.url, description: 'the same URL' })
  assert.equal(await failingSince(), since)
  await webhooks.replace(account.id, endpoint.id, { url: 'https://example.com/new' })
  assert.equal(await failingSince(), null)
  clock.ms += 10_000
  await send()
  assert.deepEqual(
    posts.map(({ url }) => url),
    [endpoint.url, 'https://example.com/new'],
  )
})

test('a replay sends the same id and body again', async (t) => {
  const { fail, send, posts, webhooks, account } = await openSetup(t)
  await fail()
  await send()
  const [{ id } = assert.fail()] = (await webhooks.listDeliveries(account.id, { limit: 1, offset: 0 }, {})).items
  await webhooks.replay(account.id, id)
  await send()
  assert.equal(posts.length, 2)
  assert.deepEqual([posts[1]?.body, posts[1]?.headers['webhook-id']], [posts[0]?.body, posts[0]?.headers['webhook-id']])
})

test('the body of an event is JSON with type, timestamp and data', () => {
  const event = { type: 'key.expiring', createdAt: 0 }
  assert.equal(
    bodyWith(event, { a: 1 }),
    '{"type":"key.expiring","timestamp":"1970-01-01T00:00:00.000Z","data":{"a":1}}',
  )
})
