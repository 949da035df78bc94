import Type from 'typebox'
import { failure } from '../../errors.ts'
import { imageFromPixels } from '../../imaging/raster/image.ts'
import { wallOf } from '../../imaging/raster/layer/justified-rows.ts'
import { composeSheet, type Placed } from '../../imaging/raster/layer/sheet.ts'
import { defineOperation, socket } from '../define.ts'
import { pixels, sheetStyle } from '../shared/params.ts'

export const montage = defineOperation({
  id: 'montage',
  version: 1,
  title: 'Montage',
  summary: 'Arranges images of any shape in justified rows of similar height, like a photo wall.',
  keywords: ['collage', 'gallery', 'layout', 'photo wall', 'masonry', 'mosaic'],
  group: 'combine',
  inputs: { images: socket.many('The images in reading order. An image is cropped by at most one pixel.') },
  params: Type.Object(
    {
      width: pixels({ minimum: 1, default: 1_200, title: 'Width', description: 'Width of the result.' }),
      rowHeight: pixels({
        minimum: 1,
        default: 240,
        title: 'Row height',
        description: 'Target height of a row. The actual height depends on the shapes of the images.',
      }),
      lastRow: Type.Enum(['left', 'fill'], {
        default: 'left',
        title: 'Last row',
        description:
          'Last row. left: keep the row height and end early if there are too few images; fill: stretch the row to the full width.',
      }),
      gap: pixels({ default: 8, title: 'Gap', description: 'Space between images.' }),
      padding: pixels({ default: 0, title: 'Padding', description: 'Space around the montage, inside the width.' }),
      ...sheetStyle(),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The montage; its height depends on the images.' },
  alpha: 'made',
  frames: 'each',
  deterministic: true,
  examples: [
    {
      name: 'a wall',
      inputs: { images: ['coffee.jpg', 'badge.png', 'cat.jpg', 'cat.jpg', 'mark.svg', 'coffee.jpg', 'badge.png'] },
      params: { width: 360, rowHeight: 90, gap: 6, padding: 6, background: '#212529', lastRow: 'fill' },
    },
    {
      name: 'a short last row, round corners',
      inputs: { images: ['cat.jpg', 'badge.png', 'coffee.jpg', 'coffee.jpg'] },
      params: { width: 320, rowHeight: 80, gap: 8, radius: 10 },
    },
  ],

  async run({ images }, { width, rowHeight, lastRow, gap, padding, ...style }, context) {
    const room = width - 2 * padding
    const placements =
      room > 0 ? wallOf(images, { width: room, rowHeight, gap, fillLast: lastRow === 'fill' }) : undefined
    if (placements === undefined) {
      throw failure(
        'input_invalid',
        `A montage ${width} px wide with rows of ${rowHeight} px, a padding of ${padding} px and gaps of ${gap} px would make an image narrower than one pixel. Increase the width or the row height.`,
      )
    }
    const moved = placements.flatMap((placement, index): Placed[] => {
      const image = images[index]
      return image ? [{ ...placement, image, x: placement.x + padding, y: placement.y + padding }] : []
    })
    const height = Math.max(...moved.map((placement) => placement.y + placement.height)) + padding
    return { image: imageFromPixels(await composeSheet({ width, height, ...style }, moved, context)) }
  },
})
