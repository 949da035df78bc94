import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { retentionOf } from '../../../test/harness/retention.ts'
import { newSqlite } from '../../../test/harness/sqlite.ts'
import type { Execution } from '../../domain/executions/execution.ts'
import type { Checkpoint } from '../../engine/cache/ports.ts'
import { limits } from '../../limits.ts'
import { createFsBlobs } from '../../storage/blobs/fs.ts'
import { createCheckpointStore } from './checkpoints.ts'

async function open(t: TestContext, { bytesMax }: { bytesMax?: number } = {}) {
  const database = await newSqlite(t)
  const { stores, dir } = database
  await stores.accounts.create({ id: 'acct_1', name: 'A', plan: 'pro', rateLimit: null, createdAt: 1 } as never)
  const blobs = createFsBlobs({ dir: join(dir, 'blobs') })
  const clock = { ms: 1_000_000, now: () => clock.ms }
  const chain = new Map<string, Execution>()
  const errors: unknown[] = []
  const retention = retentionOf({ ...database, clock })
  const rooms: number[] = []
  const recorded = {
    async makeRoom(...args: Parameters<typeof retention.makeRoom>) {
      const result = await retention.makeRoom(...args)
      rooms.push(result.rows)
      return result
    },
  }
  const checkpoints = createCheckpointStore({
    stepResults: stores.stepResults,
    retention: recorded,
    executions: { find: async (_, id) => chain.get(id) },
    blobs,
    clock,
    ...(bytesMax !== undefined && { bytesMax }),
    onError: (error) => errors.push(error),
  })
  const execution = (id: string, resumedFrom?: string): Execution => {
    const record = { id, accountId: 'acct_1', ...(resumedFrom ? { resumedFrom } : {}) } as Execution
    chain.set(id, record)
    return record
  }
  const bytes = () => retention.bytesOf('step-checkpoints', 'acct_1')
  return { checkpoints, execution, clock, stores, retention, rooms, bytes, blobs, errors }
}

function finished(task: string, text?: string): Checkpoint {
  const facts = { skipped: false, values: { task } }
  const bytes = Buffer.from(text ?? '')
  return {
    task,
    key: `key of ${task}`,
    facts,
    packed: text ? { facts, parts: [bytes], bytes: bytes.length } : undefined,
  }
}

test('finished steps of an execution are available to the one that resumes it, and to those that resume that', async (t) => {
  const { checkpoints, execution, errors } = await open(t)
  const [first, second, third] = [execution('e1'), execution('e2', 'e1'), execution('e3', 'e2')]
  assert.equal(await checkpoints.of(first), undefined)
  await checkpoints.keep(first, [finished('a', 'pixels'), finished('b')])
  await checkpoints.keep(second, [finished('c', 'others'), finished('a')])
  const found = await checkpoints.of(third)
  assert.deepEqual([...(found?.keys() ?? [])].sort(), ['a', 'b', 'c'])
  assert.equal((await found?.get('a')?.read())?.toString(), 'pixels')
  assert.deepEqual([found?.get('a')?.hasImages, found?.get('b')?.hasImages], [true, false])
  assert.deepEqual([found?.get('c')?.key, found?.get('c')?.facts.values], ['key of c', { task: 'c' }])
  assert.deepEqual([...((await checkpoints.of(second))?.keys() ?? [])].sort(), ['a', 'b'])
  assert.deepEqual(errors, [])
})

test('of two results of one task the one with images is used, and otherwise the newest', async (t) => {
  const { checkpoints, execution } = await open(t)
  // By their ids the other way round.
  const [first, second, third, fourth] = [
    execution('e4'),
    execution('e3', 'e4'),
    execution('e2', 'e3'),
    execution('e1', 'e2'),
  ]
  await checkpoints.keep(first, [finished('a', 'oldest'), finished('b', 'pixels')])
  await checkpoints.keep(second, [
    finished('a', 'newer'),
    { ...finished('b'), key: 'other' },
    { ...finished('c'), key: '2' },
  ])
  await checkpoints.keep(third, [{ ...finished('c'), key: '3' }])
  const found = await checkpoints.of(fourth)
  assert.equal((await found?.get('a')?.read())?.toString(), 'newer')
  assert.deepEqual([found?.get('b')?.hasImages, found?.get('b')?.key], [true, 'key of b'])
  assert.equal(found?.get('c')?.key, '3')
})

test('a row that cannot be read is ignored', async (t) => {
  const { checkpoints, execution, stores } = await open(t)
  const row = { executionId: 'e1', accountId: 'acct_1', key: null, blobKey: null, size: 9, createdAt: 1_000_000 }
  const texts = ['{"hasIm', 'null', '[]', '{"hasImages":true}']
  await stores.stepResults.saveCheckpoints(texts.map((facts, i) => ({ ...row, task: `t${i}`, facts })))
  await checkpoints.keep(execution('e1'), [finished('a', 'pixels')])
  assert.deepEqual([...((await checkpoints.of(execution('e2', 'e1')))?.keys() ?? [])], ['a'])
})

