import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { retentionOf } from '../../../test/harness/retention.ts'
import { newSqlite } from '../../../test/harness/sqlite.ts'
import { forAllPlans } from '../../domain/accounts/plan.ts'
import { blobKeyOf } from '../../domain/blob-key.ts'
import type { StepResultStore } from '../../domain/executions/step-result.ts'
import type { Image } from '../../domain/images/image.ts'
import type { Retention } from '../../domain/retention.ts'
import type { PackedResult } from '../../engine/cache/packed.ts'
import { createFsBlobs } from '../../storage/blobs/fs.ts'
import { createCacheAdmission } from './cache-admission.ts'
import { createStepCaches } from './step-cache.ts'

/** Longer than anything costs. */
const dearMs = 10_000

async function open(t: TestContext, bytesMax = 100_000) {
  const database = await newSqlite(t)
  const { stores, dir } = database
  for (const id of ['acct_1', 'acct_2'])
    await stores.accounts.create({ id, name: id, plan: 'pro', rateLimit: null, createdAt: 1 } as never)
  const blobs = createFsBlobs({ dir: join(dir, 'blobs') })
  const clock = { ms: 1_000_000, now: () => clock.ms }
  const errors: unknown[] = []
  const retention = retentionOf({ ...database, clock }, { quotas: { cacheBytes: forAllPlans(bytesMax) } })
  const make = (changed: { stepResults?: StepResultStore; retention?: Retention } = {}) =>
    createStepCaches({
      stepResults: stores.stepResults,
      retention,
      blobs,
      removals: stores.blobRemovals,
      clock,
      bytesMax,
      onError: (error) => errors.push(error),
      ...changed,
    })
  const keys = async () => (await Array.fromAsync(blobs.list(), ({ key }) => key)).sort()
  return { stores, retention, blobs, clock, errors, make, keys }
}

function packed(text: string): PackedResult {
  const bytes = Buffer.from(text)
  return { facts: { skipped: false, values: { text: text.slice(0, 9) } }, parts: [bytes], bytes: bytes.length }
}

async function read(caches: ReturnType<typeof createStepCaches>, key: string, account = 'acct_1') {
  const found = (await caches.of(account).find([key])).get(key)
  return found && (await found.read())?.toString()
}

test('a stored result is found by its account, after a restart and by other processes', async (t) => {
  const { make, errors } = await open(t)
  const caches = make()
  caches.of('acct_1').offer('k', packed('pixels'), dearMs)
  await caches.flush()
  assert.equal(await read(caches, 'k'), 'pixels')
  assert.equal(await read(make(), 'k'), 'pixels')
  assert.equal(await read(caches, 'k', 'acct_2'), undefined)
  assert.deepEqual((await make().of('acct_1').find(['k'])).get('k')?.facts.values, { text: 'pixels' })
  assert.deepEqual(errors, [])
})

test('processes that store the same result concurrently keep one, and no other bytes', async (t) => {
  const { make, keys, errors } = await open(t)
  const all = [make(), make(), make()]
  for (const caches of all) caches.of('acct_1').offer('k', packed('pixels'), dearMs)
  await Promise.all(all.map((caches) => caches.flush()))
  assert.equal((await keys()).length, 1)
  assert.equal(await read(make(), 'k'), 'pixels')
  assert.deepEqual(errors, [])
})

