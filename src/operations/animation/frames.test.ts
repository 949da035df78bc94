import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checker } from '../../domain/validate.ts'
import { pixelsOf } from '../../imaging/raster/image.ts'
import { framesOf } from '../../imaging/raster/read/frames.ts'
import { moving } from '../../imaging/raster/test-animations.ts'
import { isFault } from '../../imaging/raster/test-faults.ts'
import { contextFor, painted } from '../../imaging/raster/test-images.ts'
import { outputsOf } from '../../imaging/raster/test-run.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { frames } from './frames.ts'

const context = contextFor()
const run = async (image: ImageValue, values: Record<string, unknown>) =>
  (await outputsOf(frames, { image }, values)).image
/** Frame 0 is of colour 0, and so on. */
const six = moving(2, 2, [30, 40, 50, 60, 70, 80], (_x, _y, frame) => [frame, 0, 0], 5)

const picked: [string, Record<string, unknown>, number[], number[]][] = [
  ['all frames by default', {}, [0, 1, 2, 3, 4, 5], [30, 40, 50, 60, 70, 80]],
  ['a range, ends included', { from: 1, to: 3 }, [1, 2, 3], [40, 50, 60]],
  ['a range counted from the end', { from: -3, to: -2 }, [3, 4], [60, 70]],
  ['one of two, as long as both', { every: 2 }, [0, 2, 4], [70, 110, 150]],
  ['one of four, the last one as long as the rest', { every: 4 }, [0, 4], [180, 150]],
  ['frames in reverse', { order: 'reverse', from: 3 }, [5, 4, 3], [80, 70, 60]],
  [
    'frames forwards and backwards, the ends once',
    { order: 'boomerang', to: 3 },
    [0, 1, 2, 3, 2, 1],
    [30, 40, 50, 60, 50, 40],
  ],
  ['frames in half the time', { from: 1, speed: 2 }, [1, 2, 3, 4, 5], [20, 25, 30, 35, 40]],
  ['frames in three times the time', { to: 1, speed: 1 / 3 }, [0, 1], [90, 120]],
  ['each frame for the given delay', { to: 2, delay: 500 }, [0, 1, 2], [500, 500, 500]],
]

for (const [label, params, order, delaysMs] of picked) {
  test(`shows ${label}: ${JSON.stringify(params)}`, async () => {
    const image = await run(six, params)
    assert.deepEqual(await colorsOf(image), order)
    assert.deepEqual([image.animation?.delaysMs, image.animation?.loops], [delaysMs, 5])
  })
}

test('a single selected frame is a still image', async () => {
  for (const [params, color] of [
    [{ index: 2 }, 2],
    [{ index: -1 }, 5],
    [{ index: -6 }, 0],
    [{ from: 4, to: 4 }, 4],
  ] as const) {
    const image = await run(six, params)
    assert.equal(image.animation, undefined)
    assert.deepEqual(await colorsOf(image), [color])
  }
})

test('loop sets how often it plays', async () => {
  assert.equal((await run(six, { loop: 0 })).animation?.loops, 0)
  assert.equal((await run(six, { loop: 1 })).animation?.loops, 1)
})

test('a still image is an animation with one frame', async () => {
  const still = painted(2, 2, () => [7, 7, 7])
  assert.equal(await run(still, { order: 'boomerang', speed: 2 }), still)
  await assert.rejects(
    run(still, { index: 1 }),
    isFault('input_invalid', /Frame 1 doesn't exist. The image has 1 frame/),
  )
})

test('rejects a frame that does not exist, with the valid indexes', async () => {
  for (const params of [{ index: 6 }, { to: 6 }, { from: 6 }]) {
    await assert.rejects(
      run(six, params),
      isFault('input_invalid', /Frame 6 doesn't exist. The image has 6 frames: 0 to 5/),
    )
  }
  await assert.rejects(run(six, { index: -7 }), isFault('input_invalid', /Frame -7 doesn't exist/))
  await assert.rejects(run(six, { from: 4, to: 2 }), isFault('input_invalid', /"from" must not be after "to"/))
})

test('rejects a speed that browsers would not show, and accepts frames that were already too short', async () => {
  await assert.rejects(run(six, { speed: 2 }), isFault('input_invalid', /frame 0 would last 15 ms/))
  const hasty = moving(2, 2, [10, 10], (_x, _y, frame) => [frame, 0, 0])
  assert.deepEqual((await run(hasty, { order: 'reverse' })).animation?.delaysMs, [10, 10])
})

test('rejects contradictory params when the workflow is saved', () => {
  for (const params of [{ index: 1, from: 0 }, { index: 1, every: 2 }, { speed: 2, delay: 100 }, { delay: 19 }]) {
    assert.equal(checker(frames.params)(structuredClone(params)).length, 1, JSON.stringify(params))
  }
})

async function colorsOf(image: ImageValue): Promise<(number | undefined)[]> {
  return Promise.all((await framesOf(image, context)).map(async (frame) => (await pixelsOf(frame, context)).data[0]))
}
