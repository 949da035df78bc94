import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { retentionOf } from '../../../test/harness/retention.ts'
import { newSqlite } from '../../../test/harness/sqlite.ts'
import { blobKeyOf } from '../../domain/blob-key.ts'
import type { BlobRemovalStore } from '../../domain/blob-removal.ts'
import { systemClock } from '../../domain/clock.ts'
import { newId } from '../../domain/ids.ts'
import type { BlobStore, ImageStore } from '../../domain/images/image.ts'
import { type CallEnd, callBlobKey } from '../../domain/models/provider-call.ts'
import { Fault } from '../../errors.ts'
import { createFonts } from '../../services/accounts/fonts.ts'
import { createImages } from '../../services/images/images.ts'
import { createPrivacy } from '../../services/images/privacy.ts'
import { createFsBlobs } from '../../storage/blobs/fs.ts'
import type { Stores } from '../../storage/database/open.ts'
import { ownerById } from './blobs.ts'
import { createSweep, jobNames } from './sweep.ts'

const hourMs = 3_600_000

class Crash extends Error {}
const crash = async (): Promise<never> => {
  throw new Crash()
}

test('a deleted image is not served although its bytes cannot be removed yet, and the sweep removes them', async (t) => {
  const { images, keys, notes, sweep, store, failing, accountId } = await open(t)
  const [removed, kept] = [await store('gone'), await store('kept')]
  failing.blobs = { remove: crash }
  await images.remove(accountId, removed.id)
  assert.deepEqual(await keys(), [blobKeyOf(removed), blobKeyOf(kept)].sort())
  await assert.rejects(images.findPublic(blobKeyOf(removed)), isNotFound)
  await assert.rejects(images.remove(accountId, removed.id), isNotFound)
  failing.blobs = {}
  assert.equal((await sweep.run())['blob-removals'], 1)
  assert.deepEqual(await keys(), [blobKeyOf(kept)])
  assert.deepEqual(await notes(), [])
})

test('the sweep accepts missing bytes whose note remained', async (t) => {
  const { images, keys, notes, sweep, store, failing, accountId } = await open(t)
  const removed = await store('gone')
  failing.removals = { done: crash }
  await images.remove(accountId, removed.id)
  assert.deepEqual([await keys(), await notes()], [[], [blobKeyOf(removed)]])
  failing.removals = {}
  await sweep.run()
  assert.deepEqual(await notes(), [])
})

test('a deletion whose row could not be written keeps the image with its bytes, now and after the sweep', async (t) => {
  const { images, keys, notes, sweep, store, failing, accountId, clock } = await open(t)
  const image = await store('kept')
  failing.images = { remove: crash }
  await assert.rejects(images.remove(accountId, image.id), Crash)
  clock.ms += 2 * hourMs
  await sweep.run()
  assert.deepEqual(await images.find(accountId, image.id), image)
  assert.deepEqual([await keys(), await notes()], [[blobKeyOf(image)], []])
})

test('an upload that died before its row is swept after an hour, and nothing with a row is', async (t) => {
  const { keys, sweep, store, addFont, failing, clock } = await open(t)
  const kept = [blobKeyOf(await store('kept')), blobKeyOf(await addFont())].sort()
  failing.images = { create: crash }
  await assert.rejects(store('lost'), Crash)
  assert.equal((await keys()).length, 3)
  assert.equal((await sweep.run())['orphaned-blobs'], 0)
  clock.ms += 7 * hourMs
  assert.equal((await sweep.run())['orphaned-blobs'], 1)
  assert.deepEqual(await keys(), kept)
})

test('a row that was written although the store returned an error keeps its bytes', async (t) => {
  const { images, stores, keys, sweep, store, failing, accountId, clock } = await open(t)
  failing.images = {
    async create(...args) {
      await stores.images.create(...args)
      throw new Crash()
    },
  }
  await assert.rejects(store('there'), Crash)
  clock.ms += 7 * hourMs
  await sweep.run()
  const { items } = await images.list(accountId, { limit: 9, offset: 0 }, {})
  assert.deepEqual(await keys(), items.map(blobKeyOf))
  assert.equal(items.length, 1)
})

test('a deleted font is removed like an image', async (t) => {
  const { fonts, keys, notes, sweep, addFont, failing, accountId } = await open(t)
  const font = await addFont()
  failing.blobs = { remove: crash }
  await fonts.remove(accountId, font.id)
  assert.deepEqual(await notes(), [blobKeyOf(font)])
  failing.blobs = {}
  await sweep.run()
  assert.deepEqual([await keys(), await notes()], [[], []])
})

