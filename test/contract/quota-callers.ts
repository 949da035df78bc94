/** Each quota at its limit, with 40 callers in two processes. */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import {
  monthEndsAt,
  type Quota,
  QuotaReached,
  type QuotaSettings,
  quotaNames,
  quotaRow,
} from '../../src/domain/accounts/quota.ts'
import { BatchItemTaken } from '../../src/domain/batches/batch-item.ts'
import { derivedKey } from '../../src/domain/delivery/derived-file.ts'
import type { Execution } from '../../src/domain/executions/execution.ts'
import { newId } from '../../src/domain/ids.ts'
import type { Draft } from '../../src/domain/workflows/draft.ts'
import type { Database, Stores } from '../../src/storage/database/open.ts'
import { createRemoval } from '../../src/storage/database/retention/removal.ts'
import { retentionOf } from '../harness/retention.ts'
import { batch } from './batches.ts'
import { signingKey } from './delivery.ts'
import { assertRefused } from './quotas.ts'
import {
  characters,
  document,
  execution,
  font,
  image,
  key,
  lost,
  maximum,
  project,
  success,
  tenant,
  workflow,
} from './records.ts'
import { endpointOf } from './webhooks.ts'

/** Several connections to one database, like several processes. */
type OpenHandles = (t: TestContext, count: number, options: { quotas: QuotaSettings }) => Promise<Database[]>

type Owner = Awaited<ReturnType<typeof tenant>>

/** Adds one to the quota, and returns the removal that gives it back. */
type Add = (stores: Stores, owner: Owner) => Promise<() => Promise<unknown>>

const callers = 40
const now = 1_795_000_000_000
const soon = { now, until: now + 60_000 }
const imageBytes = 1_000

const adds: Record<Exclude<Quota, 'cacheBytes'>, Add> = {
  storageBytes: addImage,
  images: addImage,
  async executions({ executions, accounts }, { workflow, account }) {
    await executions.create(execution(workflow))
    // Nothing gives back an execution but another month: here, another plan.
    return () => accounts.update(account.id, { plan: 'enterprise' })
  },
  async workflows({ workflows }, { account, project }) {
    const added = workflow({ accountId: account.id, projectId: project.id })
    await workflows.create(added, document())
    return () => workflows.remove(account.id, added.id, now)
  },
  async drafts({ drafts }, { account, project }) {
    const added = draft({ accountId: account.id, projectId: project.id })
    await drafts.create(added)
    return () => drafts.remove(account.id, added.workflowId)
  },
  async projects({ projects }, { account }) {
    const added = project({ accountId: account.id })
    await projects.create(added)
    return () => projects.markDeleted(account.id, added.id, { movesTo: null, now })
  },
  async fonts({ fonts }, { account }) {
    const added = font({ accountId: account.id })
    await fonts.create(added, characters)
    return () => fonts.remove(account.id, added.id, now)
  },
  async keys({ keys }, { account }) {
    const added = key({ accountId: account.id })
    await keys.create(added, {})
    return () => keys.revoke(added.id, added.createdAt)
  },
  async signingKeys({ signingKeys }, { account }) {
    const added = signingKey(account.id)
    await signingKeys.create(added, {})
    return () => signingKeys.revoke(account.id, added.id, added.createdAt)
  },
  async webhookEndpoints({ webhookEndpoints }, { account }) {
    const added = endpointOf(account.id)
    await webhookEndpoints.create(added)
    return () => webhookEndpoints.remove(account.id, added.id)
  },
  async batches({ batches }, { workflow, account }) {
    const added = batch(workflow)
    await batches.create(added)
    return () => batches.remove(account.id, added.id, now)
  },
  async batchesRunning(stores, owner) {
    const id = await batchWithRow(stores, owner)
    const change = (from: 'created' | 'running', status: 'running' | 'paused') =>
      stores.batches.changeStatus(owner.account.id, id, [from], { status, at: now })
    await change('created', 'running')
    return () => change('running', 'paused')
  },
  async batchRows(stores, owner) {
    const id = await batchWithRow(stores, owner)
    return () => stores.batches.remove(owner.account.id, id, now)
  },
}

