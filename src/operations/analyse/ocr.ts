import Type from 'typebox'
import { parseColor } from '../../imaging/raster/color.ts'
import { framed } from '../../imaging/raster/effect/cover.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { modelVersionKey } from '../../local-models/define-model.ts'
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
  summary: 'Reads the text in the image: Latin letters and Chinese, printed or photographed.',
  group: 'analyse',
  inputs: { image: socket.one('The image to read.') },
  params: Type.Object(
    {
      draw: Type.Enum(['nothing', 'frame'], {
        default: 'nothing',
        title: 'Draw',
        description: 'nothing: the image is handed on as it is; frame: each piece of text gets a box.',
      }),
      color: color({ default: '#ff3b6b', title: 'Colour', description: 'Of the frames.' }),
      minScore: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.65,
        title: 'Least score',
        description: 'How sure the model must be of a piece of text.',
        'x-advanced': true,
      }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The image, with frames around its text where asked.',
    values: {
      text: Type.String({
        description: 'All that was read: rows from the top, and what stands in one row with spaces between.',
      }),
      count: Type.Integer({ description: 'How many pieces of text there are.' }),
      lines: Type.Array(
        Type.Object({
          text: Type.String({ description: 'What stands there.' }),
          score: Type.Number({ description: 'How sure the model is, 0 to 1.' }),
          x: px('Left edge of the box'),
          y: px('Top edge of the box'),
          width: px('Its width'),
          height: px('Its height'),
        }),
        { description: 'The pieces, each of one row, in the order of reading.' },
      ),
    },
  },
  alpha: 'kept',
  frames: 'first',
  deterministic: true,
  reads: { models: () => [modelVersionKey(ppocr)] },
  examples: [
    { name: 'a receipt', inputs: { image: 'receipt.png' }, params: { draw: 'frame' }, requires: ppocr.name },
    { name: 'nothing to read', inputs: { image: 'cat.jpg' }, params: { draw: 'frame' }, requires: ppocr.name },
  ],

  async run({ image }, { draw, color: frameColor, minScore }, context) {
    const pixels = await pixelsOf(image, context)
    const rows = await readText(pixels, minScore, context)
    const text = rows.map((row) => row.map((line) => line.text).join(' ')).join('\n')
    const lines = rows.flat().map(rounded)
    const told = { text, count: lines.length, lines }
    if (draw === 'nothing' || lines.length === 0) return { image, ...told }
    const line = Math.max(1, Math.round(Math.max(image.width, image.height) / 400))
    const drawn = await framed(pixels, lines, { color: parseColor(frameColor), line }, context)
    return { image: imageFromPixels(drawn), ...told }
  },
})

/** A score of five digits says nothing more, and differs from processor to processor. */
function rounded(line: TextLine): TextLine {
  return { ...line, score: Math.round(line.score * 1_000) / 1_000 }
}
