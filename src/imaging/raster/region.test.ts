import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solidColor } from './draw/fill.ts'
import { cut, paste } from './region.ts'
import { eachBand } from './rows.ts'
import { isFault } from './test-faults.ts'
import { assertPixels, contextFor, paint, pixelAt } from './test-images.ts'

const context = contextFor()
const ground = { r: 10, g: 20, b: 30, alpha: 1 }

test('each row is in one band, and a small image is one band', async () => {
  for (const { width, height } of [
    { width: 300, height: 200 },
    { width: 1, height: 600_000 },
    { width: 700_000, height: 3 },
    { width: 999, height: 1_001 },
  ]) {
    const bands: [number, number][] = []
    await eachBand({ width, height }, context, (top, bottom) => bands.push([top, bottom]))
    assert.deepEqual([bands[0]?.[0], bands.at(-1)?.[1]], [0, height])
    assert.ok(bands.every(([top, bottom], at) => bottom > top && top === (bands[at - 1]?.[1] ?? 0)))
    assert.equal(bands.length === 1, width * height <= 250_000)
  }
})

test('pasting a cut-out back restores the image; pasting it elsewhere changes nothing else', async () => {
  const image = paint(31, 17, (x, y) => [x, y, (x * y) % 256, 255 - x])
  const area = { x: 4, y: 3, width: 9, height: 8 }
  const part = await cut(image, area, context)
  assert.deepEqual(await paste(image, part, area, context), image)
  const moved = await paste(image, part, { x: 22, y: 9 }, context)
  assertPixels(moved, (x, y) => (x >= 22 && y >= 9 ? pixelAt(image, x - 18, y - 6) : pixelAt(image, x, y)))
  await assert.rejects(paste(image, await solidColor(2, 2, ground, context), area, context), /channels/)
})

test('a cancellation takes effect while memory is filled', async () => {
  const controller = new AbortController()
  const filling = solidColor(2_000, 1_000, ground, contextFor({ signal: controller.signal }))
  controller.abort()
  await assert.rejects(filling, isFault('cancelled'))
})
