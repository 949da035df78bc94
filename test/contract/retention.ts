/** The table of retention: age, number and bytes of each kind of record, with what belongs to it, on both engines. */

import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { dayMs } from '../../src/domain/accounts/activity.ts'
import { forAllPlans } from '../../src/domain/accounts/plan.ts'
import { blobKeyOf } from '../../src/domain/blob-key.ts'
import { thumbnailKey } from '../../src/domain/images/preview.ts'
import type { CallEnd } from '../../src/domain/models/provider-call.ts'
import { limits } from '../../src/limits.ts'
import type { Database } from '../../src/storage/database/open.ts'
import { jumpMsMin } from '../../src/storage/database/retention/clock-watch.ts'
import { endedKeys, type Kind, retentionKinds } from '../../src/storage/database/retention/kinds.ts'
import { createRetention } from '../../src/storage/database/retention/sweeper.ts'
import type { Schema } from '../../src/storage/database/schema.ts'
import { defaultRetention, retentionOf } from '../harness/retention.ts'
import { batch } from './batches.ts'
import { signingKey } from './delivery.ts'
import { call } from './provider-calls.ts'
import { execution, image, key, lost, success, tenant, workflow } from './records.ts'
import { session } from './sessions.ts'
import { countedTotals, storedTotals } from './totals.ts'
import { deliveryTo, endpointOf } from './webhooks.ts'

type OpenDatabase = (t: TestContext) => Promise<Database>

export const now = 1_795_000_000_000
const rowsMax = 1_000_000
type Setup = Awaited<ReturnType<typeof setupOf>>

/** A database with a tenant, and a clock that the test moves. */
export async function setupOf(database: Database) {
  const { stores, kysely } = database
  const owner = await tenant(stores)
  const clock = { ms: now, now: () => clock.ms }
  const own = { ...database, clock }
  return {
    ...own,
    owner,
    accountId: owner.account.id,
    notes: async () => (await stores.blobRemovals.list(1_000)).map((note) => note.key).sort(),
    left: async (table: keyof Schema) => Number((await countOf(kysely, table)).n),
    /** An execution that has ended. */
    async end(completedAt: number, fields: Parameters<typeof execution>[1] = {}, status = 'completed') {
      const created = execution(owner.workflow, fields)
      await stores.executions.create(created)
      const running = await stores.executions.claimNext(completedAt)
      assert.equal(running?.id, created.id)
      const { id, attempt } = running
      if (status === 'completed') await stores.executions.complete(id, attempt, { ...success(running), completedAt })
      else await stores.executions.fail(id, attempt, { error: lost, steps: [], completedAt })
      return id
    },
  }
}

function countOf(db: Kysely<Schema>, table: keyof Schema) {
  return db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
}

interface AgeCase {
  table: keyof Schema
  keptMs: number
  /** Adds a record of this age. Returns the key of its blob. */
  add(setup: Setup, at: number, n: number): Promise<string | undefined>
}

async function addBinned({ stores, accountId }: Setup, at: number, expiresAt?: number): Promise<string> {
  const stored = image({ accountId, ...(expiresAt === undefined ? {} : { expiresAt }) })
  await stores.images.create(stored)
  await stores.images.removeSome(accountId, { ids: [stored.id] }, 1, at, { toBin: true })
  return blobKeyOf(stored)
}

