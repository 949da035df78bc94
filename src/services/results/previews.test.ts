import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { retentionOf } from '../../../test/harness/retention.ts'
import { newSqlite } from '../../../test/harness/sqlite.ts'
import { systemClock } from '../../domain/clock.ts'
import type { Execution, Step } from '../../domain/executions/execution.ts'
import type { BlobStore } from '../../domain/images/image.ts'
import { previewBlobKey } from '../../domain/images/preview.ts'
import { Fault } from '../../errors.ts'
import { testProcesses } from '../../imaging/raster/test-images.ts'
import { createFsBlobs } from '../../storage/blobs/fs.ts'
import { ownerById } from '../../worker/jobs/blobs.ts'
import { createSweep } from '../../worker/jobs/sweep.ts'
import { createPreviews } from './previews.ts'

const hourMs = 3_600_000
const context = { signal: new AbortController().signal, secondsLeft: () => 9, processes: testProcesses, pixelsMax: 1e6 }
const image = (name: string) => ({
  width: 4,
  height: 4,
  hasAlpha: false,
  format: 'raw' as const,
  encoded: Buffer.from(name),
})

async function open(t: TestContext, { bytesMax = 1e9 } = {}) {
  const database = await newSqlite(t)
  const { stores, dir } = database
  const clock = { ms: systemClock.now(), now: () => clock.ms }
  for (const id of ['acct_1', 'acct_2'])
    await stores.accounts.create({ id, name: 'A', plan: 'pro', rateLimit: null, createdAt: clock.ms - hourMs })
  const blobs = createFsBlobs({ dir: join(dir, 'blobs') })
  const errors: unknown[] = []
  const failing: { blobs: Partial<BlobStore>; add?: () => Promise<void> } = { blobs: {} }
  let shrinks = 0
  const steps = new Map<string, Step[]>()
  const retention = retentionOf({ ...database, clock }, { previewBytesMax: bytesMax, previewHours: 10 })
  const previews = createPreviews({
    previews: { ...stores.previews, add: (rows) => (failing.add ?? (() => stores.previews.add(rows)))() },
    executions: {
      async find(accountId, id) {
        return accountId === 'acct_1' ? ({ id, previews: true, status: 'completed' } as Execution) : undefined
      },
      listSteps: async (id) => steps.get(id) ?? [],
    },
    blobs: new Proxy(blobs, { get: (target, name) => Reflect.get({ ...target, ...failing.blobs }, name) }),
    async shrink({ encoded = Buffer.alloc(0) }) {
      shrinks += 1
      return { bytes: Buffer.from(`small ${encoded}`), width: 2, height: 2 }
    },
    clock,
    retention,
    retentionHours: 10,
    onError: (error) => errors.push(error),
  })
  const sweep = createSweep({
    blobs,
    removals: stores.blobRemovals,
    backgroundJobs: stores.backgroundJobs,
    retention,
    owners: { prev: ownerById(stores.previews.existing) },
    clock,
    onError: (error) => assert.fail(String(error)),
  })
  const createPreview = async (key: string | undefined, name = 'one', account = 'acct_1') => {
    const run = previews.of(account)
    const preview = await run.make(image(name), key, context)
    await run.flush()
    return preview
  }
  const shows = (preview: Awaited<ReturnType<typeof createPreview>>) => {
    steps.set('exec_1', [{ node: 'a', ...(preview ? { preview } : {}) } as Step])
    return previews.read('acct_1', 'exec_1', 'a')
  }
  const keys = async () => (await Array.fromAsync(blobs.list(), ({ key }) => key)).sort()
  return {
    previews,
    stores,
    retention,
    clock,
    errors,
    failing,
    sweep,
    createPreview,
    shows,
    keys,
    shrinks: () => shrinks,
  }
}

const isNotFound = (error: unknown) => error instanceof Fault && error.code === 'not_found'

test('a preview is found by its key in another run of the account, and by no other account', async (t) => {
  const { previews, createPreview, shows } = await open(t)
  const preview = await createPreview('k')
  assert.deepEqual(await previews.of('acct_1').find(['k', 'other']), new Map([['k', preview]]))
  assert.deepEqual(await previews.of('acct_2').find(['k']), new Map())
  assert.equal((await shows(preview)).bytes.toString(), 'small one')
  await assert.rejects(previews.read('acct_2', 'exec_1', 'a'), isNotFound)
})

test('steps that pass on the same image share one preview', async (t) => {
  const { previews, shrinks } = await open(t)
  const run = previews.of('acct_1')
  const one = image('one')
  const both = await Promise.all([run.make(one, 'k', context), run.make(one, 'l', context)])
  await run.flush()
  assert.equal(shrinks(), 1)
  assert.deepEqual([...(await previews.of('acct_1').find(['k', 'l'])).values()], both)
})

