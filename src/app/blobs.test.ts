import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { DependencyUnavailable } from '../errors.ts'
import { waitForBlobs } from './blobs.ts'

const s3 = { kind: 's3', bucket: 'images', prefix: '', endpoint: 'http://127.0.0.1:1', forcePathStyle: true } as const
const config = { dataDir: '/data', storageUrl: s3 }
const refused = new DependencyUnavailable(
  Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' }),
)

test('waits for a storage server that starts at the same time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let checks = 0
  const waits: string[] = []
  const check = async () => {
    checks += 1
    if (checks < 3) throw refused
  }
  let isReached = false
  const reached = waitForBlobs({ check }, config, (problem) => waits.push(problem)).then(() => (isReached = true))
  while (!isReached) {
    await setImmediate()
    t.mock.timers.tick(1_000)
  }
  await reached
  assert.deepEqual([checks, waits.length], [3, 2])
})

test('reports storage that stays unreachable, with its setting and the fix', async () => {
  const check = () => Promise.reject(refused)
  await assert.rejects(
    waitForBlobs({ check }, config, () => undefined, -1),
    /^Error: The S3 storage at http:\/\/127\.0\.0\.1:1 \(STORAGE_URL\) can't be reached: connect ECONNREFUSED 127\.0\.0\.1:1\. Start it or correct STORAGE_URL\.$/,
  )
})

test('does not wait for storage that rejects the credentials', async () => {
  let checks = 0
  const check = async () => {
    checks += 1
    throw new Error('Access Denied')
  }
  await assert.rejects(
    waitForBlobs({ check }, config, () => undefined),
    /The bucket images of the S3 storage .* can't be written: Access Denied/,
  )
  await assert.rejects(
    waitForBlobs({ check }, { dataDir: '/data', storageUrl: undefined }, () => undefined),
    /The folder \/data\/blobs \(DATA_DIR\) can't be written/,
  )
  assert.equal(checks, 2)
})
