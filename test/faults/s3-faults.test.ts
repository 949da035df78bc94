/** Guarantees of the blob store with a failing S3 server: the right bytes or an error, within a limited time. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { Readable } from 'node:stream'
import { describe, type TestContext, test } from 'node:test'
import { BlobMissing, type BlobStore } from '../../src/domain/images/image.ts'
import { createS3Blobs, type S3Options } from '../../src/storage/blobs/s3.ts'
import { scratchFolder } from '../contract/scratch.ts'
import { type FakeS3, type S3Fault, type S3Request, s3Faults, startFakeS3 } from '../harness/fake-s3.ts'
import { isFull } from '../harness/repetitions.ts'

const small = randomBytes(10_000)
/** Large enough for several read requests. */
const long = randomBytes(100_000)
/** Large enough for a multipart upload. */
const large = randomBytes(8_400_000)
const key = 'img_1.png'
type Bounds = Pick<S3Options, 'connectSeconds' | 'idleSeconds' | 'requestSeconds' | 'attemptsMax' | 'socketsMax'>
/** Time limits for operations that must succeed: a busy machine isn't a stalled server. */
const patient: Bounds = { connectSeconds: 10, idleSeconds: 5, requestSeconds: 10, attemptsMax: 5 }
/** Time limits for operations that can't succeed. */
const hasty: Bounds = { connectSeconds: 1, idleSeconds: 0.3, requestSeconds: 0.5, attemptsMax: 2 }
/** Bounds that are short, but long enough for a busy machine: an upload that was started twice is not aborted twice. */
const slower: Bounds = { ...hasty, idleSeconds: 1, requestSeconds: 2 }
/** Longer than this is a hang: the limits below add up to less. */
const timeout = 300_000

/** Operations of the store, their requests that can fail, and the result of a success. */
const operations: Record<string, { has?: Buffer; requests: (received: S3Request) => boolean; do: BlobOperation }> = {
  'storing a blob': {
    requests: ({ method, query }) => method === 'PUT' && !query.has('uploadId'),
    do: async (blobs, fake) => {
      await commit(blobs, small)
      assert.ok(fake.objects.get(key)?.bytes.equals(small))
    },
  },
  'storing bytes': {
    requests: ({ method, query }) => method === 'PUT' && !query.has('uploadId'),
    do: async (blobs, fake) => {
      await blobs.put(key, small)
      assert.ok(fake.objects.get(key)?.bytes.equals(small))
    },
  },
  'storing a part of many bytes': {
    requests: ({ query }) => query.get('partNumber') === '2',
    do: putInParts,
  },
  'starting a multipart blob': {
    requests: ({ query }) => query.has('uploads'),
    do: storeInParts,
  },
  'storing a part of a multipart blob': {
    requests: ({ query }) => query.get('partNumber') === '2',
    do: storeInParts,
  },
  'completing a multipart blob': {
    requests: ({ method, query }) => method === 'POST' && query.has('uploadId'),
    do: storeInParts,
  },
  'reading a blob': {
    has: small,
    requests: ({ method }) => method === 'GET',
    do: async (blobs) => assert.ok((await blobs.read(key)).equals(small)),
  },
  'reading a long blob to its end': {
    has: long,
    requests: ({ method }) => method === 'GET',
    do: async (blobs) => assert.ok((await blobs.read(key)).equals(long)),
  },
  'streaming a blob': {
    has: long,
    requests: ({ method }) => method === 'GET',
    do: async (blobs) => assert.ok(Buffer.concat(await Array.fromAsync(await blobs.open(key))).equals(long)),
  },
  'removing a blob': {
    has: small,
    requests: ({ method }) => method === 'DELETE',
    do: async (blobs, fake) => {
      assert.equal(await blobs.remove(key), true)
      assert.equal(fake.objects.size, 0)
    },
  },
  'checking that a blob exists': {
    has: small,
    requests: ({ method }) => method === 'HEAD',
    do: async (blobs) => assert.equal(await blobs.remove(key), true),
  },
  'listing blobs': {
    has: small,
    requests: (received) => received.key === '',
    do: async (blobs) =>
      assert.deepEqual(
        (await Array.fromAsync(blobs.list())).map((each) => each.key),
        [key],
      ),
  },
  'the check': {
    requests: ({ method }) => method === 'PUT',
    do: (blobs) => blobs.check(),
  },
}

