import Type from 'typebox'
import { alphaByte, parseColor } from '../../imaging/raster/color.ts'
import { imageFromPixels, pixelsOf, sharpOf, toPixels } from '../../imaging/raster/image.ts'
import { tilePixels } from '../../imaging/raster/shape/tile.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import { limits } from '../../limits.ts'
import { defineOperation, socket } from '../define.ts'
import { color, pixels } from '../shared/params.ts'

const offset = { minimum: -limits.sidePixelsMax, maximum: limits.sidePixelsMax, default: 0, 'x-unit': 'px' }

export const tile = defineOperation({
  id: 'tile',
  version: 1,
  title: 'Tile',
  summary: 'Repeats the image in both directions to fill an area.',
  keywords: ['repeat', 'pattern', 'wallpaper', 'background'],
  group: 'geometry',
  inputs: { image: socket.one('The image to repeat; it sets the size of a tile.') },
  params: Type.Object(
    {
      width: pixels({ minimum: 1, title: 'Width', description: 'Width of the result.' }),
      height: pixels({ minimum: 1, title: 'Height', description: 'Height of the result.' }),
      x: Type.Integer({ ...offset, title: 'Left', description: 'Position of the left edge of one tile.' }),
      y: Type.Integer({ ...offset, title: 'Top', description: 'Position of the top edge of one tile.' }),
      gap: pixels({ default: 0, title: 'Gap', description: 'Space between tiles.' }),
      brick: Type.Boolean({
        default: false,
        title: 'Brick',
        description: 'Shift every other row by half a tile, like bricks.',
      }),
      background: color({ default: 'transparent', title: 'Background', description: 'Colour of the gaps.' }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The pattern. Tiles at the edges are cropped.' },
  alpha: 'moved',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'a pattern', inputs: { image: 'badge.png' }, params: { width: 300, height: 200 } },
    {
      name: 'a wall',
      inputs: { image: 'coffee.jpg' },
      params: { width: 320, height: 240, gap: 6, brick: true, background: '#f1f3f5', x: -60, y: -40 },
    },
    {
      name: 'transparent gaps',
      inputs: { image: 'cat.jpg' },
      params: { width: 320, height: 200, gap: 10, x: 10, y: 10 },
    },
  ],

  async run({ image }, { width, height, gap, background, ...tiling }, context) {
    checkSize(width, height, context.pixelsMax)
    const fill = parseColor(background)
    const source = await pixelsOf(image, context)
    const opens = gap > 0 && fill.alpha < 1 && source.channels === 3
    const cell = opens ? await toPixels(context, (await sharpOf(source)).ensureAlpha()) : source
    const pixel = Buffer.from([fill.r, fill.g, fill.b, alphaByte(fill)].slice(0, cell.channels))
    return { image: imageFromPixels(await tilePixels(cell, pixel, { width, height, gap, ...tiling }, context)) }
  },
})
