import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apngOf } from '../test-animations.ts'
import { paint } from '../test-images.ts'
import { readApng, stillOf } from './apng-read.ts'
import { checkSum, chunksOf } from './png-chunks.ts'

test('rejects an animated PNG whose first chunk is not IHDR as damaged, whatever its first bytes are', async () => {
  const frames = [0, 1].map((at) => ({ pixels: paint(9, 9, () => [at, 0, 0]) }))
  const png = await apngOf(9, 9, frames)
  png.write('zzZz', 12, 'latin1')
  assert.throws(() => readApng(png), /its IHDR chunk is missing/)
})

test('a frame of several chunks is one chunk of its copy, and damage to one of them is found', async () => {
  const parts = [3_000, 0, 1, 2_500].map((length) => Buffer.alloc(length, 7))
  const png = await apngOf(9, 9, [{ pixels: paint(9, 9, () => [9, 0, 0]) }], {
    change: (chunks) =>
      chunks.flatMap((each) => (each.type === 'IDAT' ? parts.map((data) => ({ type: 'IDAT', data })) : [each])),
  })
  const apng = readApng(png)
  const [frame] = apng?.frames ?? []
  assert.ok(apng && frame)
  const still = stillOf(png, apng, frame)
  const chunks = [...chunksOf(still)]
  for (const each of chunks) checkSum(still, each)
  assert.deepEqual(
    chunks.map(({ type }) => type),
    ['IHDR', 'IDAT', 'IEND'],
  )
  assert.ok(chunks[1]?.data.equals(Buffer.concat(parts)))
  png[frame.end - 30] = 8
  assert.throws(() => stillOf(png, apng, frame), /corrupt or truncated/)
})
