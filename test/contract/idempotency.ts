import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { IdempotencyRecord } from '../../src/domain/idempotency.ts'
import { type OpenStores, tenant } from './records.ts'

const answer = {
  status: 201,
  headers: { location: '/v1/projects/proj_1' },
  body: '{"name":"Zo\u00eb \\u0000","n":1.0}',
}

export function idempotencyContract(name: string, open: OpenStores): void {
  describe(`idempotency on ${name}`, () => {
    async function begin(t: Parameters<OpenStores>[0]) {
      const stores = await open(t)
      const { account } = await tenant(stores)
      const request = (fields: Partial<IdempotencyRecord> = {}) => ({
        accountId: account.id,
        key: 'order-1',
        method: 'POST',
        path: '/v1/workflows/execute',
        fingerprint: 'f'.repeat(64),
        executionId: 'exec_1',
        createdAt: 10,
        ...fields,
      })
      return { store: stores.idempotency, stores, account, request }
    }

    test('of many that begin under one key at once exactly one is new, and the others get its record', async (t) => {
      const { store, request } = await begin(t)
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, i) => store.begin(request({ executionId: `exec_${i}` }))),
      )
      const winner = results.indexOf('new')
      const record = { ...request({ executionId: `exec_${winner}` }), state: 'running', response: null }
      for (const [i, result] of results.entries()) assert.deepEqual(result, i === winner ? 'new' : record)
    })

    test('a finished request is replayed as it was answered', async (t) => {
      const { store, account, request } = await begin(t)
      await store.begin(request())
      assert.equal(await store.finish(account.id, 'order-1', answer), true)
      const record = { ...request(), state: 'done', response: answer }
      assert.deepEqual(await store.begin(request({ fingerprint: 'e'.repeat(64), createdAt: 99 })), record)
    })

    test('the first answer stays: a key is finished once', async (t) => {
      const { store, account, request } = await begin(t)
      assert.equal(await store.finish(account.id, 'order-1', answer), false)
      await store.begin(request())
      await store.finish(account.id, 'order-1', answer)
      assert.equal(await store.finish(account.id, 'order-1', { ...answer, body: '{}' }), false)
      const found = await store.begin(request())
      assert.equal(found !== 'new' && found.response?.body, answer.body)
    })

    test('the same key of another account is another key', async (t) => {
      const { store, stores, account, request } = await begin(t)
      const other = await tenant(stores)
      await store.begin(request())
      assert.equal(await store.begin(request({ accountId: other.account.id })), 'new')
      await store.finish(account.id, 'order-1', answer)
      const theirs = await store.begin(request({ accountId: other.account.id }))
      assert.equal(theirs !== 'new' && theirs.state, 'running')
    })

    test('an abandoned key is free again, a finished one is not', async (t) => {
      const { store, account, request } = await begin(t)
      await store.begin(request())
      await store.abandon(account.id, 'order-1')
      assert.equal(await store.begin(request({ createdAt: 20 })), 'new')
      await store.finish(account.id, 'order-1', answer)
      await store.abandon(account.id, 'order-1')
      assert.notEqual(await store.begin(request()), 'new')
    })

    test('abandoning what was begun at one time leaves what was begun since', async (t) => {
      const { store, account, request } = await begin(t)
      await store.begin(request({ createdAt: 20 }))
      await store.abandon(account.id, 'order-1', 10)
      assert.notEqual(await store.begin(request()), 'new')
      await store.abandon(account.id, 'order-1', 20)
      assert.equal(await store.begin(request()), 'new')
    })

    test('what was begun before a time is swept, what came later stays', async (t) => {
      const { store, account, request } = await begin(t)
      for (const createdAt of [10, 20, 30]) await store.begin(request({ key: `at ${createdAt}`, createdAt }))
      await store.finish(account.id, 'at 10', answer)
      assert.equal(await store.sweep(30), 2)
      assert.equal(await store.sweep(30), 0)
      assert.equal(await store.begin(request({ key: 'at 10' })), 'new')
      assert.equal(await store.begin(request({ key: 'at 20' })), 'new')
      assert.notEqual(await store.begin(request({ key: 'at 30' })), 'new')
    })
  })
}
