import Type from 'typebox'
import { failure } from '../../errors.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { applyTones, tonesOf } from '../../imaging/raster/tone/luma.ts'
import { applyTables, tableOf } from '../../imaging/raster/tone/table.ts'
import { defineOperation, socket } from '../define.ts'

const byte = { minimum: 0, maximum: 255 }

export const levels = defineOperation({
  id: 'levels',
  version: 1,
  title: 'Levels',
  summary: 'Sets the black point, the white point and the brightness of mid-tones.',
  keywords: ['black point', 'white point', 'gamma', 'exposure', 'contrast', 'tones', 'midtones'],
  group: 'colour',
  inputs: { image: socket.one('The image to adjust.') },
  params: Type.Object(
    {
      black: Type.Number({
        ...byte,
        default: 0,
        title: 'Black',
        description: 'Black point, 0 to 255: values up to this become the lowest.',
      }),
      white: Type.Number({
        ...byte,
        default: 255,
        title: 'White',
        description: 'White point, 0 to 255: values from this on become the highest. Must be greater than `black`.',
      }),
      gamma: Type.Number({
        minimum: 0.1,
        maximum: 10,
        default: 1,
        title: 'Gamma',
        description:
          'Brightness of mid-tones: out = in ^ (1 / gamma) between black and white. Values above 1 are brighter.',
      }),
      outBlack: Type.Number({
        ...byte,
        default: 0,
        title: 'Output black',
        description: 'Lowest output value, 0 to 255. If it is greater than the highest, the image becomes a negative.',
      }),
      outWhite: Type.Number({
        ...byte,
        default: 255,
        title: 'Output white',
        description: 'Highest output value, 0 to 255.',
      }),
      channel: Type.Enum(['rgb', 'red', 'green', 'blue', 'luminance'], {
        default: 'rgb',
        title: 'Channel',
        description:
          'Channel to adjust. rgb: all three alike; red, green, blue: only one; luminance: only brightness, which keeps every hue.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The adjusted image; transparency does not change.' },
  alpha: 'kept',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'more contrast', inputs: { image: 'coffee.jpg' }, params: { black: 30, white: 215 } },
    { name: 'brighter middle', inputs: { image: 'cat.jpg' }, params: { gamma: 1.5, channel: 'luminance' } },
    { name: 'faded', inputs: { image: 'coffee.jpg' }, params: { outBlack: 60, outWhite: 235 } },
    { name: 'one channel', inputs: { image: 'coffee.jpg' }, params: { gamma: 1.4, outBlack: 40, channel: 'blue' } },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: { white: 200, gamma: 0.7 } },
  ],

  async run({ image }, { channel, ...range }, context) {
    if (range.white <= range.black) {
      throw failure('input_invalid', `"white" must be greater than "black" (${range.black}), not ${range.white}.`)
    }
    const pixels = await pixelsOf(image, context)
    const formula = (value: number) => level(value, range)
    if (channel === 'luminance') return { image: imageFromPixels(await applyTones(pixels, tonesOf(formula), context)) }
    const [set, same] = [tableOf(formula), tableOf((value) => value)]
    const tableFor = (name: string) => (channel === 'rgb' || channel === name ? set : same)
    return {
      image: imageFromPixels(
        await applyTables(pixels, [tableFor('red'), tableFor('green'), tableFor('blue')], context),
      ),
    }
  },
})

interface Range {
  black: number
  white: number
  gamma: number
  outBlack: number
  outWhite: number
}

/** The formula of GIMP (gimpoperationlevels.c), for a value from 0 to 1. */
function level(value: number, { black, white, gamma, outBlack, outWhite }: Range): number {
  const share = Math.max(0, Math.min(1, (value * 255 - black) / (white - black)))
  return (outBlack + (outWhite - outBlack) * share ** (1 / gamma)) / 255
}
