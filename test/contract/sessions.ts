import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Key } from '../../src/domain/accounts/key.ts'
import { hashSessionToken, newSessionToken, type Session } from '../../src/domain/accounts/session.ts'
import type { Stores } from '../../src/storage/database/open.ts'
import { account, key, type OpenStores } from './records.ts'

const now = 1_795_000_000_000
const many = { ofKeyMax: 10 }

export function sessionsContract(name: string, open: OpenStores): void {
  describe(`sessions on ${name}`, () => {
    test('a session is found by its hash, together with its key and its account', async (t) => {
      const { sessions, ...stores } = await open(t)
      const { owner, apiKey } = await newKey(stores)
      const record = session(apiKey)
      await sessions.create(record, many)
      await sessions.create(session(apiKey), many)
      assert.deepEqual(await sessions.findByHash(record.hash), { session: record, key: apiKey, account: owner })
      assert.equal(await sessions.findByHash('0'.repeat(64)), undefined)
    })

    test('a revoked key and the plan of the account are visible with the session immediately', async (t) => {
      const { sessions, ...stores } = await open(t)
      const { owner, apiKey } = await newKey(stores)
      const record = session(apiKey)
      await sessions.create(record, many)
      await stores.keys.revoke(apiKey.id, 5)
      await stores.accounts.update(owner.id, { plan: 'free' })
      const found = await sessions.findByHash(record.hash)
      assert.deepEqual([found?.key.revokedAt, found?.account.plan], [5, 'free'])
    })

    test('a session of an unknown key is rejected', async (t) => {
      const { sessions } = await open(t)
      const record = session({ id: 'key_unknown' })
      await assert.rejects(sessions.create(record, many))
      assert.equal(await sessions.findByHash(record.hash), undefined)
    })

    test('the last use changes only that session', async (t) => {
      const { sessions, ...stores } = await open(t)
      const { apiKey } = await newKey(stores)
      const [used, other] = [session(apiKey), session(apiKey)]
      await sessions.create(used, many)
      await sessions.create(other, many)
      await sessions.update(used.hash, { lastUsedAt: now + 1, expiresAt: now + 9 })
      const found = await sessions.findByHash(used.hash)
      assert.deepEqual(found?.session, { ...used, lastUsedAt: now + 1, expiresAt: now + 9 })
      assert.deepEqual((await sessions.findByHash(other.hash))?.session, other)
    })

    test('a removed session is gone, and stays gone when it is used or removed again', async (t) => {
      const { sessions, ...stores } = await open(t)
      const { apiKey } = await newKey(stores)
      const [removed, other] = [session(apiKey), session(apiKey)]
      await sessions.create(removed, many)
      await sessions.create(other, many)
      await sessions.remove(removed.hash)
      await sessions.remove(removed.hash)
      await sessions.update(removed.hash, { lastUsedAt: now, expiresAt: now })
      assert.equal(await sessions.findByHash(removed.hash), undefined)
      assert.ok(await sessions.findByHash(other.hash))
    })

    test('over the limit of a key the oldest session is removed, and none of another key', async (t) => {
      const { sessions, ...stores } = await open(t)
      const [one, two] = [await newKey(stores), await newKey(stores)]
      const foreign = session(two.apiKey, { createdAt: 1 })
      await sessions.create(foreign, { ofKeyMax: 2 })
      const record = [3, 1, 2, 4].map((createdAt) => session(one.apiKey, { createdAt }))
      for (const each of record) await sessions.create(each, { ofKeyMax: 2 })
      const found = await Promise.all([...record, foreign].map(({ hash }) => sessions.findByHash(hash)))
      assert.deepEqual(
        found.map((each) => each?.session.createdAt),
        [3, undefined, undefined, 4, 1],
      )
    })
  })
}

async function newKey({ accounts, keys }: Pick<Stores, 'accounts' | 'keys'>) {
  const owner = account()
  await accounts.create(owner)
  const apiKey = key({ accountId: owner.id })
  await keys.create(apiKey)
  return { owner, apiKey }
}

export function session({ id }: Pick<Key, 'id'>, fields: Partial<Session> = {}): Session {
  return {
    hash: hashSessionToken(newSessionToken()),
    keyId: id,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: now + 1_000,
    ...fields,
  }
}