test('a preview is kept for its retention after it was last shown, and is then removed with its bytes', async (t) => {
  const { previews, createPreview, shows, sweep, clock, keys } = await open(t)
  const [found, forgotten, named] = [
    await createPreview('k'),
    await createPreview('l', 'two'),
    await createPreview(undefined, 'three'),
  ]
  clock.ms += 6 * hourMs
  const run = previews.of('acct_1')
  await run.find(['k'])
  assert.equal(await run.isThere(named ?? assert.fail()), true)
  await run.flush()
  clock.ms += 6 * hourMs
  assert.deepEqual(await previews.of('acct_1').find(['l']), new Map())
  assert.equal((await sweep.run()).previews, 1)
  clock.ms += hourMs
  await sweep.run()
  assert.deepEqual(await keys(), [found, named].map((each) => previewBlobKey(each ?? assert.fail())).sort())
  await assert.rejects(shows(forgotten), isNotFound)
  assert.equal((await shows(found)).bytes.toString(), 'small one')
})

test('steps report only existing previews', async (t) => {
  const { previews, createPreview } = await open(t)
  const preview = await createPreview('k')
  const steps = [
    { node: 'a', preview },
    { node: 'b', preview: { id: 'prev_gone', width: 1, height: 1 } },
    { node: 'c' },
  ]
  assert.deepEqual(await previews.withPreviews(steps as Step[]), [{ node: 'a', preview }, { node: 'b' }, { node: 'c' }])
})

test('a preview that cannot be stored is omitted without an error; bytes without a row are swept', async (t) => {
  const { previews, createPreview, failing, errors, sweep, clock, keys } = await open(t)
  const broken = async (): Promise<never> => Promise.reject(new Error('broken'))
  failing.blobs = { put: broken }
  assert.equal(await createPreview('k'), undefined)
  failing.blobs = {}
  failing.add = broken
  const unnamed = await createPreview('k')
  assert.deepEqual([(await keys()).length, errors.length], [1, 2])
  assert.deepEqual(await previews.withPreviews([{ node: 'a', preview: unnamed } as Step]), [{ node: 'a' }])
  delete failing.add
  const named = await createPreview('l')
  clock.ms += 7 * hourMs
  await sweep.run()
  assert.deepEqual(await keys(), [previewBlobKey(named ?? assert.fail())])
})

test('a cancelled preview is not stored, and is not a fault', async (t) => {
  const { previews, errors, keys } = await open(t)
  const run = previews.of('acct_1')
  assert.equal(await run.make(image('one'), 'k', { ...context, signal: AbortSignal.abort() }), undefined)
  await run.flush()
  assert.deepEqual([await keys(), errors], [[], []])
})

test('above the limit of its account, the least recently used previews are removed with their bytes', async (t) => {
  const { previews, stores, retention, createPreview, shows, sweep, clock, keys } = await open(t, {
    bytesMax: 3 * 4_096 + 100,
  })
  const foreign = await createPreview('a', 'one', 'acct_2')
  const all = []
  for (const name of ['a', 'b', 'c']) {
    all.push(await createPreview(name, name))
    clock.ms += 60_000
  }
  const run = previews.of('acct_1')
  await run.find(['a'])
  await run.flush()
  all.push(await createPreview('d', 'd'))
  const [a, b, c, d] = all
  const there = await stores.previews.existing([foreign, ...all].flatMap((each) => each?.id ?? []))
  assert.deepEqual(there, new Set([foreign, a, c, d].flatMap((each) => each?.id ?? [])))
  assert.ok((await retention.bytesOf('previews', 'acct_1')) <= 3 * 4_096 + 100)
  const step = { node: 'b', status: 'completed', ...(b ? { preview: b } : {}) } as Step
  assert.ok(!('preview' in ((await previews.withPreviews([step]))[0] ?? assert.fail())))
  clock.ms += 1_000
  await sweep.run()
  assert.deepEqual(await keys(), [foreign, a, c, d].map((each) => previewBlobKey(each ?? assert.fail())).sort())
  await assert.rejects(shows(b), isNotFound)
})

test('of previews of an earlier limit, each addition removes a bounded part', async (t) => {
  const { stores, retention, createPreview, clock } = await open(t, { bytesMax: 0 })
  const row = { accountId: 'acct_1', key: null, width: 1, height: 1, size: 1, createdAt: 1, usedAt: 1 }
  await stores.previews.add(Array.from({ length: 2_500 }, (_, i) => ({ ...row, id: `prev_${i}` })))
  const left = async () => Math.round((await retention.bytesOf('previews', 'acct_1')) / 4_097)
  await createPreview('a')
  assert.equal(await left(), 501)
  clock.ms += 1
  await createPreview('b')
  assert.equal(await left(), 0)
})
