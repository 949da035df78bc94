/** The blob store on a bucket of the S3 server in TINTYPE_TEST_S3, or of a separate one. */
import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { ListMultipartUploadsCommand, PutBucketPolicyCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { parseStorageUrl, type S3Location } from '../../src/config/storage-url.ts'
import { BlobMissing } from '../../src/domain/images/image.ts'
import { createS3Blobs } from '../../src/storage/blobs/s3.ts'
import { startS3 } from '../harness/s3.ts'
import { blobsContract, keysOf } from './blobs.ts'
import { scratchFolder } from './scratch.ts'

const server = process.env.TINTYPE_TEST_S3 === undefined ? await startS3() : undefined
if (server) Object.assign(process.env, server.environment)
after(() => server?.stop())

const location = s3LocationOf(server?.url ?? process.env.TINTYPE_TEST_S3 ?? '')
const client = new S3Client({ ...location, requestChecksumCalculation: 'WHEN_REQUIRED' })
after(() => client.destroy())

/** Each with its own prefix. */
function openStore({ prefix = `${randomUUID()}/` }: { prefix?: string } = {}) {
  const scratchDir = scratchFolder()
  return { prefix, scratchDir, blobs: createS3Blobs({ ...location, prefix, scratchDir }) }
}

async function unfinishedUploads(prefix: string): Promise<string[]> {
  const { Uploads = [] } = await client.send(
    new ListMultipartUploadsCommand({ Bucket: location.bucket, Prefix: prefix }),
  )
  return Uploads.map(({ Key = '' }) => Key)
}

blobsContract('on S3', async () => {
  const { blobs, prefix, scratchDir } = openStore()
  return { blobs, leftovers: async () => [...readdirSync(scratchDir), ...(await unfinishedUploads(prefix))] }
})

for (const bytesCount of [8_388_607, 8_388_608, 8_388_609, 16_777_216, 41_943_041]) {
  test(`a blob of ${bytesCount} bytes reads back byte for byte, entirely and in ranges`, async () => {
    const { blobs, prefix, scratchDir } = openStore()
    const bytes = randomBytes(bytesCount)
    const staged = await blobs.stage(Readable.from([bytes.subarray(0, 5_000_000), bytes.subarray(5_000_000)]), {
      bytesMax: 1e9,
    })
    await staged.commit('img_1.tiff')
    assert.ok((await blobs.read('img_1.tiff')).equals(bytes))
    assert.equal(await hashOf(await blobs.open('img_1.tiff')), sha256(bytes))
    const range = { start: 1_000_001, end: bytesCount - 2 }
    assert.equal(
      await hashOf(await blobs.open('img_1.tiff', range)),
      sha256(bytes.subarray(range.start, range.end + 1)),
    )
    assert.deepEqual(readdirSync(scratchDir), [])
    assert.deepEqual(await unfinishedUploads(prefix), [])
  })
}

test('100 concurrent blobs all exist, also for a store that was opened before them', async () => {
  const { blobs, prefix } = openStore()
  const other = openStore({ prefix }).blobs
  const contents = new Map(Array.from({ length: 100 }, (_, i) => [`img_${i}.png`, randomBytes(20_000 + i)]))
  await Promise.all(
    [...contents].map(async ([key, bytes]) => {
      const staged = await blobs.stage(Readable.from([bytes]), { bytesMax: 1e6 })
      await staged.commit(key)
    }),
  )
  assert.deepEqual(await keysOf(other), [...contents.keys()].toSorted())
  await Promise.all(
    [...contents].map(async ([key, bytes]) => {
      assert.ok((await other.read(key)).equals(bytes))
      assert.equal(await other.remove(key), true)
    }),
  )
  assert.deepEqual(await keysOf(blobs), [])
})

test('more blobs than one response lists are listed', async () => {
  const { blobs, prefix } = openStore()
  const keys = Array.from({ length: 1_005 }, (_, i) => `step_${String(i).padStart(4, '0')}`)
  for (let at = 0; at < keys.length; at += 50) {
    const some = keys.slice(at, at + 50)
    await Promise.all(
      some.map((key) =>
        client.send(new PutObjectCommand({ Bucket: location.bucket, Key: prefix + key, Body: Buffer.from('x') })),
      ),
    )
  }
  assert.deepEqual(await keysOf(blobs), keys)
})

test('other objects of the bucket are neither listed nor read', async () => {
  const { blobs, prefix } = openStore()
  for (const key of ['README.TXT', '.check', 'deeper/img_1.png'])
    await client.send(new PutObjectCommand({ Bucket: location.bucket, Key: prefix + key, Body: Buffer.from('x') }))
  assert.deepEqual(await keysOf(blobs), [])
  await assert.rejects(blobs.read('img_1.png'), BlobMissing)
})

test('an object without our hash, which someone copied there, can be read', async () => {
  const { blobs, prefix } = openStore()
  for (const text of ['', 'copied'])
    await client.send(new PutObjectCommand({ Bucket: location.bucket, Key: `${prefix}img_${text}`, Body: text }))
  assert.equal((await blobs.read('img_copied')).toString(), 'copied')
  assert.equal((await blobs.read('img_')).toString(), '')
})

test('a public bucket serves an image under its public name, and an SVG as a download', async () => {
  const { blobs, prefix } = openStore()
  const Policy = JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: '*',
        Action: 's3:GetObject',
        Resource: `arn:aws:s3:::${location.bucket}/${prefix}img_*`,
      },
    ],
  })
  await client.send(new PutBucketPolicyCommand({ Bucket: location.bucket, Policy }))
  for (const key of ['img_1.jpg', 'img_2.svg', 'font_1.ttf', 'img_3.tiff']) {
    const staged = await blobs.stage(Readable.from([Buffer.alloc(key === 'img_3.tiff' ? 9_000_000 : 9, key)]), {
      bytesMax: 1e8,
    })
    await staged.commit(key)
  }
  const get = (key: string) => fetch(`${location.endpoint}/${location.bucket}/${prefix}${key}`)
  const photograph = await get('img_1.jpg')
  assert.equal(await photograph.text(), 'img_1.jpg')
  assert.equal(photograph.headers.get('content-type'), 'image/jpeg')
  assert.equal(photograph.headers.get('cache-control'), 'public, max-age=3600, immutable')
  assert.equal(photograph.headers.get('content-disposition'), null)
  const drawing = await get('img_2.svg')
  assert.equal(drawing.headers.get('content-type'), 'image/svg+xml')
  assert.equal(drawing.headers.get('content-disposition'), 'attachment')
  const large = await get('img_3.tiff')
  assert.equal(large.headers.get('content-type'), 'image/tiff')
  assert.equal((await large.arrayBuffer()).byteLength, 9_000_000)
  assert.equal((await get('font_1.ttf')).status, 403)
})

