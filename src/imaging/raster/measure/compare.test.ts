import assert from 'node:assert/strict'
import { test } from 'node:test'
import { imageFromBytes, imageFromPixels } from '../image.ts'
import { imageFromFrames } from '../read/frames.ts'
import { contextFor, paint, pixelAt } from '../test-images.ts'
import { encode } from '../write/encode.ts'
import { compareImages, comparePixels, differenceImage } from './compare.ts'

const context = contextFor()
const grey = paint(10, 8, () => [100, 100, 100])

test('finds no difference between equal images', async () => {
  const { differing, maxDifference, meanSquare } = await comparePixels(grey, grey, 0, context)
  assert.deepEqual([differing, maxDifference, meanSquare], [0, 0, 0])
})

test('counts pixels that differ by more than the tolerance, and paints them red in the difference image', async () => {
  const other = paint(10, 8, (x, y) => (y === 3 ? [100, 100 + x, 100] : [100, 100, 100]))
  const { differing, maxDifference, meanSquare } = await comparePixels(grey, other, 4, context)
  assert.deepEqual([differing, maxDifference], [5, 9])
  // 0² + 1² + ... + 9² over 80 pixels of three channels.
  assert.ok(Math.abs(meanSquare - 285 / 240) < 1e-9)
  const shown = await differenceImage(grey, other, 4, context)
  const [red = 0, green = 0] = pixelAt(shown, 9, 3)
  assert.ok(red > 200 && green < 120)
  assert.equal(new Set(pixelAt(shown, 2, 3)).size, 1)
})

test('ignores the colour of transparent pixels and an opaque alpha channel', async () => {
  const red = paint(4, 4, () => [255, 0, 0, 0])
  const blue = paint(4, 4, () => [0, 0, 255, 0])
  assert.equal((await comparePixels(red, blue, 0, context)).differing, 0)
  const opaque = paint(10, 8, () => [100, 100, 100, 255])
  assert.equal((await comparePixels(grey, opaque, 0, context)).differing, 0)
  const { differing, maxDifference } = await comparePixels(
    grey,
    paint(10, 8, () => [100, 100, 100, 250]),
    4,
    context,
  )
  assert.deepEqual([differing, maxDifference], [80, 5])
})

const pngOf = async (pixels: Parameters<typeof imageFromPixels>[0]) =>
  (await encode(imageFromPixels(pixels), {}, context)).bytes

test('compares decoded images, and reports a different size', async () => {
  const jpeg = await pngOf(grey)
  const other = (await encode(imageFromPixels(grey), { format: 'png' }, context)).bytes
  const found = await compareImages(jpeg, other, 2, context)
  assert.deepEqual([found.sameSize, found.differing], [true, 0])
  const shown = await imageFromBytes((await found.differenceImage?.()) ?? Buffer.alloc(0), context)
  assert.deepEqual([shown.width, shown.height, shown.format], [10, 8, 'png'])
  const wider = await pngOf(paint(11, 8, () => [0, 0, 0]))
  assert.deepEqual(await compareImages(jpeg, wider, 2, context), {
    sameSize: false,
    differing: null,
    maxDifference: null,
    psnr: null,
  })
})

test('compares every frame of animations', async () => {
  const animation = async (last: number) => {
    const frames = [0, 90, last].map((red) => imageFromPixels(paint(10, 8, () => [red, 0, 0])))
    const image = imageFromFrames(frames, { delaysMs: [100, 100, 100], loops: 0 })
    return (await encode(image, { format: 'webp', lossless: true }, context)).bytes
  }
  const found = await compareImages(await animation(180), await animation(250), 2, context)
  assert.deepEqual([found.sameSize, found.maxDifference], [true, 70])
  assert.ok(Math.abs((found.differing ?? 0) - 1 / 3) < 1e-9)
  assert.equal((await compareImages(await animation(180), await pngOf(grey), 2, context)).sameSize, false)
})
