import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFault } from '../../imaging/raster/test-faults.ts'
import { contextFor, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { runOn } from '../../imaging/raster/test-run.ts'
import { stack } from './stack.ts'

const wide = painted(12, 4, () => [200, 0, 0])
const high = painted(4, 9, () => [0, 0, 200])
const white = { background: 'white' }

test('a column has the width of its widest image and the height of all images with gaps', async () => {
  for (const [align, x] of [
    ['start', 1],
    ['center', 5],
    ['end', 9],
  ] as const) {
    const pixels = await runOn(stack, { images: [wide, high] }, { ...white, align, gap: 2, padding: 1 })
    assert.deepEqual([pixels.width, pixels.height, pixels.channels], [14, 17, 3])
    assert.deepEqual(pixelAt(pixels, 1, 1), [200, 0, 0])
    assert.deepEqual(pixelAt(pixels, 5, 5), [255, 255, 255])
    for (const [at, color] of [
      [x - 1, 255],
      [x, 0],
      [x + 3, 0],
      [x + 4, 255],
    ] as const) {
      assert.equal(pixelAt(pixels, at, 7)[0], color, `${align} at ${at}`)
    }
  }
})

test('a row is a transposed column', async () => {
  const pixels = await runOn(stack, { images: [wide, high] }, { ...white, direction: 'horizontal', align: 'end' })
  assert.deepEqual([pixels.width, pixels.height], [16, 9])
  assert.deepEqual(
    [pixelAt(pixels, 0, 4), pixelAt(pixels, 0, 5)],
    [
      [255, 255, 255],
      [200, 0, 0],
    ],
  )
  assert.deepEqual(pixelAt(pixels, 12, 0), [0, 0, 200])
})

test('matched images have one width in a column and keep their shapes', async () => {
  const images = [wide, high]
  const sizes = await Promise.all(
    [{ match: 'largest' }, { match: 'smallest' }, { size: 8 }].map(async (params) => {
      const { width, height, channels } = await runOn(stack, { images }, params)
      return [width, height, channels]
    }),
  )
  // 4 + 27 rows; 1 + 9 rows; 3 + 18 rows. Nothing of the ground is seen, so it is opaque.
  assert.deepEqual(sizes, [
    [12, 31, 3],
    [4, 10, 3],
    [8, 21, 3],
  ])
})

test('soft images are unchanged on a transparent background', async () => {
  const soft = painted(6, 6, (x) => [10, 200, 30, 40 * x])
  const pixels = await runOn(stack, { images: [soft, wide] }, { align: 'start' })
  assert.equal(pixels.channels, 4)
  assert.deepEqual(
    [pixelAt(pixels, 3, 2), pixelAt(pixels, 9, 2)],
    [
      [10, 200, 30, 120],
      [0, 0, 0, 0],
    ],
  )
})

test('rejects a stack above the maximum height', async () => {
  const images = Array.from({ length: 5 }, () => high)
  const context = contextFor({ pixelsMax: 179 })
  await assert.rejects(runOn(stack, { images }, {}, context), isFault('limit_exceeded', /4 x 45 = 180/))
})
