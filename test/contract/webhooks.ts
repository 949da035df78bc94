/** The outbox of webhooks: events in the transaction of their change, deliveries, claims, results and retention. */

import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import type { QuotaSettings } from '../../src/domain/accounts/quota.ts'
import { newId } from '../../src/domain/ids.ts'
import {
  budgetNotice,
  type ClaimedDelivery,
  type ClaimOptions,
  keyNotice,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookEvent,
  type WebhookSecret,
} from '../../src/domain/webhooks/webhook.ts'
import type { Workflow } from '../../src/domain/workflows/workflow.ts'
import { limits } from '../../src/limits.ts'
import type { Database, OpenOptions, Stores } from '../../src/storage/database/open.ts'
import type { Schema } from '../../src/storage/database/schema.ts'
import { toDeliveryRow } from '../../src/storage/database/sql/webhook-delivery-row.ts'
import { emitWebhookEvent } from '../../src/storage/database/sql/webhook-events.ts'
import { addToQueue } from '../../src/storage/database/sql/webhook-queues.ts'
import { assertRefused } from './quotas.ts'
import {
  document,
  execution,
  firstPage,
  key,
  lost,
  maximum,
  readAll,
  refused,
  success,
  tenant,
  unwritableDocument,
} from './records.ts'

type OpenDatabase = (t: TestContext, options?: OpenOptions) => Promise<Database>

const now = 1_795_000_100_000
const leaseMs = 60_000
const bounds = { attemptsMax: 3, error: lost }
const claimAll: ClaimOptions = { max: 100, leaseMs, exceptQueues: [], exceptAccounts: [], roomFor: () => 100 }
const attempt = { at: now, durationMs: 5, status: 500, response: 'no', problem: 'returned status 500' }
const bodyOf = ({ type }: WebhookEvent) => type

export function endpointOf(accountId: string, fields: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  return {
    id: newId('whe', now),
    accountId,
    url: 'https://example.com/hook',
    description: '',
    eventTypes: null,
    secret: 'whsec_b25l',
    previous: null,
    previousUntil: null,
    disabledAt: null,
    disabledReason: null,
    failingSince: null,
    createdAt: now,
    updatedAt: now,
    ...fields,
  }
}

export function deliveryTo(endpoint: WebhookEndpoint, fields: Partial<WebhookDelivery> = {}): WebhookDelivery {
  return {
    id: newId('whd', now),
    accountId: endpoint.accountId,
    endpointId: endpoint.id,
    url: endpoint.url,
    eventId: newId('evt', now),
    eventType: 'execution.completed',
    status: 'pending',
    attempts: 0,
    nextAttemptAt: now,
    problem: null,
    createdAt: now,
    endedAt: null,
    ...fields,
  }
}

/** Totals of all queues. */
async function waitingOf(db: Kysely<Schema>): Promise<{ waiting: number; waiting_bytes: number }[]> {
  const rows = await db.selectFrom('webhook_queues').select(['waiting', 'waiting_bytes']).execute()
  return rows.map(({ waiting, waiting_bytes }) => ({ waiting: Number(waiting), waiting_bytes: Number(waiting_bytes) }))
}

