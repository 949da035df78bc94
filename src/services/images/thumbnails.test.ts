import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { retentionOf } from '../../../test/harness/retention.ts'
import { newSqlite } from '../../../test/harness/sqlite.ts'
import { systemClock } from '../../domain/clock.ts'
import { type Image, imageFormats } from '../../domain/images/image.ts'
import { Fault, failure, notFound } from '../../errors.ts'
import { createFsBlobs } from '../../storage/blobs/fs.ts'
import type { RenderImage } from './image-renderer.ts'
import { createThumbnails } from './thumbnails.ts'

const hourMs = 3_600_000
const here = () => new AbortController().signal

/** A rendering that waits until the test ends it. */
interface Rendering {
  image: string
  signal: AbortSignal
  end(text?: string): void
  fail(error: unknown): void
}

async function open(t: TestContext, { seconds = 60, bytesMax = 1e9 } = {}) {
  const database = await newSqlite(t)
  const { stores, dir } = database
  const clock = { ms: systemClock.now(), now: () => clock.ms }
  for (const id of ['acct_1', 'acct_2'])
    await stores.accounts.create({ id, name: 'A', plan: 'pro', rateLimit: null, createdAt: clock.ms - hourMs })
  const blobs = createFsBlobs({ dir: join(dir, 'blobs') })
  const errors: unknown[] = []
  const renderings: Rendering[] = []
  /** Undefined: the test ends each rendering. */
  const state: { rendered: string | undefined; count: number } = { rendered: 'small', count: 0 }
  const render: RenderImage = async ({ id }, { signal }) => {
    state.count += 1
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    renderings.push({ image: id, signal, end: (text = 'small') => resolve(text), fail: reject })
    if (state.rendered !== undefined) resolve(state.rendered)
    return { bytes: Buffer.from(await promise), format: 'webp', width: 2, height: 1 }
  }
  const failing: { add?: () => Promise<void> } = {}
  const thumbnails = createThumbnails({
    images: stores.images,
    retention: retentionOf({ ...database, clock }, { previewBytesMax: bytesMax }),
    previews: { ...stores.previews, add: (rows) => (failing.add ?? (() => stores.previews.add(rows)))() },
    blobs,
    render,
    clock,
    retentionHours: 24,
    isMarked: true,
    perAccountMax: 2,
    seconds,
    onError: (error) => errors.push(error),
  })
  let count = 0
  async function image(accountId = 'acct_1'): Promise<Image> {
    count += 1
    const created: Image = {
      id: `img_${count}`,
      accountId,
      projectId: null,
      name: 'a.png',
      format: 'png',
      size: 9,
      width: 4,
      height: 2,
      sha256: `${count}`.padStart(64, '0'),
      executionId: null,
      origin: null,
      credentials: null,
      createdAt: clock.ms,
    }
    await stores.images.create(created)
    return created
  }
  const read = async (image: Image, signal = here()) => (await thumbnails.read(image, signal)).toString()
  const keys = () => Array.fromAsync(blobs.list(), ({ key }) => key)
  const started = async (number: number) => {
    while (state.count < number) await new Promise((resolve) => setImmediate(resolve))
  }
  return { thumbnails, stores, blobs, clock, errors, failing, renderings, state, image, read, keys, started }
}

const isFault = (code: string, text: RegExp) => (error: unknown) =>
  error instanceof Fault && error.code === code && text.test(error.message)

test('a thumbnail is rendered once and then read from storage', async (t) => {
  const { image, read, state, keys } = await open(t)
  const one = await image()
  assert.equal(await read(one), 'small')
  state.rendered = 'other'
  assert.equal(await read(one), 'small')
  assert.equal(state.count, 1)
  assert.equal(imageFormats.webp.extension, (await keys())[0]?.split('.')[1])
})

test('concurrent requests for one image share a rendering', async (t) => {
  const { image, read, state, renderings, started } = await open(t)
  state.rendered = undefined
  const one = await image()
  const reads = Array.from({ length: 50 }, () => read(one))
  await started(1)
  renderings[0]?.end('shared')
  assert.deepEqual(new Set(await Promise.all(reads)), new Set(['shared']))
  assert.equal(state.count, 1)
})

test('an account renders a limited number at the same time, and another account does not wait for them', async (t) => {
  const { image, read, state, renderings, started } = await open(t)
  state.rendered = undefined
  const many = await Promise.all(Array.from({ length: 50 }, () => image('acct_1')))
  const other = await image('acct_2')
  const reads = many.map((each) => read(each))
  await started(2)
  const neighbour = read(other)
  await started(3)
  assert.deepEqual(renderings.filter(({ image }) => image !== other.id).length, 2)
  renderings.find(({ image }) => image === other.id)?.end('theirs')
  assert.equal(await neighbour, 'theirs')
  for (let next = 0; next < reads.length; next += 1) {
    await started(next + 2)
    for (const each of renderings) each.end()
  }
  await Promise.all(reads)
  assert.equal(state.count, 51)
})