test('a blob is kept if a new database has taken over the store', async (t) => {
  const { put, keys, sweep, clock, files } = await open(t)
  await put('img_1.png')
  const other = await open(t, { files, createdAt: clock.ms + hourMs })
  other.clock.ms += 9 * hourMs
  await other.sweep.run()
  assert.deepEqual(await keys(), ['img_1.png'])
  clock.ms += 9 * hourMs
  await sweep.run()
  assert.deepEqual(await keys(), [])
})

test('blobs of an unknown kind are kept', async (t) => {
  const { put, keys, sweep, clock } = await open(t)
  for (const key of ['step_1', 'img_1.png', 'other']) await put(key)
  clock.ms += 7 * hourMs
  await sweep.run()
  assert.deepEqual(await keys(), ['other', 'step_1'])
})

test('a noted blob with a row is kept', async (t) => {
  const { stores, sweep, store, images, keys, notes, failing, accountId } = await open(t)
  const image = await store('kept')
  failing.removals = { done: crash }
  failing.blobs = { remove: async () => true }
  await images.remove(accountId, image.id)
  await stores.images.create(image)
  failing.removals = {}
  failing.blobs = {}
  await sweep.run()
  assert.deepEqual([await keys(), await notes()], [[blobKeyOf(image)], []])
})

/** The jobs that are due after ten minutes, without those that are due later. */
const later = [
  'executions-daily',
  'execution-events',
  'completed-executions',
  'failed-executions',
  'audit-log',
  'execution-brands',
  'orphaned-blobs',
]
const nothing = (jobs: readonly string[]) => Object.fromEntries(jobs.map((job) => [job, 0]))
const soon = (jobs: readonly string[]) => nothing(jobs.filter((job) => !later.includes(job)))

test('concurrent sweeps do each job once, and again only after its interval', async (t) => {
  const { sweep, jobs, clock } = await open(t)
  clock.ms += 7 * hourMs
  const all = await Promise.all([sweep.run(), sweep.run(), sweep.run()])
  assert.deepEqual(all.flatMap((each) => Object.keys(each)).sort(), jobs.toSorted())
  assert.deepEqual(await sweep.run(), {})
  clock.ms += 10 * 60_000
  assert.deepEqual(await sweep.run(), soon(jobs))
})

test('a failing store prevents no other job, and the failed job is done the next time', async (t) => {
  const { images, sweep, jobs, store, keys, failing, failedJobs, accountId, clock } = await open(t)
  const image = await store('gone')
  failing.blobs = { remove: crash }
  await images.remove(accountId, image.id)
  const others = jobs.filter((job) => job !== 'blob-removals')
  assert.deepEqual(await sweep.run(), nothing(others))
  assert.deepEqual(failedJobs, ['blob-removals'])
  failing.blobs = {}
  clock.ms += 10 * 60_000
  assert.deepEqual(await sweep.run(), { ...soon(jobs), 'blob-removals': 1 })
  assert.deepEqual(await keys(), [])
})

test('a blob that cannot be removed prevents no other removal, and is reported', async (t) => {
  const { images, sweep, store, put, keys, notes, failing, files, failedJobs, messages, accountId, clock } =
    await open(t)
  const [stuck, removed] = [await store('stuck'), await store('gone')]
  failing.blobs = { remove: crash }
  for (const { id } of [stuck, removed]) {
    await images.remove(accountId, id)
    clock.ms += 1
  }
  for (const key of ['img_1.png', 'img_2.png']) await put(key)
  const stuckKeys = [
    blobKeyOf(stuck),
    (await Array.fromAsync(files.list(), ({ key }) => key)).find((key) => /_[12]/.test(key)),
  ]
  failing.blobs = { remove: async (key) => (stuckKeys.includes(key) ? crash() : files.remove(key)) }
  clock.ms += 7 * hourMs
  await sweep.run()
  assert.deepEqual(await keys(), stuckKeys.toSorted())
  assert.deepEqual(await notes(), stuckKeys.toSorted())
  assert.deepEqual(failedJobs, ['blob-removals'])
  assert.match(messages.join(), /^Error: 2 blobs could not be removed, for example (img|font)_/)
})

/** Notes of these keys, the first ones first. */
async function noteAll(stores: Stores, keys: readonly string[], now: number): Promise<void> {
  for (const [i, key] of keys.entries()) await stores.blobRemovals.add([key], now - keys.length + i)
}

const someKeys = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => `img_${prefix}${String(i).padStart(4, '0')}.png`)

