import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { newSqlite } from '../../../test/harness/sqlite.ts'
import { QuotaReached } from '../../domain/accounts/quota.ts'
import { blobKeyOf } from '../../domain/blob-key.ts'
import { systemClock } from '../../domain/clock.ts'
import { newId } from '../../domain/ids.ts'
import { Fault } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { createFsBlobs } from '../../storage/blobs/fs.ts'
import { createFonts, type InspectFont } from './fonts.ts'

const facts = {
  format: 'ttf',
  family: 'Acme',
  weightMin: 400,
  weightMax: 400,
  italic: false,
  characters: 'a,b',
} as const

test('an account has fonts up to the limit, until one is deleted', async (t) => {
  const { fonts, stage, add, accountId } = await open(t)
  for (let i = 0; i < limits.fontsMax; i += 1) await add()
  await assert.rejects(
    async () => fonts.store(accountId, await stage(), {}),
    (error: unknown) => error instanceof QuotaReached && /at most 200 fonts/.test(error.message),
  )
  const all = await fonts.usable(accountId)
  assert.equal(all.length, limits.fontsMax)
  await fonts.remove(accountId, all[0]?.id ?? '')
  await add()
})

test('concurrent uploads do not exceed the limit, and rejected ones leave no bytes', async (t) => {
  const { fonts, blobs, stage, accountId } = await open(t)
  const staged = await Promise.all(Array.from({ length: limits.fontsMax + 5 }, stage))
  const results = await Promise.allSettled(staged.map((each) => fonts.store(accountId, each, {})))
  const refused = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  assert.equal(refused.length, 5)
  for (const each of refused) assert.match(String(each), /at most 200 fonts/)
  const usable = await fonts.usable(accountId)
  const keys = await Array.fromAsync(blobs.list(), ({ key }) => key)
  assert.deepEqual(keys.sort(), usable.map(blobKeyOf).sort())
})

test('a rejected font leaves no bytes', async (t) => {
  const { fonts, stage, blobs, accountId } = await open(t, async () => {
    throw new Fault('invalid_request', 'no font')
  })
  await assert.rejects(async () => fonts.store(accountId, await stage(), {}), /no font/)
  assert.deepEqual(await Array.fromAsync(blobs.list()), [])
})

test('a font whose client has gone leaves no bytes, and its request can be sent again', async (t) => {
  const gone = new AbortController()
  const { fonts, stage, blobs, accountId } = await open(t, async (_file, { signal }) => {
    gone.abort()
    signal?.throwIfAborted()
    return facts
  })
  const { signal } = gone
  await assert.rejects(
    async () => fonts.store(accountId, await stage(), { signal }),
    (error: unknown) => error instanceof Fault && error.code === 'unavailable',
  )
  assert.deepEqual(await Array.fromAsync(blobs.list()), [])
})

test('a font with missing bytes fails the execution like an unknown font', async (t) => {
  const { fonts, add, blobs, accountId } = await open(t)
  const stored = await add()
  const [font] = await fonts.usable(accountId)
  assert.equal((await font?.read())?.toString(), 'bytes')
  await blobs.remove(blobKeyOf(stored))
  await assert.rejects(
    async () => font?.read(),
    (error: unknown) => error instanceof Fault && error.details.reason === 'input_not_found',
  )
})

async function open(t: TestContext, inspect: InspectFont = async () => facts) {
  const { stores, dir } = await newSqlite(t)
  const blobs = createFsBlobs({ dir: join(dir, 'blobs') })
  const createdAt = systemClock.now()
  const accountId = newId('acct', createdAt)
  await stores.accounts.create({ id: accountId, name: 'Acme', plan: 'pro', rateLimit: null, createdAt })
  const fonts = createFonts({
    ...stores,
    blobs,
    removals: stores.blobRemovals,
    inspect,
    clock: systemClock,
  })
  const stage = () => blobs.stage(once(Buffer.from('bytes')), { bytesMax: 100 })
  return { fonts, blobs, stage, accountId, add: async () => fonts.store(accountId, await stage(), {}) }
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