test('during a restart of the server each blob is stored or fails, and stored ones exist', {
  skip: server === undefined && 'the server is not ours',
}, async () => {
  const { blobs, scratchDir } = openStore()
  const restarted = server?.restart()
  const stored = new Map<string, Buffer>()
  for (let i = 0; i < 20; i++) {
    const bytes = randomBytes(i % 5 === 0 ? 9_000_000 : 50_000)
    const staged = await blobs.stage(Readable.from([bytes]), { bytesMax: 1e8 })
    const isStored = await staged.commit(`img_${i}.png`).then(
      () => true,
      () => false,
    )
    if (isStored) stored.set(`img_${i}.png`, bytes)
  }
  await restarted
  assert.ok(stored.size > 0)
  for (const [key, bytes] of stored) assert.ok((await blobs.read(key)).equals(bytes))
  assert.deepEqual(readdirSync(scratchDir), [])
})

test('wrong credentials and an unknown bucket are errors, not missing blobs', async () => {
  const wrong = createS3Blobs({
    ...location,
    scratchDir: scratchFolder(),
    credentials: { accessKeyId: 'nobody', secretAccessKey: 'knows' },
  })
  const nowhere = createS3Blobs({ ...location, bucket: `no-${randomUUID()}`, scratchDir: scratchFolder() })
  for (const blobs of [wrong, nowhere]) {
    const isOther = (error: unknown) => error instanceof Error && !(error instanceof BlobMissing)
    await assert.rejects(blobs.read('img_1.png'), isOther)
    await assert.rejects(blobs.open('img_1.png'), isOther)
    await assert.rejects(blobs.remove('img_1.png'), isOther)
    await assert.rejects(keysOf(blobs), isOther)
    await assert.rejects(blobs.check(), isOther)
    const staged = await blobs.stage(Readable.from([Buffer.from('x')]), { bytesMax: 1 })
    await assert.rejects(staged.commit('img_1.png'), isOther)
  }
})

function s3LocationOf(url: string): S3Location {
  const { kind, ...rest } = parseStorageUrl(url)
  assert.ok(kind === 's3' && 'bucket' in rest, 'TINTYPE_TEST_S3 must be an s3:// URL')
  return rest
}

async function hashOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of source) hash.update(chunk)
  return hash.digest('hex')
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