export function quotaCallersContract(name: string, open: OpenHandles): void {
  async function openSetup(t: TestContext, quotas: QuotaSettings) {
    const [first, second] = await open(t, 2, { quotas })
    assert.ok(first && second)
    const owner = await tenant(first.stores)
    const { id: accountId } = owner.account
    const useOf = async (quota: Quota) => {
      const [use] = await second.stores.quotas.read(accountId, [quota], now)
      return use ?? assert.fail('no account')
    }
    return { first, second, owner, accountId, useOf, storesOf: (i: number) => (i % 2 ? first : second).stores }
  }

  describe(`quotas and ${callers} callers on ${name}`, () => {
    for (const [quota, add] of Object.entries(adds) as [keyof typeof adds, Add][]) {
      test(`of ${quota}, exactly the maximum is written, none above it, and a removal gives one back`, async (t) => {
        const perCaller = quota === 'storageBytes' ? imageBytes : 1
        // The tenant has a project and a workflow.
        const limit = 7 * perCaller + (quota === 'storageBytes' ? imageBytes - 1 : 0)
        const { first, owner, useOf, storesOf } = await openSetup(t, {
          [quota]: { starter: limit, pro: limit, enterprise: limit + 2 * perCaller },
        })
        const before = (await useOf(quota)).used
        const outcomes = await Promise.allSettled(Array.from({ length: callers }, (_, i) => add(storesOf(i), owner)))
        const added = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
        const used = 7 * perCaller
        assert.equal(added.length, 7 - before)
        for (const outcome of outcomes) {
          if (outcome.status === 'fulfilled') continue
          assert.ok(outcome.reason instanceof QuotaReached, String(outcome.reason))
          const { quota: of, limit: max, used: seen } = outcome.reason.details
          assert.deepEqual([of, max], [quota, limit])
          assert.equal(seen, used)
          assert.match(outcome.reason.message, new RegExp(`at most ${limit} ${quotaRow(quota).unit.slice(0, 6)}`))
        }
        assert.deepEqual(await useOf(quota), { quota, used, limit })
        await assert.rejects(add(first.stores, owner), QuotaReached)
        // One is given back: one of the callers gets it.
        const [giveBack] = added
        await giveBack?.()
        const more = await Promise.allSettled([0, 1, 2].map((i) => add(storesOf(i), owner)))
        const isPlan = quota === 'executions'
        assert.equal(more.filter(({ status }) => status === 'fulfilled').length, isPlan ? 2 : 1)
        assert.equal((await useOf(quota)).used, isPlan ? used + 2 : used)
      })
    }

    test('every quota that refuses something has a test here', () => {
      assert.deepEqual(quotaNames.filter((quota) => !quotaRow(quota).evicts).toSorted(), Object.keys(adds).toSorted())
    })

    test('a plan that is raised or lowered applies to the next record, and what is there stays', async (t) => {
      const { first, owner, accountId, useOf } = await openSetup(t, { images: { starter: 1, pro: 3 } })
      const { accounts } = first.stores
      for (let i = 0; i < 3; i += 1) await addImage(first.stores, owner)
      await assert.rejects(addImage(first.stores, owner), QuotaReached)
      await accounts.update(accountId, { plan: 'starter' })
      await assert.rejects(addImage(first.stores, owner), /at most 1 images, and has 3/)
      assert.deepEqual(await useOf('images'), { quota: 'images', used: 3, limit: 1 })
      await accounts.update(accountId, { plan: 'enterprise' })
      await addImage(first.stores, owner)
      assert.deepEqual(await useOf('images'), { quota: 'images', used: 4, limit: null })
      await accounts.update(accountId, { storageBytesMax: 4 * imageBytes })
      await assert.rejects(addImage(first.stores, owner), /bytes/)
      await accounts.update(accountId, { storageBytesMax: 'none' })
      await addImage(first.stores, owner)
    })

    test('the outputs of executions count from their start, whatever they and uploads do at the same time', async (t) => {
      const limit = 30
      const { first, owner, accountId, useOf, storesOf } = await openSetup(t, maximum('images', limit).quotas)
      const { executions } = first.stores
      const start = (i: number) => storesOf(i).executions.create(execution(owner.workflow), { imagesAdded: 3 })
      const outcomes = await Promise.allSettled(
        Array.from({ length: callers }, (_, i) => (i % 4 < 2 ? start(i) : addImage(storesOf(i), owner))),
      )
      const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      for (const error of refusals) assert.ok(error instanceof QuotaReached, String(error))
      // An execution needs three, so up to two are left.
      const { used } = await useOf('images')
      assert.ok(used <= limit && used > limit - 3, String(used))
      while ((await useOf('images')).used < limit) await addImage(first.stores, owner)
      await assert.rejects(addImage(first.stores, owner), QuotaReached)
      await assert.rejects(start(0), QuotaReached)

      // Each end keeps or gives back its images in the same transaction.
      let ended = 0
      let stored = limit
      for (let claimed = await executions.claimNext(1); claimed; claimed = await executions.claimNext(1)) {
        ended += 1
        if (ended % 2 === 0) {
          await executions.fail(claimed.id, claimed.attempt, { error: lost, steps: [], completedAt: 1 })
          stored -= 3
        } else {
          const otherImages = [1, 2].map(() => image({ accountId, executionId: claimed?.id ?? null }))
          await executions.complete(claimed.id, claimed.attempt, { ...success(claimed), otherImages })
        }
        assert.equal((await useOf('images')).used, stored)
      }
      assert.ok(ended >= 2, String(ended))
      const cancelled = execution(owner.workflow)
      await executions.create(cancelled, { imagesAdded: 3 })
      assert.equal((await useOf('images')).used, stored + 3)
      await executions.cancel(cancelled.id, { error: lost, completedAt: 1 })
      assert.equal((await useOf('images')).used, stored)
      await requireCounted(first, accountId)
    })

    test('an image that expires, and an account that is deleted, give back what they had', async (t) => {
      const { first, owner, accountId, useOf } = await openSetup(t, maximum('images', 2).quotas)
      const { stores, kysely, dialect } = first
      const later = now + 1_000_000_000
      const passing = image({ accountId, size: imageBytes, createdAt: now, expiresAt: now + 1 })
      await stores.images.create(passing)
      await addImage(stores, owner)
      await assert.rejects(addImage(stores, owner), QuotaReached)
      const retention = retentionOf({ ...first, clock: { now: () => later } })
      // The first look at the clock doesn't know how much time has passed.
      await retention.sweep('expired-images', { rowsMax: 100 })
      assert.equal((await useOf('images')).used, 1)
      assert.equal((await useOf('storageBytes')).used, imageBytes)
      await addImage(stores, owner)
      await assert.rejects(addImage(stores, owner), QuotaReached)
      await stores.accounts.markDeleted(accountId, now)
      const removal = createRemoval({ db: kysely, dialect, clock: { now: () => later } })
      while (!(await removal.removeAccount(accountId)).isGone);
      for (const table of ['list_totals', 'account_queues'] as const) {
        const rows = await kysely.selectFrom(table).selectAll().where('account_id', '=', accountId).execute()
        assert.deepEqual(rows, [], table)
      }
    })

    test('executions of batches and of delivery URLs count, and a new month begins at 0', async (t) => {
      const { first, owner, accountId, useOf } = await openSetup(t, maximum('executions', 3).quotas)
      const { stores } = first
      const id = await batchWithRow(stores, owner)
      await stores.batches.changeStatus(accountId, id, ['created'], { status: 'running', at: now })
      await stores.executions.create(execution(owner.workflow, { batchId: id }), {
        batchItem: { batchId: id, upload: 1, row: 1 },
      })
      await stores.executions.create(...ofFile(owner, 'a'))
      const startNow = execution(owner.workflow)
      await stores.executions.create(startNow)
      assert.deepEqual(await useOf('executions'), { quota: 'executions', used: 3, limit: 3 })
      const refusals = await Promise.allSettled([
        stores.executions.create(execution(owner.workflow)),
        stores.executions.create(execution(owner.workflow), { startFor: {} }),
        stores.executions.create(...ofFile(owner, 'b')),
      ])
      assertRefused(refusals, 3, { quota: 'executions', limit: 3, resetsAt: monthEndsAt(now) })
      // What ends, or is removed, was started.
      await stores.executions.cancel(startNow.id, { error: lost, completedAt: now })
      assert.equal((await useOf('executions')).used, 3)
      const nextMonth = Date.parse(monthEndsAt(now))
      await assert.rejects(
        stores.executions.create(execution(owner.workflow, { createdAt: nextMonth - 1 })),
        QuotaReached,
      )
      await stores.executions.create(execution(owner.workflow, { createdAt: nextMonth }))
      const [use] = await stores.quotas.read(accountId, ['executions'], nextMonth)
      assert.equal(use?.used, 1)
    })

    test('a clock that was ahead for a day or a year takes no month from the count, and adds none', async (t) => {
      const { first, owner, accountId } = await openSetup(t, maximum('executions', 3).quotas)
      const { executions, quotas } = first.stores
      // The first one waits, so the others do, too; `startFor` begins with an account that has none waiting.
      const ways = [{}, { startFor: {} }]
      const start = (createdAt: number, way = 0) =>
        executions.create(execution(owner.workflow, { createdAt }), ways[way % 2])
      const usedAt = async (at: number) => (await quotas.read(accountId, ['executions'], at))[0]?.used
      const ahead = [Date.parse(monthEndsAt(now)), now + 366 * 86_400_000]
      await start(now, 1)
      await start(now)
      for (const [i, wrong] of ahead.entries()) {
        await start(wrong, i)
        assert.equal(await usedAt(wrong), 1)
        assert.equal(await usedAt(now), 2)
      }
      await start(now)
      for (const [i, wrong] of ahead.entries()) {
        assert.equal(await usedAt(now), 3)
        await assert.rejects(start(now, i), QuotaReached)
        await start(wrong, i)
        assert.equal(await usedAt(wrong), 2)
        await assert.rejects(start(now, i), QuotaReached)
      }
    })

    test('images in the bin count as images and bytes, and they can be restored at the maximum', async (t) => {
      const { first, owner, accountId, useOf } = await openSetup(t, maximum('images', 1).quotas)
      const { images, bin } = first.stores
      const stored = image({ accountId, size: imageBytes })
      await images.create(stored)
      await images.removeSome(accountId, { ids: [stored.id] }, 1, now, { toBin: true })
      assert.equal((await useOf('images')).used, 1)
      await assert.rejects(addImage(first.stores, owner), QuotaReached)
      assert.deepEqual(await bin.restore(accountId, [stored.id]), [stored.id])
      await images.removeSome(accountId, { ids: [stored.id] }, 1, now, { toBin: true })
      assert.equal((await bin.remove(accountId, undefined, 10, now)).count, 1)
      await addImage(first.stores, owner)
      await requireCounted(first, accountId)
    })

    test('files of delivery URLs do not count as images, and are made without room for any', async (t) => {
      const { first, owner, accountId, useOf } = await openSetup(t, maximum('images', 0).quotas)
      await first.stores.accounts.update(accountId, { storageBytesMax: 0 })
      await first.stores.executions.create(...ofFile(owner, 'a'))
      await assert.rejects(first.stores.executions.create(execution(owner.workflow)), QuotaReached)
      assert.equal((await useOf('images')).used, 0)
    })

    test('long documents above the maximum of bytes are refused, and shorter ones are saved', async (t) => {
      const { first, owner, accountId, useOf } = await openSetup(t, {})
      const { accounts, drafts, workflows } = first.stores
      const long = (chars: number) => ({ ...document(), description: 'a'.repeat(chars) })
      const ids = { accountId, projectId: owner.project.id }
      const saved = draft({ ...ids, document: long(40_000) })
      await drafts.create(saved)
      const { used } = await useOf('storageBytes')
      await accounts.update(accountId, { storageBytesMax: used })
      const save = (chars: number) =>
        drafts.save(accountId, saved.workflowId, { name: 'D', document: long(chars), updatedAt: 2 })
      await assert.rejects(save(40_001), QuotaReached)
      assert.ok(await save(30_000))
      assert.ok(await save(39_000))
      await accounts.update(accountId, { storageBytesMax: 100 })
      assert.ok(await save(38_000), 'less than before')
      await assert.rejects(workflows.create(workflow(ids), long(20_000)), QuotaReached)
      await workflows.create(workflow(ids), document())
      await assert.rejects(workflows.replace({ ...owner.workflow, version: 2 }, long(20_000), 1), QuotaReached)
      assert.equal(await workflows.replace({ ...owner.workflow, version: 2 }, document('Next'), 1), true)
      await assert.rejects(drafts.create(draft({ ...ids, document: long(20_000) })), QuotaReached)
    })

    test('quotas, batches and executions of one account at the same time wait for each other, and never deadlock', async (t) => {
      const quotas = { ...maximum('images', 1_000).quotas, ...maximum('executions', 1_000).quotas }
      const { owner, accountId, first, storesOf } = await openSetup(t, quotas)
      const work = async (i: number) => {
        const stores = storesOf(i)
        const id = await batchWithRow(stores, owner)
        await Promise.all([
          addImage(stores, owner),
          stores.batches.changeStatus(accountId, id, ['created'], { status: 'running', at: now }),
          stores.executions.create(execution(owner.workflow), { startFor: {} }),
        ])
        const ofBatch = execution(owner.workflow, { batchId: id })
        await Promise.all([
          stores.executions.create(ofBatch, { batchItem: { batchId: id, upload: 1, row: 1 } }).catch((error) => {
            // The batch was paused first.
            if (!(error instanceof BatchItemTaken)) throw error
          }),
          stores.batches.changeStatus(accountId, id, ['running'], { status: 'paused', at: now }),
          stores.executions.create(...ofFile(owner, `file ${i}`)),
          stores.drafts.create(draft({ accountId, projectId: owner.project.id })),
        ])
      }
      await Promise.all(Array.from({ length: 8 }, (_, i) => work(i)))
      await requireCounted(first, accountId)
    })
  })
}

