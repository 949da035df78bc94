import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext, test } from 'node:test'
import { newSqlite } from '../../../test/harness/sqlite.ts'
import { blobKeyOf } from '../../domain/blob-key.ts'
import { systemClock } from '../../domain/clock.ts'
import { newId } from '../../domain/ids.ts'
import { Fault } from '../../errors.ts'
import { createFsBlobs } from '../../storage/blobs/fs.ts'
import { cleanFileName, createImages, type Inspect } from './images.ts'
import { createPrivacy } from './privacy.ts'

const facts = { format: 'png', width: 8, height: 8 } as const
const page = { limit: 100, offset: 0 }

test('stores the same bytes once per account, even in concurrent uploads', async (t) => {
  const { images, blobs, accountIds } = await open(t)
  const [owner, other] = accountIds
  const bytes = Buffer.from('the same')
  const names = ['a.png', 'b.png', 'c.png', 'd.png']
  const stored = await Promise.all(names.map((name) => images.storeOnce(owner, bytes, name)))
  const again = await images.storeOnce(owner, bytes, 'later.png')
  assert.equal(new Set([...stored, again].map(({ id }) => id)).size, 1)
  assert.equal((await images.list(owner, page, {})).total, 1)
  const ofOther = await images.storeOnce(other, bytes, 'a.png')
  const another = await images.storeOnce(owner, Buffer.from('others'), 'a.png')
  const keys = await Array.fromAsync(blobs.list(), ({ key }) => key)
  assert.deepEqual(keys.sort(), [again, ofOther, another].map(blobKeyOf).sort())
})

test('rejected bytes are rejected for all concurrent uploads, and checked again in a later upload', async (t) => {
  let refusing = true
  const { images, blobs, accountIds } = await open(t, async () => {
    if (refusing) throw new Fault('invalid_request', 'no image')
    return facts
  })
  const [owner] = accountIds
  const store = () => images.storeOnce(owner, Buffer.from('the same'), 'a.png')
  const results = await Promise.allSettled([store(), store(), store()])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  )
  assert.deepEqual(await Array.fromAsync(blobs.list()), [])
  refusing = false
  assert.equal((await store()).accountId, owner)
})

test('an upload whose client disconnects stops decoding, leaves no bytes, and records no idempotency key', async (t) => {
  const inspected = Promise.withResolvers<{ account: string }>()
  const { images, blobs, accountIds } = await open(t, (_, { account, signal }) => {
    inspected.resolve({ account })
    const { promise, reject } = Promise.withResolvers<never>()
    signal?.addEventListener('abort', () => reject(signal.reason))
    return promise
  })
  const leaving = new AbortController()
  const staged = await images.stage(chunked('some bytes'))
  const stored = images.store(accountIds[0], staged, { signal: leaving.signal })
  assert.deepEqual(await inspected.promise, { account: accountIds[0] })
  leaving.abort(new Fault('workflow_failed', 'The client left.'))
  // A `workflow_failed` would be the answer to the same request when it comes again.
  await assert.rejects(stored, (error: unknown) => error instanceof Fault && error.code === 'unavailable')
  assert.deepEqual(await Array.fromAsync(blobs.list()), [])
  assert.equal(existsSync(staged.path), false)
})

async function* chunked(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text)
}

describe('the file name of an upload', () => {
  for (const [name, stored] of [
    ['photo.jpg', 'photo.jpg'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\photo.jpg', 'photo.jpg'],
    ['a\r\nSet-Cookie: x=1.png', 'aSet-Cookie: x=1.png'],
    ['фото \u202egnp.exe', 'фото gnp.exe'],
    ['..', ''],
    ['', ''],
  ] as const) {
    it(`${JSON.stringify(name)} becomes ${JSON.stringify(stored)}`, () => assert.equal(cleanFileName(name), stored))
  }
  it('is truncated to the length of a name', () => assert.equal(cleanFileName('x'.repeat(1_000)).length, 255))
})

async function open(t: TestContext, inspect: Inspect = async () => facts) {
  const { stores, dir } = await newSqlite(t)
  const blobs = createFsBlobs({ dir: join(dir, 'blobs') })
  const createdAt = systemClock.now()
  const accountIds = [newId('acct', createdAt), newId('acct', createdAt)] as const
  for (const id of accountIds)
    await stores.accounts.create({ id, name: 'Acme', plan: 'pro', rateLimit: null, createdAt })
  const images = createImages({
    images: stores.images,
    projects: stores.projects,
    accounts: stores.accounts,
    blobs,
    removals: stores.blobRemovals,
    inspect,
    clock: systemClock,
    uploadBytesMax: 1_000,
    urlsOf: () => assert.fail('no response is made'),
    privacy: createPrivacy(undefined),
    quotas: { require: async () => {} },
    disk: { require: async () => {} },
  })
  return { images, blobs, accountIds }
}