test('blobs that cannot be removed keep the others neither waiting in a run nor in the next ones', async (t) => {
  const { stores, sweep, failing, failedJobs, clock } = await open(t)
  const [stuck, others] = [someKeys('a', 15), someKeys('b', 20)]
  await noteAll(stores, [...stuck, ...others], clock.ms)
  const removed: string[] = []
  failing.blobs = { remove: async (key) => (stuck.includes(key) ? crash() : removed.push(key) > 0) }
  await sweep.run()
  assert.deepEqual(removed.toSorted(), others)
  assert.deepEqual(failedJobs, ['blob-removals'])
  const late = someKeys('c', 1)
  await stores.blobRemovals.add(late, clock.ms)
  const tried: string[] = []
  failing.blobs = { remove: async (key) => tried.push(key) > 0 }
  clock.ms += 10 * 60_000
  await sweep.run()
  assert.equal(tried[0], late[0])
  assert.deepEqual(tried.toSorted(), [...stuck, ...late])
  assert.deepEqual(await stores.blobRemovals.list(9), [])
})

test('a run ends after a hundred errors, and the next one begins with the blobs behind', async (t) => {
  const { stores, sweep, failing, failedJobs, messages, clock } = await open(t)
  const [stuck, others] = [someKeys('a', 150), someKeys('b', 20)]
  await noteAll(stores, [...stuck, ...others], clock.ms)
  const removed: string[] = []
  let tries = 0
  failing.blobs = {
    async remove(key) {
      tries += 1
      return stuck.includes(key) ? crash() : removed.push(key) > 0
    },
  }
  await sweep.run()
  assert.deepEqual([tries, removed], [100, []])
  assert.deepEqual(failedJobs, ['blob-removals'])
  assert.match(messages[0] ?? '', /100 blobs could not be removed, for example img_a00/)
  clock.ms += 10 * 60_000
  await sweep.run()
  assert.deepEqual(removed.toSorted(), others)
  assert.deepEqual((await stores.blobRemovals.list(200)).map(({ key }) => key).toSorted(), stuck)
})

test('orphaned blobs that cannot be removed hide no others behind them', async (t) => {
  const { stores, sweep, failing, clock } = await open(t)
  const [stuck, others] = [someKeys('a', 1_010), someKeys('b', 3)]
  const modifiedAt = clock.ms
  const there = new Set([...stuck, ...others])
  failing.blobs = {
    async *list() {
      for (const key of there) yield { key, modifiedAt }
    },
    remove: async (key) => (stuck.includes(key) ? crash() : there.delete(key)),
  }
  clock.ms += 7 * hourMs
  assert.equal((await sweep.run())['orphaned-blobs'], 1_000)
  clock.ms += 7 * hourMs
  assert.equal((await sweep.run())['orphaned-blobs'], 13)
  for (let runs = 0; runs < 11; runs += 1) {
    clock.ms += 10 * 60_000
    await sweep.run()
  }
  assert.deepEqual([...there], stuck)
  assert.equal((await stores.blobRemovals.list(2_000)).length, stuck.length)
})

test('removes calls of providers with their images a week after they ended, and ends orphaned calls', async (t) => {
  const { sweep, stores, keys, put, clock, accountId, orphaned } = await open(t)
  const ended = await endedCall(stores, accountId, clock.ms)
  await put(ended)
  await put('call_nobody_0.png')
  clock.ms += 7 * 24 * hourMs
  assert.equal((await sweep.run())['provider-calls'], 0)
  assert.deepEqual(await keys(), [ended])
  assert.deepEqual(orphaned, [100])
  clock.ms += 2 * hourMs
  const result = await sweep.run()
  assert.deepEqual([result['provider-calls'], result['blob-removals']], [1, 1])
  assert.deepEqual([await keys(), orphaned], [[], [100, 100]])
})

/** Adds a call of an execution that has ended. Gives the key of its image. */
async function endedCall(stores: Stores, accountId: string, now: number): Promise<string> {
  const project = {
    id: 'proj_1',
    accountId,
    name: 'P',
    description: '',
    isDefault: true,
    createdAt: now,
    updatedAt: now,
  }
  await stores.projects.create(project)
  const workflow = { id: 'wf_1', accountId, projectId: project.id, slug: null, name: 'W', description: '', version: 1 }
  const document = { name: 'W', parameters: [], nodes: {}, output: { node: 'a' } }
  await stores.workflows.create({ ...workflow, createdAt: now, updatedAt: now }, document as never)
  const execution = { id: 'exec_1', accountId, workflowId: 'wf_1', workflowVersion: 1, parameters: {}, attempt: 0 }
  const nothing = { output: null, error: null, startedAt: null, completedAt: null }
  await stores.executions.create({ ...execution, ...nothing, status: 'pending', createdAt: now })
  const error = { code: 'workflow_failed', message: '', details: {} } as const
  await stores.executions.claim('exec_1', now, { attemptsMax: 3, error })
  const place = { node: 'a', item: -1, ordinal: 0, sequence: 0 }
  const call = { ...place, id: 'call_1', accountId, executionId: 'exec_1', workflowId: 'wf_1', keyId: null }
  const fields = { capability: 'generate', provider: 'fal', model: 'a', requestHash: '', state: 'submitting' } as const
  const open = { handle: null, response: null, problem: null, costMicros: null, costSource: null, requestId: null }
  const row = { ...call, ...fields, ...open, reservedMicros: 0, createdAt: now, updatedAt: now }
  assert.equal(await stores.providerCalls.begin(row, 1, { executionMicros: null, accountMonthMicros: null }), 'started')
  const key = callBlobKey('call_1', 0, 'png')
  const end: CallEnd = { state: 'done', response: { blobKeys: [key] }, costMicros: 1, costSource: 'reported' }
  await stores.providerCalls.end('call_1', end, now)
  await stores.executions.cancel('exec_1', { error, completedAt: now })
  return key
}

