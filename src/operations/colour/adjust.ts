import Type from 'typebox'
import { defineOperation, type OperationContext, type Pixels, socket } from '../define.ts'
import { pictureFrom, pixelsOf, sharpOf, toPixels } from '../raster/picture.ts'
import { through } from '../raster/pipeline.ts'
import type { Sharp } from '../raster/sharp.ts'
import { stages } from '../raster/stages.ts'
import { hueRotate, multiply, saturate } from '../raster/tone/matrix.ts'

const factor = { minimum: 0, maximum: 10, default: 1 }

export const adjust = defineOperation({
  id: 'adjust',
  version: 1,
  title: 'Adjust',
  summary: 'Changes brightness, contrast and colours.',
  group: 'colour',
  inputs: { image: socket.one('The image to adjust.') },
  params: Type.Object(
    {
      brightness: Type.Number({
        ...factor,
        title: 'Brightness',
        description: 'Every channel times this: 1 unchanged, 0 black, 2 twice as bright.',
      }),
      lightness: Type.Number({
        minimum: -100,
        maximum: 100,
        default: 0,
        title: 'Lightness',
        description: 'Added to every channel: 0 unchanged, -100 black, 100 white.',
        'x-unit': '%',
      }),
      contrast: Type.Number({
        ...factor,
        title: 'Contrast',
        description: 'Distance from middle grey times this: 1 unchanged, 0 all grey.',
      }),
      saturation: Type.Number({
        ...factor,
        title: 'Saturation',
        description: 'Strength of the colours, as CSS saturate(): 1 unchanged, 0 grey.',
      }),
      hue: Type.Number({
        minimum: -360,
        maximum: 360,
        default: 0,
        title: 'Hue',
        description: 'Turns the colours around the colour wheel, as CSS hue-rotate().',
        'x-unit': 'deg',
      }),
      gamma: Type.Number({
        minimum: 0.34,
        maximum: 3,
        default: 1,
        title: 'Gamma',
        description: 'Middle tones: out = in ^ (1 / gamma), of values from 0 to 1. More than 1 is brighter.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The adjusted image. In this order: gamma; saturation and hue; brightness, contrast, lightness.',
  },
  alpha: 'kept',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'brighter', inputs: { image: 'coffee.jpg' }, params: { brightness: 1.2, contrast: 1.1 } },
    { name: 'strong colours', inputs: { image: 'coffee.jpg' }, params: { saturation: 1.8 } },
    { name: 'other colours', inputs: { image: 'coffee.jpg' }, params: { hue: 120 } },
    { name: 'gamma', inputs: { image: 'coffee.jpg' }, params: { gamma: 1.8, lightness: 5 } },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: { brightness: 0.7, hue: 180, gamma: 0.8 } },
  ],

  stage: ({ gamma, ...values }) => (gamma === 1 ? arithmeticOf(values)?.stage : undefined),

  async run({ image }, { gamma, ...values }, context) {
    const bright = gamma === 1 ? image : pictureFrom(await withGamma(await pixelsOf(image, context), gamma, context))
    const arithmetic = arithmeticOf(values)
    if (arithmetic === undefined) return { image: bright }
    const { width, height, hasAlpha } = bright
    return { image: await through(bright, { ...arithmetic, width, height, hasAlpha }, context) }
  },
})

/** A call of its own: sharp does the two halves of its gamma before and after everything else. */
async function withGamma(pixels: Pixels, gamma: number, context: OperationContext): Promise<Pixels> {
  const source = await sharpOf(pixels)
  if (gamma > 1) source.gamma(1, gamma)
  else source.gamma(1 / gamma, 1)
  return toPixels(context, source)
}

interface Arithmetic {
  brightness: number
  lightness: number
  contrast: number
  saturation: number
  hue: number
}

/** A matrix and a straight line: a fifth of the cost of sharp's modulate, which goes through another colour space. */
function arithmeticOf({ brightness, lightness, contrast, saturation, hue }: Arithmetic) {
  const colors = saturation !== 1 || hue % 360 !== 0
  const slope = brightness * contrast
  const offset = 127.5 * (1 - contrast) + 255 * (lightness / 100)
  const isLine = slope !== 1 || offset !== 0
  if (!colors && !isLine) return undefined
  const tell = (source: Sharp) => {
    if (colors) source.recomb(multiply(hueRotate(hue), saturate(saturation)))
    if (isLine) source.linear([slope, slope, slope], [offset, offset, offset])
  }
  return { stage: colors ? (isLine ? stages.recombLinear : stages.recomb) : stages.linear, tell }
}
