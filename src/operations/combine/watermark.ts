import Type from 'typebox'
import { type Anchor, anchored, anchors } from '../../../shared/anchors.ts'
import type { Frame } from '../../../shared/frames.ts'
import { failure } from '../../errors.ts'
import { toRgba } from '../../imaging/raster/channels.ts'
import { solidColor } from '../../imaging/raster/draw/fill.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { blendOnto } from '../../imaging/raster/layer/overlay.ts'
import type { Rectangle } from '../../imaging/raster/region.ts'
import { turned } from '../../imaging/raster/shape/rotate.ts'
import { insideSize, type Size, scaleTo } from '../../imaging/raster/shape/scaled.ts'
import { tilePixels } from '../../imaging/raster/shape/tile.ts'
import type { Pixels } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'
import { anchorOn, areaFrame, ratioBinds } from '../shared/frames.ts'
import { color, font } from '../shared/params.ts'

export const watermark = defineOperation({
  id: 'watermark',
  version: 2,
  title: 'Watermark',
  summary: 'Adds a logo or text as a watermark, scaled to the size of the image.',
  keywords: ['logo', 'copyright', 'signature', 'brand', 'stamp'],
  group: 'combine',
  inputs: {
    image: socket.one('The image to watermark; it sets the size of the result.'),
    mark: socket.optional('The logo. If nothing is connected, `text` is used.'),
  },
  params: Type.Object(
    {
      text: Type.String({
        maxLength: limits.labelCharsMax,
        default: '',
        title: 'Text',
        description: 'Text of the watermark if no logo is connected.',
      }),
      scale: Type.Number({
        minimum: 0.01,
        maximum: 1,
        default: 0.25,
        title: 'Scale',
        description:
          'Width of the mark, before rotation, as a share of the image width. Reduced if the mark would be taller than the image.',
      }),
      position: Type.Enum([...anchors], {
        default: 'south-east',
        title: 'Position',
        description: 'Position of the mark. If the mark repeats, one copy has this position.',
      }),
      margin: Type.Number({
        minimum: 0,
        maximum: 0.5,
        default: 0.04,
        title: 'Margin',
        description: 'Distance from the sides that `position` names, as a share of the shorter side of the image.',
      }),
      opacity: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.6,
        title: 'Opacity',
        description: 'Opacity of the mark: 0 is invisible, 1 is opaque.',
      }),
      rotate: Type.Number({
        minimum: -180,
        maximum: 180,
        default: 0,
        title: 'Rotate',
        description: 'Rotation of the mark, clockwise.',
        'x-unit': 'deg',
      }),
      repeat: Type.Enum(['none', 'grid', 'brick'], {
        default: 'none',
        title: 'Repeat',
        description: 'Repeat the mark over the entire image. brick: shift every other row by half a mark.',
      }),
      gap: Type.Number({
        minimum: 0,
        maximum: 10,
        default: 0.5,
        title: 'Gap',
        description: 'Space between repeated marks, as a multiple of the shorter side of the mark.',
      }),
      font: font(),
      weight: Type.Integer({
        minimum: 100,
        maximum: 900,
        default: 600,
        title: 'Weight',
        description: 'Font weight: 100 thin, 400 regular, 700 bold, 900 black.',
      }),
      color: color({ default: 'white', title: 'Colour', description: 'Colour of the text.' }),
      shadow: Type.Boolean({
        default: true,
        title: 'Shadow',
        description: 'Add a soft shadow behind the text, so that it is readable on a background of the same colour.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The watermarked image.', drawn: { mark: 'The mark; if it repeats, one of its copies.' } },
  alpha: 'made',
  frames: 'each',
  deterministic: true,
  reads: { fonts: true },
  examples: [
    { name: 'a logo in the corner', inputs: { image: 'coffee.jpg', mark: 'mark.svg' }, params: { opacity: 0.85 } },
    { name: 'a text', inputs: { image: 'cat.jpg' }, params: { text: '© Jane Doe', scale: 0.36, opacity: 0.8 } },
    {
      name: 'a text all over',
      inputs: { image: 'coffee.jpg' },
      params: { text: 'PREVIEW', scale: 0.3, rotate: -30, repeat: 'brick', opacity: 0.4, position: 'center', gap: 0.2 },
    },
    {
      name: 'a logo all over',
      inputs: { image: 'cat.jpg', mark: 'badge.png' },
      params: { scale: 0.16, repeat: 'grid', gap: 0.3, opacity: 0.35, position: 'center' },
    },
    {
      name: 'aslant in the middle',
      inputs: { image: 'cat.jpg' },
      params: {
        text: 'SOLD',
        scale: 0.8,
        rotate: -20,
        position: 'center',
        font: 'Anton',
        color: '#e03131',
        opacity: 0.9,
      },
    },
  ],

  async run({ image, mark }, { position, margin, opacity, rotate, repeat, gap, ...style }, context) {
    const space = Math.round(margin * Math.min(image.width, image.height))
    const room = {
      width: Math.max(1, Math.round(image.width * style.scale)),
      height: Math.max(1, image.height - 2 * space),
    }
    const upright = mark ? await scaleTo(mark, insideSize(mark, room), context) : await textMark(style, room, context)
    const layer = await turned(upright, rotate, context)
    const at = anchored(layer, image, position, space)
    const base = await pixelsOf(image, context)
    const drawn = [markFrame({ ...at, width: layer.width, height: layer.height }, upright, image, { position, rotate })]
    if (repeat === 'none') {
      return { image: imageFromPixels(await blendOnto(base, layer, { ...at, opacity }, context)), drawn }
    }
    const between = Math.round(gap * Math.min(layer.width, layer.height))
    const { width, height } = base
    const tiling = { width, height, ...at, gap: between, brick: repeat === 'brick' }
    const all = await tilePixels(await toRgba(layer, context), Buffer.alloc(4), tiling, context)
    return { image: imageFromPixels(await blendOnto(base, all, { x: 0, y: 0, opacity }, context)), drawn }
  },
})

/** `layer`: the area of the rotated mark. */
function markFrame(
  layer: Rectangle,
  { width, height }: Size,
  image: Size,
  { position, rotate }: { position: Anchor; rotate: number },
): Frame {
  const place = { x: layer.x + (layer.width - width) / 2, y: layer.y + (layer.height - height) / 2, width, height }
  const binds: Frame['binds'] = {
    ...ratioBinds('scale', { width, height }, image.width),
    margin: { param: 'margin', scale: Math.min(image.width, image.height) },
    rotation: { param: 'rotate' },
  }
  return {
    ...areaFrame('mark', 'box', 'result', place, binds),
    anchor: anchorOn(image, position),
    ...(rotate !== 0 && { rotation: rotate }),
  }
}

interface TextStyle {
  text: string
  font: string
  weight: number
  color: string
  shadow: boolean
}

/** A text as large as the space allows. */
async function textMark({ shadow, ...style }: TextStyle, room: Size, context: OperationContext): Promise<Pixels> {
  // Loaded with the first text, so that the service starts without it.
  const { labelPixels, labelSize } = await import('../../imaging/vector/label.ts')
  if (style.text.trim() === '') {
    throw failure('input_invalid', 'The watermark is missing. Connect an image to "mark", or set "text".')
  }
  const labelOf = (size: number) => ({
    ...style,
    size,
    ...(shadow ? { shadow: { x: 0, y: size * 0.02, blur: size * 0.12, color: 'rgba(0, 0, 0, 0.55)' } } : {}),
  })
  const measured = await labelSize(labelOf(sizeMeasured), context)
  const share = Math.min(room.width / measured.width, room.height / measured.height)
  return (await labelPixels(labelOf(sizeMeasured * share), context)) ?? solidColor(1, 1, nothing, context)
}

/** Widths are proportional to the size, except for margins in whole pixels. */
const sizeMeasured = 200
const nothing = { r: 0, g: 0, b: 0, alpha: 0 }
