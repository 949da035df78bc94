import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from '../../errors.ts'
import { pixelsOf } from '../../imaging/raster/image.ts'
import { framesOf } from '../../imaging/raster/read/frames.ts'
import { moving } from '../../imaging/raster/test-animations.ts'
import { contextFor, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { outputsOf } from '../../imaging/raster/test-run.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { trim } from './trim.ts'

const run = (image: ImageValue, values: Record<string, unknown>) => outputsOf(trim, { image }, values)

/** Something from 7, 4 to 11, 5, and a single pixel of it at 3, 9. */
const isInk = (x: number, y: number) => (x >= 7 && x <= 11 && (y === 4 || y === 5)) || (x === 3 && y === 9)
const drawing = painted(20, 12, (x, y) => (isInk(x, y) ? [90, 0, 0] : [200, 200, 200]))

test('trim keeps the smallest rectangle with all content, and returns what it removed', async () => {
  const { image, ...values } = await run(drawing, {})
  assert.deepEqual([image?.width, image?.height, image?.pixels?.channels], [9, 6, 3])
  assert.deepEqual(values, { x: 3, y: 4 })
  for (let y = 0; y < 6; y += 1) {
    for (let x = 0; x < 9; x += 1) {
      assert.equal(image?.pixels?.data[(y * 9 + x) * 3], isInk(x + 3, y + 4) ? 90 : 200, `at ${x}, ${y}`)
    }
  }
})

test('keeps a margin as far as the image reaches', async () => {
  assert.deepEqual(await sizeOf(drawing, { margin: 2 }), [13, 10, 1, 2])
  assert.deepEqual(await sizeOf(drawing, { margin: 4 }), [16, 12, 0, 0])
})

test('a pixel is content from one level above the tolerance', async () => {
  const faint = painted(9, 9, (x, y) => (x === 4 && y === 4 ? [100, 110, 100] : [100, 100, 100]))
  assert.deepEqual(await sizeOf(faint, { tolerance: 9 }), [1, 1, 4, 4])
  await assert.rejects(run(faint, { tolerance: 10 }), isNothingLeft)
})

test('ignores the colour of transparent pixels, and keeps alpha', async () => {
  const hidden = painted(8, 8, (x, y) => (x === 2 && y === 3 ? [9, 9, 9, 40] : [x * 30, y * 30, 200, 0]))
  const { image, ...values } = await run(hidden, {})
  assert.deepEqual([...(image?.pixels?.data ?? [])], [9, 9, 9, 40])
  assert.deepEqual(values, { x: 2, y: 3 })
})

test('a given colour takes precedence over the corner', async () => {
  const framed = painted(10, 10, (x, y) => (x === 0 && y === 0 ? [0, 0, 0] : [255, 255, 255]))
  assert.deepEqual(await sizeOf(framed, { color: 'white' }), [1, 1, 0, 0])
  assert.deepEqual(await sizeOf(framed, { color: 'transparent' }), [10, 10, 0, 0])
})

test('all frames of an animation keep the area that any of them needs, by the colour of the first', async () => {
  const image = moving(12, 8, [40, 50], (x, y, frame) =>
    x === 3 + frame * 4 && y === 2 + frame * 3 ? [0, 0, 0] : [9, 99, 9],
  )
  const { image: left, ...at } = await run(image, {})
  assert.ok(left)
  assert.deepEqual([left.width, left.height, at], [5, 4, { x: 3, y: 2 }])
  const [first, second] = await Promise.all(
    (await framesOf(left, contextFor())).map((frame) => pixelsOf(frame, contextFor())),
  )
  assert.ok(first && second)
  assert.deepEqual(
    [pixelAt(first, 0, 0), pixelAt(first, 4, 3)],
    [
      [0, 0, 0],
      [9, 99, 9],
    ],
  )
  assert.deepEqual(
    [pixelAt(second, 0, 0), pixelAt(second, 4, 3)],
    [
      [9, 99, 9],
      [0, 0, 0],
    ],
  )
})

function isNothingLeft(error: unknown): boolean {
  return error instanceof Fault && error.details.reason === 'input_invalid' && /9 x 9 .*at most 10/.test(error.message)
}

async function sizeOf(image: ImageValue, values: Record<string, unknown>) {
  const { image: left, ...at } = await run(image, values)
  return [left?.width, left?.height, ...Object.values(at)]
}
