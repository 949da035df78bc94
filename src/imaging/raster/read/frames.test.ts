import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../../../limits.ts'
import type { ImageValue } from '../../types.ts'
import { imageFromBytes, pixelsOf } from '../image.ts'
import { loadSharp } from '../sharp.ts'
import { checkFrames } from '../size.ts'
import { type GifFrame, gifOf, moving } from '../test-animations.ts'
import { isFault } from '../test-faults.ts'
import { contextFor, paint, painted, pixelAt } from '../test-images.ts'
import { framesOf, imageFromFrames, mapFrames } from './frames.ts'

const context = contextFor()

/** Red all over, then a green square at 1, 1 with this disposal, then a blue one at 3, 1. */
function squares(disposal: number): GifFrame[] {
  const square = { width: 2, height: 2, delayHundredths: 7 }
  return [
    { x: 0, y: 0, width: 6, height: 4, disposal: 1, delayHundredths: 5, colors: Array(24).fill(0) },
    { ...square, x: 1, y: 1, disposal, colors: Array(4).fill(1) },
    { ...square, x: 3, y: 1, disposal: 1, colors: [2, 2, 2, 3] },
  ]
}

const after: [number, string, number[]][] = [
  [1, 'stays', [0, 255, 0, 255]],
  [2, 'is cleared', [0, 0, 0, 0]],
  [3, 'gives back what was there', [255, 0, 0, 255]],
]

for (const [disposal, meaning, seen] of after) {
  test(`the pixels of a GIF frame with disposal ${disposal} ${meaning} when the next one is drawn`, async () => {
    const [first, second, third] = await decoded(gifOf(6, 4, 0, squares(disposal)))
    assert.ok(first && second && third)
    assert.deepEqual(at(first, 1, 1), [255, 0, 0, 255])
    assert.deepEqual(at(second, 1, 1), [0, 255, 0, 255])
    assert.deepEqual(at(third, 1, 1), seen)
    assert.deepEqual(at(third, 3, 1), [0, 0, 255, 255])
    // Transparent pixels of a frame leave what is below.
    assert.deepEqual(at(third, 4, 2), [255, 0, 0, 255])
  })
}

test('uses the delays and plays of the file, and a tenth of a second for a delay of zero', async () => {
  const frames = squares(1).map((frame, index) => ({ ...frame, delayHundredths: [0, 1, 250][index] ?? 0 }))
  // A GIF says how often it is repeated, or nothing.
  for (const [repeats, loops] of [
    [0, 0],
    [2, 3],
    [undefined, 1],
  ] as const) {
    const { animation } = await imageFromBytes(gifOf(6, 4, repeats, frames), context)
    assert.deepEqual([animation?.delaysMs, animation?.loops], [[100, 10, 2_500], loops])
  }
})

test('a file with one frame is not an animation', async () => {
  const image = await imageFromBytes(gifOf(6, 4, 0, squares(1).slice(0, 1)), context)
  assert.equal(image.animation, undefined)
  assert.deepEqual(await framesOf(image, context), [image])
})

test('decodes only the first frame until the others are requested', async () => {
  const bytes = gifOf(6, 4, 0, squares(1))
  const image = await imageFromBytes(bytes, context)
  const pixels = await pixelsOf(image, context)
  assert.deepEqual([pixels.width, pixels.height], [6, 4])
  assert.equal(image.animation?.frames, undefined)
  assert.equal((await framesOf(image, context)).length, 3)
  assert.equal(await framesOf(image, context), await framesOf(image, context))
})

test('a WebP keeps alpha and time of every frame, and is rotated by its EXIF orientation', async () => {
  const sharp = await loadSharp()
  const strip = paint(4, 6, (x, y) => [x * 60, y * 40, 90, y < 2 ? 255 : 100])
  const raw = { width: 4, height: 6, channels: 4, pageHeight: 2 } as const
  const bytes = await sharp(strip.data, { raw })
    .withExif({ IFD0: { Orientation: '6' } })
    .withMetadata({ orientation: 6 })
    .webp({ lossless: true, exact: true, delay: [30, 41, 900], loop: 2 })
    .toBuffer()
  const image = await imageFromBytes(bytes, context)
  assert.deepEqual([image.animation?.delaysMs, image.animation?.loops], [[30, 41, 900], 2])
  assert.deepEqual([image.width, image.height], [2, 4])
  const frames = await decoded(bytes)
  for (const [index, frame] of frames.entries()) {
    assert.deepEqual([frame.width, frame.height], [2, 4])
    // Turned to the right: what was the upper left is the upper right.
    assert.deepEqual(at(frame, 1, 0), pixelAt(strip, 0, index * 2))
    assert.deepEqual(at(frame, 0, 3), pixelAt(strip, 3, index * 2 + 1))
  }
  assert.deepEqual(at(await pixelsOf(image, context), 1, 0), pixelAt(strip, 0, 0))
})

