import Type from 'typebox'
import { failure } from '../../errors.ts'
import { copyPixels } from '../../imaging/raster/copy.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { framesOf, imageFromFrames } from '../../imaging/raster/read/frames.ts'
import type { Animation, ImageValue } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'

const orders = ['forward', 'reverse', 'boomerang'] as const

/** Browsers show shorter frames for a tenth of a second. */
const shortestMs = 20

/** Duration for a still image. */
const defaultMs = 100

const frame = { minimum: -limits.framesMax, maximum: limits.framesMax - 1 }

export const frames = defineOperation({
  id: 'frames',
  version: 1,
  title: 'Frames',
  summary: 'Selects frames of an animation and changes its speed, order and number of repeats.',
  keywords: ['gif', 'speed', 'slow motion', 'reverse', 'loop', 'boomerang', 'extract frame'],
  group: 'animation',
  inputs: { image: socket.one('The animation. A still image is treated as an animation with one frame.') },
  params: Type.Object(
    {
      index: Type.Optional(
        Type.Integer({
          ...frame,
          title: 'Index',
          description:
            'Return only this frame, as a still image: 0 is the first, -1 the last. Cannot be combined with `from`, `to` or `every`.',
        }),
      ),
      from: Type.Optional(
        Type.Integer({
          ...frame,
          title: 'From',
          description: 'First frame to keep; -1 is the last. Default: 0.',
        }),
      ),
      to: Type.Optional(
        Type.Integer({
          ...frame,
          title: 'To',
          description: 'Last frame to keep; -1 is the last. Default: -1.',
        }),
      ),
      every: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: limits.framesMax,
          title: 'Every',
          description:
            'Keep every Nth frame. Each kept frame also gets the duration of the dropped frames, so the speed does not change. Default: 1.',
        }),
      ),
      order: Type.Enum([...orders], {
        default: 'forward',
        title: 'Order',
        description: 'Playback order. boomerang plays to the last frame and back again.',
      }),
      speed: Type.Optional(
        Type.Number({
          minimum: 0.01,
          maximum: 100,
          title: 'Speed',
          description:
            'Playback speed: 2 is twice as fast, 0.5 half as fast. Default: 1. Cannot be combined with `delay`.',
        }),
      ),
      delay: Type.Optional(
        Type.Integer({
          minimum: shortestMs,
          maximum: limits.frameMsMax,
          title: 'Delay',
          description: 'Duration of each frame. Default: unchanged.',
          'x-unit': 'ms',
        }),
      ),
      loop: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 65_535,
          title: 'Loop',
          description: 'Number of times that the animation plays; 0 for endlessly. Default: unchanged.',
        }),
      ),
    },
    {
      additionalProperties: false,
      allOf: [
        { not: { required: ['index', 'from'] } },
        { not: { required: ['index', 'to'] } },
        { not: { required: ['index', 'every'] } },
        { not: { required: ['speed', 'delay'] } },
      ],
    },
  ),
  outputs: { image: 'The frames as an animation; a single frame is a still image.' },
  alpha: 'kept',
  frames: 'whole',
  deterministic: true,
  examples: [
    { name: 'one frame', inputs: { image: 'ball.gif' }, params: { index: 2 } },
    { name: 'a range', inputs: { image: 'star.png' }, params: { from: 1, to: -2, delay: 200 } },
    {
      name: 'every other, to and fro',
      inputs: { image: 'ball.gif' },
      params: { every: 2, order: 'boomerang', loop: 1 },
    },
  ],

  async run({ image }, { index, order, speed = 1, delay, loop, ...range }, context) {
    const { delaysMs = [defaultMs], loops = 0 } = image.animation ?? {}
    const selected =
      index === undefined ? rangeOf(delaysMs, range) : [{ at: indexFromStart(index, delaysMs.length), delayMs: 0 }]
    const timed = selected.map(({ at, delayMs }) => ({ at, delayMs: delay ?? Math.round(delayMs / speed) }))
    checkTimes(timed, selected, speed)
    return { image: await withFrames(image, ordered(timed, order), loop ?? loops, context) }
  },
})

interface FrameTiming {
  /** The index of a frame. */
  at: number
  delayMs: number
}

function rangeOf(delaysMs: number[], { from = 0, to = -1, every = 1 }: { from?: number; to?: number; every?: number }) {
  const [first, last] = [indexFromStart(from, delaysMs.length), indexFromStart(to, delaysMs.length)]
  if (first > last) {
    throw failure(
      'input_invalid',
      `"from" must not be after "to": frame ${first} (from ${from}) comes after frame ${last} (to ${to}).`,
    )
  }
  const timings: FrameTiming[] = []
  for (let at = first; at <= last; at += every) {
    const end = Math.min(at + every, last + 1)
    timings.push({ at, delayMs: delaysMs.slice(at, end).reduce((sum, delay) => sum + delay, 0) })
  }
  return timings
}

function indexFromStart(index: number, count: number): number {
  const at = index < 0 ? count + index : index
  if (at >= 0 && at < count) return at
  throw failure(
    'input_invalid',
    `Frame ${index} doesn't exist. The image has ${count} ${count === 1 ? 'frame' : 'frames'}: 0 to ${count - 1}, or ${-count} to -1 from the end.`,
  )
}

/** Neither end is shown twice in a row. */
function ordered(timings: FrameTiming[], order: (typeof orders)[number]): FrameTiming[] {
  if (order === 'forward') return timings
  if (order === 'reverse') return timings.toReversed()
  return [...timings, ...timings.slice(1, -1).reverse()]
}

function checkTimes(timed: FrameTiming[], before: FrameTiming[], speed: number): void {
  for (const [index, { at, delayMs }] of timed.entries()) {
    if (delayMs >= shortestMs || delayMs === before[index]?.delayMs) continue
    throw failure(
      'input_invalid',
      `At speed ${speed}, frame ${at} would last ${delayMs} ms. Browsers show frames shorter than ${shortestMs} ms for 100 ms. Set "every" to 2 or more to drop frames.`,
    )
  }
}

async function withFrames(
  image: ImageValue,
  timings: FrameTiming[],
  loops: number,
  context: OperationContext,
): Promise<ImageValue> {
  const all = await framesOf(image, context)
  const chosen = timings.map(({ at }) => all[at] ?? image)
  if (chosen.length === 1 && image.animation) return copied(chosen[0] ?? image, context)
  const animation: Animation = { delaysMs: timings.map(({ delayMs }) => delayMs), loops }
  return imageFromFrames(chosen, animation)
}

/** Frames that were decoded together share one buffer, which a single frame would keep in memory. */
async function copied(frame: ImageValue, context: OperationContext): Promise<ImageValue> {
  const pixels = await pixelsOf(frame, context)
  return imageFromPixels({ ...pixels, data: await copyPixels(pixels, context) })
}
