import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { newSqlite } from '../../../test/harness/sqlite.ts'
import { limits } from '../../limits.ts'
import { createKeys } from './keys.ts'
import { createSessions } from './sessions.ts'

const hourMs = 3_600_000

async function open(t: TestContext) {
  const { stores } = await newSqlite(t)
  const { accounts, keys: keyStore, sessions: store } = stores
  await accounts.create({ id: 'acct_1', name: 'Acme', plan: 'pro', rateLimit: null, createdAt: 1 })
  const clock = { ms: 1_000_000_000, now: () => clock.ms }
  const keys = createKeys({ keys: keyStore, accounts, clock })
  const sessions = createSessions({ sessions: store, keyStore, keys, clock })
  const { key, text } = await keys.create('acct_1')
  const caller = await sessions.identify(text)
  assert.ok(caller)
  return { sessions, store, keys: keyStore, key, caller, clock }
}

test('a session without requests ends after a day, and a used one continues', async (t) => {
  const { sessions, caller, clock } = await open(t)
  const [used, unused] = [await sessions.start(caller), await sessions.start(caller)]
  clock.ms += limits.sessionUnusedSeconds * 1_000 - 1
  assert.equal((await sessions.authenticate(used))?.account.id, 'acct_1')
  clock.ms += 1
  assert.equal(await sessions.authenticate(unused), undefined)
  clock.ms += 20 * hourMs
  assert.equal((await sessions.authenticate(used))?.key.id, caller.key.id)
})

test('a session ends after seven days, however much it is used', async (t) => {
  const { sessions, caller, clock } = await open(t)
  const token = await sessions.start(caller)
  for (let hour = 1; hour < 7 * 24; hour++) {
    clock.ms += hourMs
    assert.ok(await sessions.authenticate(token), `in hour ${hour}`)
  }
  clock.ms += hourMs
  assert.equal(await sessions.authenticate(token), undefined)
})

test('requests in a session count as uses of its key, written from time to time instead of for every request', async (t) => {
  const { sessions, keys, key, caller, clock } = await open(t)
  const token = await sessions.start(caller)
  const usedAt = async () => (await keys.find(key.id))?.lastUsedAt
  const first = await usedAt()
  clock.ms += 30_000
  await sessions.authenticate(token)
  assert.equal(await usedAt(), first)
  clock.ms += 31_000
  await sessions.authenticate(token)
  assert.equal(await usedAt(), clock.ms)
})
