import Type from 'typebox'
import { imageFromPixels } from '../../imaging/raster/image.ts'
import { composeSheet, type Placed } from '../../imaging/raster/layer/sheet.ts'
import { type Size, times } from '../../imaging/raster/shape/scaled.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { defineOperation, socket } from '../define.ts'
import { pixels, sheetStyle } from '../shared/params.ts'

const matches = ['none', 'smallest', 'largest'] as const

export const stack = defineOperation({
  id: 'stack',
  version: 1,
  title: 'Stack',
  summary: 'Stacks images in a column or a row.',
  keywords: [
    'merge',
    'join',
    'append',
    'concatenate',
    'stitch',
    'side by side',
    'column',
    'row',
    'layout',
    'combine',
    'align',
  ],
  group: 'combine',
  inputs: { images: socket.many('The images, from top to bottom or from left to right.') },
  params: Type.Object(
    {
      direction: Type.Enum(['vertical', 'horizontal'], {
        default: 'vertical',
        title: 'Direction',
        description: 'vertical: a column; horizontal: a row.',
      }),
      align: Type.Enum(['start', 'center', 'end'], {
        default: 'center',
        title: 'Align',
        description: 'Alignment of smaller images: left, middle or right in a column; top, middle or bottom in a row.',
      }),
      match: Type.Optional(
        Type.Enum([...matches], {
          title: 'Match',
          description:
            'Scale all images to the same width in a column, or the same height in a row: that of the smallest or largest image. Default: no scaling. Cannot be combined with `size`.',
        }),
      ),
      size: Type.Optional(
        pixels({
          minimum: 1,
          title: 'Size',
          description: 'Scale all images to this width in a column, or this height in a row.',
        }),
      ),
      gap: pixels({ default: 0, title: 'Gap', description: 'Space between images.' }),
      padding: pixels({ default: 0, title: 'Padding', description: 'Space around the stack.' }),
      ...sheetStyle(),
    },
    { additionalProperties: false, allOf: [{ not: { required: ['match', 'size'] } }] },
  ),
  outputs: { image: 'The stacked images as one image.' },
  alpha: 'made',
  frames: 'each',
  deterministic: true,
  examples: [
    {
      name: 'a column',
      inputs: { images: ['coffee.jpg', 'badge.png'] },
      params: { gap: 8, padding: 8, background: '#fff9db' },
    },
    {
      name: 'a row of one height',
      inputs: { images: ['cat.jpg', 'badge.png', 'coffee.jpg'] },
      params: { direction: 'horizontal', size: 100, gap: 6 },
    },
    {
      name: 'at the bottom',
      inputs: { images: ['badge.png', 'coffee.jpg'] },
      params: { direction: 'horizontal', align: 'end' },
    },
  ],

  async run({ images }, { direction, align, match = 'none', size, gap, padding, ...style }, context) {
    const isColumn = direction === 'vertical'
    const sizes = sizesOf(images, isColumn ? 'width' : 'height', size ?? match)
    const widest = Math.max(...sizes.map(({ width }) => width))
    const highest = Math.max(...sizes.map(({ height }) => height))
    let along = padding
    const placements = images.map((image, index): Placed => {
      const size = sizes[index] ?? image
      const x = isColumn ? padding + Math.floor((widest - size.width) * shares[align]) : along
      const y = isColumn ? along : padding + Math.floor((highest - size.height) * shares[align])
      along += gap + (isColumn ? size.height : size.width)
      return { image, x, y, width: size.width, height: size.height }
    })
    const length = along - gap + padding
    const [width, height] = isColumn ? [widest + 2 * padding, length] : [length, highest + 2 * padding]
    return { image: imageFromPixels(await composeSheet({ width, height, ...style }, placements, context)) }
  },
})

const shares = { start: 0, center: 0.5, end: 1 }

function sizesOf(images: ImageValue[], side: 'width' | 'height', match: number | (typeof matches)[number]): Size[] {
  if (match === 'none') return images
  const sides = images.map((image) => image[side])
  const common = typeof match === 'number' ? match : match === 'largest' ? Math.max(...sides) : Math.min(...sides)
  return images.map((image) => times(image, common / image[side]))
}