export function webhooksContract(name: string, open: OpenDatabase): void {
  async function openSetup(t: TestContext, options?: { quotas: QuotaSettings }) {
    const { stores, kysely } = await open(t, options)
    const { account, workflow } = await tenant(stores)
    const { webhookEndpoints: endpoints, webhookDeliveries: deliveries } = stores
    const create = async (fields: Partial<WebhookEndpoint> = {}) => {
      const endpoint = endpointOf(account.id, fields)
      await endpoints.create(endpoint)
      return endpoint
    }
    const dispatch = (at = now) => deliveries.dispatch(100, at, bodyOf)
    /** Type and receiver of each delivery, oldest first. */
    const delivered = async () => {
      const { items } = await deliveries.list(account.id, firstPage, {})
      return items.map(({ eventType, endpointId, url }) => `${eventType} ${endpointId ?? url}`).reverse()
    }
    const claim = (at = now, options: Partial<ClaimOptions> = {}) => deliveries.claim(at, { ...claimAll, ...options })
    /**
     * Ends deliveries as a sender does it, for queues that a claim has set aside. Returns how many each transaction has
     * ended.
     */
    const endAll = async () => {
      const parts: number[] = []
      for (let ended = await deliveries.endSome(now); ended !== undefined; ended = await deliveries.endSome(now))
        parts.push(ended)
      return parts
    }
    return { stores, kysely, account, workflow, endpoints, deliveries, create, dispatch, delivered, claim, endAll }
  }

  async function run(stores: Stores, workflow: Workflow, options: Parameters<Stores['executions']['create']>[1] = {}) {
    const created = execution(workflow)
    await stores.executions.create(created, options)
    return { created, started: (await stores.executions.claim(created.id, 20, bounds)) ?? assert.fail() }
  }

  describe(`events of webhooks on ${name}`, () => {
    test('each end of an execution has one event, whichever write ends it', async (t) => {
      const { stores, workflow, create, dispatch, delivered } = await openSetup(t)
      const { executions } = stores
      const { id } = await create()
      const completed = await run(stores, workflow)
      await executions.complete(completed.created.id, 1, success(completed.created))
      const failed = await run(stores, workflow)
      await executions.fail(failed.created.id, 1, { error: refused, steps: [], completedAt: now })
      const cancelled = await run(stores, workflow)
      await executions.cancel(cancelled.created.id, { error: refused, completedAt: now })
      const abandoned = await run(stores, workflow)
      await executions.recover({ attemptsMax: 1, error: lost, now })
      assert.deepEqual(
        await executions.find(abandoned.created.accountId, abandoned.created.id).then((e) => e?.status),
        'failed',
      )
      assert.equal(await dispatch(), 4)
      assert.deepEqual((await delivered()).sort(), [
        `execution.completed ${id}`,
        `execution.failed ${id}`,
        `execution.failed ${id}`,
        `execution.failed ${id}`,
      ])
      assert.equal(await dispatch(), 0)
    })

    test('an attempt that has lost its lease, and a restart, have no event', async (t) => {
      const { stores, workflow, create, dispatch } = await openSetup(t)
      await create()
      const { created } = await run(stores, workflow)
      assert.equal(await stores.executions.complete(created.id, 7, success(created)), false)
      await stores.executions.release(created.id, 1, now)
      await stores.executions.recover({ ...bounds, now })
      assert.equal(await dispatch(), 0)
    })

    test('accounts without an enabled endpoint have no events', async (t) => {
      const { stores, workflow, create, dispatch } = await openSetup(t)
      const other = await tenant(stores)
      await stores.webhookEndpoints.create(endpointOf(other.account.id))
      await create({ disabledAt: now, disabledReason: 'caller' })
      const { created } = await run(stores, workflow)
      await stores.executions.complete(created.id, 1, success(created))
      await stores.workflows.replace({ ...workflow, version: 2 }, document(), 1)
      assert.equal(await dispatch(), 0)
    })

    test('the URL of an execution gets its event, also without an endpoint, and that of a draft', async (t) => {
      const { stores, workflow, create, dispatch, delivered } = await openSetup(t)
      const url = 'https://example.com/one'
      const first = await run(stores, workflow, { webhookUrl: url })
      await stores.executions.complete(first.created.id, 1, success(first.created))
      assert.equal(await dispatch(), 1)
      await create()
      const draft = await run(stores, workflow, { webhookUrl: url, document: document() })
      await stores.executions.complete(draft.created.id, 1, success(draft.created))
      const quiet = await run(stores, workflow, { document: document() })
      await stores.executions.complete(quiet.created.id, 1, success(quiet.created))
      assert.equal(await dispatch(), 1)
      assert.deepEqual(await delivered(), [`execution.completed ${url}`, `execution.completed ${url}`])
    })

    test('each saved version has one event, and a version that could not be written has none', async (t) => {
      const { stores, workflow, create, dispatch, delivered } = await openSetup(t)
      const { id } = await create()
      await stores.workflows.replace({ ...workflow, version: 2 }, document(), 1)
      await assert.rejects(stores.workflows.replace({ ...workflow, version: 3 }, unwritableDocument(), 2))
      assert.equal(await dispatch(), 1)
      assert.deepEqual(await delivered(), [`workflow.published ${id}`])
    })

    test('an endpoint gets the types that it selects', async (t) => {
      const { stores, workflow, create, dispatch, delivered } = await openSetup(t)
      const all = await create()
      const failures = await create({ eventTypes: ['execution.failed', 'workflow.published'] })
      const { created } = await run(stores, workflow)
      await stores.executions.complete(created.id, 1, success(created))
      await stores.workflows.replace({ ...workflow, version: 2 }, document(), 1)
      await dispatch()
      assert.deepEqual(
        (await delivered()).sort(),
        [`execution.completed ${all.id}`, `workflow.published ${failures.id}`, `workflow.published ${all.id}`].sort(),
      )
    })

    test('an event whose deliveries could not be written stays in the outbox', async (t) => {
      const { deliveries, kysely, account, create, dispatch, delivered } = await openSetup(t)
      const { id } = await create()
      const event = { id: 'evt_1', accountId: account.id, type: 'batch.completed', data: {}, createdAt: now } as const
      assert.equal(await emitWebhookEvent(kysely, event), true)
      const fail = () => assert.fail('no body')
      await assert.rejects(deliveries.dispatch(100, now, fail), /no body/)
      assert.deepEqual(await delivered(), [])
      assert.equal(await dispatch(), 1)
      assert.deepEqual(await delivered(), [`batch.completed ${id}`])
    })

    test('the record of an event is read only if a message has room for it', async (t) => {
      const { stores, workflow, kysely, create, deliveries } = await openSetup(t)
      await create()
      const executionOf = async (note: string, changes: { parameters?: string } = {}) => {
        const created = execution(workflow, { parameters: { note } })
        await stores.executions.create(created)
        if (changes.parameters !== undefined)
          await kysely.updateTable('executions').set(changes).where('id', '=', created.id).execute()
        await stores.executions.cancel(created.id, { error: refused, completedAt: now })
        return created.id
      }
      const room = limits.webhookBodyBytesMax - JSON.stringify({ note: '' }).length - JSON.stringify(refused).length
      const fits = await executionOf('x'.repeat(room))
      const tooLong = await executionOf('x'.repeat(room + 1))
      const longInBytes = await executionOf('\u00e9'.repeat(room / 2 + 1))
      const damaged = await executionOf('', { parameters: '{' })
      const events = new Map<string, WebhookEvent>()
      await deliveries.dispatch(100, now, (event) => {
        events.set(event.id.replace('evt_', 'exec_'), event)
        return ''
      })
      for (const id of [fits, tooLong, longInBytes, damaged]) {
        const brief = { execution: { id, workflowId: workflow.id, status: 'failed' } }
        assert.deepEqual(events.get(id)?.brief, brief)
      }
      const subject = events.get(fits)?.subject?.() ?? assert.fail()
      assert.ok('execution' in subject)
      assert.equal(subject.execution.parameters.note, 'x'.repeat(room))
      assert.deepEqual([events.get(tooLong)?.subject, events.get(longInBytes)?.subject], [undefined, undefined])
      assert.throws(() => events.get(damaged)?.subject?.(), SyntaxError)
    })

    test('an event that is written in a transaction exists if and only if the transaction is committed', async (t) => {
      const { kysely, account, create, dispatch } = await openSetup(t)
      await create()
      const event = { id: 'evt_1', accountId: account.id, type: 'batch.completed', data: {}, createdAt: now } as const
      const failing = kysely.transaction().execute(async (trx) => {
        assert.equal(await emitWebhookEvent(trx, event), true)
        throw new Error('rolled back')
      })
      await assert.rejects(failing, /rolled back/)
      assert.equal(await dispatch(), 0)
    })

    test('accounts take turns: many events of one account do not delay an event of another one', async (t) => {
      const { stores, kysely, account, deliveries, create, dispatch } = await openSetup(t)
      const { id: busyId } = await create()
      const others = await Promise.all(
        Array.from({ length: 3 }, async () => {
          const other = await tenant(stores)
          await stores.webhookEndpoints.create(endpointOf(other.account.id))
          return other.account.id
        }),
      )
      let written = 0
      const write = async (accountId: string) => {
        written += 1
        const event = { id: `evt_${String(written).padStart(3, '0')}`, accountId, type: 'batch.completed' } as const
        assert.equal(await emitWebhookEvent(kysely, { ...event, data: {}, createdAt: now + written }), true)
      }
      for (let i = 0; i < 70; i += 1) await write(account.id)
      for (const accountId of others) await write(accountId)
      const countOf = async (accountId: string) => (await deliveries.list(accountId, firstPage, {})).items.length

      assert.equal(await deliveries.dispatch(20, now, bodyOf), 20)
      assert.deepEqual(await Promise.all([account.id, ...others].map(countOf)), [17, 1, 1, 1])
      while ((await dispatch()) > 0);
      assert.equal(await countOf(account.id), 70)
      // The oldest first.
      const { items } = await deliveries.list(account.id, { limit: 100, offset: 0 }, { endpointId: busyId })
      const ids = items.map(({ eventId }) => eventId).reverse()
      assert.deepEqual(ids, ids.toSorted())
    })

    test('a notice is sent once, also after its event was delivered, and not before there is an endpoint', async (t) => {
      const { stores, account, deliveries, create, dispatch, delivered } = await openSetup(t)
      const budget = { accountId: account.id, budgetMicros: 10_000_000, spentMicros: 9_000_000 }
      const notice = budgetNotice(budget, '2026-11', 80, now)
      assert.equal(await deliveries.notify(notice), false)
      const { id } = await create()
      assert.equal(await deliveries.notify(notice), true)
      await dispatch()
      assert.equal(await deliveries.notify(notice), false)
      assert.equal(await deliveries.notify(budgetNotice(budget, '2026-11', 100, now)), true)
      await dispatch()
      assert.deepEqual(await delivered(), [`budget.reached ${id}`, `budget.reached ${id}`])
      const soon = key({ accountId: account.id, expiresAt: now + 5 })
      for (const endpointKey of [
        soon,
        key({ accountId: account.id, expiresAt: now + 50 }),
        key({ accountId: account.id }),
      ])
        await stores.keys.create(endpointKey)
      await stores.keys.create(key({ accountId: account.id, expiresAt: now + 5, revokedAt: now - 1 }))
      const [found, ...others] = await deliveries.expiringKeys(now, now + 10, 10)
      assert.deepEqual([found?.id, others], [soon.id, []])
      assert.ok(found)
      assert.equal(await deliveries.notify(keyNotice(found, now)), true)
      assert.deepEqual(await deliveries.expiringKeys(now, now + 10, 10), [])
    })
  })

  describe(`deliveries of webhooks on ${name}`, () => {
    test('of several callers at the same time, one gets each delivery', async (t) => {
      const { deliveries, create, claim } = await openSetup(t)
      const endpoint = await create()
      for (let i = 0; i < 30; i++) await deliveries.add(deliveryTo(endpoint), '{}')
      const claims = await Promise.all(Array.from({ length: 5 }, () => claim()))
      const ids = claims.flat().map(({ id }) => id)
      assert.equal(new Set(ids).size, ids.length)
      const rest = await claim()
      assert.equal(ids.length + rest.length, 30)
    })

    test('a delivery whose process was lost is due again at the end of its lease, and the late result is ignored', async (t) => {
      const { deliveries, account, create, claim } = await openSetup(t)
      const endpoint = await create()
      await deliveries.add(deliveryTo(endpoint), '{}')
      const [first] = await claim()
      assert.ok(first)
      assert.deepEqual([first.attempt, first.secret.secret, first.url], [1, endpoint.secret, endpoint.url])
      assert.deepEqual(await claim(now + leaseMs - 1), [])
      const [second] = await claim(now + leaseMs)
      assert.ok(second)
      assert.deepEqual([second.id, second.attempt], [first.id, 2])
      await deliveries.record(first, attempt, { kind: 'delivered' })
      assert.equal((await deliveries.find(account.id, first.id))?.delivery.status, 'pending')
      await deliveries.record(second, { ...attempt, problem: null, status: 200 }, { kind: 'delivered' })
      const found = await deliveries.find(account.id, first.id)
      assert.deepEqual([found?.delivery.status, found?.log.length, found?.body], ['delivered', 1, '{}'])
      assert.deepEqual(await claim(now + 9 * leaseMs), [])
    })

    test('a failed attempt is due at its time, and a success after it ends the delivery', async (t) => {
      const { deliveries, account, endpoints, create, claim } = await openSetup(t)
      const endpoint = await create()
      await deliveries.add(deliveryTo(endpoint), '{}')
      const [first] = await claim()
      await deliveries.record(first as ClaimedDelivery, attempt, {
        kind: 'failed',
        retryAt: now + 5_000,
        isGone: false,
      })
      assert.equal((await endpoints.find(account.id, endpoint.id))?.failingSince, now + 5)
      assert.deepEqual(await claim(now + 4_999), [])
      const [second] = await claim(now + 5_000)
      await deliveries.record(
        second as ClaimedDelivery,
        { ...attempt, status: 204, problem: null },
        { kind: 'delivered' },
      )
      assert.equal((await endpoints.find(account.id, endpoint.id))?.failingSince, null)
      const found = await deliveries.find(account.id, first?.id ?? '')
      assert.deepEqual(
        found?.log.map(({ status }) => status),
        [500, 204],
      )
    })

    test('a queue that has more deliveries than its turn is behind the queues of others', async (t) => {
      const { deliveries, stores, create, claim } = await openSetup(t)
      const busy = await create()
      for (let i = 0; i < 50; i++) await deliveries.add(deliveryTo(busy), '{}')
      const other = await tenant(stores)
      const quiet = endpointOf(other.account.id)
      await stores.webhookEndpoints.create(quiet)
      await deliveries.add(deliveryTo(quiet, { createdAt: now + 1, nextAttemptAt: now + 1 }), '{}')
      const one = { max: 2, roomFor: () => 1 }
      const endpointsOf = (claimed: ClaimedDelivery[]) => claimed.map(({ endpointId }) => endpointId)
      assert.deepEqual(endpointsOf(await claim(now + 2, one)), [busy.id, quiet.id])
      const excluded = { exceptQueues: [{ accountId: busy.accountId, endpointId: busy.id }] }
      assert.deepEqual(await claim(now + 3, excluded), [])
      assert.deepEqual(await claim(now + 3, { exceptAccounts: [busy.accountId] }), [])
    })

    test('410 and days of failures disable an endpoint: it gets nothing more, and the other endpoints get an event', async (t) => {
      const { deliveries, account, endpoints, create, claim, endAll, dispatch, delivered } = await openSetup(t)
      const [gone, failing, other] = [
        await create(),
        await create({ failingSince: now - limits.webhookFailingSeconds * 1_000 }),
        await create({ eventTypes: ['webhook.disabled'] }),
      ]
      for (const endpoint of [gone, failing]) {
        await deliveries.add(deliveryTo(endpoint), '{}')
        await deliveries.add(deliveryTo(endpoint, { nextAttemptAt: now + 1_000_000 }), '{}')
      }
      const claimed = await claim(now, { roomFor: () => 1 })
      const reasons = new Map<string | null, string | undefined>()
      for (const delivery of claimed) {
        const isGone = delivery.endpointId === gone.id
        const result = { kind: 'failed', retryAt: isGone ? null : now + 9, isGone } as const
        reasons.set(delivery.endpointId, await deliveries.record(delivery, attempt, result))
      }
      assert.deepEqual([reasons.get(gone.id), reasons.get(failing.id)], ['gone', 'failing'])
      for (const { id } of [gone, failing]) assert.notEqual((await endpoints.find(account.id, id))?.disabledAt, null)
      assert.deepEqual(await claim(now + 10), [])
      assert.deepEqual(await claim(now + 2_000_000), [])
      await endAll()
      const { items } = await deliveries.list(account.id, firstPage, { status: 'failed' })
      assert.deepEqual(
        items.map(({ problem }) => problem).sort(),
        ['endpoint_disabled', 'endpoint_disabled', 'endpoint_disabled', null].sort(),
      )
      assert.equal(await dispatch(), 2)
      assert.deepEqual(
        (await delivered()).filter((each) => each.includes('webhook.disabled')),
        [`webhook.disabled ${other.id}`, `webhook.disabled ${other.id}`],
      )
    })

    test('a failure of a former URL neither counts for the new one nor disables the endpoint', async (t) => {
      const { deliveries, account, endpoints, create, claim } = await openSetup(t)
      const { id, ...endpoint } = await create({ failingSince: now - limits.webhookFailingSeconds * 1_000 })
      for (let i = 0; i < 3; i++) await deliveries.add(deliveryTo({ id, ...endpoint }), '{}')
      const [gone, failing, delivered] = await claim()
      const change = { url: 'https://example.com/new', failingSince: now - 1 }
      await endpoints.update(account.id, id, () => change)
      const results = [
        await deliveries.record(gone ?? assert.fail(), attempt, { kind: 'failed', retryAt: null, isGone: true }),
        await deliveries.record(failing ?? assert.fail(), attempt, { kind: 'failed', retryAt: now + 9, isGone: false }),
        await deliveries.record(delivered ?? assert.fail(), attempt, { kind: 'delivered' }),
      ]
      assert.deepEqual(results, [undefined, undefined, undefined])
      assert.deepEqual(await endpoints.find(account.id, id), { ...endpoint, id, ...change })
      const [retried] = await claim(now + 9)
      assert.deepEqual([retried?.id, retried?.url], [failing?.id, change.url])
    })

    test('an attempt in flight has its result, also if its endpoint is disabled or deleted meanwhile', async (t) => {
      const { deliveries, account, endpoints, create, claim, endAll } = await openSetup(t)
      const [disabled, deleted] = [await create(), await create()]
      for (const endpoint of [disabled, deleted, disabled, deleted]) await deliveries.add(deliveryTo(endpoint), '{}')
      const claimed = await claim()
      assert.equal(claimed.length, 4)
      await endpoints.update(account.id, disabled.id, () => ({ disabledAt: now, disabledReason: 'caller' }))
      await endpoints.remove(account.id, deleted.id)
      assert.deepEqual(await claim(now + 2 * leaseMs), [])
      assert.deepEqual(await endAll(), [2, 2])
      for (const { id, problem } of [
        { id: disabled.id, problem: 'endpoint_disabled' },
        { id: deleted.id, problem: 'endpoint_deleted' },
      ]) {
        const [delivered, failed] = claimed.filter(({ endpointId }) => endpointId === id)
        await deliveries.record(delivered ?? assert.fail(), { ...attempt, status: 204 }, { kind: 'delivered' })
        await deliveries.record(failed ?? assert.fail(), attempt, { kind: 'failed', retryAt: now + 9, isGone: false })
        const found = await Promise.all([delivered, failed].map((each) => deliveries.find(account.id, each?.id ?? '')))
        assert.deepEqual(
          found.map((each) => [each?.delivery.status, each?.delivery.problem, each?.log.map(({ status }) => status)]),
          [
            ['delivered', null, [204]],
            ['failed', problem, [500]],
          ],
        )
      }
      assert.deepEqual(await claim(now + 9 * leaseMs), [])
      assert.equal((await endpoints.find(account.id, disabled.id))?.failingSince, null)
    })

    test('the waiting deliveries of a deleted endpoint fail', async (t) => {
      const { deliveries, account, endpoints, create, claim, endAll } = await openSetup(t)
      const endpoint = await create()
      await deliveries.add(deliveryTo(endpoint), '{}')
      assert.equal(await endpoints.remove('acct_other', endpoint.id), false)
      assert.equal(await endpoints.remove(account.id, endpoint.id), true)
      assert.deepEqual(await claim(), [])
      assert.deepEqual(await endAll(), [1])
      const { items } = await deliveries.list(account.id, firstPage, { endpointId: endpoint.id })
      assert.deepEqual(
        items.map(({ status, problem }) => [status, problem]),
        [['failed', 'endpoint_deleted']],
      )
    })

    test('deliveries of deleted endpoints end in parts of one queue, and delay no claim', async (t) => {
      const { stores, kysely, account, endpoints, deliveries, create, claim, endAll } = await openSetup(t)
      const addTo = async (endpoint: WebhookEndpoint, count: number, body: string) => {
        const rows = Array.from({ length: count }, () => toDeliveryRow(deliveryTo(endpoint), body))
        await kysely.insertInto('webhook_deliveries').values(rows).execute()
        const queue = { accountId: account.id, endpointId: endpoint.id }
        await addToQueue(kysely, queue, { count, bytes: count * (500 + body.length) }, now)
      }
      const deleted = [await create(), await create(), await create()]
      for (const endpoint of deleted) await addTo(endpoint, 600, '{}')
      const long = await create({ disabledAt: now, disabledReason: 'caller' })
      await addTo(long, 300, 'x'.repeat(20_000))
      for (const { id } of deleted) await endpoints.remove(account.id, id)
      const other = await tenant(stores)
      const quiet = endpointOf(other.account.id)
      await stores.webhookEndpoints.create(quiet)
      await deliveries.add(deliveryTo(quiet), '{}')
      assert.deepEqual(
        (await claim()).map(({ endpointId }) => endpointId),
        [quiet.id],
      )
      const countOf = async (status: 'pending' | 'failed') =>
        (await readAll((page) => deliveries.list(account.id, page, { status }), 1_000)).length
      assert.deepEqual([await countOf('pending'), await countOf('failed')], [2_100, 0])
      const parts = await endAll()
      assert.ok(Math.max(...parts) <= 100, `${parts}`)
      assert.equal(parts.filter((rows) => rows === 52).length, 5, `300 rows with 20 kB have six parts: ${parts}`)
      assert.deepEqual([await countOf('pending'), await countOf('failed')], [0, 2_100])
      const { rows } = await sql<{ waiting: number }>`
        select waiting + waiting_bytes as waiting from webhook_queues where account_id = ${account.id}`.execute(kysely)
      assert.deepEqual(new Set(rows.map(({ waiting }) => Number(waiting))), new Set([0]))
    })

    test('an endpoint that is enabled again before its deliveries have ended gets the rest', async (t) => {
      const { account, endpoints, deliveries, create, claim, endAll } = await openSetup(t)
      const { id } = await create({ disabledAt: now, disabledReason: 'caller' })
      const endpoint = (await endpoints.find(account.id, id)) ?? assert.fail()
      await deliveries.add(deliveryTo(endpoint), '{}')
      assert.deepEqual(await claim(), [])
      await endpoints.update(account.id, id, () => ({ disabledAt: null, disabledReason: null }))
      assert.deepEqual(await endAll(), [0])
      assert.equal((await claim()).length, 1)
    })

    test('too many waiting deliveries disable an endpoint, and URLs of executions get no more', async (t) => {
      const { stores, kysely, workflow, deliveries, account, endpoints, create, dispatch } = await openSetup(t)
      const endpoint = await create()
      const url = 'https://example.com/one'
      await deliveries.add(deliveryTo(endpoint), '{}')
      await deliveries.add({ ...deliveryTo(endpoint), endpointId: null, url }, '{}')
      await kysely.updateTable('webhook_queues').set({ waiting: limits.webhookDeliveriesWaitingMax }).execute()
      const { created } = await run(stores, workflow, { webhookUrl: url })
      await stores.executions.complete(created.id, 1, success(created))
      assert.equal(await dispatch(), 1)
      assert.equal((await endpoints.find(account.id, endpoint.id))?.disabledReason, 'backlog')
      const { items } = await deliveries.list(account.id, firstPage, { status: 'failed' })
      assert.deepEqual(
        items.map(({ problem, url }) => [problem, url]),
        [['backlog', url]],
      )
      assert.equal(await deliveries.add(deliveryTo(endpoint), '{}'), undefined)
    })

    test('a queue counts the bytes of its waiting deliveries, and a transaction writes a bounded number', async (t) => {
      const { kysely, account, deliveries, create, claim } = await openSetup(t)
      const endpoint = await create()
      const event = { accountId: account.id, type: 'batch.completed', data: {}, createdAt: now } as const
      for (let i = 0; i < 60; i += 1) await emitWebhookEvent(kysely, { ...event, id: `evt_${i}` })
      const body = '\u00e9'.repeat(10_000)
      const parts: number[] = []
      for (let taken = 1; taken > 0; parts.push(taken)) taken = await deliveries.dispatch(100, now, () => body)
      assert.deepEqual(parts, [15, 15, 15, 15, 0])
      assert.deepEqual(await waitingOf(kysely), [{ waiting: 60, waiting_bytes: 60 * 20_500 }])
      const [claimed] = await claim(now, { roomFor: () => 1 })
      await deliveries.record(claimed ?? assert.fail(), attempt, { kind: 'delivered' })
      assert.deepEqual(await waitingOf(kysely), [{ waiting: 59, waiting_bytes: 59 * 20_500 }])
      assert.equal(await deliveries.replay(account.id, claimed?.id ?? '', now), true)
      assert.deepEqual(await waitingOf(kysely), [{ waiting: 60, waiting_bytes: 60 * 20_500 }])
      assert.equal(claimed?.endpointId, endpoint.id)
    })

    test('too many waiting bytes of an account disable the endpoint that has more than its share, and no other', async (t) => {
      const { kysely, account, endpoints, deliveries, create, dispatch } = await openSetup(t)
      const [slow, quick] = [await create(), await create()]
      await deliveries.add(deliveryTo(slow), '{}')
      await kysely.updateTable('webhook_queues').set({ waiting_bytes: limits.webhookWaitingBytesMax }).execute()
      const event = { accountId: account.id, type: 'batch.completed', data: {}, createdAt: now } as const
      const reasonOf = async ({ id }: WebhookEndpoint) => (await endpoints.find(account.id, id))?.disabledReason
      await emitWebhookEvent(kysely, { ...event, id: 'evt_2' })
      assert.equal(await dispatch(), 1)
      assert.deepEqual([await reasonOf(slow), await reasonOf(quick)], ['backlog', null])
      assert.equal(await deliveries.add(deliveryTo(slow), '{}'), undefined)
      assert.notEqual(await deliveries.add(deliveryTo(quick), '{}'), undefined)
    })

    test('an ended delivery is sent again with its body, and a waiting one is not changed', async (t) => {
      const { deliveries, account, create, claim } = await openSetup(t)
      const endpoint = await create()
      const delivery = deliveryTo(endpoint)
      await deliveries.add(delivery, '{"a":1}')
      assert.equal(await deliveries.replay(account.id, delivery.id, now), false)
      const [first] = await claim()
      await deliveries.record(
        first as ClaimedDelivery,
        { ...attempt, status: 200, problem: null },
        { kind: 'delivered' },
      )
      assert.equal(await deliveries.replay('acct_other', delivery.id, now), false)
      assert.equal(await deliveries.replay(account.id, delivery.id, now + 100), true)
      const [again] = await claim(now + 100)
      assert.deepEqual([again?.eventId, again?.body, again?.attempt], [delivery.eventId, '{"a":1}', 1])
    })

    test('an account has at most the given number of endpoints, and finds only its own', async (t) => {
      const { stores, account, endpoints } = await openSetup(t, maximum('webhookEndpoints', 2))
      const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => endpoints.create(endpointOf(account.id))))
      assertRefused(outcomes, 2, { quota: 'webhookEndpoints', limit: 2 })
      const { items } = await endpoints.list(account.id, firstPage)
      const other = await tenant(stores)
      assert.equal(await endpoints.find(other.account.id, items[0]?.id ?? ''), undefined)
      assert.equal(
        await endpoints.update(other.account.id, items[0]?.id ?? '', () => ({ url: 'https://x' })),
        undefined,
      )
      const changed = await endpoints.update(account.id, items[0]?.id ?? '', () => ({
        eventTypes: ['key.expiring'],
        secret: 'whsec_dHdv',
      }))
      assert.deepEqual(await endpoints.find(account.id, items[0]?.id ?? ''), changed)
    })

    test('an account has one secret for the URLs of executions', async (t) => {
      const { account, endpoints } = await openSetup(t)
      const [one, two] = await Promise.all(
        ['whsec_YQ==', 'whsec_Yg=='].map((each) => endpoints.accountSecret(account.id, each)),
      )
      assert.deepEqual(one, two)
      const changed = { secret: 'whsec_Yw==', previous: one?.secret ?? '', previousUntil: now }
      assert.deepEqual(await endpoints.changeAccountSecret(account.id, '', () => changed), changed)
      assert.deepEqual(await endpoints.accountSecret(account.id, 'whsec_ZA=='), changed)
    })

    test('changes of a secret at the same time each get the secret that the one before has set', async (t) => {
      const { account, endpoints, create } = await openSetup(t)
      const { id } = await create()
      const append = (before: WebhookSecret) => ({ ...before, secret: `${before.secret}.` })
      const changes = Array.from({ length: 5 }, () => [
        endpoints.changeAccountSecret(account.id, 'initial', append),
        endpoints.update(account.id, id, append),
      ])
      await Promise.all(changes.flat())
      assert.equal((await endpoints.accountSecret(account.id, '')).secret, 'initial.....')
      assert.match((await endpoints.find(account.id, id))?.secret ?? '', /[^.]\.{5}$/)
    })
  })
}
