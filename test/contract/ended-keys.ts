/** The removal of API keys and of signing keys that were revoked or have expired. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EndedKeyStore } from '../../src/domain/accounts/key.ts'
import type { Stores } from '../../src/storage/database/open.ts'
import { signingKey } from './delivery.ts'
import { account, firstPage, ids, key, type OpenStores } from './records.ts'
import { session } from './sessions.ts'

const at = 1_000

interface Ends {
  revokedAt?: number
  expiresAt?: number
}

/** Both kinds of keys. `add` creates one at the time `at` and returns its id. */
const kinds = {
  'API keys': (stores: Stores) => ({
    store: stores.keys as EndedKeyStore,
    async add(accountId: string, ends: Ends, endedMax?: number) {
      const made = key({ accountId, createdAt: at, ...ends })
      await stores.keys.create(made, endedMax === undefined ? undefined : { liveMax: 99, endedMax })
      return made.id
    },
    async replace(accountId: string, id: string, endedMax: number) {
      const made = key({ accountId, createdAt: at })
      assert.equal(await stores.keys.replace(id, at, made, { liveMax: 99, endedMax }), true)
      return made.id
    },
    left: async (accountId: string) => ids((await stores.keys.listPage(accountId, firstPage)).items),
  }),
  'signing keys': (stores: Stores) => ({
    store: stores.signingKeys as EndedKeyStore,
    async add(accountId: string, ends: Ends, endedMax?: number) {
      const made = signingKey(accountId, { createdAt: at, ...ends })
      await stores.signingKeys.create(made, { liveMax: 99, ...(endedMax === undefined ? {} : { endedMax }) })
      return made.id
    },
    async replace(accountId: string, id: string, endedMax: number) {
      const made = signingKey(accountId, { createdAt: at })
      assert.equal(await stores.signingKeys.replace(id, at, made, { liveMax: 99, endedMax }), true)
      return made.id
    },
    left: async (accountId: string) => ids((await stores.signingKeys.list(accountId, firstPage)).items),
  }),
}

export function endedKeysContract(name: string, open: OpenStores): void {
  for (const [kind, openKind] of Object.entries(kinds)) {
    const openSetup = async (t: Parameters<OpenStores>[0]) => {
      const stores = await open(t)
      const owners = [account(), account()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
      for (const each of owners) await stores.accounts.create(each)
      const [one, two] = owners.map(({ id }) => id) as [string, string]
      return { ...openKind(stores), stores, one, two }
    }

    describe(`ended ${kind} on ${name}`, () => {
      test('keys that ended before a time are removed in parts, the first ones first, and all others stay', async (t) => {
        const { store, add, left, one, two } = await openSetup(t)
        const third = await add(one, { revokedAt: 5, expiresAt: 90 })
        const second = await add(two, { revokedAt: 90, expiresAt: 4 })
        const first = await add(one, { expiresAt: 3 })
        const kept = [await add(one, {}), await add(one, { revokedAt: 6 }), await add(one, { expiresAt: at })]
        const leftIds = async () => [...(await left(one)), ...(await left(two))].toSorted()
        assert.equal(await store.sweepOld(6, 2), 2)
        assert.deepEqual(await leftIds(), [third, ...kept].toSorted())
        for (const id of [first, second]) assert.ok(!(await leftIds()).includes(id))
        assert.equal(await store.sweepOld(6, 2), 1)
        assert.equal(await store.sweepOld(6, 2), 0)
        assert.deepEqual(await leftIds(), kept.toSorted())
      })

      test('the newest ended keys of an account stay, and those above a number are removed in parts', async (t) => {
        const { store, add, left, one, two } = await openSetup(t)
        const kept = [await add(one, {}), await add(one, { revokedAt: at + 1 })]
        const ended = [5, 1, 4, 2, 3].map((revokedAt) => add(one, { revokedAt }))
        const [newest, oldest, fourth, second, third] = (await Promise.all(ended)) as [
          string,
          string,
          string,
          string,
          string,
        ]
        const other = await add(two, { revokedAt: 1 })
        assert.equal(await store.findExcess(one, at, 5), undefined)
        assert.deepEqual(await store.findExcess(one, at, 2), { endedAt: 3, id: third })
        assert.equal(await store.sweepUpTo(one, { endedAt: 3, id: third }, 2), 2)
        assert.deepEqual((await left(one)).toSorted(), [...kept, newest, third, fourth].toSorted())
        for (const id of [oldest, second]) assert.ok(!(await left(one)).includes(id))
        assert.equal(await store.sweepUpTo(one, { endedAt: 3, id: third }, 2), 1)
        assert.equal(await store.sweepUpTo(one, { endedAt: 3, id: third }, 2), 0)
        assert.deepEqual((await left(one)).toSorted(), [...kept, newest, fourth].toSorted())
        assert.deepEqual(await left(two), [other])
      })

      test('of keys that ended at the same time, the number is exact', async (t) => {
        const { store, add, left, one } = await openSetup(t)
        for (let i = 0; i < 5; i += 1) await add(one, { revokedAt: 1 })
        const excess = await store.findExcess(one, at, 3)
        assert.ok(excess)
        assert.equal(await store.sweepUpTo(one, excess, 9), 2)
        assert.equal((await left(one)).length, 3)
      })

      test('the accounts with keys are found one after the other', async (t) => {
        const { store, add, one, two } = await openSetup(t)
        assert.equal(await store.nextAccount(''), undefined)
        for (const id of [two, one, one]) await add(id, {})
        assert.equal(await store.nextAccount(''), one)
        assert.equal(await store.nextAccount(one), two)
        assert.equal(await store.nextAccount(two), undefined)
      })

      test('an account that creates and replaces keys all the time keeps only the newest ended ones', async (t) => {
        const { add, replace, left, one, two } = await openSetup(t)
        const other = await add(two, { revokedAt: 1 })
        for (let i = 0; i < 30; i += 1) await add(one, { revokedAt: 1 })
        const first = await add(one, {}, 3)
        assert.ok((await left(one)).length < 20, 'a creation removes several')
        let last = first
        for (let i = 0; i < 5; i += 1) last = await replace(one, last, 3)
        const now = await left(one)
        // Those that the last replacement has ended and created are visible.
        assert.equal(now.length, 4)
        assert.ok(now.includes(last))
        assert.ok(!now.includes(first), 'the first replaced one ended before the others')
        assert.deepEqual(await left(two), [other])
      })
    })
  }

  test(`the sessions of a removed API key are removed with it, on ${name}`, async (t) => {
    const { accounts, keys, sessions } = await open(t)
    const owner = account()
    await accounts.create(owner)
    const [ended, live] = [key({ accountId: owner.id, revokedAt: 1 }), key({ accountId: owner.id })]
    const [gone, stays] = [session(ended), session(live)]
    for (const each of [ended, live]) await keys.create(each)
    for (const each of [gone, stays]) await sessions.create(each, { ofKeyMax: 9 })
    assert.equal(await keys.sweepOld(2, 9), 1)
    assert.equal(await keys.findByHash(ended.hash), undefined)
    assert.equal(await sessions.findByHash(gone.hash), undefined)
    assert.ok(await sessions.findByHash(stays.hash))
  })
}