test('frames have the same orientation as a still image, for each value of EXIF', async () => {
  const sharp = await loadSharp()
  const { data } = paint(4, 6, (x, y) => [x * 60, y * 40, 90])
  for (let orientation = 1; orientation <= 8; orientation += 1) {
    const webp = (height: number, pageHeight: number) =>
      sharp(data.subarray(0, 4 * height * 3), { raw: { width: 4, height, channels: 3, pageHeight } })
        .withMetadata({ orientation })
        .webp({ lossless: true })
        .toBuffer()
    const still = await pixelsOf(await imageFromBytes(await webp(3, 3), context), context)
    const [first] = await decoded(await webp(6, 3))
    assert.deepEqual(first, still, `orientation ${orientation}`)
  }
})

test('pages of a TIFF are not an animation', async () => {
  const sharp = await loadSharp()
  const { data } = paint(4, 6, () => [1, 2, 3])
  const bytes = await sharp(data, { raw: { width: 4, height: 6, channels: 3, pageHeight: 2 } })
    .tiff()
    .toBuffer()
  assert.equal((await imageFromBytes(bytes, context)).animation, undefined)
})

test(`accepts at most ${limits.framesMax} frames, and ${limits.animationPixelsMax} pixels in all of them`, async () => {
  checkFrames(1_000, 100, limits.framesMax)
  assert.throws(
    () => checkFrames(1, 1, limits.framesMax + 1),
    isFault('limit_exceeded', /1001 frames; the maximum is 1000/),
  )
  assert.throws(() => checkFrames(1_000, 101, limits.framesMax), isFault('limit_exceeded', /101000000 pixels/))
  assert.throws(() => checkFrames(10, 10, 3, 299), isFault('limit_exceeded', /300 pixels; the maximum is 299/))
  const little = contextFor({ pixelsMax: 71 })
  await assert.rejects(
    imageFromBytes(gifOf(6, 4, 0, squares(1)), little),
    isFault('limit_exceeded', /72 pixels; the maximum is 71/),
  )
  const [frame] = squares(1)
  assert.ok(frame)
  const many = gifOf(6, 4, 0, Array(limits.framesMax + 1).fill({ ...frame, width: 1, height: 1, colors: [0] }))
  await assert.rejects(imageFromBytes(many, context), isFault('limit_exceeded', /1001 frames/))
})

test('rejects frames of different sizes, with both sizes', () => {
  const frames = [painted(4, 4, () => [0, 0, 0]), painted(4, 5, () => [0, 0, 0])]
  assert.throws(
    () => imageFromFrames(frames, { delaysMs: [50, 50], loops: 0 }),
    isFault('input_invalid', /Frame 2 is 4 x 5, but the first is 4 x 4/),
  )
})

test('starts no other frame if the first one becomes too large', async () => {
  const image = moving(4, 4, Array(50).fill(40), () => [1, 2, 3])
  let started = 0
  const grow = mapFrames(image, context, async (): Promise<ImageValue> => {
    started += 1
    return { width: 16_000, height: 16_000, hasAlpha: false, format: 'raw' }
  })
  await assert.rejects(grow, isFault('limit_exceeded', /50 frames of 16000 x 16000/))
  assert.equal(started, 1)
})

test('stops between two frames when the execution is cancelled', async () => {
  const controller = new AbortController()
  const cancelled = contextFor({ signal: controller.signal })
  const image = moving(4, 4, Array(50).fill(40), () => [1, 2, 3])
  let done = 0
  const work = mapFrames(image, cancelled, async (frame) => {
    done += 1
    if (done === 10) controller.abort()
    return frame
  })
  await assert.rejects(work, isFault('cancelled'))
  assert.ok(done < 20, `${done} frames were worked on`)
})

async function decoded(bytes: Buffer) {
  const frames = await framesOf(await imageFromBytes(bytes, context), context)
  return Promise.all(frames.map((frame) => pixelsOf(frame, context)))
}

function at(pixels: Awaited<ReturnType<typeof pixelsOf>>, x: number, y: number): number[] {
  const [r = 0, g = 0, b = 0, alpha = 255] = pixelAt(pixels, x, y)
  return [r, g, b, alpha]
}
