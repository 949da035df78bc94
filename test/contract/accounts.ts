import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { storageOf } from '../../src/domain/accounts/quota.ts'
import { AlreadyExists } from '../../src/domain/already-exists.ts'
import { account, execution, image, key, type OpenStores, tenant } from './records.ts'

export function accountsContract(name: string, open: OpenStores): void {
  describe(`accounts on ${name}`, () => {
    test('an account comes back as it was created', async (t) => {
      const { accounts } = await open(t)
      for (const created of [account(), account({ plan: 'enterprise', rateLimit: 12_000, name: 'Zoë & "Söhne"' })]) {
        await accounts.create(created)
        assert.deepEqual(await accounts.find(created.id), created)
      }
      assert.equal(await accounts.find('acct_unknown'), undefined)
    })

    test('creating an account with an existing id fails and keeps the first account', async (t) => {
      const { accounts } = await open(t)
      const first = account()
      await accounts.create(first)
      await assert.rejects(accounts.create({ ...first, name: 'Other' }), AlreadyExists)
      assert.deepEqual(await accounts.list(), [first])
    })

    test('accounts are listed oldest first', async (t) => {
      const { accounts } = await open(t)
      const [a, b, c] = [account({ createdAt: 3 }), account({ createdAt: 1 }), account({ createdAt: 1 })]
      for (const each of [a, b, c]) await accounts.create(each)
      assert.deepEqual(await accounts.list(), [b, c, a])
    })

    test('an update changes only the given fields', async (t) => {
      const { accounts } = await open(t)
      const [changed, other] = [account(), account()]
      await accounts.create(changed)
      await accounts.create(other)
      assert.equal(await accounts.update(changed.id, { plan: 'enterprise', rateLimit: 9_000 }), true)
      assert.deepEqual(await accounts.find(changed.id), { ...changed, plan: 'enterprise', rateLimit: 9_000 })
      assert.equal(await accounts.update(changed.id, { rateLimit: null }), true)
      assert.equal(await accounts.update(changed.id, {}), true)
      assert.deepEqual(await accounts.find(changed.id), { ...changed, plan: 'enterprise' })
      assert.deepEqual(await accounts.find(other.id), other)
    })

    test('a budget is the last one that was set: none, an amount, or the default again', async (t) => {
      const { accounts, keys } = await open(t)
      const created = account({ monthlyBudget: 5_000_000_000_000 })
      await accounts.create(created)
      assert.deepEqual(await accounts.find(created.id), created)
      const laptop = key({ accountId: created.id })
      await keys.create(laptop)
      assert.deepEqual((await keys.findByHash(laptop.hash))?.account, created)
      for (const monthlyBudget of ['none', 0, 7] as const) {
        assert.equal(await accounts.update(created.id, { monthlyBudget }), true)
        assert.equal(await accounts.update(created.id, { plan: 'pro' }), true)
        assert.deepEqual(await accounts.find(created.id), { ...created, monthlyBudget })
      }
      await accounts.update(created.id, { monthlyBudget: null })
      const { monthlyBudget: _, ...same } = created
      assert.deepEqual(await accounts.find(created.id), same)
    })

    test('a maximum of storage is the last one that was set: none, bytes, or the default again', async (t) => {
      const { accounts, keys } = await open(t)
      const created = account({ storageBytesMax: 5_000_000_000_000 })
      await accounts.create(created)
      const laptop = key({ accountId: created.id })
      await keys.create(laptop)
      assert.deepEqual((await keys.findByHash(laptop.hash))?.account, created)
      for (const storageBytesMax of ['none', 0, 7] as const) {
        await accounts.update(created.id, { storageBytesMax })
        assert.deepEqual(await accounts.find(created.id), { ...created, storageBytesMax })
      }
      await accounts.update(created.id, { storageBytesMax: null })
      assert.equal((await accounts.find(created.id))?.storageBytesMax, undefined)
    })

    test('the stored bytes are those of images, and of executions with long parameters, also at the same time', async (t) => {
      const stores = await open(t)
      const [owner, other] = [await tenant(stores), await tenant(stores)]
      const bytesOf = async ({ account }: typeof owner) =>
        storageOf(await stores.quotas.read(account.id, ['storageBytes'], 0)).bytes
      assert.equal(await bytesOf(owner), 0)
      const many = Array.from({ length: 20 }, (_, i) => image({ accountId: owner.account.id, size: 5_000_000_000 + i }))
      await Promise.all(many.map((each) => stores.images.create(each)))
      const images = 20 * 5_000_000_000 + 190
      assert.equal(await bytesOf(owner), images)
      await stores.executions.create(execution(owner.workflow))
      assert.equal(await bytesOf(owner), images)
      const text = 'ä'.repeat(10_000)
      const long = Buffer.byteLength(JSON.stringify({ text })) + '[]'.length
      await stores.executions.create(execution(owner.workflow, { parameters: { text } }))
      assert.equal(await bytesOf(owner), images + long)
      await Promise.all(many.map(({ id }) => stores.images.remove(owner.account.id, id, 1)))
      assert.equal(await bytesOf(owner), long)
      assert.equal(await bytesOf(other), 0)
    })

    test('updating an unknown account fails', async (t) => {
      const { accounts } = await open(t)
      assert.equal(await accounts.update('acct_unknown', { plan: 'pro' }), false)
      assert.equal(await accounts.update('acct_unknown', {}), false)
    })
  })
}
