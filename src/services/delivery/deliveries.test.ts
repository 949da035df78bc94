import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signUrl } from '../../domain/delivery/signed-url.ts'
import { BlobMissing } from '../../domain/images/image.ts'
import { Fault } from '../../errors.ts'
import { createDeliveries } from './deliveries.ts'

const image = { id: 'img_1', format: 'png', width: 1, height: 1, sha256: '' } as const

function open({ isMissing = false } = {}) {
  const calls: string[] = []
  const call = async <Result>(name: string, key: string, result: Result) => {
    calls.push(name)
    if (isMissing) throw new BlobMissing(key)
    return result
  }
  const pieces = (async function* () {})()
  const { read } = createDeliveries({
    derivedFiles: { forget: async (id: string) => void calls.push(`forget ${id}`) },
    blobs: {
      read: (key: string) => call('read', key, Buffer.alloc(1)),
      open: (key: string) => call('open', key, pieces),
    },
  } as unknown as Parameters<typeof createDeliveries>[0])
  return { read, calls }
}

test('a large file is read in pieces, so that slow clients do not keep copies of it in memory', async () => {
  const { read, calls } = open()
  assert.ok((await read({ image: { ...image, size: 262_144 } })) instanceof Buffer)
  assert.ok(!((await read({ image: { ...image, size: 262_145 } })) instanceof Buffer))
  assert.deepEqual(calls, ['read', 'open'])
})

test('a file that was just made is not read', async () => {
  const { read, calls } = open()
  const bytes = Buffer.from('just made')
  assert.equal(await read({ image: { ...image, size: bytes.length }, bytes }), bytes)
  assert.deepEqual(calls, [])
})

test('a file whose bytes are missing is made again by the next request', async () => {
  for (const size of [1, 1_000_000]) {
    const { read, calls } = open({ isMissing: true })
    await assert.rejects(
      read({ image: { ...image, size } }),
      (error) => error instanceof Fault && error.code === 'unavailable',
    )
    assert.equal(calls.at(-1), 'forget img_1')
  }
})

test('a file is redirected to the server of IMAGES_URL if its workflow asks for it, and never a private one: no signature is checked there', () => {
  const imagesUrl = 'https://cdn.example.com/img'
  const { location } = createDeliveries({ imagesUrl } as Parameters<typeof createDeliveries>[0])
  const file = { ...image, size: 1 }
  assert.equal(location({ image: file, isPublic: true, redirects: true }), `${imagesUrl}/img_1.png`)
  assert.equal(location({ image: file, isPublic: true, redirects: false }), undefined)
  assert.equal(location({ image: file, isPublic: false, redirects: true }), undefined)
})

test('with a max-age of 0, a file is made again also if the clock of the process that made it is ahead', async () => {
  const now = 1_795_000_000_000
  const key = { id: 'skey_1', accountId: 'acct_1', secret: 's', workflowIds: null, images: true, monthlyBudget: null }
  const stored = {
    key: 'k',
    ownerId: 'wf_1',
    accountId: 'acct_1',
    executionId: null,
    isPaid: false,
    redirects: false,
    usedAt: now,
  }
  let made = 0
  const found = {
    plan: 'pro',
    key: { ...key, expiresAt: null, revokedAt: null, lastUsedAt: now },
    workflow: { id: 'wf_1', projectId: 'proj_1', version: 1 },
    file: { ...stored, image: { ...image, size: 1 }, maxAge: 0, readsUrls: true, createdAt: now + 5, execution: null },
  }
  const { find } = createDeliveries({
    clock: { now: () => now },
    derivedFiles: { findWorkflowUrl: async () => found },
    workflowFiles: {
      make: async () => {
        made += 1
        return { kind: 'ready', file: found.file }
      },
    },
  } as unknown as Parameters<typeof createDeliveries>[0])
  const url = signUrl({ path: '/i/card.png', parameters: {}, expires: 4_000_000_000, keyId: key.id }, key.secret)
  assert.equal((await find({ url, accept: '' })).image.id, image.id)
  assert.equal(made, 1)
})