/** Records with an age. */
export const ages: Record<string, AgeCase> = {
  'provider-calls': {
    table: 'provider_calls',
    keptMs: limits.providerCallSeconds * 1_000,
    async add({ stores, owner, kysely }, at, n) {
      const created = execution(owner.workflow)
      await stores.executions.create(created)
      const running = (await stores.executions.claimNext(at)) ?? assert.fail()
      const begun = call(running, {})
      assert.equal(
        await stores.providerCalls.begin(begun, 1, { executionMicros: null, accountMonthMicros: null }),
        'started',
      )
      const blob = `${begun.id}_${n}.png`
      const end: CallEnd = { state: 'done', response: { blobKeys: [blob] }, costMicros: 1, costSource: 'reported' }
      assert.equal(await stores.providerCalls.end(begun.id, end, at), true)
      await kysely.updateTable('executions').set({ status: 'failed' }).execute()
      return blob
    },
  },
  'idempotency-keys': {
    table: 'idempotency_keys',
    keptMs: limits.idempotencyKeptSeconds * 1_000,
    async add({ stores, accountId }, at, n) {
      const record = { accountId, key: `${n}`, method: 'POST', path: '/', fingerprint: '', createdAt: at }
      await stores.idempotency.finish(record, { status: 200, headers: {}, body: '' })
      return undefined
    },
  },
  'expired-images': {
    table: 'images',
    keptMs: jumpMsMin,
    async add(setup, at) {
      const { stores, accountId } = setup
      const stored = image({ accountId, expiresAt: at })
      await stores.images.create(stored)
      return blobKeyOf(stored)
    },
  },
  'binned-images': {
    table: 'binned_images',
    keptMs: limits.binSeconds * 1_000,
    add: (setup, at) => addBinned(setup, at),
  },
  'expired-binned-images': {
    table: 'binned_images',
    keptMs: jumpMsMin,
    add: (setup, at) => addBinned(setup, setup.clock.ms, at),
  },
  sessions: {
    table: 'sessions',
    keptMs: 0,
    async add({ stores, accountId }, at) {
      const apiKey = key({ accountId })
      await stores.keys.create(apiKey)
      await stores.sessions.create(session(apiKey, { expiresAt: at }), { ofKeyMax: 9 })
      return undefined
    },
  },
  'ended-keys': {
    table: 'keys',
    keptMs: limits.keyEndedSeconds * 1_000,
    async add({ stores, accountId }, at) {
      const apiKey = key({ accountId, revokedAt: at })
      await stores.keys.create(apiKey)
      await stores.sessions.create(session(apiKey), { ofKeyMax: 9 })
      return undefined
    },
  },
  'ended-signing-keys': {
    table: 'signing_keys',
    keptMs: limits.keyEndedSeconds * 1_000,
    add: async ({ stores, accountId }, at) =>
      void (await stores.signingKeys.create(signingKey(accountId, { expiresAt: at }), {})),
  },
  'step-checkpoints': {
    table: 'step_checkpoints',
    keptMs: limits.checkpointSeconds * 1_000,
    async add({ stores, accountId }, at, n) {
      const row = {
        executionId: 'exec_1',
        accountId,
        task: `${n}`,
        key: null,
        blobKey: `step_${n}`,
        size: 9,
        facts: '{}',
      }
      await stores.stepResults.saveCheckpoints([{ ...row, createdAt: at }])
      return row.blobKey
    },
  },
  previews: {
    table: 'previews',
    keptMs: limits.previewHours * 3_600_000,
    async add({ stores, accountId }, at, n) {
      const row = { id: `prev_${n}`, accountId, key: null, width: 1, height: 1, size: 100, createdAt: at, usedAt: at }
      await stores.previews.add([row])
      return `prev_${n}.webp`
    },
  },
  'execution-events': {
    table: 'execution_events',
    keptMs: limits.executionEventsKeptSeconds * 1_000,
    add: async ({ end }, at) => void (await end(at)),
  },
  'execution-brands': {
    table: 'execution_brands',
    keptMs: 2 * dayMs,
    async add({ kysely, accountId }, at, n) {
      const row = { account_id: accountId, hash: `${n}`, brand: '{}', used_at: at }
      await kysely.insertInto('execution_brands').values(row).execute()
      return undefined
    },
  },
  'sent-notices': {
    table: 'webhook_notices',
    keptMs: 60 * dayMs,
    async add({ kysely }, at, n) {
      await kysely
        .insertInto('webhook_notices')
        .values({ id: `n${n}`, created_at: at })
        .execute()
      return undefined
    },
  },
  'audit-log': {
    table: 'audit_log',
    keptMs: limits.auditKeptDays * dayMs,
    async add({ kysely, accountId }, at, n) {
      // Those of the account are of now.
      if (n === 0) await kysely.deleteFrom('audit_log').execute()
      const entry = { action: 'image.upload', subject: 'img_1', actor: 'service', before: null, after: null }
      const actor = { key_id: null, session_id: null, command: null, address: null }
      const row = { id: `aud_${n}`, account_id: accountId, created_at: at, ...entry, ...actor }
      await kysely.insertInto('audit_log').values(row).execute()
      return undefined
    },
  },
  'webhook-deliveries': {
    table: 'webhook_deliveries',
    keptMs: limits.webhookDeliveriesKeptSeconds * 1_000,
    async add({ stores, accountId }, at) {
      const ended = { status: 'delivered', endedAt: at, nextAttemptAt: null } as const
      await stores.webhookDeliveries.add(deliveryTo(endpointOf(accountId), ended), '{}')
      return undefined
    },
  },
}

