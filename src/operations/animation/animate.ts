import Type from 'typebox'
import { failure } from '../../errors.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { mapSome } from '../../imaging/raster/map-some.ts'
import { roundedDelays } from '../../imaging/raster/read/delays.ts'
import { framesOf, imageFromFrames } from '../../imaging/raster/read/frames.ts'
import { type Fit, fitted } from '../../imaging/raster/shape/fitted.ts'
import { checkFrames } from '../../imaging/raster/size.ts'
import { crossfade } from '../../imaging/raster/write/crossfade.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'
import { color } from '../shared/params.ts'

const delay = { minimum: 20, maximum: limits.frameMsMax, 'x-unit': 'ms' }

export const animate = defineOperation({
  id: 'animate',
  version: 1,
  title: 'Animate',
  summary: 'Combines images into an animation.',
  keywords: ['gif', 'animation', 'slideshow', 'crossfade', 'loop', 'motion', 'fps'],
  group: 'animation',
  inputs: {
    images: socket.many(
      'The frames, in order. The first image sets the size. Animated inputs keep all their frames and timing.',
    ),
  },
  params: Type.Object(
    {
      delay: Type.Optional(
        Type.Integer({
          ...delay,
          title: 'Delay',
          description: 'Duration of each image. Default: 500. Cannot be combined with `fps`.',
        }),
      ),
      fps: Type.Optional(
        Type.Number({
          minimum: 0.1,
          maximum: 50,
          title: 'Frames per second',
          description: 'Images per second. Cannot be combined with `delay`.',
        }),
      ),
      lastDelay: Type.Optional(
        Type.Integer({
          ...delay,
          title: 'Last delay',
          description: 'Duration of the last image, unless it is animated. Default: the same as the others.',
        }),
      ),
      crossfade: Type.Integer({
        minimum: 0,
        maximum: 10_000,
        default: 0,
        title: 'Crossfade',
        description:
          'Duration of the fade from each image to the next, and from the last to the first if the animation repeats. Added to the duration of the images; drawn at 25 frames per second.',
        'x-unit': 'ms',
      }),
      loop: Type.Integer({
        minimum: 0,
        maximum: 65_535,
        default: 0,
        title: 'Loop',
        description: 'Number of times that the animation plays; 0 for endlessly.',
      }),
      fit: Type.Enum(['cover', 'contain', 'fill', 'exact'], {
        default: 'cover',
        title: 'Fit',
        description:
          'How to fit images of another size to the first. cover: fill the size and crop evenly; contain: fit inside, on the background; fill: stretch; exact: reject.',
      }),
      background: color({
        default: 'transparent',
        title: 'Background',
        description: 'Background around contained images and behind transparent areas.',
      }),
    },
    { additionalProperties: false, not: { required: ['delay', 'fps'] } },
  ),
  outputs: { image: 'The animation; for a single still image, that image.' },
  alpha: 'made',
  frames: 'whole',
  deterministic: true,
  examples: [
    { name: 'two photographs', inputs: { images: ['coffee.jpg', 'cat.jpg'] }, params: { delay: 800 } },
    {
      name: 'fading, on a ground',
      inputs: { images: ['ball.gif', 'star.png'] },
      params: { crossfade: 120, loop: 1, fit: 'contain', background: '#fff3bf' },
    },
    {
      name: 'in the size of the first',
      inputs: { images: ['star.png', 'coffee.jpg', 'cat.jpg'] },
      params: { fps: 12.5, background: '#e7f5ff' },
    },
  ],

  async run({ images }, { fps, delay = fps ? 1_000 / fps : 500, lastDelay = delay, loop, ...rest }, context) {
    const [first] = images
    if (first === undefined)
      throw failure('input_invalid', 'No images to animate: connect at least one image to `images`.')
    const fades = images.length === 1 ? 0 : images.length - (loop === 1 ? 1 : 0)
    const steps = Math.round(rest.crossfade / fadeMs) || Math.sign(rest.crossfade)
    const count = images.reduce((sum, { animation }) => sum + (animation?.delaysMs.length ?? 1), fades * steps)
    checkFrames(first.width, first.height, count, context.pixelsMax)
    if (rest.fit === 'exact') checkSizes(images)

    const clips = await mapSome(images, context.signal, (image, at) =>
      clipOf(image, at === images.length - 1 ? lastDelay : delay, { ...rest, size: first }, context),
    )
    const timedFrames: TimedFrame[] = []
    for (const [at, clip] of clips.entries()) {
      timedFrames.push(...clip)
      const next = clips[(at + 1) % clips.length]
      if (at < fades && steps > 0 && next) timedFrames.push(...(await fade(clip, next, steps, rest.crossfade, context)))
    }
    const frames = timedFrames.map(({ frame }) => frame)
    const delays = timedFrames.map(({ delay }) => delay)
    return { image: imageFromFrames(frames, { delaysMs: roundedDelays(delays, 1), loops: loop }) }
  },
})

const fadeMs = 40

interface TimedFrame {
  frame: ImageValue
  /** Milliseconds, including fractions. */
  delay: number
}

async function clipOf(image: ImageValue, delay: number, fit: Fit, context: OperationContext): Promise<TimedFrame[]> {
  const frames = await framesOf(image, context)
  const sized = await mapSome(frames, context.signal, (frame) => fitted(frame, fit, context))
  return sized.map((frame, at) => ({ frame, delay: image.animation?.delaysMs[at] ?? delay }))
}

/** Frames from the last frame of one clip to the first frame of the next. */
async function fade(
  before: TimedFrame[],
  after: TimedFrame[],
  steps: number,
  ms: number,
  context: OperationContext,
): Promise<TimedFrame[]> {
  const [from, to] = [before.at(-1)?.frame, after[0]?.frame]
  if (!from || !to) return []
  const [a, b] = await Promise.all([pixelsOf(from, context), pixelsOf(to, context)])
  const amounts = Array.from({ length: steps }, (_, step) => (step + 1) / (steps + 1))
  const between = await mapSome(amounts, context.signal, (amount) => crossfade(a, b, amount, context))
  return between.map((pixels) => ({ frame: imageFromPixels(pixels), delay: ms / steps }))
}

function checkSizes(images: ImageValue[]): void {
  const [first] = images
  for (const [index, { width, height }] of images.entries()) {
    if (width === first?.width && height === first.height) continue
    throw failure(
      'input_invalid',
      `Image ${index + 1} is ${width} x ${height}, but the first image is ${first?.width} x ${first?.height}. With \`fit: exact\`, all images must have the same size. Resize them first, or set another "fit".`,
    )
  }
}
