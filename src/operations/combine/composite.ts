import Type from 'typebox'
import { type Anchor, anchored, anchors } from '../../../shared/anchors.ts'
import { toRgba } from '../../imaging/raster/channels.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { multiplyAlpha } from '../../imaging/raster/layer/mask.ts'
import { blendOnto, blends } from '../../imaging/raster/layer/overlay.ts'
import { cut, intersection } from '../../imaging/raster/region.ts'
import type { Point } from '../../imaging/raster/shape/quad.ts'
import { type Size, scaleTo, times } from '../../imaging/raster/shape/scaled.ts'
import { tilePixels } from '../../imaging/raster/shape/tile.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import type { Pixels } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'
import { anchorOn, areaFrame, ratioBinds } from '../shared/frames.ts'
import { pixels } from '../shared/params.ts'

const offset = { minimum: -limits.sidePixelsMax, maximum: limits.sidePixelsMax, 'x-unit': 'px' }

export const composite = defineOperation({
  id: 'composite',
  version: 1,
  title: 'Composite',
  summary: 'Places one image on top of another.',
  keywords: [
    'overlay',
    'blend',
    'blend mode',
    'merge',
    'layer',
    'opacity',
    'transparency',
    'combine',
    'paste',
    'multiply',
    'screen',
    'position',
    'size',
  ],
  group: 'combine',
  inputs: {
    image: socket.one('The background image; it sets the size of the result.'),
    overlay: socket.one('The image on top. Parts outside the background image are cropped.'),
    mask: socket.optionalMask(
      'Limits the overlay to the white area of this mask. The mask is stretched to the size of the image.',
    ),
  },
  params: Type.Object(
    {
      position: Type.Optional(
        Type.Enum([...anchors], {
          title: 'Position',
          description: 'Position of the overlay. Default: center. Cannot be combined with `x` and `y`.',
        }),
      ),
      margin: Type.Optional(
        Type.Integer({
          ...offset,
          title: 'Margin',
          description:
            'Distance from the sides that `position` names. Default: 0. Cannot be combined with `x` and `y`.',
        }),
      ),
      x: Type.Optional(
        Type.Integer({
          ...offset,
          title: 'Left',
          description: 'Distance of the left edge of the overlay from the left edge of the image.',
        }),
      ),
      y: Type.Optional(
        Type.Integer({
          ...offset,
          title: 'Top',
          description: 'Distance of the top edge of the overlay from the top edge of the image.',
        }),
      ),
      width: Type.Optional(
        pixels({
          minimum: 1,
          title: 'Width',
          description:
            'Width of the overlay; its height keeps the aspect ratio. Without it, the overlay has its own size. For another fit, connect `resize`.',
        }),
      ),
      opacity: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 1,
        title: 'Opacity',
        description: 'Opacity of the overlay: 0 is invisible, 1 is opaque.',
      }),
      blend: Type.Enum([...blends], {
        default: 'over',
        title: 'Blend',
        description:
          'Blend mode. over: the overlay covers the image; multiply to add: as in CSS and image editors; atop: only where the image is; in, out: only the overlay, inside or outside the image; xor: only where exactly one of them is; dest-over: the overlay goes behind; dest-in: keep the image where the overlay is (a mask); dest-out: cut the overlay out of the image; dest-atop: dest-in, with the overlay behind.',
      }),
      tile: Type.Boolean({
        default: false,
        title: 'Tile',
        description: 'Repeat the overlay over the entire image. `position` or `x` and `y` place one of the tiles.',
      }),
      gap: pixels({ default: 0, title: 'Gap', description: 'Space between tiles.' }),
      brick: Type.Boolean({
        default: false,
        title: 'Brick',
        description: 'Shift every other row by half a tile.',
      }),
      maskBy: Type.Enum(['luminance', 'alpha'], {
        default: 'luminance',
        title: 'Mask by',
        description: 'Mask values. luminance: brightness multiplied by alpha; alpha: only alpha.',
        'x-advanced': true,
      }),
    },
    {
      additionalProperties: false,
      dependentRequired: { x: ['y'], y: ['x'] },
      allOf: [{ not: { required: ['x', 'position'] } }, { not: { required: ['x', 'margin'] } }],
    },
  ),
  outputs: { image: 'The combined image.', drawn: { overlay: 'The overlay, or one of the tiles.' } },
  alpha: 'made',
  frames: 'each',
  deterministic: true,
  examples: [
    {
      name: 'in a corner',
      inputs: { image: 'coffee.jpg', overlay: 'badge.png' },
      params: { position: 'south-east', margin: 8 },
    },
    {
      name: 'at a point, over the edge',
      inputs: { image: 'coffee.jpg', overlay: 'badge.png' },
      params: { x: -30, y: 12 },
    },
    {
      name: 'as wide as a third',
      inputs: { image: 'coffee.jpg', overlay: 'badge.png' },
      params: { width: 80, position: 'north-west', margin: 8 },
    },
    {
      name: 'half transparent',
      inputs: { image: 'coffee.jpg', overlay: 'badge.png' },
      params: { opacity: 0.5 },
    },
    { name: 'multiplied', inputs: { image: 'coffee.jpg', overlay: 'badge.png' }, params: { blend: 'multiply' } },
    {
      name: 'tiled',
      inputs: { image: 'coffee.jpg', overlay: 'mark.svg' },
      params: { tile: true, gap: 12, brick: true, x: -64, y: -52, opacity: 0.6 },
    },
    {
      name: 'behind a mask',
      inputs: { image: 'coffee.jpg', overlay: 'cat.jpg', mask: 'badge.png' },
      params: { maskBy: 'alpha' },
    },
    { name: 'colour of another', inputs: { image: 'coffee.jpg', overlay: 'cat.jpg' }, params: { blend: 'color' } },
    { name: 'as a mask', inputs: { image: 'coffee.jpg', overlay: 'badge.png' }, params: { blend: 'dest-in' } },
  ],

  drawn(params, { image, overlay }) {
    const size = sizeOf(params, overlay)
    const binds = {
      x: { param: 'x' },
      y: { param: 'y' },
      margin: { param: 'margin' },
      ...ratioBinds('width', overlay),
    }
    return [
      {
        ...areaFrame('overlay', 'box', 'result', { ...placeOf(params, image, size), ...size }, binds),
        anchor: anchorOn(image, params.position ?? 'center'),
        removes: ['position', 'margin'],
      },
    ]
  },

  async run({ image, overlay, mask }, params, context) {
    const { opacity, blend, tile, gap, brick, maskBy } = params
    const size = sizeOf(params, overlay)
    if (params.width !== undefined) checkSize(size.width, size.height, context.pixelsMax)
    const at = placeOf(params, image, size)
    const [below, above] = await Promise.all([pixelsOf(image, context), scaleTo(overlay, size, context)])
    const layer = tile ? await repeated(above, below, { ...at, gap, brick }, context) : above
    const positioned = { layer, ...(tile ? { x: 0, y: 0 } : at) }
    const visibleLayer = mask
      ? await clipToMask(positioned, await scaleTo(mask, below, context), maskBy, context)
      : positioned
    return {
      image: imageFromPixels(
        await blendOnto(below, visibleLayer.layer, { x: visibleLayer.x, y: visibleLayer.y, opacity, blend }, context),
      ),
    }
  },
})

