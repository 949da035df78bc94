import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineOver, middleOf } from '../../imaging/raster/layer/split.ts'
import { isFault } from '../../imaging/raster/test-faults.ts'
import { contextFor, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { disc, runOn, softColors } from '../../imaging/raster/test-run.ts'
import { beforeAfter } from './before-after.ts'

const before = painted(40, 20, (x, y) => [x * 6, y * 12, 0])
const after = painted(40, 20, (x, y) => [x * 6, y * 12, 255])
const bare = { lineWidth: 0, handle: false }

test('an upright line has `before` on its left, pixel by pixel, and mixes both in the pixel that it cuts', async () => {
  for (const position of [0, 0.25, 0.5, 0.6125, 1]) {
    const pixels = await runOn(beforeAfter, { before, after }, { ...bare, position })
    assert.deepEqual([pixels.width, pixels.height, pixels.channels], [40, 20, 3])
    for (let x = 0; x < 40; x += 1) {
      const share = Math.max(0, Math.min(1, x + 1 - position * 40))
      assert.deepEqual(pixelAt(pixels, x, 7), [x * 6, 84, Math.round(255 * share)])
    }
  }
})

test('the line turns clockwise: `before` is on the left, above, on the right, below', async () => {
  for (const [angle, x, y] of [
    [0, 3, 10],
    [90, 20, 2],
    [180, 36, 10],
    [-180, 36, 10],
    [-90, 20, 17],
  ] as const) {
    const pixels = await runOn(beforeAfter, { before, after }, { ...bare, angle })
    assert.equal(pixelAt(pixels, x, y)[2], 0, `${angle}`)
    assert.equal(pixelAt(pixels, 39 - x, 19 - y)[2], 255, `${angle}`)
  }
})

test('a slanted line leaves each image its exact geometric area', async () => {
  for (const angle of [10, 45, -63, 140]) {
    const pixels = await runOn(beforeAfter, { before, after }, { ...bare, angle })
    let sum = 0
    for (let at = 2; at < pixels.data.length; at += 3) sum += (pixels.data[at] ?? 0) / 255
    // Through the middle, whatever the angle.
    assert.ok(Math.abs(sum - 400) < 2, `${angle}: ${sum}`)
  }
})

test('the line has its width and colour, and its middle is inside the image', async () => {
  const pixels = await runOn(beforeAfter, { before, after }, { lineWidth: 4, handle: false, color: '#ffffff' })
  const white = Array.from({ length: 40 }, (_, x) => pixelAt(pixels, x, 5).every((value) => value === 255))
  assert.deepEqual([white.indexOf(true), white.lastIndexOf(true)], [18, 21])
  for (const angle of [0, 30, 90, 135, -70]) {
    for (const position of [0.05, 0.5, 0.9]) {
      const line = lineOver({ width: 300, height: 100 }, angle, position)
      const { x, y } = middleOf(line, { width: 300, height: 100 })
      assert.ok(x >= -1e-9 && x <= 300 + 1e-9 && y >= -1e-9 && y <= 100 + 1e-9, `${angle} ${position}: ${x}, ${y}`)
      assert.ok(Math.abs(x * line.across + y * line.down - line.at) < 1e-9)
    }
  }
})

test('draws the handle in the middle of the line only', async () => {
  const large = painted(400, 300, () => [0, 80, 0])
  const params = { lineWidth: 0, position: 0.25 }
  const pixels = await runOn(beforeAfter, { before: large, after: large }, params)
  assert.deepEqual(pixelAt(pixels, 100, 135), [255, 255, 255])
  assert.deepEqual(pixelAt(pixels, 100, 165), [255, 255, 255])
  for (const [x, y] of [
    [100, 100],
    [100, 205],
    [160, 150],
    [40, 150],
  ] as const) {
    assert.deepEqual(pixelAt(pixels, x, y), [0, 80, 0], `${x}, ${y}`)
  }
})

test('side by side shows both images entirely, with the width of the line between', async () => {
  const beside = await runOn(beforeAfter, { before, after }, { layout: 'beside', lineWidth: 3, color: 'red' })
  assert.deepEqual([beside.width, beside.height, beside.channels], [83, 20, 3])
  assert.deepEqual(
    [39, 40, 42, 43].map((x) => pixelAt(beside, x, 4)),
    [
      [234, 48, 0],
      [255, 0, 0],
      [255, 0, 0],
      [0, 48, 255],
    ],
  )
  const below = await runOn(beforeAfter, { before, after }, { layout: 'below', lineWidth: 0 })
  assert.deepEqual([below.width, below.height], [40, 40])
  assert.deepEqual(pixelAt(below, 5, 20), [30, 0, 255])
})

test('writes labels into the corners of their images', async () => {
  const [green, blue] = [painted(400, 300, () => [0, 90, 0]), painted(400, 300, () => [0, 0, 90])]
  const written = async (params: object) => {
    const plain = await runOn(beforeAfter, { before: green, after: blue }, { ...bare, ...params })
    const labels = { beforeLabel: 'Before', afterLabel: 'After' }
    const pixels = await runOn(beforeAfter, { before: green, after: blue }, { ...bare, ...labels, ...params })
    const { width, height } = pixels
    const isWritten = (x: number, y: number) => {
      for (let row = y; row < y + height / 4; row += 1) {
        for (let column = x; column < x + width / 4; column += 1) {
          if (pixelAt(pixels, column, row).join() !== pixelAt(plain, column, row).join()) return true
        }
      }
      return false
    }
    const [right, bottom] = [width * 0.75, height * 0.75]
    return [isWritten(0, 0), isWritten(right, 0), isWritten(0, bottom), isWritten(right, bottom)]
  }
  assert.deepEqual(await written({}), [false, false, true, true])
  assert.deepEqual(await written({ angle: 90 }), [true, false, true, false])
})

test('soft edges have no dark fringe where the two meet', async () => {
  const pixels = await runOn(beforeAfter, { before: disc, after: disc }, { ...bare, angle: 33 })
  for (const color of softColors(pixels)) assert.ok(Math.min(...color) >= 253, `${color}`)
  const opaque = painted(60, 60, () => [255, 255, 255])
  const mixed = await runOn(beforeAfter, { before: opaque, after: disc }, { ...bare, angle: 33 })
  for (const color of softColors(mixed)) assert.ok(Math.min(...color) >= 253, `${color}`)
})

test('scales an `after` of another size to `before`, or rejects it', async () => {
  const half = painted(20, 10, (x) => [x * 12, 0, 255])
  const pixels = await runOn(beforeAfter, { before, after: half }, bare)
  assert.deepEqual([pixels.width, pixels.height, pixelAt(pixels, 30, 10)[2]], [40, 20, 255])
  const exact = { ...bare, fit: 'exact' }
  await assert.rejects(runOn(beforeAfter, { before, after: half }, exact), isFault('input_invalid', /40 x 20.*20 x 10/))
})

test('rejects two images with more pixels together than allowed', async () => {
  const context = contextFor({ pixelsMax: 1_600 })
  const params = { layout: 'beside', lineWidth: 0 }
  assert.equal((await runOn(beforeAfter, { before, after }, params, context)).width, 80)
  const wider = { ...params, lineWidth: 1 }
  await assert.rejects(runOn(beforeAfter, { before, after }, wider, context), isFault('limit_exceeded', /81 x 20/))
})
