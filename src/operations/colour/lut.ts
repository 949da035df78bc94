import Type from 'typebox'
import { failure } from '../../errors.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { sniff } from '../../imaging/raster/read/sniff.ts'
import { parseCube } from '../../imaging/raster/tone/cube.ts'
import { applyLut, checkHald, haldLut, type Lut } from '../../imaging/raster/tone/lut.ts'
import { mixed } from '../../imaging/raster/tone/table.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'

export const lut = defineOperation({
  id: 'lut',
  version: 1,
  title: 'LUT',
  summary: 'Gives the image a look from a look-up table: a .cube file, its text, or a Hald image.',
  group: 'colour',
  inputs: {
    image: socket.one('The image to grade.'),
    hald: socket.optional(
      'The look as a Hald image: one of 8, 27, 64, 125, 216, 343 or 512 pixels a side, graded as the image is to be.',
    ),
  },
  params: Type.Object(
    {
      source: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: limits.urlCharsMax,
          title: 'Source',
          description: 'The http(s) URL of a .cube file, 1D or 3D. Not together with `cube` or `hald`.',
        }),
      ),
      cube: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: limits.lutCharsMax,
          title: 'Cube',
          description: 'The text of a .cube file itself. Not together with `source` or `hald`.',
          'x-widget': 'textarea',
        }),
      ),
      amount: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 1,
        title: 'Amount',
        description: 'How far: 0 unchanged, 1 the look alone.',
      }),
    },
    { additionalProperties: false, not: { required: ['source', 'cube'] } },
  ),
  outputs: { image: 'The graded image; what was transparent stays so.' },
  alpha: 'kept',
  frames: 'each',
  // A file on the web may change.
  deterministic: false,
  reads: { sources: ['source'] },
  examples: [
    { name: 'teal and orange', inputs: { image: 'coffee.jpg' }, params: { cube: tealAndOrange() } },
    { name: 'a hald image', inputs: { image: 'cat.jpg', hald: 'hald.png' }, params: {} },
    { name: 'in part', inputs: { image: 'cat.jpg', hald: 'hald.png' }, params: { amount: 0.5 } },
    { name: 'a curve for each channel', inputs: { image: 'coffee.jpg' }, params: { cube: fadedBlue() } },
    { name: 'with alpha', inputs: { image: 'badge.png', hald: 'hald.png' }, params: {} },
  ],

  async run({ image, hald }, { source, cube, amount }, context) {
    const table = await lutOf({ hald, source, cube }, context)
    const pixels = await pixelsOf(image, context)
    return { image: imageFromPixels(await mixed(pixels, await applyLut(pixels, table, context), amount, context)) }
  },
})

interface Looks {
  hald: ImageValue | undefined
  source: string | undefined
  cube: string | undefined
}

async function lutOf({ hald, source, cube }: Looks, context: OperationContext): Promise<Lut> {
  const given = Object.entries({ hald, source, cube }).filter(([, look]) => look !== undefined)
  if (given.length !== 1) {
    const names = given.map(([name]) => `\`${name}\``).join(' and ')
    throw failure(
      'input_invalid',
      `The look comes from one of \`source\`, \`cube\` and the socket \`hald\`; there is ${names || 'none of them'}.`,
    )
  }
  if (hald) {
    checkHald(hald)
    return haldLut(await pixelsOf(hald, context))
  }
  const key = source ?? cube ?? ''
  // Every frame of an animation, and every item of a list, has the same look: it is fetched and read once an execution.
  const known = read.get(context) ?? new Map<string, Promise<Lut>>()
  read.set(context, known)
  const found = known.get(key) ?? (source === undefined ? parseCube(key, context) : download(source, context))
  known.set(key, found)
  return found
}

const read = new WeakMap<OperationContext, Map<string, Promise<Lut>>>()

async function download(source: string, context: OperationContext): Promise<Lut> {
  const bytes = await context.open(source)
  if (bytes.length > limits.lutBytesMax) {
    throw failure('limit_exceeded', `The .cube file has ${bytes.length} bytes; at most ${limits.lutBytesMax} are read.`)
  }
  const format = sniff(bytes)
  if (format) {
    throw failure(
      'input_invalid',
      `\`source\` is an image (${format}), not a .cube file; a Hald image goes to \`hald\`.`,
    )
  }
  return parseCube(bytes.toString('utf8'), context)
}

/** What black, red, green, yellow, blue, magenta, cyan and white become. */
function tealAndOrange(): string {
  return cubeOf('LUT_3D_SIZE 2', [
    [0, 0.03, 0.06],
    [1, 0.27, 0.05],
    [0.1, 0.62, 0.42],
    [1, 0.84, 0.42],
    [0, 0.22, 0.62],
    [0.86, 0.26, 0.52],
    [0.2, 0.78, 0.86],
    [1, 0.97, 0.9],
  ])
}

function fadedBlue(): string {
  return cubeOf('LUT_1D_SIZE 3', [
    [0.06, 0.06, 0.22],
    [0.5, 0.48, 0.5],
    [0.98, 0.96, 0.8],
  ])
}

function cubeOf(size: string, entries: number[][]): string {
  return `${[size, ...entries.map((entry) => entry.join(' '))].join('\n')}\n`
}
