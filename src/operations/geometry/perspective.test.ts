import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checker } from '../../domain/validate.ts'
import { isFault } from '../../imaging/raster/test-faults.ts'
import { contextFor, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { disc, ramps, runOn, softColors } from '../../imaging/raster/test-run.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { perspective } from './perspective.ts'

type Corners = Record<'topLeft' | 'topRight' | 'bottomRight' | 'bottomLeft', { x: number; y: number }>

/** Clockwise from the upper left. */
function corners(...points: [number, number][]): Corners {
  const [topLeft, topRight, bottomRight, bottomLeft] = points.map(([x, y]) => ({ x, y }))
  assert.ok(topLeft && topRight && bottomRight && bottomLeft)
  return { topLeft, topRight, bottomRight, bottomLeft }
}

const rectangle = (x: number, y: number, width: number, height: number) =>
  corners([x, y], [x + width, y], [x + width, y + height], [x, y + height])

test('keeps every pixel of an image that is drawn to its own corners, moved by whole pixels, or mirrored', async () => {
  for (const image of ramps) {
    const before = image.pixels
    assert.ok(before)
    const same = await runOn(perspective, { image }, { corners: rectangle(0, 0, 16, 16) })
    assert.equal(same.channels, before.channels)
    assert.ok(same.data.equals(before.data))
    const moved = await runOn(perspective, { image }, { corners: rectangle(3, 5, 16, 16) })
    assert.deepEqual([moved.width, moved.height, moved.channels], [19, 21, 4])
    const mirrored = await runOn(perspective, { image }, { corners: corners([16, 0], [0, 0], [0, 16], [16, 16]) })
    for (const [x, y] of [
      [0, 0],
      [7, 11],
      [15, 15],
    ] as const) {
      const expected = pixelAt(before, x, y)
      assert.deepEqual(pixelAt(moved, x + 3, y + 5).slice(0, expected.length), expected)
      assert.deepEqual(pixelAt(mirrored, 15 - x, y), expected)
    }
    assert.equal(pixelAt(moved, 2, 8)[3], 0)
  }
})

test('drawing to a quadrangle and back restores the image', async () => {
  const image = smooth(120, 90)
  const quad = corners([30, 12], [210, 40], [190, 170], [4, 130])
  const drawn = await runOn(perspective, { image }, { corners: quad, width: 220, height: 180, background: 'black' })
  assert.equal(drawn.channels, 3)
  const there: ImageValue = { width: 220, height: 180, hasAlpha: false, format: 'raw', pixels: drawn }
  const back = await runOn(perspective, { image: there }, { corners: quad, reverse: true, width: 120, height: 90 })
  assert.equal(back.channels, 3)
  assert.ok(image.pixels)
  for (let y = 3; y < 87; y += 1) {
    for (let x = 3; x < 117; x += 1) {
      const [from, to] = [pixelAt(image.pixels, x, y), pixelAt(back, x, y)]
      for (const at of [0, 1, 2]) assert.ok(Math.abs((from[at] ?? 0) - (to[at] ?? 99)) <= 3, `at ${x}, ${y}: ${to}`)
    }
  }
})

test('the diagonals of the image meet at those of the quadrangle, unlike in a stretch', async () => {
  const cross = painted(101, 101, (x, y) => (Math.hypot(x - 50, y - 50) < 4 ? [255, 255, 255] : [0, 0, 0]))
  const quad = corners([60, 10], [140, 10], [200, 150], [0, 150])
  const { data, width } = await runOn(perspective, { image: cross }, { corners: quad })
  let [sum, x, y] = [0, 0, 0]
  for (let at = 0; at < data.length; at += 4) {
    const weight = data[at] ?? 0
    sum += weight
    x += weight * (((at / 4) % width) + 0.5)
    y += weight * (Math.floor(at / 4 / width) + 0.5)
  }
  // The lines (60, 10) to (200, 150) and (140, 10) to (0, 150).
  assert.ok(Math.abs(x / sum - 100) < 0.5 && Math.abs(y / sum - 50) < 0.7, `${x / sum}, ${y / sum}`)
})

test('an edge covers each pixel by its exact share', async () => {
  const white = painted(20, 20, () => [255, 255, 255])
  const moved = await runOn(
    perspective,
    { image: white },
    { corners: rectangle(2.25, 3.5, 20, 20), width: 30, height: 30 },
  )
  assert.deepEqual(
    [2, 3, 21, 22, 23].map((x) => pixelAt(moved, x, 10)[3]),
    [191, 255, 255, 64, 0],
  )
  assert.deepEqual([pixelAt(moved, 10, 3)[3], pixelAt(moved, 2, 3)[3]], [128, 96])
  const slanted = await runOn(perspective, { image: white }, { corners: corners([5, 1], [37, 9], [31, 34], [2, 27]) })
  let area = 0
  for (let at = 3; at < slanted.data.length; at += 4) area += (slanted.data[at] ?? 0) / 255
  // The shoelace formula of the same corners.
  assert.ok(Math.abs(area - 811.5) < 1, `${area}`)
})

test('fine lines that are much reduced become grey, without aliases', async () => {
  const lines = painted(400, 400, (x) => (x % 2 === 0 ? [255, 255, 255] : [0, 0, 0]))
  for (const quad of [rectangle(0, 0, 37, 300), corners([120, 0], [160, 0], [300, 60], [0, 60])]) {
    const pixels = await runOn(perspective, { image: lines }, { corners: quad })
    let checked = 0
    for (let at = 0; at < pixels.data.length; at += pixels.channels) {
      if (pixels.channels === 4 && pixels.data[at + 3] !== 255) continue
      // At more than 0.75 of its size, a line of two pixels is still visible: the lower edge of the second.
      if (quad.bottomRight.x === 300 && at / 4 / pixels.width > 40) continue
      checked += 1
      assert.ok(Math.abs((pixels.data[at] ?? 0) - 128) < 24, `${pixels.data[at]} at ${at}`)
    }
    assert.ok(checked > 1_500, `${checked}`)
  }
})

test('soft edges stay white when enlarged, reduced and tilted', async () => {
  for (const params of [
    { corners: corners([4, 2], [150, 30], [130, 120], [12, 90]) },
    { corners: corners([4, 2], [30, 5], [28, 24], [2, 20]) },
    { tilt: { x: 50, y: -30 } },
  ]) {
    const pixels = await runOn(perspective, { image: disc }, params)
    for (const color of softColors(pixels)) assert.ok(Math.min(...color) >= 254, `${color}`)
  }
  const white = painted(60, 60, () => [255, 255, 255])
  const pixels = await runOn(perspective, { image: white }, { tilt: { x: 30, y: 30 } })
  for (const color of softColors(pixels)) assert.deepEqual(color, [255, 255, 255])
})

test('a tilted image has the size of its projection: the near edge is longer than the far one', async () => {
  const image = painted(100, 100, (_, y) => (y < 50 ? [255, 0, 0] : [0, 0, 255]))
  const pixels = await runOn(perspective, { image }, { tilt: { x: 60, distance: 1 } })
  // rotateX(60deg) takes the corners to depths of 43.3 px away and near, of an eye at 100 px.
  const [far, near] = [100 / (1 + Math.sqrt(3) / 4), 100 / (1 - Math.sqrt(3) / 4)]
  assert.equal(pixels.width, Math.ceil(near))
  assert.equal(pixels.height, Math.ceil((far + near) / 4))
  const opaque = (y: number) =>
    Array.from({ length: pixels.width }, (_, x) => (pixelAt(pixels, x, y)[3] ?? 0) / 255).reduce((a, b) => a + b)
  assert.ok(Math.abs(opaque(0) - far) < 2 && Math.abs(opaque(pixels.height - 2) - near) < 5)
  // Half of the image is nearer than half of its picture.
  assert.deepEqual(pixelAt(pixels, 88, Math.round(far / 4) - 4).slice(0, 3), [255, 0, 0])
  assert.deepEqual(pixelAt(pixels, 88, Math.round(far / 4) + 3).slice(0, 3), [0, 0, 255])
})

test('a straightened part has the lengths of its longer sides by default; one side determines the other', async () => {
  const image = smooth(100, 80)
  const quad = rectangle(10, 20, 40, 30)
  const sizes = await Promise.all(
    [{}, { width: 80 }, { height: 15 }].map(async (size) => {
      const { width, height } = await runOn(perspective, { image }, { corners: quad, reverse: true, ...size })
      return [width, height]
    }),
  )
  assert.deepEqual(sizes, [
    [40, 30],
    [80, 60],
    [20, 15],
  ])
})

const dented = corners([0, 0], [50, 0], [10, 10], [0, 50])
const crossed = corners([0, 0], [50, 50], [50, 0], [0, 50])
const flat = corners([0, 0], [50, 0], [80, 0], [90, 0])
const point = corners([5, 5], [5, 5], [5, 5], [5, 5])

test('rejects corners that are not a convex quadrangle, or are outside the image', async () => {
  const image = smooth(60, 60)
  for (const quad of [dented, crossed, flat, point]) {
    await assert.rejects(
      runOn(perspective, { image }, { corners: quad }),
      isFault('input_invalid', /convex quadrangle/),
    )
  }
  const beside = { corners: rectangle(-70, 0, 60, 60) }
  await assert.rejects(runOn(perspective, { image }, beside), isFault('input_invalid', /outside the result/))
  const reverse = { corners: rectangle(10, 10, 51, 20), reverse: true }
  await assert.rejects(runOn(perspective, { image }, reverse), isFault('input_invalid', /\(61, 10\).*60 x 60/))
  const large = { corners: rectangle(0, 0, 101, 100) }
  const context = contextFor({ pixelsMax: 10_000 })
  await assert.rejects(runOn(perspective, { image }, large, context), isFault('limit_exceeded', /101 x 100/))
})

test('rejects corners together with tilt, and reverses only corners', () => {
  const issues = (params: object) => checker(perspective.params)(structuredClone(params)).map(({ path }) => path)
  assert.deepEqual(issues({ tilt: { x: 20 } }), [])
  assert.equal(issues({}).length, 1)
  assert.equal(issues({ tilt: { x: 20 }, corners: rectangle(0, 0, 9, 9) }).length, 1)
  assert.equal(issues({ tilt: { x: 20 }, reverse: true }).length, 1)
  assert.equal(issues({ corners: { topLeft: { x: 1, y: 1 } } }).length, 3)
})

/** Nothing in it is finer than some ten pixels. */
function smooth(width: number, height: number): ImageValue {
  return painted(width, height, (x, y) => [
    Math.round(128 + 100 * Math.sin(x / 9)),
    Math.round(128 + 100 * Math.cos(y / 8)),
    Math.round(128 + 90 * Math.sin((x + y) / 12)),
  ])
}
