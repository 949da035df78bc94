import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tenant } from '../../test/contract/records.ts'
import { newSqlite } from '../../test/harness/sqlite.ts'
import { createIdempotency, idempotencyValidMs } from './idempotency.ts'

test('a key that has expired is free again, and its request deletes no other key', async (t) => {
  const { stores } = await newSqlite(t)
  const store = stores.idempotency
  const [{ account }, { account: other }] = [await tenant(stores), await tenant(stores)]
  const clock = { ms: 1_000, now: () => clock.ms }
  const idempotency = createIdempotency({ store, clock })
  const post = (accountId: string, key: string, body: string) =>
    idempotency.once(
      { accountId, key, method: 'POST', path: '/x', content: body },
      async () => ({ status: 201, headers: {}, body }),
      () => true,
    )
  for (const accountId of [account.id, other.id]) await post(accountId, 'key', 'first')
  await post(account.id, 'another key', 'first')
  assert.equal((await post(account.id, 'key', 'first')).replayed, true)
  clock.ms += idempotencyValidMs + 1
  const { response, replayed } = await post(account.id, 'key', 'second')
  assert.deepEqual([response.body, replayed], ['second', false])
  assert.equal((await store.find(account.id, 'key'))?.response?.body, 'second')
  // There may be millions: the background job deletes them in parts.
  assert.ok(await store.find(account.id, 'another key'))
  assert.ok(await store.find(other.id, 'key'))
})
