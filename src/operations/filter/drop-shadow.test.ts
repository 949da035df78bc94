import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reachOf } from '../../imaging/raster/effect/box-blur.ts'
import { assertPixels, contextFor, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { disc, runOn } from '../../imaging/raster/test-run.ts'
import type { ImageValue, Pixels } from '../../imaging/types.ts'
import { dropShadow } from './drop-shadow.ts'

const photo = painted(60, 40, (x, y) => [x * 4, y * 6, 90])
const half = painted(40, 40, (x, y) => [200, 100, 50, x > 9 && x < 30 && y > 9 && y < 30 ? 128 : 0])

test('the shadow of a photo has its size, position and colour, and the photo is unchanged', async () => {
  const pixels = await cast(photo, { x: 7, y: 5, blur: 0, color: '#204060', opacity: 0.5 })
  assert.deepEqual([pixels.width, pixels.height, pixels.channels], [67, 45, 4])
  assertPixels(pixels, (x, y) => {
    const [onPhoto, inShadow] = [x < 60 && y < 40, x >= 7 && y >= 5]
    return onPhoto ? [x * 4, y * 6, 90, 255] : inShadow ? [0x20, 0x40, 0x60, 128] : [0, 0, 0, 0]
  })
})

test('a growing canvas has exactly the room that the kernel of the shadow needs', async () => {
  for (const params of [{ blur: 10 }, { blur: 7, spread: 4 }, { blur: 30, x: -40, y: 3 }, { blur: 2, spread: -6 }]) {
    const { x, y, blur, spread } = { x: 0, y: 8, spread: 0, ...params }
    const around = reachOf(blur / 2) + spread
    const [left, top] = [Math.max(0, around - x), Math.max(0, around - y)]
    const pixels = await cast(photo, { ...params, opacity: 1 })
    assert.equal(pixels.width, 60 + left + Math.max(0, around + x))
    assert.equal(pixels.height, 40 + top + Math.max(0, around + y))
    assert.deepEqual(pixelAt(pixels, left + 10, top + 10), [40, 60, 90, 255])
    const border = (at: number) => at % pixels.width === 0 && left > 0
    for (let at = 0; at < pixels.width * pixels.height; at += 1) {
      if (border(at)) assert.ok((pixels.data[at * 4 + 3] ?? 9) <= 1, `cut at ${at}`)
    }
  }
})

test('the shadow of a cut-out has the shape and the strength of its alpha', async () => {
  const pixels = await cast(half, { x: 20, y: 0, blur: 0, opacity: 1, color: 'black' })
  assert.deepEqual(pixelAt(pixels, 40, 20), [0, 0, 0, 128])
  // Both of them, one over the other: 1 - (1 - 128/255)^2.
  const both = await cast(half, { x: 4, y: 0, blur: 0, opacity: 1 })
  assert.equal(pixelAt(both, 20, 20)[3], 192)
  assert.equal(pixelAt(both, 31, 20)[3], 128)
})

test('a blurred shadow fades evenly on all sides of a disc, without steps', async () => {
  const pixels = await cast(disc, { x: 0, y: 0, blur: 20, opacity: 1, grow: false })
  assert.deepEqual([pixels.width, pixels.height], [60, 60])
  for (let at = 0; at < 60; at += 1) {
    const row = pixelAt(pixels, at, 29)[3] ?? 0
    assert.ok(Math.abs(row - (pixelAt(pixels, 59 - at, 30)[3] ?? 0)) <= 1)
    assert.ok(Math.abs(row - (pixelAt(pixels, 29, at)[3] ?? 0)) <= 1)
    if (at < 7) assert.ok(row <= (pixelAt(pixels, at + 1, 29)[3] ?? 0), `darker again at ${at}`)
  }
})

test('a soft edge over its shadow has no fringe of another colour', async () => {
  const pixels = await cast(disc, { x: 0, y: 0, blur: 4, opacity: 1, color: 'white' })
  assertPixels(pixels, (x, y) => {
    const [, , , alpha = 0] = pixelAt(pixels, x, y)
    return alpha > 0 ? [255, 255, 255, alpha] : undefined
  })
})

test('spread makes the shadow of a disc larger or smaller, and keeps the corners of a photo', async () => {
  for (const spread of [6, -6]) {
    const pixels = await cast(disc, { x: 200, y: 0, blur: 0, spread, opacity: 1 })
    const left = Math.max(0, spread)
    const area = sumOfAlpha(pixels, left + 130) / 255
    // The contour of the disc is at a radius of 21.5.
    const expected = Math.PI * (21.5 + spread) ** 2
    assert.ok(Math.abs(area - expected) < 0.01 * expected, `${area}, not ${expected}`)
  }
  const framed = await cast(photo, { x: 0, y: 0, blur: 0, spread: 3, opacity: 1 })
  assert.deepEqual(pixelAt(framed, 0, 0), [0, 0, 0, 255])
})

test('an inner shadow darkens towards the edges, keeps alpha and size, and leaves the middle', async () => {
  const white = painted(60, 40, () => [255, 255, 255])
  const pixels = await cast(white, { inner: true, x: 0, y: 0, blur: 10, opacity: 1 })
  assert.deepEqual([pixels.width, pixels.height, pixels.channels], [60, 40, 3])
  assert.deepEqual(pixelAt(pixels, 30, 20), [255, 255, 255])
  assert.ok(Math.abs((pixelAt(pixels, 0, 20)[0] ?? 0) - 137) <= 3, 'half at the edge')
  assert.ok((pixelAt(pixels, 0, 0)[0] ?? 255) < 80)
  const hard = await cast(white, { inner: true, x: 5, y: 3, blur: 0, spread: 2, opacity: 1 })
  assert.deepEqual(
    [6, 7].map((x) => pixelAt(hard, x, 20)[0]),
    [0, 255],
  )
  assert.deepEqual(
    [4, 5].map((y) => pixelAt(hard, 30, y)[0]),
    [0, 255],
  )
  const cut = await cast(half, { inner: true })
  assert.deepEqual(
    [0, 20].map((at) => pixelAt(cut, at, at)[3]),
    [0, 128],
  )
})

test('a transparent image has no shadow, and an opaque image that may not grow is passed on', async () => {
  const empty = painted(20, 20, () => [9, 9, 9, 0])
  const pixels = await cast(empty, { grow: false })
  assert.ok(pixels.data.every((value, at) => at % 4 !== 3 || value === 0))
  assert.equal((await cast(photo, { grow: false })).data, photo.pixels?.data)
  const shrunk = await cast(photo, { spread: -20, blur: 0, y: 0, opacity: 1 })
  assert.deepEqual([shrunk.width, shrunk.height], [60, 40])
})

test('rejects a shadow for which the image would be too large before it is made', async () => {
  const room = 60 + 40
  const context = contextFor({ pixelsMax: room * 40 })
  await runOn(dropShadow, { image: photo }, { x: 40, y: 0, blur: 0 }, context)
  await assert.rejects(runOn(dropShadow, { image: photo }, { x: 41, y: 0, blur: 0 }, context), /101 x 40 = 4040 pixels/)
})

function cast(image: ImageValue, params: Record<string, unknown>): Promise<Pixels> {
  return runOn(dropShadow, { image }, params)
}

function sumOfAlpha({ data, width, height }: Pixels, left: number): number {
  let sum = 0
  for (let y = 0; y < height; y += 1) for (let x = left; x < width; x += 1) sum += data[(y * width + x) * 4 + 3] ?? 0
  return sum
}
