import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AlreadyExists } from '../../src/domain/already-exists.ts'
import { account, key, type OpenStores } from './records.ts'

export function keysContract(name: string, open: OpenStores): void {
  describe(`keys on ${name}`, () => {
    test('a key is found by its id, and by its hash together with its account', async (t) => {
      const { accounts, keys } = await open(t)
      const owner = account({ plan: 'enterprise', rateLimit: 7 })
      await accounts.create(owner)
      const full = key({ accountId: owner.id, permissions: ['all'], expiresAt: 1, revokedAt: 2, lastUsedAt: 3 })
      for (const each of [key({ accountId: owner.id }), full]) {
        await keys.create(each)
        assert.deepEqual(await keys.find(each.id), each)
        assert.deepEqual(await keys.findByHash(each.hash), { key: each, account: owner })
      }
      assert.equal(await keys.find('key_unknown'), undefined)
      assert.equal(await keys.findByHash('0'.repeat(64)), undefined)
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

    test('a key of an account that does not exist is refused', async (t) => {
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

    test('revoking, expiry and last use are seen at the next look-up, and touch nothing else', async (t) => {
      const { accounts, keys } = await open(t)
      const owner = account()
      await accounts.create(owner)
      const [changed, other] = [key({ accountId: owner.id }), key({ accountId: owner.id })]
      await keys.create(changed)
      await keys.create(other)
      assert.equal(await keys.update(changed.id, { revokedAt: 5 }), true)
      assert.deepEqual(await keys.find(changed.id), { ...changed, revokedAt: 5 })
      assert.equal(await keys.update(changed.id, { expiresAt: 6, lastUsedAt: 7, revokedAt: null }), true)
      const found = await keys.findByHash(changed.hash)
      assert.deepEqual(found?.key, { ...changed, expiresAt: 6, lastUsedAt: 7 })
      assert.deepEqual(await keys.find(other.id), other)
      assert.equal(await keys.update('key_unknown', { revokedAt: 5 }), false)
    })

    test("a change of the account's plan is seen with the key at once", async (t) => {
      const { accounts, keys } = await open(t)
      const owner = account()
      await accounts.create(owner)
      const held = key({ accountId: owner.id })
      await keys.create(held)
      await accounts.update(owner.id, { plan: 'free' })
      assert.equal((await keys.findByHash(held.hash))?.account.plan, 'free')
    })
  })
}