/** The size of the overlay on the image. */
function sizeOf({ width }: { width?: number }, overlay: Size): Size {
  return width === undefined ? overlay : times(overlay, width / overlay.width)
}

function placeOf({ position = 'center', margin = 0, x, y }: Place, image: Size, overlay: Size): Point {
  return x === undefined || y === undefined ? anchored(overlay, image, position, margin) : { x, y }
}

interface Place {
  position?: Anchor
  margin?: number
  x?: number
  y?: number
}

/** Repeats the tile over the entire image, without gaps between the tiles. */
async function repeated(
  tile: Pixels,
  { width, height }: Pixels,
  tiling: { x: number; y: number; gap: number; brick: boolean },
  context: OperationContext,
): Promise<Pixels> {
  const cell = tiling.gap > 0 ? await toRgba(tile, context) : tile
  return tilePixels(cell, Buffer.alloc(cell.channels), { width, height, ...tiling }, context)
}

/** The part of the overlay on the mask, faded by it. */
async function clipToMask(
  positioned: { layer: Pixels; x: number; y: number },
  mask: Pixels,
  by: 'luminance' | 'alpha',
  context: OperationContext,
): Promise<typeof positioned> {
  const { layer, x, y } = positioned
  const region = intersection({ x: 0, y: 0, width: mask.width, height: mask.height }, { ...layer, x, y })
  if (region === undefined) return positioned
  const part = await cut(layer, { ...region, x: region.x - x, y: region.y - y }, context)
  const maskPart = await cut(mask, region, context)
  return { layer: await multiplyAlpha(part, maskPart, { by, invert: false }, context), x: region.x, y: region.y }
}