test('above its limit a cache evicts the least recently used results, rows and bytes, of that account only', async (t) => {
  const { make, keys, clock, stores, retention, errors } = await open(t, 100_000)
  const caches = make()
  const part = (name: string) => packed(name.padEnd(24_000, '.'))
  caches.of('acct_2').offer('other', part('other'), dearMs)
  for (const name of ['a', 'b', 'c']) {
    caches.of('acct_1').offer(name, part(name), dearMs)
    await caches.flush()
    clock.ms += 60_000
  }
  assert.match((await read(caches, 'a')) ?? '', /^a/)
  await caches.flush()
  clock.ms += 60_000
  for (const name of ['d', 'e']) {
    caches.of('acct_1').offer(name, part(name), dearMs)
    await caches.flush()
  }
  const left = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(async (key) => ((await read(caches, key)) ? key : '')))
  assert.equal(left.join(''), 'ade')
  assert.ok((await retention.bytesOf('step-results', 'acct_1')) <= 100_000)
  assert.match((await read(caches, 'other', 'acct_2')) ?? '', /^other/)
  assert.equal((await keys()).length, 4)
  assert.deepEqual(await stores.blobRemovals.list(9), [])
  assert.deepEqual(errors, [])
})

test('a cache full of small results is evicted in parts, and of small ones only some more than were added', async (t) => {
  const { make, stores, retention, errors } = await open(t, 1_000_000)
  const row = { accountId: 'acct_1', blobKey: null, facts: '{}', createdAt: 1, usedAt: 1 }
  const fill = async (name: string) => {
    const sizes = Array.from({ length: 1_000 }, (_, i) => ({ ...row, key: `${name}${i}`, size: 1_000 }))
    for (let n = 0; n < sizes.length; n += 250) await stores.stepResults.add(sizes.slice(n, n + 250))
  }
  const evicted: number[] = []
  const recorded: Retention = {
    ...retention,
    async makeRoom(...args) {
      const result = await retention.makeRoom(...args)
      evicted.push(result.rows)
      return result
    },
  }
  const caches = make({ retention: recorded })
  const offer = async (key: string, bytes: number) => {
    caches.of('acct_1').offer(key, packed('x'.repeat(bytes)), dearMs)
    await caches.flush()
  }
  await fill('old')
  await offer('small', 10)
  assert.deepEqual(evicted.splice(0), [100])
  await offer('large', 240_000)
  assert.deepEqual(evicted.splice(0), [100, 100])
  assert.ok((await retention.bytesOf('step-results', 'acct_1')) <= 1_000_000)
  assert.ok(await read(caches, 'large'))
  assert.deepEqual(errors, [])
})

test('a result that would take a large part of the cache is not stored', async (t) => {
  const { make, keys } = await open(t, 100_000)
  const caches = make()
  caches.of('acct_1').offer('k', packed('x'.repeat(30_000)), dearMs)
  await caches.flush()
  assert.deepEqual(await keys(), [])
})

test('a result that is cheaper to compute than to read is not stored', async (t) => {
  const { make } = await open(t)
  const caches = make()
  caches.of('acct_1').offer('cheap', packed('pixels'), 0.2)
  caches.of('acct_1').offer('dear', packed('pixels'), 30)
  await caches.flush()
  assert.equal(await read(caches, 'cheap'), undefined)
  assert.equal(await read(caches, 'dear'), 'pixels')
})

test('a row with missing bytes is a miss, and is removed', async (t) => {
  const { make, blobs, keys, stores, errors } = await open(t)
  const caches = make()
  caches.of('acct_1').offer('k', packed('pixels'), dearMs)
  await caches.flush()
  await blobs.remove((await keys())[0] ?? '')
  assert.equal(await read(caches, 'k'), undefined)
  assert.deepEqual(await stores.stepResults.find('acct_1', ['k']), [])
  assert.deepEqual(errors, [])
})

test('a row that cannot be read is a miss', async (t) => {
  const { make, stores, errors } = await open(t)
  const texts = ['{"skip', 'null', '{}', '{"skipped":false}', '{"skipped":false,"values":null}']
  const row = { accountId: 'acct_1', blobKey: null, size: 9, createdAt: 1, usedAt: 1 }
  await stores.stepResults.add(texts.map((facts, i) => ({ ...row, key: `k${i}`, facts })))
  const cache = make().of('acct_1')
  const keys = texts.map((_, i) => `k${i}`)
  assert.equal((await cache.find(keys)).size, 0)
  for (const key of keys) assert.equal((await cache.findOutputs([key])).size, 0)
  assert.deepEqual(errors, [])
})

