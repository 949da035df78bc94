import Type from 'typebox'
import { parseColor } from '../../imaging/raster/color.ts'
import { framed } from '../../imaging/raster/effect/mark-areas.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { packageVersionKey } from '../../local-models/define-model.ts'
import { ppocr } from '../../local-models/ppocr.ts'
import { readText } from '../../local-models/read-text.ts'
import type { TextLine } from '../../local-models/reading-order.ts'
import { defineOperation, socket } from '../define.ts'
import { color } from '../shared/params.ts'

const px = (description: string) => Type.Integer({ description: `${description}, in pixels of the image.` })

export const ocr = defineOperation({
  id: 'ocr',
  version: 1,
  title: 'Read text',
  summary: 'Reads text in the image (OCR): Latin letters and Chinese, printed or photographed.',
  keywords: ['text recognition', 'image to text', 'extract text', 'recognize', 'scan'],
  group: 'analyse',
  inputs: { image: socket.one('The image to read.') },
  params: Type.Object(
    {
      draw: Type.Enum(['nothing', 'frame'], {
        default: 'nothing',
        title: 'Draw',
        description: 'nothing: return the image unchanged; frame: draw a box around each piece of text.',
      }),
      color: color({ default: '#ff3b6b', title: 'Colour', description: 'Colour of the frames.' }),
      minScore: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.65,
        title: 'Minimum score',
        description: 'Minimum confidence of the model for a piece of text.',
        'x-advanced': true,
      }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The image, with frames around its text if `draw` is frame.',
    values: {
      text: Type.String({
        description: 'The full text: rows from top to bottom, with spaces between the pieces of a row.',
      }),
      count: Type.Integer({ description: 'Number of pieces of text.' }),
      lines: Type.Array(
        Type.Object({
          text: Type.String({ description: 'Text of the piece.' }),
          score: Type.Number({ description: 'Confidence of the model, 0 to 1.' }),
          x: px('Left edge of the box'),
          y: px('Top edge of the box'),
          width: px('Width of the box'),
          height: px('Height of the box'),
        }),
        { description: 'The pieces of text in reading order, each on one row.' },
      ),
    },
  },
  alpha: 'kept',
  frames: 'first',
  deterministic: true,
  reads: { models: () => [packageVersionKey(ppocr)] },
  examples: [
    { name: 'a receipt', inputs: { image: 'receipt.png' }, params: { draw: 'frame' }, requires: ppocr.name },
    { name: 'nothing to read', inputs: { image: 'cat.jpg' }, params: { draw: 'frame' }, requires: ppocr.name },
  ],

  async run({ image }, { draw, color: frameColor, minScore }, context) {
    const pixels = await pixelsOf(image, context)
    const rows = await readText(pixels, minScore, context)
    const text = rows.map((row) => row.map((line) => line.text).join(' ')).join('\n')
    const lines = rows.flat().map(rounded)
    const values = { text, count: lines.length, lines }
    if (draw === 'nothing' || lines.length === 0) return { image, ...values }
    const line = Math.max(1, Math.round(Math.max(image.width, image.height) / 400))
    const drawn = await framed(pixels, lines, { color: parseColor(frameColor), line }, context)
    return { image: imageFromPixels(drawn), ...values }
  },
})

/** More digits carry no information and differ between processors. */
function rounded(line: TextLine): TextLine {
  return { ...line, score: Math.round(line.score * 1_000) / 1_000 }
}