async function addImage({ images }: Stores, { account }: Owner) {
  const added = image({ accountId: account.id, size: imageBytes })
  await images.create(added)
  return () => images.remove(account.id, added.id, now)
}

async function batchWithRow({ batches, batchItems }: Stores, { workflow }: Owner): Promise<string> {
  const added = batch(workflow)
  await batches.create(added)
  const rows = { id: added.id, upload: Number(await batchItems.beginUpload(added.id, soon)) }
  await batchItems.add(rows, 1, [{ key: 'a', parameters: {} }], soon.until)
  await batchItems.endUpload(rows, 1)
  return added.id
}

/** An execution that makes a file of a delivery URL. */
function ofFile({ workflow }: Owner, variant: string): Parameters<Stores['executions']['create']> {
  const derived = derivedKey(workflow, variant)
  const facts = { maxAge: 60, readsUrls: false, isPaid: false, redirects: false, replaces: null }
  const made: Execution = execution(workflow, { derivedKey: derived })
  return [made, { derivedFile: { key: derived, ownerId: workflow.id, ...facts } }]
}

function draft(fields: { accountId: string; projectId: string } & Partial<Draft>): Draft {
  const times = { createdAt: 1, updatedAt: 1 }
  return { workflowId: newId('wf', 1), name: 'New', baseVersion: 0, revision: 1, document: {}, ...times, ...fields }
}

/** The counters equal the rows. */
async function requireCounted({ kysely }: Database, accountId: string): Promise<void> {
  const { rows } = await sql<{ stored: number; counted: number }>`
    select images_reserved as stored, (select coalesce(sum(images_reserved), 0) from executions as e
      where e.account_id = q.account_id and status in ('pending', 'running')) as counted
    from account_queues as q where account_id = ${accountId}`.execute(kysely)
  assert.equal(Number(rows[0]?.stored), Number(rows[0]?.counted))
}
