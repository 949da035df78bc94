import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { QuotaReached, type QuotaSettings } from '../../src/domain/accounts/quota.ts'
import { AlreadyExists } from '../../src/domain/already-exists.ts'
import { IdempotencyKeyTaken, type NewIdempotencyRecord } from '../../src/domain/idempotency.ts'
import {
  characters,
  document,
  execution,
  firstPage,
  font,
  ids,
  image,
  maximum,
  type OpenStores,
  project,
  tenant,
  unwritableDocument,
  workflow,
} from './records.ts'

const stored = {
  status: 201,
  headers: { location: '/v1/projects/proj_1' },
  body: '{"name":"Zo\u00eb \\u0000","n":1.0}',
}

/** Everything that a POST creates: how it is written with a key, and the number of rows. */
const nouns = ['execution', 'image', 'font', 'project', 'workflow'] as const

export function idempotencyContract(name: string, open: OpenStores): void {
  describe(`idempotency on ${name}`, () => {
    async function openSetup(t: TestContext, options?: { quotas: QuotaSettings }) {
      const stores = await open(t, options)
      const owner = await tenant(stores)
      const { account } = owner
      const request = (fields: Partial<NewIdempotencyRecord> = {}): NewIdempotencyRecord => ({
        accountId: account.id,
        key: 'order-1',
        method: 'POST',
        path: '/v1/workflows/execute',
        fingerprint: 'f'.repeat(64),
        createdAt: 10,
        ...fields,
      })
      const of = { accountId: account.id, projectId: owner.project.id }
      const create = {
        execution: async (record?: NewIdempotencyRecord, id?: string) => {
          const created = execution(owner.workflow, id === undefined ? {} : { id })
          await stores.executions.create(created, { record })
          return created.id
        },
        image: async (record?: NewIdempotencyRecord, id?: string) => {
          const created = image({ ...of, ...(id === undefined ? {} : { id }) })
          await stores.images.create(created, record)
          return created.id
        },
        font: async (record?: NewIdempotencyRecord, id?: string) => {
          const created = font({ accountId: account.id, ...(id === undefined ? {} : { id }) })
          await stores.fonts.create(created, characters, record)
          return created.id
        },
        project: async (record?: NewIdempotencyRecord, id?: string) => {
          const created = project({ accountId: account.id, ...(id === undefined ? {} : { id }) })
          await stores.projects.create(created, record)
          return created.id
        },
        workflow: async (record?: NewIdempotencyRecord, id?: string) => {
          const created = workflow({ ...of, ...(id === undefined ? {} : { id }) })
          await stores.workflows.create(created, document(), record)
          return created.id
        },
      }
      const list = {
        execution: () => stores.executions.list(account.id, firstPage, {}),
        image: () => stores.images.list(account.id, firstPage, {}),
        font: () => stores.fonts.list(account.id, firstPage),
        project: () => stores.projects.list(account.id, firstPage),
        workflow: () => stores.workflows.list(account.id, firstPage, {}),
      }
      return { store: stores.idempotency, stores, owner, account, request, create, list }
    }

    for (const noun of nouns) {
      test(`of concurrent requests that create a ${noun} with one key one succeeds, and the key names it`, async (t) => {
        const { store, account, request, create, list } = await openSetup(t)
        const before = ids((await list[noun]()).items)
        const results = await Promise.allSettled(Array.from({ length: 20 }, () => create[noun](request())))
        const created = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
        assert.equal(created.length, 1)
        for (const result of results)
          if (result.status === 'rejected') assert.ok(result.reason instanceof IdempotencyKeyTaken)
        const after = ids((await list[noun]()).items)
        assert.deepEqual(
          after.filter((id) => !before.includes(id)),
          created,
        )
        const [resourceId] = created
        assert.deepEqual(await store.find(account.id, 'order-1'), { ...request(), resourceId, response: null })
      })

      test(`a ${noun} that cannot be written leaves its key free`, async (t) => {
        const { store, account, request, create } = await openSetup(t)
        const taken = await create[noun]()
        await assert.rejects(create[noun](request(), taken), AlreadyExists)
        assert.equal(await store.find(account.id, 'order-1'), undefined)
        const id = await create[noun](request())
        assert.equal((await store.find(account.id, 'order-1'))?.resourceId, id)
      })
    }

    test('a font over the limit, and a workflow whose version cannot be written, leave their keys free', async (t) => {
      const { store, stores, owner, account, request, create } = await openSetup(t, maximum('fonts', 1))
      await create.font()
      const over = stores.fonts.create(font({ accountId: account.id }), characters, request())
      await assert.rejects(over, QuotaReached)
      const saved = workflow({ accountId: account.id, projectId: owner.project.id })
      await assert.rejects(stores.workflows.create(saved, unwritableDocument(), request()))
      assert.equal(await store.find(account.id, 'order-1'), undefined)
    })

    test('a finished request is replayed with its response and the id that it created', async (t) => {
      const { store, account, request, create } = await openSetup(t)
      const resourceId = await create.project(request())
      assert.equal(await store.finish(request({ createdAt: 99 }), stored), true)
      assert.deepEqual(await store.find(account.id, 'order-1'), { ...request(), resourceId, response: stored })
    })

    test('a request that creates nothing is written with its response', async (t) => {
      const { store, account, request } = await openSetup(t)
      assert.equal(await store.find(account.id, 'order-1'), undefined)
      assert.equal(await store.finish(request(), stored), true)
      assert.deepEqual(await store.find(account.id, 'order-1'), { ...request(), resourceId: null, response: stored })
    })

    test('the first response stays: of concurrent attempts to finish a key one succeeds', async (t) => {
      const { store, account, request } = await openSetup(t)
      const storedResponses = Array.from({ length: 10 }, (_, i) => ({ ...stored, body: String(i) }))
      const outcomes = await Promise.all(storedResponses.map((each) => store.finish(request(), each)))
      assert.equal(outcomes.filter(Boolean).length, 1)
      assert.equal((await store.find(account.id, 'order-1'))?.response?.body, String(outcomes.indexOf(true)))
    })

    test('the key of another request is not finished, for any difference', async (t) => {
      const { store, account, request, create } = await openSetup(t)
      await create.project(request())
      for (const other of [{ fingerprint: 'e'.repeat(64) }, { path: '/v1/projects' }, { method: 'PUT' }])
        assert.equal(await store.finish(request(other), stored), false)
      assert.equal((await store.find(account.id, 'order-1'))?.response, null)
    })

    test('the same key of another account is a different key', async (t) => {
      const { store, stores, account, request, create } = await openSetup(t)
      const other = await tenant(stores)
      await create.project(request())
      assert.equal(await store.find(other.account.id, 'order-1'), undefined)
      const ofOther = project({ accountId: other.account.id })
      await stores.projects.create(ofOther, request({ accountId: other.account.id }))
      await store.finish(request(), stored)
      assert.equal((await store.find(other.account.id, 'order-1'))?.response, null)
      assert.equal((await store.find(account.id, 'order-1'))?.response?.body, stored.body)
    })

    test('a key is removed if it was started before a time', async (t) => {
      const { store, account, request, create } = await openSetup(t)
      for (const createdAt of [10, 20]) await create.project(request({ key: `at ${createdAt}`, createdAt }))
      await store.remove(account.id, 'at 20', 20)
      await store.remove('acct_other', 'at 10', 20)
      await store.remove(account.id, 'missing', 20)
      assert.ok((await store.find(account.id, 'at 20')) && (await store.find(account.id, 'at 10')))
      await store.remove(account.id, 'at 20', 21)
      assert.equal(await store.find(account.id, 'at 20'), undefined)
      assert.ok(await store.find(account.id, 'at 10'))
    })
  })
}