test('the bytes of more deleted records than a part has are removed in one run', async (t) => {
  const { sweep, failing } = await open(t)
  const noted = new Set(Array.from({ length: 2_005 }, (_, i) => `img_${i}.png`))
  failing.removals = {
    list: async (max) => [...noted].slice(0, max).map((key) => ({ key, dueAt: 1 })),
    done: async (key) => void noted.delete(key),
  }
  const removed: string[] = []
  failing.blobs = { remove: async (key) => removed.push(key) > 0 }
  assert.equal((await sweep.run())['blob-removals'], 2_005)
  assert.deepEqual([noted.size, removed.length], [0, 2_005])
})

function isNotFound(error: unknown): boolean {
  return error instanceof Fault && error.code === 'not_found'
}

async function open(
  t: TestContext,
  before: {
    files?: BlobStore
    createdAt?: number
  } = {},
) {
  const database = await newSqlite(t)
  const { stores, dir } = database
  const clock = { ms: systemClock.now(), now: () => clock.ms }
  const files = before.files ?? createFsBlobs({ dir: join(dir, 'blobs') })
  const failing: {
    blobs: Partial<BlobStore>
    removals: Partial<BlobRemovalStore>
    images: Partial<ImageStore>
  } = { blobs: {}, removals: {}, images: {} }
  const blobs = overridden(files, () => failing.blobs)
  const removals = overridden(stores.blobRemovals, () => failing.removals)
  const accountId = newId('acct', clock.ms)
  const { createdAt = clock.ms } = before
  const retention = retentionOf({ ...database, clock })
  await stores.accounts.create({ id: accountId, name: 'Acme', plan: 'pro', rateLimit: null, createdAt })
  const images = createImages({
    images: overridden(stores.images, () => failing.images),
    projects: stores.projects,
    accounts: stores.accounts,
    blobs,
    removals,
    inspect: async () => ({ format: 'png', width: 8, height: 8 }),
    clock,
    uploadBytesMax: 1_000,
    urlsOf: () => assert.fail('no response is made'),
    privacy: createPrivacy(undefined),
    quotas: { require: async () => {} },
    disk: { require: async () => {} },
  })
  const facts = {
    format: 'ttf',
    family: 'Acme',
    weightMin: 400,
    weightMax: 400,
    italic: false,
    characters: '',
  } as const
  const fonts = createFonts({ ...stores, blobs, removals, inspect: async () => facts, clock })
  const stage = (text: string) => files.stage(chunk(text), { bytesMax: 1_000 })
  const failedJobs: string[] = []
  const messages: string[] = []
  const orphaned: number[] = []
  const sweep = createSweep({
    blobs,
    removals,
    backgroundJobs: stores.backgroundJobs,
    retention,
    async cancelOrphanedCalls(rowsMax) {
      orphaned.push(rowsMax)
      return 0
    },
    owners: {
      img: ownerById(stores.images.existing),
      font: ownerById(stores.fonts.existing),
      call: stores.providerCalls.existing,
    },
    clock,
    onError(error, job) {
      const cause = error instanceof Error && error.cause instanceof Crash ? error.cause : error
      assert.ok(cause instanceof Crash, String(error))
      failedJobs.push(job)
      messages.push(String(error))
    },
  })
  return {
    images,
    fonts,
    files,
    stores,
    sweep,
    jobs: jobNames(retention.jobs.map(({ name }) => name)),
    failing,
    failedJobs,
    messages,
    orphaned,
    clock,
    accountId,
    keys: async () => (await Array.fromAsync(files.list(), ({ key }) => key)).sort(),
    notes: async () => (await stores.blobRemovals.list(9)).map(({ key }) => key),
    put: async (key: string) => (await stage(key)).commit(key),
    store: async (text: string) => images.store(accountId, await stage(text), {}),
    addFont: async () => fonts.store(accountId, await stage('font'), {}),
  }
}

/** The object, but for what `changes` has at the time of a call. */
function overridden<Port extends object>(port: Port, changes: () => Partial<Port>): Port {
  return new Proxy(port, { get: (target, name) => Reflect.get({ ...target, ...changes() }, name) })
}

async function* chunk(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text)
}