type BlobOperation = (blobs: BlobStore, fake: FakeS3) => Promise<void>

const inParts = new Set([storeInParts, putInParts])

/** All requests, and whether the SDK or our code can retry. */
const everywhere = {
  silence: s3Faults.silence,
  'silence after it was done': s3Faults.silenceAfterwards,
  '503 SlowDown': s3Faults.unavailable,
  'a connection that breaks': s3Faults.hangUp,
}
const ofBodies = {
  'half a body and then silence': s3Faults.halfThenSilence,
  'half a body and then a broken connection': s3Faults.halfThenHangUp,
  'half a body in a response that ends regularly': s3Faults.halfInOrder,
  'a body that arrives too slowly': s3Faults.drip,
}

describe('the blob store on an S3 server', { concurrency: 16 }, () => {
  for (const [operationName, operation] of Object.entries(operations)) {
    const isRead = operationName.startsWith('reading') || operationName.startsWith('streaming')
    const faults: [string, S3Fault][] = Object.entries({ ...everywhere, ...(isRead ? ofBodies : {}) })
    for (const [how, fault] of isFull ? faults : faults.slice(-1)) {
      test(`${operationName} survives one fault: ${how}`, { timeout }, async (t) => {
        const { blobs, fake, scratchDir } = await open(t, operation.has)
        fake.injectFault(1, operation.requests, fault)
        await operation.do(blobs, fake)
        assert.ok(fake.count(operation.requests) >= 2, 'it was requested again')
        assert.deepEqual(readdirSync(scratchDir), [])
        assert.ok(fake.unfinished().length <= uploadsLeft(fake, operationName), 'an upload was left')
      })
      test(`${operationName} fails and leaves nothing if this fault never ends: ${how}`, { timeout }, async (t) => {
        const { blobs, fake, scratchDir } = await open(t, operation.has, inParts.has(operation.do) ? slower : hasty)
        fake.injectFault(Number.POSITIVE_INFINITY, operation.requests, fault)
        await assert.rejects(operation.do(blobs, fake), isNoAssertion)
        assert.deepEqual(readdirSync(scratchDir), [])
        assert.ok(fake.unfinished().length <= uploadsLeft(fake, operationName), 'an upload was left')
      })
    }
  }

  for (const operationName of [
    'storing a blob',
    'completing a multipart blob',
    'storing a part of a multipart blob',
    'listing blobs',
    'reading a blob',
  ]) {
    test(`${operationName} detects an error in the body of a 200`, { timeout }, async (t) => {
      const operation = operationOf(operationName)
      const { blobs, fake, scratchDir } = await open(t, operation.has)
      fake.injectFault(Number.POSITIVE_INFINITY, operation.requests, s3Faults.successThatIsAnError)
      await assert.rejects(operation.do(blobs, fake), isNoAssertion)
      assert.deepEqual(readdirSync(scratchDir), [])
    })
  }

  for (const operationName of ['storing a blob', 'completing a multipart blob']) {
    test(`${operationName} detects a 200 for bytes that were not stored`, { timeout }, async (t) => {
      const operation = operationOf(operationName)
      const { blobs, fake } = await open(t, operation.has)
      fake.injectFault(Number.POSITIVE_INFINITY, operation.requests, s3Faults.successThatIsNone)
      await assert.rejects(operation.do(blobs, fake), isNoAssertion)
    })
  }

  for (const operationName of ['reading a blob', 'reading a long blob to its end', 'streaming a blob']) {
    test(`${operationName} detects bytes that differ from the stored ones`, { timeout }, async (t) => {
      const operation = operationOf(operationName)
      const { blobs, fake } = await open(t, operation.has)
      fake.injectFault(1, operation.requests, s3Faults.otherByte)
      await assert.rejects(operation.do(blobs, fake), isNoAssertion)
      await operation.do(blobs, fake)
    })
  }

  test('reading a blob that is removed meanwhile fails, and does not end early', { timeout }, async (t) => {
    const { blobs } = await open(t, long)
    let bytes = 0
    const streaming = async () => {
      for await (const chunk of await blobs.open(key)) {
        if (bytes === 0) await blobs.remove(key)
        bytes += chunk.byteLength
      }
    }
    await assert.rejects(streaming, BlobMissing)
    assert.ok(bytes < long.byteLength)
  })

  test('reading a blob that is replaced meanwhile fails, and does not mix both', { timeout }, async (t) => {
    const { blobs, fake } = await open(t, long)
    const streaming = async () => {
      for await (const _ of await blobs.open(key)) {
        const stored = fake.objects.get(key)
        if (stored) stored.tag = '"another"'
      }
    }
    await assert.rejects(streaming, isNoAssertion)
  })

  test('concurrent checks are one write', { timeout }, async (t) => {
    const { blobs, fake } = await open(t)
    await Promise.all(Array.from({ length: 20 }, () => blobs.check()))
    assert.equal(
      fake.count(({ method }) => method === 'PUT'),
      1,
    )
    await blobs.check()
    assert.equal(
      fake.count(({ method }) => method === 'PUT'),
      2,
    )
  })

  test('paused readers occupy no connection', { timeout }, async (t) => {
    const { blobs } = await open(t, long, { ...patient, socketsMax: 2 })
    const idle = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const pieces = (await blobs.open(key))[Symbol.asyncIterator]()
        await pieces.next()
        return pieces
      }),
    )
    assert.ok((await blobs.read(key)).equals(long))
    for (const pieces of idle) await pieces.return?.()
  })

  test('an unreachable server is an error', { timeout }, async (t) => {
    const { blobs, fake } = await open(t)
    await fake.close()
    await assert.rejects(blobs.read(key), isNoAssertion)
    await assert.rejects(blobs.check(), isNoAssertion)
  })
})

