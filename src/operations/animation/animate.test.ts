import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checker } from '../../domain/validate.ts'
import { pixelsOf } from '../../imaging/raster/image.ts'
import { framesOf } from '../../imaging/raster/read/frames.ts'
import { moving } from '../../imaging/raster/test-animations.ts'
import { isFault } from '../../imaging/raster/test-faults.ts'
import { contextFor, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { outputsOf } from '../../imaging/raster/test-run.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import { animate } from './animate.ts'

const context = contextFor()
const run = async (images: ImageValue[], values: Record<string, unknown>) =>
  (await outputsOf(animate, { images }, values)).image
const plain = (...color: number[]) => painted(4, 4, () => color)
const [red, green, blue] = [plain(200, 0, 0), plain(0, 200, 0), plain(0, 0, 200)]

test('shows images in their order, each for the same time', async () => {
  const image = await run([red, green, blue], { delay: 120, loop: 2 })
  assert.deepEqual(await colorsOf(image), [
    [200, 0, 0],
    [0, 200, 0],
    [0, 0, 200],
  ])
  assert.deepEqual([image.animation?.delaysMs, image.animation?.loops], [[120, 120, 120], 2])
  assert.deepEqual((await run([red, green], {})).animation, {
    ...(await run([red, green], { delay: 500, loop: 0 })).animation,
    frames: [red, green],
  })
})

test('the frame rate is exact over the entire animation', async () => {
  const { animation } = await run([red, green, blue, red, green, blue], { fps: 30 })
  assert.deepEqual(animation?.delaysMs, [33, 34, 33, 33, 34, 33])
})

test('the last image can be shown longer', async () => {
  assert.deepEqual((await run([red, green], { delay: 50, lastDelay: 900 })).animation?.delaysMs, [50, 900])
})

test('one still image remains a still image', async () => {
  assert.equal(await run([red], { crossfade: 200 }), red)
})

test('shows an animation completely, with its own delays', async () => {
  const clip = moving(4, 4, [70, 80], (_x, _y, frame) => [frame, 0, 0])
  const image = await run([red, clip, blue], { delay: 200 })
  assert.deepEqual(await colorsOf(image), [
    [200, 0, 0],
    [0, 0, 0],
    [1, 0, 0],
    [0, 0, 200],
  ])
  assert.deepEqual(image.animation?.delaysMs, [200, 70, 80, 200])
})

test('a crossfade changes evenly from each image to the next, and back to the first if it loops', async () => {
  const round = await run([red, blue], { delay: 300, crossfade: 120 })
  assert.deepEqual(round.animation?.delaysMs, [300, 40, 40, 40, 300, 40, 40, 40])
  assert.deepEqual(await colorsOf(round), [
    [200, 0, 0],
    [150, 0, 50],
    [100, 0, 100],
    [50, 0, 150],
    [0, 0, 200],
    [50, 0, 150],
    [100, 0, 100],
    [150, 0, 50],
  ])
  const once = await run([red, blue], { delay: 300, crossfade: 120, loop: 1 })
  assert.deepEqual(once.animation?.delaysMs, [300, 40, 40, 40, 300])
})

test('a crossfade of transparent images does not darken', async () => {
  const image = await run([plain(200, 100, 50, 255), plain(0, 0, 0, 0)], { crossfade: 40, loop: 1 })
  const [, between] = await framesOf(image, context)
  assert.ok(between)
  assert.deepEqual(pixelAt(await pixelsOf(between, context), 1, 1), [200, 100, 50, 128])
})

const wide = painted(8, 4, (x) => (x < 2 ? [255, 0, 0] : x < 6 ? [0, 255, 0] : [0, 0, 255]))

test('cover crops evenly, fill keeps both ends, contain shows the background', async () => {
  const second = async (params: Record<string, unknown>) => {
    const [, frame] = await framesOf(await run([red, wide], params), context)
    assert.ok(frame)
    return pixelsOf(frame, context)
  }
  const covered = await second({ fit: 'cover' })
  for (const x of [0, 3]) assert.deepEqual(pixelAt(covered, x, 2), [0, 255, 0])
  const filled = await second({ fit: 'fill' })
  assert.deepEqual([pixelAt(filled, 0, 2), pixelAt(filled, 3, 2)].map(strongest), [0, 2])
  const contained = await second({ fit: 'contain', background: '#808080' })
  assert.deepEqual(contained.channels, 3)
  assert.deepEqual(
    [pixelAt(contained, 0, 0), pixelAt(contained, 3, 3)],
    [
      [128, 128, 128],
      [128, 128, 128],
    ],
  )
  assert.deepEqual(strongest(pixelAt(contained, 0, 2)), 0)
})

test('the background is visible through every image, including the first', async () => {
  const image = await run([plain(0, 0, 0, 0), plain(250, 250, 250, 128)], { background: '#204060' })
  assert.deepEqual(await colorsOf(image), [
    [32, 64, 96],
    [141, 157, 173],
  ])
})

test('exact rejects another size, with both sizes', async () => {
  await assert.rejects(
    run([red, wide], { fit: 'exact' }),
    isFault('input_invalid', /Image 2 is 8 x 4, but the first image is 4 x 4/),
  )
})

test(`rejects more than ${limits.framesMax} frames before any is made`, async () => {
  const long = moving(1, 1, Array(limits.framesMax - 1).fill(50), () => [1, 2, 3])
  const dot = painted(1, 1, () => [0, 0, 0])
  assert.equal((await run([dot, long], {})).animation?.delaysMs.length, limits.framesMax)
  await assert.rejects(run([dot, long, dot], {}), isFault('limit_exceeded', /1001 frames/))
  await assert.rejects(run([dot, long], { crossfade: 40 }), isFault('limit_exceeded', /1002 frames/))
})

test('rejects a delay together with a frame rate', () => {
  assert.equal(checker(animate.params)({ delay: 100, fps: 10 }).length, 1)
})

async function colorsOf(image: ImageValue): Promise<number[][]> {
  const frames = await framesOf(image, context)
  return Promise.all(frames.map(async (frame) => pixelAt(await pixelsOf(frame, context), 1, 1)))
}

function strongest(color: number[]): number {
  return color.indexOf(Math.max(...color.slice(0, 3)))
}
