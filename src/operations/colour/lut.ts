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
  summary: 'Applies a look-up table (LUT): a .cube file, its text, or a Hald image.',
  keywords: ['color grading', 'color lookup', 'preset', 'film look', 'cube'],
  group: 'colour',
  inputs: {
    image: socket.one('The image to grade.'),
    hald: socket.optional(
      'The look as a Hald image, graded like the result: a square of 8, 27, 64, 125, 216, 343 or 512 pixels per side.',
    ),
  },
  params: Type.Object(
    {
      source: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: limits.urlCharsMax,
          title: 'Source',
          description: 'The http(s) URL of a .cube file, 1D or 3D. Cannot be combined with `cube` or `hald`.',
        }),
      ),
      cube: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: limits.lutCharsMax,
          title: 'Cube',
          description: 'The text of a .cube file. Cannot be combined with `source` or `hald`.',
          'x-widget': 'textarea',
        }),
      ),
      amount: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 1,
        title: 'Amount',
        description: 'Strength: 0 is unchanged, 1 is the full look.',
      }),
    },
    { additionalProperties: false, not: { required: ['source', 'cube'] } },
  ),
  outputs: { image: 'The graded image; transparency does not change.' },
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
  const looks = Object.entries({ hald, source, cube }).filter(([, look]) => look !== undefined)
  if (looks.length !== 1) {
    const names = looks.map(([name]) => `\`${name}\``).join(' and ')
    throw failure(
      'input_invalid',
      `Set exactly one of "source", "cube" and the input "hald", not ${names || 'none of them'}.`,
    )
  }
  if (hald) {
    checkHald(hald)
    return haldLut(await pixelsOf(hald, context))
  }
  const key = source ?? cube ?? ''
  // Every frame of an animation and every item of a list has the same look, which is fetched and parsed once per
  // execution.
  const known = read.get(context) ?? new Map<string, Promise<Lut>>()
  read.set(context, known)
  const found = known.get(key) ?? (source === undefined ? parseCube(key, context) : download(source, context))
  known.set(key, found)
  return found
}

const read = new WeakMap<OperationContext, Map<string, Promise<Lut>>>()

async function download(source: string, context: OperationContext): Promise<Lut> {
  const { bytes } = await context.open(source)
  if (bytes.length > limits.lutBytesMax) {
    throw failure(
      'limit_exceeded',
      `The .cube file has ${bytes.length} bytes; the maximum is ${limits.lutBytesMax}. Use a table with fewer points.`,
    )
  }
  const format = sniff(bytes)
  if (format) {
    throw failure(
      'input_invalid',
      `"source" must be a .cube file, but it is an image (${format}). Connect a Hald image to "hald" instead.`,
    )
  }
  return parseCube(bytes.toString('utf8'), context)
}

/** The results for black, red, green, yellow, blue, magenta, cyan and white. */
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
