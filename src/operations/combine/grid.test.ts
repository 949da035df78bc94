import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFault } from '../../imaging/raster/test-faults.ts'
import { assertPixels, contextFor, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { runOn } from '../../imaging/raster/test-run.ts'
import { grid } from './grid.ts'

const plain = (color: number[], width = 8, height = 8) => painted(width, height, () => color)
const [red, green, blue] = [plain([255, 0, 0]), plain([0, 255, 0]), plain([0, 0, 255])]

test('cells are in rows of `columns`, `gap` apart and `padding` from the edge, on the background', async () => {
  const params = { columns: 2, cellWidth: 5, cellHeight: 4, gap: 3, padding: 2, background: '#102030' }
  const pixels = await runOn(grid, { images: [red, green, blue] }, params)
  assert.deepEqual([pixels.width, pixels.height, pixels.channels], [2 + 5 + 3 + 5 + 2, 2 + 4 + 3 + 4 + 2, 3])
  const colors = [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
  ]
  assertPixels(pixels, (x, y) => {
    const [column, row] = [(x - 2) / 8, (y - 2) / 7]
    const inside = x >= 2 && y >= 2 && (x - 2) % 8 < 5 && (y - 2) % 7 < 4
    const color = inside ? colors[Math.floor(row) * 2 + Math.floor(column)] : undefined
    return color ?? [16, 32, 48]
  })
})

test('by default the grid is nearly square, its cells have the size of the largest image, and it is opaque when full', async () => {
  for (const [count, columns, rows] of [
    [2, 2, 1],
    [4, 2, 2],
    [5, 3, 2],
    [7, 3, 3],
  ] as const) {
    const images = Array.from({ length: count }, (_, at) => (at === 0 ? plain([9, 9, 9], 20, 6) : red))
    const { width, height, channels } = await runOn(grid, { images }, {})
    assert.deepEqual([width, height, channels], [columns * 20, rows * 8, columns * rows === count ? 3 : 4])
  }
})

test('one side of the cells determines the other in proportion to the largest image', async () => {
  const images = [plain([1, 2, 3], 40, 10), plain([1, 2, 3], 10, 20)]
  const { width, height } = await runOn(grid, { images }, { cellWidth: 20, columns: 1 })
  assert.deepEqual([width, height], [20, 20])
  const other = await runOn(grid, { images }, { cellHeight: 5, columns: 1 })
  assert.deepEqual([other.width, other.height], [10, 10])
})

test('cover fills a cell from the middle of the image; contain shows all of it on the background', async () => {
  const wide = painted(30, 10, (x) => (x < 10 ? [255, 0, 0] : x < 20 ? [0, 255, 0] : [0, 0, 255]))
  const params = { cellWidth: 10, cellHeight: 10, background: 'white' }
  const covered = await runOn(grid, { images: [wide] }, params)
  assert.deepEqual(
    [pixelAt(covered, 0, 5), pixelAt(covered, 9, 5)],
    [
      [0, 255, 0],
      [0, 255, 0],
    ],
  )
  const contained = await runOn(grid, { images: [wide] }, { ...params, fit: 'contain', cellWidth: 30, cellHeight: 30 })
  assert.deepEqual(
    [9, 10, 19, 20].map((y) => pixelAt(contained, 0, y)),
    [
      [255, 255, 255],
      [255, 0, 0],
      [255, 0, 0],
      [255, 255, 255],
    ],
  )
})

test('a radius rounds every image, and soft edges mix with the background', async () => {
  const params = { columns: 2, radius: 4, background: 'white' }
  const pixels = await runOn(grid, { images: [blue, blue] }, params)
  assert.deepEqual(
    [pixelAt(pixels, 0, 0), pixelAt(pixels, 4, 4), pixelAt(pixels, 8, 0)],
    [
      [255, 255, 255],
      [0, 0, 255],
      [255, 255, 255],
    ],
  )
  for (let x = 0; x < 8; x += 1) {
    const [r, g, b] = pixelAt(pixels, x, 1)
    assert.ok(r === g && b === 255, 'blue and white, nothing else')
  }
})

test('rejects a grid with more pixels than allowed, and accepts the limit', async () => {
  const context = contextFor({ pixelsMax: 400 })
  const params = { columns: 2, cellWidth: 10, cellHeight: 20 }
  assert.equal((await runOn(grid, { images: [red, green] }, params, context)).width, 20)
  await assert.rejects(
    runOn(grid, { images: [red, green] }, { ...params, gap: 1 }, context),
    isFault('limit_exceeded', /21 x 20/),
  )
})