test('a rendering that has started continues without its clients, and the next request gets its result', async (t) => {
  const { image, read, state, renderings, started, stores } = await open(t)
  state.rendered = undefined
  const [one, two] = [await image(), await image()]
  for (const [index, image] of [one, two].entries()) {
    const client = new AbortController()
    const deleted = assert.rejects(read(image, client.signal), /gone/)
    await started(index + 1)
    client.abort(new Error('gone'))
    await deleted
  }
  const joined = read(one)
  for (const each of renderings) each.end()
  assert.equal(await joined, 'small')
  while ((await stores.previews.find('acct_1', [`thumbnail ${two.id}`], 0)).length === 0)
    await new Promise((resolve) => setImmediate(resolve))
  assert.equal(await read(two), 'small')
  assert.equal(state.count, 2)
})

test('a request whose client is already gone renders nothing', async (t) => {
  const { image, read, state } = await open(t)
  await assert.rejects(read(await image(), AbortSignal.abort(new Error('gone'))), /gone/)
  assert.equal(state.count, 0)
})

test('a rendering that takes too long is stopped with `unavailable`, and frees its place', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { image, read, state, renderings, started } = await open(t, { seconds: 7 })
  state.rendered = undefined
  const [slow, other] = [await image(), await image()]
  const late = assert.rejects(read(slow), isFault('unavailable', /not ready after 7 s/))
  await started(1)
  t.mock.timers.tick(7_000)
  await late
  assert.equal(renderings[0]?.signal.aborted, true)
  state.rendered = 'quick'
  assert.equal(await read(other), 'quick')
  assert.equal(await read(slow), 'quick')
})

test('an image that cannot be decoded has no thumbnail, and other errors keep their code', async (t) => {
  const { image, read, state, renderings, started } = await open(t)
  state.rendered = undefined
  const errors: [unknown, (error: unknown) => boolean][] = [
    [
      failure('limit_exceeded', 'The image has 9 pixels.'),
      isFault('not_found', /no thumbnail\. The image has 9 pixels\./),
    ],
    [notFound('image', 'img_1'), isFault('not_found', /was not found/)],
    [new Fault('unavailable', 'Starting.'), isFault('unavailable', /Starting/)],
    [new TypeError('a bug'), (error) => error instanceof TypeError],
  ]
  for (const [index, [error, isExpected]] of errors.entries()) {
    const failed = assert.rejects(read(await image()), isExpected)
    await started(index + 1)
    renderings[index]?.fail(error)
    await failed
  }
})

test('an image that cannot be decoded is not tried again for some minutes', async (t) => {
  const { image, read, state, renderings, started, clock } = await open(t)
  const broken = await image()
  state.rendered = undefined
  const first = assert.rejects(read(broken), isFault('not_found', /damaged/))
  await started(1)
  renderings[0]?.fail(failure('input_invalid', 'The image is damaged.'))
  await first
  await assert.rejects(read(broken), isFault('not_found', /damaged/))
  assert.equal(state.count, 1)
  clock.ms += 300_001
  state.rendered = 'small'
  assert.equal(await read(broken), 'small')
})

test('a thumbnail that cannot be stored is returned, reported and rendered again', async (t) => {
  const { image, read, state, failing, errors } = await open(t)
  const one = await image()
  failing.add = async () => Promise.reject(new Error('broken'))
  assert.equal(await read(one), 'small')
  assert.equal(errors.length, 1)
  delete failing.add
  assert.equal(await read(one), 'small')
  assert.equal(await read(one), 'small')
  assert.equal(state.count, 2)
})

test('a stored thumbnail without bytes is rendered again', async (t) => {
  const { image, read, state, blobs, keys } = await open(t)
  const one = await image()
  await read(one)
  for (const key of await keys()) await blobs.remove(key)
  state.rendered = 'again'
  assert.equal(await read(one), 'again')
  assert.equal(await read(one), 'again')
  assert.equal(state.count, 2)
})

test('a use extends the retention, and is written seldom', async (t) => {
  const { image, read, state, clock, stores } = await open(t)
  const one = await image()
  await read(one)
  const firstUse = clock.ms
  clock.ms += hourMs - 1
  await read(one)
  const usedAt = async () => (await stores.previews.find('acct_1', [`thumbnail ${one.id}`], 0))[0]?.usedAt
  assert.equal(await usedAt(), firstUse)
  clock.ms += 1
  await read(one)
  assert.equal(await usedAt(), clock.ms)
  clock.ms += 23 * hourMs
  await read(one)
  assert.equal(state.count, 1)
  clock.ms += 25 * hourMs
  await read(one)
  assert.equal(state.count, 2)
})