async function open(t: TestContext, has?: Buffer, bounds: Bounds = patient) {
  const fake = await startFakeS3()
  t.after(() => fake.close())
  const scratchDir = scratchFolder()
  const { endpoint, bucket } = fake
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
  const at = { endpoint, bucket, prefix: '', region: 'us-east-1', forcePathStyle: true, credentials, scratchDir }
  const blobs = createS3Blobs({ ...at, ...bounds, readBytes: 40_000, openBytes: 30_000 })
  if (has) fake.put(key, has)
  return { blobs, fake, scratchDir }
}

async function commit(blobs: BlobStore, bytes: Buffer): Promise<void> {
  const staged = await blobs.stage(Readable.from([bytes]), { bytesMax: 1e9 })
  await staged.commit(key)
}

async function storeInParts(blobs: BlobStore, fake: FakeS3): Promise<void> {
  await commit(blobs, large)
  assert.ok(fake.objects.get(key)?.bytes.equals(large))
}

async function putInParts(blobs: BlobStore, fake: FakeS3): Promise<void> {
  await blobs.put(key, large)
  assert.ok(fake.objects.get(key)?.bytes.equals(large))
}

/** Uploads whose id was lost with the response can't be aborted: a lifecycle rule of the bucket removes them. */
function uploadsLeft(fake: FakeS3, operationName: string): number {
  const startedUploads = fake.count(({ query }) => query.has('uploads'))
  return operationName === 'starting a multipart blob' ? startedUploads : Math.max(0, startedUploads - 1)
}

/** The operation reported the error. It neither succeeded with a wrong result, nor reported existing data as missing. */
function isNoAssertion(error: unknown): boolean {
  return error instanceof Error && !(error instanceof assert.AssertionError) && !(error instanceof BlobMissing)
}

function operationOf(operationName: string) {
  const operation = operations[operationName]
  assert.ok(operation)
  return operation
}
