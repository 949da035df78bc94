import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
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

test('other work has turns while a large frame is copied, and the copy has its data and valid checksums', async () => {
  const parts = [3_000_000, 0, 1, 2_500_000].map((length) => Buffer.alloc(length, 7))
  const png = await apngOf(9, 9, [{ pixels: paint(9, 9, () => [9, 0, 0]) }], {
    change: (chunks) =>
      chunks.flatMap((each) => (each.type === 'IDAT' ? parts.map((data) => ({ type: 'IDAT', data })) : [each])),
  })
  const apng = readApng(png)
  const [frame] = apng?.frames ?? []
  assert.ok(apng && frame)
  let isDone = false
  let turns = 0
  const copy = stillOf(png, apng, frame).finally(() => {
    isDone = true
  })
  for (; !isDone; turns += 1) await setImmediate()
  assert.ok(turns >= 5, `${turns} turns`)
  const still = await copy
  const chunks = [...chunksOf(still)]
  for (const each of chunks) checkSum(still, each)
  assert.deepEqual(
    chunks.map(({ type }) => type),
    ['IHDR', 'IDAT', 'IEND'],
  )
  assert.ok(chunks[1]?.data.equals(Buffer.concat(parts)))
  png[frame.end - 30] = 8
  await assert.rejects(stillOf(png, apng, frame), /corrupt or truncated/)
})
