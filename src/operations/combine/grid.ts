import Type from 'typebox'
import { imageFromPixels } from '../../imaging/raster/image.ts'
import { composeSheet } from '../../imaging/raster/layer/sheet.ts'
import type { Rectangle } from '../../imaging/raster/region.ts'
import { insideSize, type Size } from '../../imaging/raster/shape/scaled.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import { defineOperation, socket } from '../define.ts'
import { pixels, sheetStyle } from '../shared/params.ts'

export const grid = defineOperation({
  id: 'grid',
  version: 1,
  title: 'Grid',
  summary: 'Arranges images in a grid of equal cells.',
  keywords: ['collage', 'gallery', 'layout', 'columns', 'rows', 'contact sheet', 'combine'],
  group: 'combine',
  inputs: { images: socket.many('The images in the order of the cells: left to right, then top to bottom.') },
  params: Type.Object(
    {
      columns: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: limits.inputWiresMax,
          title: 'Columns',
          description: 'Number of columns. Default: equal to the number of rows, or one more.',
        }),
      ),
      cellWidth: Type.Optional(
        pixels({
          minimum: 1,
          title: 'Cell width',
          description: 'Width of a cell. Default: the width of the widest image, or proportional to `cellHeight`.',
        }),
      ),
      cellHeight: Type.Optional(
        pixels({
          minimum: 1,
          title: 'Cell height',
          description: 'Height of a cell. Default: the height of the tallest image, or proportional to `cellWidth`.',
        }),
      ),
      fit: Type.Enum(['cover', 'contain'], {
        default: 'cover',
        title: 'Fit',
        description:
          'How to fit an image to its cell. cover: fill the cell and crop evenly; contain: fit inside, on the background.',
      }),
      gap: pixels({ default: 0, title: 'Gap', description: 'Space between cells.' }),
      padding: pixels({ default: 0, title: 'Padding', description: 'Space around the grid.' }),
      ...sheetStyle(),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The grid. Empty cells show the background.' },
  alpha: 'made',
  frames: 'each',
  deterministic: true,
  examples: [
    {
      name: 'two by two',
      inputs: { images: ['coffee.jpg', 'cat.jpg', 'cat.jpg', 'coffee.jpg'] },
      params: { cellWidth: 120, cellHeight: 90, gap: 6, padding: 6, background: '#f1f3f5' },
    },
    {
      name: 'round cells on transparent ground',
      inputs: { images: ['coffee.jpg', 'cat.jpg', 'coffee.jpg'] },
      params: { columns: 3, cellWidth: 90, cellHeight: 90, gap: 10, radius: 45 },
    },
    {
      name: 'all of each image',
      inputs: { images: ['coffee.jpg', 'badge.png', 'mark.svg', 'cat.jpg', 'badge.png'] },
      params: {
        columns: 3,
        cellWidth: 100,
        cellHeight: 100,
        fit: 'contain',
        gap: 8,
        padding: 8,
        background: '#e7f5ff',
      },
    },
  ],

  async run({ images }, { columns, cellWidth, cellHeight, fit, gap, padding, ...style }, context) {
    const across = columns ?? Math.ceil(Math.sqrt(images.length))
    const down = Math.ceil(images.length / across)
    const cell = cellOf(images, cellWidth, cellHeight)
    const placements = images.map((image, index) => {
      const x = padding + (index % across) * (cell.width + gap)
      const y = padding + Math.floor(index / across) * (cell.height + gap)
      return {
        image,
        ...(fit === 'cover' ? { x, y, ...cell } : middle({ x, y, ...cell }, insideSize(image, cell))),
      }
    })
    const width = 2 * padding + across * (cell.width + gap) - gap
    const height = 2 * padding + down * (cell.height + gap) - gap
    return { image: imageFromPixels(await composeSheet({ width, height, ...style }, placements, context)) }
  },
})

/** Defaults to the largest image, and to its aspect ratio if only one side is set. */
function cellOf(images: ImageValue[], width: number | undefined, height: number | undefined): Size {
  const widest = Math.max(...images.map((image) => image.width))
  const highest = Math.max(...images.map((image) => image.height))
  return {
    width: width ?? (height === undefined ? widest : Math.max(1, Math.round((height * widest) / highest))),
    height: height ?? (width === undefined ? highest : Math.max(1, Math.round((width * highest) / widest))),
  }
}

function middle({ x, y, width, height }: Rectangle, size: Size): Rectangle {
  return { x: x + Math.floor((width - size.width) / 2), y: y + Math.floor((height - size.height) / 2), ...size }
}
