import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { QuotaReached } from '../../src/domain/accounts/quota.ts'
import { AlreadyExists } from '../../src/domain/already-exists.ts'
import { KeyBusy } from '../../src/domain/executions/execution.ts'
import { IdempotencyKeyTaken } from '../../src/domain/idempotency.ts'
import { assertRefused } from './quotas.ts'
import {
  account,
  document,
  execution,
  key,
  maximum,
  type OpenStores,
  project,
  readAll,
  refused,
  workflow,
} from './records.ts'

export function keysContract(name: string, open: OpenStores): void {
  describe(`keys on ${name}`, () => {
    test('a key is found by its id, and by its hash together with its account', async (t) => {
      const { accounts, keys } = await open(t)
      const owner = account({ plan: 'enterprise', rateLimit: 7 })
      await accounts.create(owner)
      const full = key({
        accountId: owner.id,
        permissions: ['all'],
        expiresAt: 1,
        revokedAt: 2,
        lastUsedAt: 3,
        dailyBudget: 0,
        monthlyBudget: 5_000_000_000,
        budgetId: 'key_first',
        workflowId: 'wf_one',
        executionsPerMinute: 600,
        exampleImageId: 'img_one',
      })
      for (const created of [key({ accountId: owner.id }), full]) {
        await keys.create(created)
        assert.deepEqual(await keys.find(created.id), created)
        assert.deepEqual(await keys.findByHash(created.hash), { key: created, account: owner })
      }
      assert.equal(await keys.find('key_unknown'), undefined)
      assert.equal(await keys.findByHash('0'.repeat(64)), undefined)
    })

    test('an update replaces the settings, and the expiry if it has one, and nothing else', async (t) => {
      const { accounts, keys } = await open(t)
      const owner = account()
      await accounts.create(owner)
      const [changed, other] = [key({ accountId: owner.id, dailyBudget: 1 }), key({ accountId: owner.id })]
      for (const each of [changed, other]) await keys.create(each)
      const settings = {
        name: 'agent',
        dailyBudget: null,
        monthlyBudget: 7,
        executionsPerMinute: 3,
        exampleImageId: 'img_1',
        expiresAt: 9,
      }
      assert.equal(await keys.update(changed.id, settings), true)
      assert.deepEqual(await keys.find(changed.id), { ...changed, ...settings })
      assert.deepEqual(await keys.find(other.id), other)
      assert.equal(await keys.update(changed.id, { ...settings, name: 'shop', expiresAt: undefined }), true)
      assert.deepEqual(await keys.find(changed.id), { ...changed, ...settings, name: 'shop' })
      assert.equal(await keys.update('key_unknown', settings), false)
    })

    test('of concurrent executions of a key that can have one, one is recorded, and another after its end', async (t) => {
      const { accounts, keys, workflows, projects, executions } = await open(t)
      const owner = account()
      await accounts.create(owner)
      const home = project({ accountId: owner.id })
      await projects.create(home)
      const stored = workflow({ accountId: owner.id, projectId: home.id })
      await workflows.create(stored, document())
      const [link, other] = [key({ accountId: owner.id }), key({ accountId: owner.id })]
      for (const each of [link, other]) await keys.create(each)
      const of = (keyId: string) => execution(stored, { keyId })
      const add = (keyId: string) => {
        const added = of(keyId)
        return executions.create(added, { isOnlyOfKey: true }).then(() => added.id)
      }
      const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => add(link.id)))
      const recorded = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
      assert.equal(recorded.length, 1)
      for (const each of outcomes)
        if (each.status === 'rejected') assert.ok(each.reason instanceof KeyBusy, each.reason)
      await add(other.id)
      await executions.cancel(recorded[0] ?? '', { error: refused, completedAt: 5_000_000_000_000 })
      await add(link.id)
    })

    test('two keys never share a hash', async (t) => {
      const { accounts, keys } = await open(t)
      const owner = account()
      await accounts.create(owner)
      const first = key({ accountId: owner.id })
      await keys.create(first)
      await assert.rejects(keys.create(key({ accountId: owner.id, hash: first.hash })), AlreadyExists)
      assert.deepEqual(await keys.list(), [first])
    })

    test('a key of an unknown account is rejected', async (t) => {
      const { keys } = await open(t)
      await assert.rejects(keys.create(key({ accountId: 'acct_unknown' })))
      assert.deepEqual(await keys.list(), [])
    })

    test('keys are listed newest first, of one account or of all', async (t) => {
      const { accounts, keys } = await open(t)
      const [one, two] = [account(), account()]
      await accounts.create(one)
      await accounts.create(two)
      const old = key({ accountId: one.id, createdAt: 1 })
      const middle = key({ accountId: two.id, createdAt: 2 })
      const middleToo = key({ accountId: one.id, createdAt: 2 })
      const young = key({ accountId: one.id, createdAt: 3 })
      for (const each of [middle, young, old, middleToo]) await keys.create(each)
      assert.deepEqual(await keys.list(), [young, middleToo, middle, old])
      assert.deepEqual(await keys.list(one.id), [young, middleToo, old])
      assert.deepEqual(await keys.list('acct_unknown'), [])
    })

    test('the keys of an account are listed page by page, newest first, with a total', async (t) => {
      const { accounts, keys } = await open(t)
      const [one, two] = [account(), account()]
      await accounts.create(one)
      await accounts.create(two)
      const record = [4, 1, 3, 2, 5].map((createdAt) => key({ accountId: one.id, createdAt, revokedAt: createdAt }))
      for (const each of [...record, key({ accountId: two.id, createdAt: 3 })]) await keys.create(each)
      const newest = record.toSorted((a, b) => b.createdAt - a.createdAt)
      assert.deepEqual(await readAll((page) => keys.listPage(one.id, page), 2), newest)
      assert.equal((await keys.listPage(one.id, { limit: 2, offset: 1 })).total, 5)
      assert.equal((await keys.listPage(one.id, { limit: 2, offset: 9 })).total, 5)
      assert.deepEqual(await keys.listPage('acct_unknown', { limit: 2, offset: 0 }), {
        items: [],
        next: null,
        total: 0,
      })
    })

    test('of concurrently created keys only as many as the limit are written; inactive ones do not count', async (t) => {
      const { accounts, keys } = await open(t, maximum('keys', 4))
      const [one, two] = [account(), account()]
      await accounts.create(one)
      await accounts.create(two)
      const at = 1_000
      const dead = [{ revokedAt: at }, { revokedAt: 1 }, { expiresAt: at }, { expiresAt: at - 1 }]
      for (const each of dead) await keys.create(key({ accountId: one.id, ...each }))
      await keys.create(key({ accountId: one.id, revokedAt: at + 1, expiresAt: at + 1 }))
      for (let i = 0; i < 5; i++) await keys.create(key({ accountId: two.id }))
      const tried = Array.from({ length: 8 }, () => key({ accountId: one.id, createdAt: at }))
      const outcomes = await Promise.allSettled(tried.map((each) => keys.create(each, {})))
      assertRefused(outcomes, 5, { quota: 'keys', limit: 4 })
      for (const [i, triedKey] of tried.entries())
        assert.equal((await keys.find(triedKey.id)) !== undefined, outcomes[i]?.status === 'fulfilled')
    })

    test('a replacement key is written together with the end of the old key, or neither', async (t) => {
      const { accounts, keys } = await open(t, maximum('keys', 3))
      const [one, two] = [account(), account()]
      await accounts.create(one)
      await accounts.create(two)
      const at = 1_000
      const young = () => key({ accountId: one.id, createdAt: at })
      const old = young()
      await keys.create(old)
      const filler = young()
      await keys.create(filler)
      const next = young()
      assert.equal(await keys.replace(old.id, at + 60, next, {}), true)
      assert.deepEqual(await keys.find(old.id), { ...old, revokedAt: at + 60 })
      assert.deepEqual(await keys.find(next.id), next)
      // All are active: another one is too many, unless one ends with it.
      await assert.rejects(keys.replace(next.id, at + 1, young(), {}), QuotaReached)
      assert.deepEqual(await keys.find(next.id), next)
      const third = young()
      assert.equal(await keys.replace(next.id, at, third, {}), true)
      assert.deepEqual(await keys.find(next.id), { ...next, revokedAt: at })
      await keys.revoke(filler.id, at)
      // Another replacement doesn't extend a key that will end.
      assert.equal(await keys.replace(old.id, at + 90, young(), {}), true)
      assert.equal((await keys.find(old.id))?.revokedAt, at + 60)
      const foreign = key({ accountId: two.id })
      await keys.create(foreign)
      const before = await keys.list()
      for (const id of [next.id, foreign.id, 'key_unknown'])
        assert.equal(await keys.replace(id, at, young(), {}), false, id)
      assert.deepEqual(await keys.list(), before)
    })

    test('of concurrent replacements of one key, each is written completely or not at all', async (t) => {
      const { accounts, keys } = await open(t)
      const owner = account()
      await accounts.create(owner)
      const old = key({ accountId: owner.id })
      await keys.create(old)
      const next = Array.from({ length: 6 }, () => key({ accountId: owner.id, createdAt: old.createdAt }))
      const done = await Promise.all(next.map((each) => keys.replace(old.id, old.createdAt, each, {})))
      assert.equal(done.filter((each) => each).length, 1)
      assert.equal((await keys.list()).length, 2)
    })

    test('a key with an Idempotency-Key is written once, with its record', async (t) => {
      const { accounts, keys, idempotency } = await open(t, maximum('keys', 1))
      const owner = account()
      await accounts.create(owner)
      const record = { accountId: owner.id, key: 'k', method: 'POST', path: '/v1/keys', fingerprint: 'f', createdAt: 1 }
      const made = key({ accountId: owner.id })
      await keys.create(made, {}, record)
      await assert.rejects(keys.create(key({ accountId: owner.id }), {}, record), IdempotencyKeyTaken)
      await assert.rejects(
        keys.replace(made.id, made.createdAt, key({ accountId: owner.id }), {}, record),
        IdempotencyKeyTaken,
      )
      const found = await idempotency.find(owner.id, 'k')
      assert.deepEqual([found?.resourceId, found?.response], [made.id, null])
      assert.deepEqual(await keys.list(), [made])
      // A rejected request leaves the record free.
      const another = key({ accountId: owner.id })
      await assert.rejects(keys.create(another, {}, { ...record, key: 'l' }), QuotaReached)
      assert.equal(await idempotency.find(owner.id, 'l'), undefined)
    })

    test('a revoked key keeps the time of its revocation, also when it is revoked again', async (t) => {
      const { accounts, keys } = await open(t)
      const owner = account()
      await accounts.create(owner)
      const [active, ending] = [key({ accountId: owner.id }), key({ accountId: owner.id, revokedAt: 90 })]
      await keys.create(active)
      await keys.create(ending)
      for (const at of [5, 6]) for (const { id } of [active, ending]) await keys.revoke(id, at)
      assert.deepEqual(await keys.find(active.id), { ...active, revokedAt: 5 })
      assert.deepEqual(await keys.find(ending.id), { ...ending, revokedAt: 5 })
      await keys.revoke('key_unknown', 5)
    })

    test('revocation and last use are visible at the next look-up, and change nothing else', async (t) => {
      const { accounts, keys } = await open(t)
      const owner = account()
      await accounts.create(owner)
      const [changed, other] = [key({ accountId: owner.id }), key({ accountId: owner.id })]
      await keys.create(changed)
      await keys.create(other)
      await keys.revoke(changed.id, 5)
      assert.deepEqual(await keys.find(changed.id), { ...changed, revokedAt: 5 })
      await keys.noteUse(changed.id, 7)
      const found = await keys.findByHash(changed.hash)
      assert.deepEqual(found?.key, { ...changed, revokedAt: 5, lastUsedAt: 7 })
      assert.deepEqual(await keys.find(other.id), other)
    })

    test("a change of the account's plan is visible with the key immediately", async (t) => {
      const { accounts, keys } = await open(t)
      const owner = account()
      await accounts.create(owner)
      const active = key({ accountId: owner.id })
      await keys.create(active)
      await accounts.update(owner.id, { plan: 'free' })
      assert.equal((await keys.findByHash(active.hash))?.account.plan, 'free')
    })
  })
}
