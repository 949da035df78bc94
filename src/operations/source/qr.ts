import Type from 'typebox'
import { failure } from '../../errors.ts'
import { type Color, parseColor } from '../../imaging/raster/color.ts'
import { solidColor } from '../../imaging/raster/draw/fill.ts'
import { imageFromPixels } from '../../imaging/raster/image.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import type { Pixels } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import { defineOperation, type OperationContext } from '../define.ts'
import { areaFrame, sizeFrame } from '../shared/frames.ts'
import { color, pixels } from '../shared/params.ts'

export const qr = defineOperation({
  id: 'qr',
  version: 1,
  title: 'QR code',
  summary: 'Generates a QR code from text or a link.',
  keywords: ['link', 'url', 'scan'],
  group: 'source',
  inputs: {},
  params: Type.Object(
    {
      text: Type.String({
        minLength: 1,
        maxLength: limits.qrCharsMax,
        title: 'Text',
        description: 'Content of the QR code.',
      }),
      size: pixels({
        minimum: 21,
        maximum: 4_096,
        default: 256,
        title: 'Size',
        description:
          'Width and height. Every module has the same whole number of pixels; the remaining pixels go to the margin.',
      }),
      margin: Type.Integer({
        minimum: 0,
        maximum: 64,
        default: 4,
        title: 'Margin',
        description: 'Quiet zone around the code; readers need 4.',
        'x-unit': 'modules',
      }),
      color: color({ default: 'black', title: 'Colour', description: 'Colour of the dark modules.' }),
      background: color({ default: 'white', title: 'Background', description: 'Background colour.' }),
      errorCorrection: Type.Enum(['L', 'M', 'Q', 'H'], {
        default: 'M',
        title: 'Error correction',
        description:
          'Share of the code that can be damaged or hidden: L 7 %, M 15 %, Q 25 %, H 30 %. Higher levels make the modules smaller.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The QR code.', drawn: { code: 'The code without its margin.', size: 'The result.' } },
  alpha: 'made',
  frames: 'none',
  deterministic: true,
  examples: [
    { name: 'a link', params: { text: 'https://example.com', size: 132 } },
    {
      name: 'coloured',
      params: {
        text: 'Tintype',
        size: 150,
        margin: 2,
        color: '#364fc7',
        background: 'transparent',
        errorCorrection: 'H',
      },
    },
  ],

  async run(_, { text, size, margin, color, background, errorCorrection }, context) {
    checkSize(size, size, context.pixelsMax)
    const modules = await modulesOf(text, errorCorrection)
    const across = modules.length + 2 * margin
    const scale = Math.floor(size / across)
    if (scale < 1) {
      throw failure(
        'input_invalid',
        `This text needs a code of ${across} modules including its margin. A size of ${size} px is too small; the minimum is ${across} px.`,
      )
    }
    const colors = { dark: parseColor(color), light: parseColor(background) }
    const side = modules.length * scale
    const start = startOf(size, side)
    const code = { x: start, y: start, width: side, height: side }
    return {
      image: imageFromPixels(await draw(modules, scale, size, colors, context)),
      drawn: [
        areaFrame('code', 'box', 'result', code),
        sizeFrame({ width: size, height: size }, { width: { param: 'size' }, height: { param: 'size' } }),
      ],
    }
  },
})

async function modulesOf(text: string, ecc: 'L' | 'M' | 'Q' | 'H'): Promise<boolean[][]> {
  const { encode } = await import('uqr')
  try {
    return encode(text, { ecc, border: 0, boostEcc: false }).data
  } catch (cause) {
    throw failure(
      'input_invalid',
      `The text of ${text.length} characters is too long for a QR code with error correction ${ecc}.`,
      { cause },
    )
  }
}

/** Left and top edge of the code. */
function startOf(size: number, side: number): number {
  return Math.floor((size - side) / 2)
}

/** Whole pixels only, so that every edge is crisp; the rest is distributed around the code. */
async function draw(
  modules: boolean[][],
  scale: number,
  size: number,
  { dark, light }: { dark: Color; light: Color },
  context: OperationContext,
): Promise<Pixels> {
  const channels = dark.alpha < 1 || light.alpha < 1 ? 4 : 3
  const image = await solidColor(size, size, light, context, channels)
  const start = startOf(size, modules.length * scale)
  const module = (await solidColor(scale, 1, dark, context, channels)).data
  const rowBytes = size * channels
  modules.forEach((row, y) => {
    const first = (start + y * scale) * rowBytes
    row.forEach((isDark, x) => {
      if (isDark) module.copy(image.data, first + (start + x * scale) * channels)
    })
    for (let copy = 1; copy < scale; copy += 1) {
      image.data.copyWithin(first + copy * rowBytes, first, first + rowBytes)
    }
  })
  return image
}