test('a cached output uses the bytes of its image, as long as the image exists', async (t) => {
  const { make, blobs } = await open(t)
  const image = { id: 'img_1', accountId: 'acct_1', format: 'png', size: 5, width: 2, height: 3, sha256: 'x' } as Image
  const staged = await blobs.stage(
    (async function* () {
      yield Buffer.from('bytes')
    })(),
    { bytesMax: 9 },
  )
  await staged.commit(blobKeyOf(image))
  const caches = make()
  caches.offerOutput('k', image, dearMs)
  // Also before its row is written.
  const fresh = (await caches.of('acct_1').findOutputs(['k'])).get('k')
  assert.deepEqual([fresh?.format, fresh?.width, fresh?.height], ['png', 2, 3])
  await caches.flush()
  const taken = await (await make().of('acct_1').findOutputs(['k'])).get('k')?.take()
  assert.deepEqual([taken?.stored?.size, taken?.stored?.sha256], [5, 'x'])
  const copy = blobKeyOf({ id: taken?.stored?.id ?? '', format: 'png' })
  await blobs.remove(blobKeyOf(image))
  assert.equal((await blobs.read(copy)).toString(), 'bytes')
  assert.equal(await (await caches.of('acct_1').findOutputs(['k'])).get('k')?.take(), undefined)
  assert.equal((await caches.of('acct_1').findOutputs(['k'])).size, 0)
})

test('a store that fails makes every look-up a miss, and fails no execution', async (t) => {
  const { make, stores, errors } = await open(t)
  const caches = make()
  stores.stepResults.add = async () => {
    throw new Error('away')
  }
  stores.stepResults.find = stores.stepResults.add as never
  caches.of('acct_1').offer('k', packed('pixels'), dearMs)
  await caches.flush()
  assert.equal(await read(caches, 'k'), undefined)
  assert.ok(errors.length >= 2)
})

test('slow reads raise the cost above which results are stored', () => {
  const prices = createCacheAdmission(() => 0)
  const megabyte = 1_000_000
  assert.equal(prices.isWorth(10 * megabyte, 40), true)
  for (let i = 0; i < 50; i += 1) prices.wasRead(megabyte, 20)
  assert.equal(prices.isWorth(10 * megabyte, 40), false)
  assert.equal(prices.isWorth(10 * megabyte, 400), true)
})

test('one slow read does not keep results out of the cache', () => {
  const prices = createCacheAdmission(() => 0)
  prices.wasRead(100_000, 10_000)
  assert.equal(prices.isWorth(500_000, 10), true)
})

test('after many writes only results that are costly compared to their storing are stored, until time has passed', () => {
  let ms = 0
  const prices = createCacheAdmission(() => ms)
  assert.equal(prices.isWorth(1_000_000, 20), true)
  prices.wasStored(500_000_000)
  assert.equal(prices.isWorth(1_000_000, 20), false)
  assert.equal(prices.isWorth(1_000_000, 200), true)
  ms += 10_000
  assert.equal(prices.isWorth(1_000_000, 20), true)
})

test('results that arrive during writes keep their bytes, however many are waiting', async (t) => {
  const { make, stores } = await open(t)
  const [started, offered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const stepResults: StepResultStore = {
    ...stores.stepResults,
    async add(rows) {
      started.resolve()
      // Meanwhile the second is offered, and waits with the next rows.
      await offered.promise
      return stores.stepResults.add(rows)
    },
  }
  const caches = make({ stepResults })
  const offer = (key: string) => caches.of('acct_1').offer(key, packed(`pixels of ${key}`), dearMs)
  offer('first')
  await started.promise
  offer('second')
  offered.resolve()
  await Promise.all([caches.flush(), caches.flush(), caches.flush()])
  for (const key of ['first', 'second']) assert.equal(await read(make(), key), `pixels of ${key}`)
})
