import Type from 'typebox'
import type { Frame } from '../../../shared/frames.ts'
import { parseColor } from '../../imaging/raster/color.ts'
import { encodeBarcode, kinds } from '../../imaging/raster/draw/barcode.ts'
import { type BarcodeLayout, barModules, drawBarcode, layOutBarcode } from '../../imaging/raster/draw/barcode-layout.ts'
import { imageFromPixels } from '../../imaging/raster/image.ts'
import { compositeOver } from '../../imaging/raster/layer/over.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import type { Pixels } from '../../imaging/types.ts'
import { cssColor } from '../../imaging/vector/css-color.ts'
import { limits } from '../../limits.ts'
import { defineOperation, type OperationContext } from '../define.ts'
import { areaFrame, sizeFrame } from '../shared/frames.ts'
import { color } from '../shared/params.ts'

export const barcode = defineOperation({
  id: 'barcode',
  version: 2,
  title: 'Barcode',
  summary: 'Generates a barcode from a number or text, with the text below it.',
  keywords: ['ean', 'upc', 'isbn', 'code 128', 'data matrix', 'product code', 'scan'],
  group: 'source',
  inputs: {},
  params: Type.Object(
    {
      kind: Type.Enum([...kinds], {
        default: 'code128',
        title: 'Kind',
        description:
          'Barcode type. code128: any ASCII text; ean13, ean8, upca, itf14: product numbers; code39: capital letters, digits and -.$/+% ; datamatrix, pdf417: two-dimensional, any text.',
      }),
      text: Type.String({
        minLength: 1,
        maxLength: limits.barcodeCharsMax,
        title: 'Text',
        description:
          'Content of the barcode. You can omit the check digit of ean13, ean8, upca and itf14; a wrong check digit is rejected.',
      }),
      moduleSize: Type.Integer({
        minimum: 1,
        maximum: 64,
        default: 2,
        title: 'Module size',
        description: 'Width of the narrowest bar; all other sizes scale with it.',
        'x-unit': 'px',
      }),
      barHeight: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1_000,
          title: 'Bar height',
          description:
            'Height of the bars. Default: 60 for ean13, ean8 and upca, 40 for the others. Ignored for datamatrix and pdf417.',
          'x-unit': 'modules',
        }),
      ),
      showText: Type.Boolean({
        default: true,
        title: 'Show text',
        description: 'Write the text below the bars. Ignored for datamatrix and pdf417.',
      }),
      quietZone: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 100,
          title: 'Quiet zone',
          description:
            'Empty space on all sides. Default: the required minimum, 11 for ean13, ean8 and upca, 10 for other bars, 2 for datamatrix and pdf417.',
          'x-unit': 'modules',
        }),
      ),
      color: color({ default: 'black', title: 'Colour', description: 'Colour of the bars and the text.' }),
      background: color({ default: 'white', title: 'Background', description: 'Background colour.' }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The barcode.',
    drawn: { code: 'The bars without the quiet zone and the text.', size: 'The result.' },
  },
  alpha: 'made',
  frames: 'none',
  deterministic: true,
  examples: [
    { name: 'an EAN-13', params: { kind: 'ean13', text: '4006381333931' } },
    { name: 'a Code 128', params: { text: 'TINTYPE-2026', barHeight: 28, color: '#1c2a6b' } },
    { name: 'a Data Matrix', params: { kind: 'datamatrix', text: 'https://example.com', moduleSize: 5 } },
    {
      name: 'a PDF417 on transparent',
      params: { kind: 'pdf417', text: 'Boarding pass · Gate 12', background: 'transparent' },
    },
    { name: 'a UPC-A', params: { kind: 'upca', text: '03600029145' } },
  ],

  async run(_, { kind, text, moduleSize, barHeight, showText, quietZone, color, background }, context) {
    const style = { quietZone, withText: showText }
    const layout = layOutBarcode(kind, await encodeBarcode(kind, text, barHeight ?? barModules(kind)), style)
    checkSize(layout.width * moduleSize, layout.height * moduleSize, context.pixelsMax)
    const colors = { color: parseColor(color), background: parseColor(background) }
    const image = await drawBarcode(layout, moduleSize, colors, context)
    if (layout.labels.length > 0) await writeOn(image, layout, { moduleSize, color: cssColor(color) }, context)
    return { image: imageFromPixels(image), drawn: framesOf(layout, moduleSize) }
  },
})

/** The code without its quiet zone and text, and the entire image. */
function framesOf({ width, height, quiet, rows }: BarcodeLayout, moduleSize: number): Frame[] {
  const rowsHeight = rows.reduce((sum, row) => sum + row.height, 0)
  const [start, across] = [quiet * moduleSize, (width - 2 * quiet) * moduleSize]
  const code = { x: start, y: start, width: across, height: rowsHeight * moduleSize }
  const size = { width: width * moduleSize, height: height * moduleSize }
  const bind = { param: 'moduleSize' }
  return [
    areaFrame('code', 'box', 'result', code),
    sizeFrame(size, { width: { ...bind, scale: width }, height: { ...bind, scale: height } }),
  ]
}

async function writeOn(
  image: Pixels,
  { labels, width, labelTop }: BarcodeLayout,
  { moduleSize, color }: { moduleSize: number; color: string },
  context: OperationContext,
): Promise<void> {
  // Loaded with the first text, so that the service starts without it.
  const { drawLabels } = await import('../../imaging/vector/draw-labels.ts')
  const y = labelTop * moduleSize
  const region = { x: 0, y, width: image.width, height: image.height - y }
  const positioned = labels.map(({ text, ...at }) => ({
    text,
    x: at.x * moduleSize,
    baseline: at.baseline * moduleSize,
    size: at.size * moduleSize,
  }))
  const style = { font: 'JetBrains Mono', weight: 500, color, widthMax: width * moduleSize } as const
  await compositeOver(image, await drawLabels(positioned, style, region, context), { x: 0, y, opacity: 1 }, region)
}
