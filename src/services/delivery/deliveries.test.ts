import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BlobMissing } from '../../domain/image.ts'
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