test('checkpoints expire, and their bytes are recorded for removal', async (t) => {
  const { checkpoints, execution, clock, stores, retention } = await open(t)
  const sweep = () => retention.sweep('step-checkpoints', { rowsMax: 100 })
  await checkpoints.keep(execution('e1'), [finished('a', 'pixels')])
  clock.ms += limits.checkpointSeconds * 1_000
  assert.equal(await sweep(), 0)
  clock.ms += 1
  assert.equal(await sweep(), 1)
  assert.equal((await stores.blobRemovals.list(9)).length, 1)
  assert.equal((await checkpoints.of(execution('e2', 'e1')))?.size, 0)
})

test('unreadable bytes repeat the step, and bytes that cannot be written fail no execution', async (t) => {
  const { checkpoints, execution, blobs, errors } = await open(t)
  await checkpoints.keep(execution('e1'), [finished('a', 'pixels')])
  for await (const { key } of blobs.list()) await blobs.remove(key)
  assert.equal(await (await checkpoints.of(execution('e2', 'e1')))?.get('a')?.read(), undefined)
  assert.deepEqual(errors, [])
  blobs.stage = async () => {
    throw new Error('full')
  }
  await checkpoints.keep(execution('e3'), [finished('a', 'pixels')])
  assert.equal(errors.length, 1)
})

test('a step whose bytes cannot be written loses its images only, and the other steps are kept', async (t) => {
  const { checkpoints, execution, blobs, errors } = await open(t)
  const { stage } = blobs
  let writes = 0
  blobs.stage = async (...args) => {
    writes += 1
    if (writes === 1) throw new Error('full')
    return stage(...args)
  }
  await checkpoints.keep(execution('e1'), [finished('a', 'lost'), finished('b', 'pixels')])
  const found = await checkpoints.of(execution('e2', 'e1'))
  assert.deepEqual([found?.get('a')?.hasImages, found?.get('a')?.facts.values], [false, { task: 'a' }])
  assert.equal((await found?.get('b')?.read())?.toString(), 'pixels')
  assert.equal(errors.length, 1)
})

test('the oldest checkpoints are removed first, and all of them stay below the limit', async (t) => {
  const { checkpoints, execution, clock, bytes, errors } = await open(t, { bytesMax: 10_000 })
  const found = async (id: string) => (await checkpoints.of(execution(`next of ${id}`, id)))?.get('a')?.hasImages
  for (const id of ['e1', 'e2', 'e3', 'e4']) {
    clock.ms += 1
    await checkpoints.keep(execution(id), [finished('a', 'x'.repeat(4_000))])
    assert.equal(await found(id), true)
    assert.ok((await bytes()) <= 10_000)
  }
  assert.deepEqual([await found('e1'), await found('e2'), await found('e3')], [undefined, undefined, true])
  // A checkpoint that is too large by itself keeps everything but its images.
  await checkpoints.keep(execution('e5'), [finished('a', 'x'.repeat(20_000))])
  assert.equal(await found('e5'), false)
  assert.deepEqual(errors, [])
})

test('a failed execution next to thousands of small checkpoints evicts some in parts, stays below the limit and keeps no image', async (t) => {
  const small = 4_000
  const bytesMax = small * 1_000
  const { checkpoints, execution, stores, rooms, bytes, errors } = await open(t, { bytesMax })
  const row = { accountId: 'acct_1', key: null, blobKey: null, size: 1_000, facts: '{}', createdAt: 1 }
  for (let n = 0; n < small; n += 500)
    await stores.stepResults.saveCheckpoints(
      Array.from({ length: 500 }, (_, i) => ({ ...row, executionId: 'old', task: `t${n + i}` })),
    )
  await checkpoints.keep(execution('e1'), [finished('a', 'x'.repeat(bytesMax - 100_000)), finished('b', 'pixels')])
  // At most 32 parts of 100 rows.
  assert.ok(rooms.length === 1 && Number(rooms[0]) > 100 && Number(rooms[0]) <= 3_200, `${rooms}`)
  const found = await checkpoints.of(execution('e2', 'e1'))
  assert.deepEqual([found?.get('a')?.hasImages, found?.get('b')?.hasImages], [false, true])
  assert.ok((await bytes()) <= bytesMax)
  assert.deepEqual(errors, [])
})

test('the last image fits if the others fill the limit, and rows that do not fit are left out', async (t) => {
  const { checkpoints, execution, clock, bytes, errors } = await open(t, { bytesMax: 10_000 })
  await checkpoints.keep(execution('e1'), [finished('a', 'x'.repeat(8_000))])
  clock.ms += 1
  await checkpoints.keep(execution('e2'), [finished('a', 'x'.repeat(4_000)), finished('b', 'x'.repeat(4_000))])
  const found = await checkpoints.of(execution('e3', 'e2'))
  assert.deepEqual([found?.get('a')?.hasImages, found?.get('b')?.hasImages], [true, true])
  const many = Array.from({ length: 50 }, (_, i) => finished(`t${i}`))
  await checkpoints.keep(execution('e4'), many)
  assert.ok(((await checkpoints.of(execution('e5', 'e4')))?.size ?? 0) > 10)
  assert.ok((await bytes()) <= 10_000)
  assert.deepEqual(errors, [])
})
