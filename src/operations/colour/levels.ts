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
  summary: 'Sets what becomes black and what becomes white, and how bright the middle is.',
  group: 'colour',
  inputs: { image: socket.one('The image to set.') },
  params: Type.Object(
    {
      black: Type.Number({
        ...byte,
        default: 0,
        title: 'Black',
        description: 'Values up to this become the lowest, 0 to 255.',
      }),
      white: Type.Number({
        ...byte,
        default: 255,
        title: 'White',
        description: 'Values from this on become the highest, 0 to 255. More than `black`.',
      }),
      gamma: Type.Number({
        minimum: 0.1,
        maximum: 10,
        default: 1,
        title: 'Gamma',
        description: 'Middle tones: out = in ^ (1 / gamma), between black and white. More than 1 is brighter.',
      }),
      outBlack: Type.Number({
        ...byte,
        default: 0,
        title: 'Output black',
        description: 'The lowest value that comes out, 0 to 255. More than the highest: a negative.',
      }),
      outWhite: Type.Number({
        ...byte,
        default: 255,
        title: 'Output white',
        description: 'The highest value that comes out, 0 to 255.',
      }),
      channel: Type.Enum(['rgb', 'red', 'green', 'blue', 'luminance'], {
        default: 'rgb',
        title: 'Channel',
        description:
          'What is set. rgb: all three channels alike; red, green, blue: one of them; luminance: how bright it is, and every hue stays.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The image with its levels set; what was transparent stays so.' },
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
      throw failure('input_invalid', `\`white\` is ${range.white}; it must be more than \`black\`, ${range.black}.`)
    }
    const pixels = await pixelsOf(image, context)
    const formula = (value: number) => level(value, range)
    if (channel === 'luminance') return { image: imageFromPixels(await applyTones(pixels, tonesOf(formula), context)) }
    const [set, same] = [tableOf(formula), tableOf((value) => value)]
    const own = (name: string) => (channel === 'rgb' || channel === name ? set : same)
    return { image: imageFromPixels(await applyTables(pixels, [own('red'), own('green'), own('blue')], context)) }
  },
})

interface Range {
  black: number
  white: number
  gamma: number
  outBlack: number
  outWhite: number
}

/** As GIMP has it (gimpoperationlevels.c), of a value from 0 to 1. */
function level(value: number, { black, white, gamma, outBlack, outWhite }: Range): number {
  const share = Math.max(0, Math.min(1, (value * 255 - black) / (white - black)))
  return (outBlack + (outWhite - outBlack) * share ** (1 / gamma)) / 255
}
