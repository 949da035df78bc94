import Type from 'typebox'
import { failure } from '../../errors.ts'
import { parseColor } from '../../imaging/raster/color.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { compositeOver } from '../../imaging/raster/layer/over.ts'
import { composeSheet } from '../../imaging/raster/layer/sheet.ts'
import { lineOver, middleOf, split } from '../../imaging/raster/layer/split.ts'
import { intersection, type Rectangle } from '../../imaging/raster/region.ts'
import { scaleTo } from '../../imaging/raster/shape/scaled.ts'
import type { Pixels } from '../../imaging/types.ts'
import type { Label } from '../../imaging/vector/label.ts'
import { limits } from '../../limits.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'
import { color, font, pixels } from '../shared/params.ts'

const label = (title: string, which: string) =>
  Type.String({ maxLength: limits.labelCharsMax, default: '', title, description: `Label in a corner of ${which}.` })

export const beforeAfter = defineOperation({
  id: 'before-after',
  version: 2,
  title: 'Before and after',
  summary: 'Combines two images for comparison: split by a line with a handle, or side by side.',
  keywords: ['compare', 'comparison', 'split', 'slider', 'side by side'],
  group: 'combine',
  inputs: {
    before: socket.one('The first image. The second image is scaled to its size.'),
    after: socket.one('The second image.'),
  },
  params: Type.Object(
    {
      layout: Type.Enum(['split', 'beside', 'below'], {
        default: 'split',
        title: 'Layout',
        description: '`split`: one image with a part of each. `beside`: side by side. `below`: one below the other.',
      }),
      position: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.5,
        title: 'Position',
        description: 'Position of the split line: 0 hides `before`, 1 hides `after`.',
      }),
      angle: Type.Number({
        minimum: -180,
        maximum: 180,
        default: 0,
        title: 'Angle',
        description:
          'Angle of the split line, clockwise: at 0 it is vertical with `before` on the left, at 90 horizontal with `before` above.',
        'x-unit': 'deg',
      }),
      handle: Type.Boolean({
        default: true,
        title: 'Handle',
        description: 'Draw a disc with two arrows in the middle of the line.',
      }),
      lineWidth: Type.Optional(
        pixels({
          maximum: 1_000,
          title: 'Line width',
          description: 'Width of the split line, or of the gap between the images. Default: proportional to the size.',
        }),
      ),
      color: color({ default: 'white', title: 'Colour', description: 'Colour of the line, the handle and the gap.' }),
      beforeLabel: label('Label before', '`before`'),
      afterLabel: label('Label after', '`after`'),
      font: font(),
      fit: Type.Enum(['cover', 'fill', 'exact'], {
        default: 'cover',
        title: 'Fit',
        description:
          'How to fit `after` if its size differs. cover: scale it and crop evenly; fill: stretch; exact: reject.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'Both images in one image.' },
  alpha: 'made',
  frames: 'each',
  deterministic: true,
  reads: { fonts: true },
  examples: [
    {
      name: 'split',
      inputs: { before: 'coffee.jpg', after: 'cat.jpg' },
      params: { beforeLabel: 'Before', afterLabel: 'After' },
    },
    {
      name: 'at an angle',
      inputs: { before: 'coffee.jpg', after: 'cat.jpg' },
      params: { angle: 20, position: 0.6, lineWidth: 3, handle: false },
    },
    {
      name: 'one above the other',
      inputs: { before: 'coffee.jpg', after: 'cat.jpg' },
      params: { angle: 90, color: '#ffd43b', beforeLabel: 'Before', afterLabel: 'After' },
    },
    {
      name: 'beside',
      inputs: { before: 'coffee.jpg', after: 'cat.jpg' },
      params: { layout: 'beside', lineWidth: 4, beforeLabel: 'Before', afterLabel: 'After' },
    },
  ],

  async run({ before, after }, { layout, fit, beforeLabel, afterLabel, ...style }, context) {
    const { width, height } = before
    if (fit === 'exact' && (after.width !== width || after.height !== height)) {
      throw failure(
        'input_invalid',
        `\`before\` is ${width} x ${height} and \`after\` is ${after.width} x ${after.height}. With \`fit: exact\`, both must have the same size. Resize one of them first, or set another "fit".`,
      )
    }
    const [left, right] = await Promise.all([
      pixelsOf(before, context),
      scaleTo(after, before, context, fit === 'fill' ? 'fill' : 'cover'),
    ])
    const unit = Math.min(width, height)
    const lineWidth = style.lineWidth ?? Math.max(2, Math.round(unit / 150))
    const words = { before: beforeLabel, after: afterLabel, font: style.font, size: Math.max(11, unit * 0.05) }

    if (layout === 'split') {
      const drawn = await splitImage(left, right, { ...style, lineWidth }, context)
      const fullImage = { x: 0, y: 0, width, height }
      await writeLabels(drawn, words, { before: fullImage, after: fullImage }, cornersFor(style.angle), context)
      return { image: imageFromPixels(drawn) }
    }
    const isBeside = layout === 'beside'
    const positions = {
      before: { x: 0, y: 0, width, height },
      after: { x: isBeside ? width + lineWidth : 0, y: isBeside ? 0 : height + lineWidth, width, height },
    }
    const size = isBeside ? { width: 2 * width + lineWidth, height } : { width, height: 2 * height + lineWidth }
    const drawn = await composeSheet(
      { ...size, background: style.color, radius: 0 },
      [
        { ...positions.before, image: imageFromPixels(left) },
        { ...positions.after, image: imageFromPixels(right) },
      ],
      context,
    )
    await writeLabels(drawn, words, positions, { before: 'bottom-left', after: 'bottom-left' }, context)
    return { image: imageFromPixels(drawn) }
  },
})

interface SplitStyle {
  position: number
  angle: number
  handle: boolean
  lineWidth: number
  color: string
}

async function splitImage(
  before: Pixels,
  after: Pixels,
  { position, angle, handle, lineWidth, color }: SplitStyle,
  context: OperationContext,
): Promise<Pixels> {
  const line = lineOver(before, angle, position)
  const ink = parseColor(color)
  const drawn = await split(before, after, line, { width: lineWidth, color: ink }, context)
  if (!handle) return drawn
  const { drawHandle } = await import('../../imaging/vector/draw-handle.ts')
  const { cssColor } = await import('../../imaging/vector/css-color.ts')
  const isBright = 0.2126 * ink.r + 0.7152 * ink.g + 0.0722 * ink.b > 128
  const layer = await drawHandle({
    diameter: Math.max(16, Math.min(before.width, before.height) * 0.14),
    color: cssColor(color),
    arrowColor: isBright ? '#343a40' : 'white',
    degrees: angle,
  })
  const middle = middleOf(line, before)
  const corner = { x: Math.round(middle.x - layer.width / 2), y: Math.round(middle.y - layer.height / 2) }
  const region = intersection({ x: 0, y: 0, width: drawn.width, height: drawn.height }, { ...layer, ...corner })
  if (region) await compositeOver(drawn, layer, { ...corner, opacity: 1 }, region)
  return drawn
}

type Corner = 'bottom-left' | 'bottom-right' | 'top-left'

/** Each label in the part of its image: left and right, or above and below. */
function cornersFor(angle: number): { before: Corner; after: Corner } {
  const [across, down] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)]
  const [first, last]: [Corner, Corner] =
    Math.abs(across) >= Math.abs(down) ? ['bottom-left', 'bottom-right'] : ['top-left', 'bottom-left']
  const isTurned = Math.abs(across) >= Math.abs(down) ? across < 0 : down < 0
  return isTurned ? { before: last, after: first } : { before: first, after: last }
}

async function writeLabels(
  target: Pixels,
  { before, after, font, size }: { before: string; after: string; font: string; size: number },
  rooms: { before: Rectangle; after: Rectangle },
  corners: { before: Corner; after: Corner },
  context: OperationContext,
): Promise<void> {
  for (const [text, room, corner] of [
    [before, rooms.before, corners.before],
    [after, rooms.after, corners.after],
  ] as const) {
    if (text.trim() === '') continue
    const { writeLabel } = await import('../../imaging/vector/label.ts')
    const label: Label = {
      text,
      font,
      size,
      weight: 600,
      color: 'white',
      align: corner === 'bottom-right' ? 'right' : 'left',
      verticalAlign: corner === 'top-left' ? 'top' : 'bottom',
      linesMax: 1,
      background: { color: 'rgba(0, 0, 0, 0.55)', padding: size * 0.5, radius: size * 0.5, per: 'text' },
    }
    await writeLabel(target, label, inset(room, Math.round(size * 0.7)), context)
  }
}

function inset({ x, y, width, height }: Rectangle, by: number): Rectangle {
  return { x: x + by, y: y + by, width: Math.max(1, width - 2 * by), height: Math.max(1, height - 2 * by) }
}