export function retentionContract(name: string, open: OpenDatabase): void {
  const openSetup = async (t: TestContext) => setupOf(await open(t))

  describe(`retention on ${name}`, () => {
    for (const [job, { table, keptMs, add }] of Object.entries(ages)) {
      test(`${job} are removed after their time, the oldest first, with their blobs`, async (t) => {
        const setup = await openSetup(t)
        const retention = retentionOf(setup)
        const blobs: (string | undefined)[] = []
        // The first one is a millisecond too young.
        for (const [n, age] of [0, 3, 2, 1].entries()) blobs.push(await add(setup, now - keptMs - age, n))
        const before = await setup.left(table)
        const each = before / 4
        assert.equal(await retention.sweep(job, { rowsMax: each }), each)
        assert.deepEqual(await setup.notes(), blobs[1] === undefined ? [] : [blobs[1]])
        assert.equal(await retention.sweep(job, { rowsMax }), 2 * each)
        assert.equal(await retention.sweep(job, { rowsMax }), 0)
        assert.equal(await setup.left(table), each)
        assert.deepEqual(
          await setup.notes(),
          blobs
            .slice(1)
            .flatMap((blob) => blob ?? [])
            .sort(),
        )
        if (job === 'ended-keys') assert.equal(await setup.left('sessions'), 1)
        setup.clock.ms += 1
        assert.equal(await retention.sweep(job, { rowsMax, signal: AbortSignal.abort() }), 0)
        assert.equal(await retention.sweep(job, { rowsMax }), each)
        assert.equal(await setup.left(table), 0)
        assert.deepEqual(await storedTotals(setup.kysely), await countedTotals(setup.kysely))
      })
    }

    for (const [job, { table, keptMs, add }] of Object.entries(ages)) {
      if (job.startsWith('expired-')) continue
      test(`a clock that is a day ahead, or was it, removes no ${job} before their time`, async (t) => {
        const setup = await openSetup(t)
        const hour = 3_600_000
        let elapsed = 0
        const pass = (ms: number, jump = 0) => {
          elapsed += ms
          setup.clock.ms += ms + jump
        }
        let retention = retentionOf(setup, { elapsedMs: () => elapsed })
        const sweep = () => retention.sweep(job, { rowsMax })
        await sweep()
        await add(setup, now - keptMs + 3 * hour, 1)
        const count = await setup.left(table)
        pass(hour, dayMs)
        assert.equal(await sweep(), 0)
        // A restart with the wrong clock.
        retention = retentionOf(setup, { elapsedMs: () => elapsed })
        assert.equal(await sweep(), 0)
        pass(hour, -dayMs)
        assert.equal(await sweep(), 0)
        assert.equal(await setup.left(table), count)
        pass(hour + dayMs + 1)
        assert.ok((await sweep()) > 0)
      })
    }

    test('an expired image goes with its thumbnail and all its files, and others stay', async (t) => {
      const setup = await openSetup(t)
      const { stores, accountId, kysely, notes } = setup
      const retention = retentionOf(setup)
      const expired = image({ accountId, expiresAt: now - jumpMsMin - 1 })
      const others = [image({ accountId, expiresAt: now }), image({ accountId })]
      for (const each of [expired, ...others]) {
        await stores.images.create(each)
        const preview = { id: `prev_${each.id}`, accountId, key: thumbnailKey(each.id), width: 1, height: 1, size: 1 }
        await stores.previews.add([{ ...preview, createdAt: 1, usedAt: 1 }])
      }
      const file = (owner: string, n: number) => ({
        ...{ key: `${owner} ${n}`, owner_id: owner, account_id: accountId, execution_id: null, id: `img_${n}${owner}` },
        ...{ size: 1, format: 'png', width: 1, height: 1, sha256: '', max_age: 0, reads_urls: 0, is_paid: 0 },
        ...{ created_at: 1, used_at: now },
      })
      const addFiles = (owner: string, count: number) =>
        kysely
          .insertInto('derived_files')
          .values(Array.from({ length: count }, (_, n) => file(owner, n)) as never)
          .execute()
      await addFiles(expired.id, 700)
      await addFiles(others[0]?.id ?? '', 3)
      assert.equal(await retention.sweep('files-of-expired-images', { rowsMax: 150 }), 150)
      const result = { accountId, blobKey: null, size: 1, facts: '{}', createdAt: 1, usedAt: 1 }
      const add = (count: number, ...images: { id: string }[]) =>
        stores.stepResults.add(
          Array.from({ length: count }, (_, n) => ({
            ...result,
            key: `${images.map(({ id }) => id)} ${n}`,
            imageIds: images.map(({ id }) => id),
          })),
        )
      await add(120, expired)
      await add(3, ...others)
      await kysely
        .insertInto('derived_files')
        .values([file('wf_1', 1), file('wf_1', 2)] as never)
        .execute()
      const links = [expired, others[0] ?? assert.fail()].map(({ id }, n) => ({ key: `wf_1 ${n + 1}`, image_id: id }))
      await kysely.insertInto('derived_file_images').values(links).execute()
      assert.equal(await retention.sweep('results-of-expired-images', { rowsMax: 110 }), 110)
      assert.equal(await retention.sweep('files-from-expired-images', { rowsMax }), 1)
      // A crash here leaves the image, and requests make its files again.
      assert.equal((await stores.images.find(accountId, expired.id))?.id, expired.id)
      assert.equal(await retention.sweep('expired-images', { rowsMax }), 1)
      assert.equal(await setup.left('images'), 2)
      assert.equal(await setup.left('derived_files'), 3 + 1)
      assert.equal(await setup.left('step_results'), 3)
      assert.equal(await setup.left('previews'), 2)
      assert.equal((await notes()).length, 701 + 2)
      assert.deepEqual(await storedTotals(kysely), await countedTotals(kysely))
    })

    test('a clock that is a day ahead removes no image before its time, and later ones at their time', async (t) => {
      const setup = await openSetup(t)
      const { stores, accountId, clock } = setup
      let elapsed = 0
      const pass = (ms: number, jump = 0) => {
        elapsed += ms
        clock.ms += ms + jump
      }
      const hour = 3_600_000
      const add = (hours: number) =>
        stores.images.create(image({ accountId, createdAt: clock.ms, expiresAt: clock.ms + hours * hour }))
      const open = () => retentionOf(setup, { elapsedMs: () => elapsed })
      let retention = open()
      const sweep = () => retention.sweep('expired-images', { rowsMax })
      assert.equal(await sweep(), 0)
      pass(1)
      await add(30)
      pass(hour)
      assert.equal(await sweep(), 0)
      // Wrong by a day: a jump in a running process, or before a start.
      for (const restarts of [false, true]) {
        pass(hour, dayMs)
        if (restarts) retention = open()
        assert.equal(await sweep(), 0)
        assert.equal(await sweep(), 0)
        pass(2 * hour)
        assert.equal(await sweep(), 0)
        if (restarts) break
        // The clock is right again.
        pass(hour, -dayMs)
        assert.equal(await sweep(), 0)
      }
      pass(1)
      await add(1)
      pass(hour + jumpMsMin + 1)
      assert.equal(await sweep(), 1, 'an image of the wrong clock has its time from it')
      pass(19 * hour)
      assert.equal(await sweep(), 0)
      pass(5 * hour)
      assert.equal(await sweep(), 1)
    })

    for (const job of ['ended-keys', 'ended-signing-keys'])
      test(`${job}: a removed key takes its budgets with it, unless the key that replaced it has the same`, async (t) => {
        const setup = await openSetup(t)
        const { stores, kysely, accountId } = setup
        const expiresAt = now - limits.keyEndedSeconds * 1_000
        const create = async (fields: { expiresAt: number; budgetId?: string }) => {
          const created = job === 'ended-keys' ? key({ accountId, ...fields }) : signingKey(accountId, fields)
          await ('secret' in created ? stores.signingKeys.create(created, {}) : stores.keys.create(created))
          return created
        }
        const old = await create({ expiresAt: expiresAt - 2 })
        await create({ expiresAt, budgetId: old.budgetId })
        for (const scope of [old.budgetId, 'other'])
          await kysely
            .insertInto('budgets')
            .values({ scope, period: '2027-01', spent: 1, reserved: 0, unknown_costs: 0 })
            .execute()
        const retention = retentionOf(setup)
        assert.equal(await retention.sweep(job, { rowsMax }), 1)
        assert.equal(await setup.left('budgets'), 2)
        setup.clock.ms += 1
        assert.equal(await retention.sweep(job, { rowsMax }), 1)
        assert.equal(await setup.left('budgets'), 1)
      })

    test('long brand values stay as long as an execution has them, and until two days after their last use', async (t) => {
      const setup = await openSetup(t)
      const { stores, kysely, owner, left, clock } = setup
      const retention = retentionOf(setup)
      const sweep = () => retention.sweep('execution-brands', { rowsMax })
      const brand = { slogan: 'a'.repeat(1_000) }
      const add = async () => {
        const created = execution(owner.workflow, { brand, createdAt: clock.ms })
        await stores.executions.create(created)
        return created.id
      }
      const first = await add()
      clock.ms += 3 * dayMs
      assert.equal(await sweep(), 0)
      await kysely.deleteFrom('executions').where('id', '=', first).execute()
      // Used again, which is noted.
      const second = await add()
      assert.deepEqual((await stores.executions.find(owner.account.id, second))?.brand, brand)
      await kysely.deleteFrom('executions').where('id', '=', second).execute()
      assert.equal(await sweep(), 0)
      clock.ms += 2 * dayMs + 1
      assert.equal(await sweep(), 1)
      assert.equal(await left('execution_brands'), 0)
      assert.deepEqual(await storedTotals(kysely), await countedTotals(kysely))
    })

    test('an account keeps the newest records of a kind, and another account all of its own', async (t) => {
      const setup = await openSetup(t)
      const { stores, accountId } = setup
      const other = (await tenant(stores)).account.id
      const kinds = retentionKinds(defaultRetention).map((kind) => ({
        ...kind,
        ...(kind.each?.count && { each: { ...kind.each, count: { is: 3 } } }),
      }))
      const retention = createRetention({ ...setup, db: setup.kysely, kinds })
      const delivery = async (id: string, createdAt: number, isEnded = true) => {
        const ended = { status: 'delivered', endedAt: now, nextAttemptAt: null } as const
        const sent = deliveryTo(endpointOf(id), { createdAt, ...(isEnded ? ended : {}) })
        await stores.webhookDeliveries.add(sent, '{}')
        return sent.id
      }
      const deliveries: string[] = []
      for (const at of [5, 1, 3, 3, 3]) deliveries.push(await delivery(accountId, now + at))
      const stays = [await delivery(accountId, now, false), await delivery(other, now), await delivery(other, now)]
      assert.equal(await retention.sweep('webhook-deliveries', { rowsMax: 1 }), 1)
      assert.equal(await retention.sweep('webhook-deliveries', { rowsMax }), 1)
      assert.equal(await retention.sweep('webhook-deliveries', { rowsMax }), 0)
      const left = (await setup.kysely.selectFrom('webhook_deliveries').select('id').execute()).map(({ id }) => id)
      const newest = deliveries.slice(2).sort().slice(1)
      assert.deepEqual(left.sort(), [deliveries[0], ...newest, ...stays].sort())

      for (const revokedAt of [4, 1, 2, 5, 3]) {
        await stores.keys.create(key({ accountId, revokedAt: now - 10 + revokedAt }))
        await stores.signingKeys.create(signingKey(accountId, { revokedAt: now - 10 + revokedAt }), {})
      }
      const valid = key({ accountId, revokedAt: now + 9 })
      await stores.keys.create(valid)
      assert.equal(await retention.sweep('ended-keys', { rowsMax }), 2)
      assert.equal(await retention.sweep('ended-signing-keys', { rowsMax }), 2)
      const { items } = await stores.keys.listPage(accountId, { limit: 9, offset: 0 })
      assert.deepEqual(items.map(({ revokedAt }) => Number(revokedAt) - now).sort(), [-5, -6, -7, 9])
    })

    test('the least recently used records of an account make room, in parts, and their blobs are noted', async (t) => {
      const setup = await openSetup(t)
      const { stores, accountId, notes } = setup
      const other = (await tenant(stores)).account.id
      const retention = retentionOf(setup, {
        quotas: { cacheBytes: forAllPlans(100_000) },
        previewBytesMax: 10 * 5_096,
        deliveryBytesMax: 15_000,
      })
      const result = (of: string, n: number) => {
        const row = { accountId: of, key: `k${n}`, blobKey: `step_${of}_${n}`, size: 1_000, facts: '{}' }
        return { ...row, createdAt: 1, usedAt: n }
      }
      const numbers = Array.from({ length: 250 }, (_, n) => n)
      await stores.stepResults.add(numbers.map((n) => result(accountId, n)))
      await stores.stepResults.add([result(other, 0)])
      await stores.stepResults.touch(accountId, ['k0'], 999)
      const part = await retention.makeRoom('step-results', accountId, { bytesMax: 10_999, partsMax: 1 })
      assert.deepEqual([part.rows, part.bytesLeft, part.blobKeys.length], [100, 150_000, 100])
      assert.equal(await retention.sweep('step-results', { rowsMax }), 50)
      assert.deepEqual(
        (await stores.stepResults.find(accountId, ['k0', 'k1', 'k150', 'k151'])).map((row) => row.key).sort(),
        ['k0', 'k151'],
      )
      const all = await retention.makeRoom('step-results', accountId, { bytesMax: 10_999 })
      assert.deepEqual([all.rows, all.bytesLeft], [90, 10_000])
      assert.deepEqual(await retention.makeRoom('step-results', accountId, { bytesMax: 10_999 }), {
        rows: 0,
        bytesLeft: 10_000,
        blobKeys: [],
      })
      assert.equal((await notes()).length, 240)
      assert.equal((await stores.stepResults.find(other, ['k0'])).length, 1)

      const preview = (n: number) => ({
        id: `prev_${n}`,
        accountId,
        key: null,
        width: 1,
        height: 1,
        size: 1_000,
        createdAt: now,
        usedAt: now + n,
      })
      await stores.previews.add(numbers.slice(0, 12).map(preview))
      assert.equal(await retention.bytesOf('previews', accountId), 12 * 5_096)
      assert.equal(await retention.sweep('previews', { rowsMax }), 2)
      assert.deepEqual(await stores.previews.existing(['prev_1', 'prev_2']), new Set(['prev_2']))
      assert.deepEqual(
        (await notes()).filter((blob) => blob.startsWith('prev')),
        ['prev_0.webp', 'prev_1.webp'],
      )

      // The other half was used just now, and the last one is being made.
      const file = (n: number, id: string | null) => ({
        ...{
          key: `f${n}`,
          owner_id: 'img_1',
          account_id: accountId,
          execution_id: null,
          id,
          size: id === null ? 0 : 1_000,
        },
        ...{ format: 'png', width: 1, height: 1, sha256: '', max_age: 0, reads_urls: 0, is_paid: 0, created_at: 1 },
        used_at: n < 10 ? n + now - 400_000 : now - 1_000,
      })
      const files = [
        ...numbers.slice(0, 20).map((n) => file(n, `img_f${n}`)),
        { ...file(20, null), used_at: now - 400_000 },
      ]
      await setup.kysely
        .insertInto('derived_files')
        .values(files as never)
        .execute()
      assert.equal(await retention.bytesOf('derived-files', accountId), 30_500)
      assert.equal(await retention.sweep('derived-files', { rowsMax: 4 }), 4)
      assert.equal(await retention.sweep('derived-files', { rowsMax }), 6)
      assert.equal(await retention.bytesOf('derived-files', accountId), 15_500, 'those in use stay')
      assert.ok((await notes()).includes('img_f0.png'))
      assert.deepEqual(await storedTotals(setup.kysely), await countedTotals(setup.kysely))
    })

    test('long rows are removed in parts of two megabytes, at least one at a time', async (t) => {
      const setup = await openSetup(t)
      const lengths = [900_000, 900_000, 900_000, 3, 3_000_000, 3]
      for (const [i, length] of lengths.entries()) {
        const request = { method: 'POST', path: '/', fingerprint: '', createdAt: 10 + i }
        const response = { status: 200, headers: {}, body: 'x'.repeat(length) }
        await setup.stores.idempotency.finish({ ...request, accountId: setup.accountId, key: `k${i}` }, response)
      }
      const parts: number[] = []
      const kinds = retentionKinds(defaultRetention).map((kind) => ({
        ...kind,
        last: async (_: unknown, rows: readonly unknown[]) => void parts.push(rows.length),
      }))
      const retention = createRetention({ ...setup, db: setup.kysely, kinds })
      assert.equal(await retention.sweep('idempotency-keys', { rowsMax }), 6)
      assert.deepEqual(parts, [2, 2, 1, 1])
    })

    test('executions go days after their end with their steps and events, and usage still counts them', async (t) => {
      const setup = await openSetup(t)
      const { stores, accountId, end, left, kysely } = setup
      const { activity, batches, executions, providerCalls } = stores
      const endedAt = now - 90 * dayMs - dayMs
      const created = batch(setup.owner.workflow)
      await batches.create(created)
      const ofBatch = await end(endedAt, { batchId: created.id })
      for (const at of [1, 2, 2, 2, 3]) await end(endedAt + at)
      await end(endedAt, {}, 'failed')
      const young = await end(now - 5)
      const paid = execution(setup.owner.workflow)
      await executions.create(paid)
      const running = (await executions.claimNext(endedAt)) ?? assert.fail()
      const begun = call(running, {})
      await providerCalls.begin(begun, 1, { executionMicros: null, accountMonthMicros: null })
      await providerCalls.end(
        begun.id,
        { state: 'done', response: { blobKeys: [] }, costMicros: 7, costSource: 'reported' },
        now,
      )
      await executions.complete(running.id, running.attempt, { ...success(running), completedAt: endedAt })
      const waiting = execution(setup.owner.workflow)
      await executions.create(waiting)
      const retention = retentionOf(setup)
      const sweep = async () =>
        (await retention.sweep('completed-executions', { rowsMax })) +
        (await retention.sweep('failed-executions', { rowsMax }))
      assert.equal(await sweep(), 0, 'no day is closed')
      while ((await activity.closeNextDay(accountId, new Date(now).toISOString().slice(0, 10))) !== undefined);
      const range = { from: '2026-01-01', to: '2026-12-31' }
      const counted = await activity.executionsOf(accountId, range)
      assert.equal(await sweep(), 6)
      const images = await left('images')
      assert.deepEqual(await activity.executionsOf(accountId, range), counted)
      const leftIds = async () =>
        (await kysely.selectFrom('executions').select('id').execute()).map(({ id }) => id).sort()
      assert.deepEqual(await leftIds(), [ofBatch, young, paid.id, waiting.id].sort())
      await kysely.deleteFrom('provider_calls').execute()
      await kysely.deleteFrom('batches').execute()
      assert.equal(await sweep(), 2)
      assert.deepEqual(await leftIds(), [young, waiting.id].sort())
      assert.equal(await left('images'), images, 'their output images stay')
      assert.deepEqual(await kysely.selectFrom('budgets').selectAll().where('scope', '=', running.id).execute(), [])
      const events = await kysely.selectFrom('execution_events').select('execution_id').distinct().execute()
      assert.deepEqual(events.map((row) => row.execution_id).sort(), [young, waiting.id].sort())
      assert.deepEqual(await storedTotals(kysely), await countedTotals(kysely))
    })

    test('more executions of one millisecond that stay than a part has hide none behind them', async (t) => {
      const setup = await openSetup(t)
      const { kysely, end, left, accountId } = setup
      const id = await end(now - 100 * dayMs)
      const { batch_id: _, ...row } = await kysely
        .selectFrom('executions')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const created = batch(setup.owner.workflow)
      await setup.stores.batches.create(created)
      const ofBatch = Array.from({ length: 250 }, (_, i) => ({ ...row, id: `exec_a${i}`, batch_id: created.id }))
      for (let i = 0; i < 250; i += 50)
        await kysely
          .insertInto('executions')
          .values(ofBatch.slice(i, i + 50))
          .execute()
      const behind = [1, 2].map((i) => ({
        ...row,
        id: `exec_b${i}`,
        batch_id: null,
        completed_at: Number(row.completed_at) + i,
      }))
      await kysely.insertInto('executions').values(behind).execute()
      while (
        (await setup.stores.activity.closeNextDay(accountId, new Date(now).toISOString().slice(0, 10))) !== undefined
      );
      await retentionOf(setup).sweep('completed-executions', { rowsMax })
      assert.ok((await left('executions')) <= 251)
      assert.deepEqual(await kysely.selectFrom('executions').select('id').where('id', 'like', 'exec_b%').execute(), [])
    })

    test('a signing key stays until the calls of its executions have ended, and a call until its execution has', async (t) => {
      const setup = await openSetup(t)
      const { stores, accountId, left } = setup
      const ended = signingKey(accountId, { revokedAt: 1 })
      await stores.signingKeys.create(ended, {})
      await stores.executions.create(execution(setup.owner.workflow))
      const running = (await stores.executions.claimNext(1)) ?? assert.fail()
      const begun = call(running, { keyId: ended.id })
      await stores.providerCalls.begin(begun, 1, { executionMicros: null, accountMonthMicros: null })
      const retention = retentionOf(setup)
      const sweep = async () => [
        await retention.sweep('ended-signing-keys', { rowsMax }),
        await retention.sweep('provider-calls', { rowsMax }),
      ]
      assert.deepEqual(await sweep(), [0, 0])
      await stores.providerCalls.end(begun.id, { state: 'failed', costMicros: 0, costSource: 'reported' }, 2)
      assert.deepEqual(await sweep(), [1, 0])
      await stores.executions.fail(running.id, 1, { error: lost, steps: [], completedAt: 3 })
      assert.deepEqual(await sweep(), [0, 1])
      assert.deepEqual([await left('signing_keys'), await left('provider_calls')], [0, 0])
    })

    test('the files and moves of a deleted workflow are removed in parts, and those of others stay', async (t) => {
      const setup = await openSetup(t)
      const { stores, kysely, accountId, left } = setup
      const other = workflow({ accountId, projectId: setup.owner.project.id })
      await stores.workflows.create(other, { name: '', parameters: [], nodes: {}, output: { node: 'a' } } as never)
      const ids = [setup.owner.workflow.id, other.id]
      for (const [i, count] of [1_203, 2].entries())
        for (let from = 0; from < count; from += 400) {
          const numbers = Array.from({ length: Math.min(400, count - from) }, (_, n) => from + n)
          const move = {
            workflow_id: ids[i] ?? '',
            channel: 'live',
            version: 1,
            from_version: null,
            is_rollback: 0,
            moved_at: 1,
            key_id: null,
          }
          await kysely
            .insertInto('channel_moves')
            .values(numbers.map((n) => ({ ...move, sequence: n, workflow_sequence: n })) as never)
            .execute()
          const file = {
            owner_id: ids[i] ?? '',
            account_id: accountId,
            execution_id: null,
            format: 'png',
            size: 9,
            width: 1,
            height: 1,
            sha256: '',
          }
          const more = { max_age: 0, reads_urls: 0, is_paid: 0, created_at: 1, used_at: now }
          await kysely
            .insertInto('derived_files')
            .values(numbers.map((n) => ({ ...file, ...more, id: `img_${i}_${n}`, key: `${i} ${n}` })) as never)
            .execute()
        }
      const retention = retentionOf(setup)
      const jobs = ['files-of-deleted-workflows', 'channel-moves', 'deleted-workflows'] as const
      const sweep = async () => {
        const counts: number[] = []
        for (const job of jobs) counts.push(await retention.sweep(job, { rowsMax }))
        return counts
      }
      assert.deepEqual(await sweep(), [0, 0, 0])
      await stores.workflows.remove(accountId, setup.owner.workflow.id, now)
      assert.deepEqual(await sweep(), [0, 1_203, 0], 'files that a response may still read')
      setup.clock.ms += 400_000
      assert.deepEqual(await sweep(), [1_203, 0, 0])
      setup.clock.ms += 400_000
      assert.deepEqual(await sweep(), [0, 0, 1])
      assert.deepEqual(
        [await left('channel_moves'), await left('derived_files'), await left('channel_leftovers')],
        [2, 2, 0],
      )
      assert.equal((await stores.blobRemovals.list(2_000)).length, 1_203)
    })

    test('rows of deleted batches and of replaced and abandoned uploads are removed, and those of a running upload stay', async (t) => {
      const setup = await openSetup(t)
      const { stores, accountId, left } = setup
      const created = batch(setup.owner.workflow, { createdAt: now })
      await stores.batches.create(created)
      const rowsOf = (...keys: string[]) => keys.map((each) => ({ key: each, parameters: { text: each } }))
      const retention = retentionOf(setup)
      const jobs = ['rows-of-deleted-batches', 'replaced-rows', 'abandoned-rows', 'deleted-batches']
      const sweep = async () => {
        await stores.batches.settleLeftovers(setup.clock.now())
        const counts: number[] = []
        for (const job of jobs) counts.push(await retention.sweep(job, { rowsMax }))
        return counts
      }
      const begin = async (rows: ReturnType<typeof rowsOf>) => {
        const upload = await stores.batchItems.beginUpload(created.id, { now, until: now + 1_000 })
        const of = { id: created.id, upload: Number(upload) }
        await stores.batchItems.add(of, 1, rows, now + 1_000)
        return of
      }
      await stores.batchItems.endUpload(await begin(rowsOf('a', 'b')), 2)
      await stores.batchItems.endUpload(await begin(rowsOf('c')), 1)
      const abandoned = await begin(rowsOf('d', 'e', 'f'))
      assert.deepEqual(await sweep(), [0, 0, 0, 0], 'not while it is uploaded')
      await stores.batchItems.abandonUpload(abandoned)
      assert.deepEqual(await sweep(), [0, 2, 3, 0])
      assert.deepEqual(await sweep(), [0, 0, 0, 0])
      const leftovers = await setup.kysely.selectFrom('batches').select('has_leftovers').executeTakeFirst()
      assert.equal(leftovers?.has_leftovers, 0)
      assert.equal(await left('batch_items'), 1)
      assert.equal(await stores.batches.expire(now, 10, now), 0)
      assert.equal(await stores.batches.expire(now + 1, 10, now), 1)
      assert.equal(await stores.batches.find(accountId, created.id, now), undefined)
      assert.deepEqual(await sweep(), [1, 0, 0, 1])
      assert.deepEqual([await left('batches'), await left('batch_items')], [0, 0])
      assert.deepEqual(await storedTotals(setup.kysely), await countedTotals(setup.kysely))
    })

    test('queues without an endpoint and without waiting deliveries are removed', async (t) => {
      const setup = await openSetup(t)
      const queue = { account_id: setup.accountId, waiting: 0, next_at: null }
      const endpoint = endpointOf(setup.accountId)
      await setup.stores.webhookEndpoints.create(endpoint)
      const queues = ['', endpoint.id, 'whe_gone'].map((endpoint_id) => ({ ...queue, endpoint_id }))
      await setup.kysely
        .insertInto('webhook_queues')
        .values([...queues, { ...queue, endpoint_id: 'whe_waits', waiting: 1 }])
        .execute()
      assert.equal(await retentionOf(setup).sweep('webhook-queues', { rowsMax }), 1)
      const left = await setup.kysely.selectFrom('webhook_queues').select('endpoint_id').execute()
      assert.deepEqual(left.map((row) => row.endpoint_id).sort(), ['', endpoint.id, 'whe_waits'].sort())
    })

    test('a new noun gets an age, a number and a limit of bytes with one row', async (t) => {
      const setup = await openSetup(t)
      const { kysely, accountId } = setup
      await sql`create table notes (id text primary key, account_id text not null, text text not null, blob text,
        created_at bigint not null)`.execute(kysely)
      await sql`create index notes_oldest on notes (created_at)`.execute(kysely)
      await sql`create index notes_of_account_oldest on notes (account_id, created_at, id)`.execute(kysely)
      const row: Kind = {
        job: 'notes',
        table: 'notes' as keyof Schema,
        key: ['id'],
        age: { at: sql`created_at`, keptMs: { is: 1_000 } },
        each: { order: [sql`created_at`, sql`id`], count: { is: 3 } },
        returning: ['blob'],
        blobsOf: ({ blob }) => (blob === null ? [] : [String(blob)]),
      }
      const retention = createRetention({ ...setup, db: kysely, kinds: [row] })
      for (const [i, at] of [1_001, 1_000, 30, 20, 10, 0].entries())
        await sql`insert into notes values (${`n${i}`}, ${accountId}, 'x', ${i === 0 ? null : `note_${i}`}, ${sql.lit(now - at)})`.execute(
          kysely,
        )
      assert.deepEqual(retention.jobs, [{ name: 'notes', everyMs: 600_000 }])
      assert.equal(await retention.sweep('notes', { rowsMax }), 3)
      const { rows } = await sql<{ id: string }>`select id from notes order by id`.execute(kysely)
      assert.deepEqual(
        rows.map(({ id }) => id),
        ['n3', 'n4', 'n5'],
      )
      assert.deepEqual(await setup.notes(), ['note_1', 'note_2'])
    })

    test('an account whose records cannot be removed keeps no other one waiting, in a run and in the next ones', async (t) => {
      const setup = await openSetup(t)
      const { stores } = setup
      const owners = [setup.accountId]
      for (let i = 0; i < 2; i += 1) owners.push((await tenant(stores)).account.id)
      owners.sort()
      for (const accountId of owners)
        for (let i = 0; i < 3; i += 1) await stores.keys.create(key({ accountId, revokedAt: now - 1 }))
      const broken = new Error('a statement took too long')
      const kind = endedKeys('keys')
      const kinds: Kind[] = [
        {
          ...kind,
          ...(kind.each && { each: { ...kind.each, count: { is: 1 } } }),
          returning: ['account_id'],
          async last(_trx, rows) {
            if (rows.some(({ account_id }) => account_id === owners[1])) throw broken
          },
        },
      ]
      const retention = createRetention({ ...setup, db: setup.kysely, kinds })
      await assert.rejects(retention.sweep('ended-keys', { rowsMax }), broken)
      const lists = owners.map((id) => stores.keys.listPage(id, { limit: 9, offset: 0 }))
      assert.deepEqual(
        (await Promise.all(lists)).map(({ total }) => total),
        [1, 3, 1],
      )
    })
  })
}
