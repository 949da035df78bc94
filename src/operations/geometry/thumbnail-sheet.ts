import Type from 'typebox'
import { counted } from '../../../shared/text.ts'
import { failure } from '../../errors.ts'
import { imageFromPixels } from '../../imaging/raster/image.ts'
import { composeSheet } from '../../imaging/raster/layer/sheet.ts'
import type { Rectangle } from '../../imaging/raster/region.ts'
import { insideSize } from '../../imaging/raster/shape/scaled.ts'
import type { Pixels } from '../../imaging/types.ts'
import type { Label } from '../../imaging/vector/label.ts'
import { limits } from '../../limits.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'
import { color, font, pixels } from '../shared/params.ts'

export const thumbnailSheet = defineOperation({
  id: 'thumbnail-sheet',
  version: 2,
  title: 'Thumbnail sheet',
  summary: 'Creates a contact sheet: thumbnails with captions on a page with a title.',
  keywords: ['contact sheet', 'overview', 'gallery', 'captions', 'proof'],
  group: 'geometry',
  inputs: { images: socket.many('The images, in reading order.') },
  params: Type.Object(
    {
      columns: Type.Integer({
        minimum: 1,
        maximum: limits.inputWiresMax,
        default: 4,
        title: 'Columns',
        description: 'Number of columns; at most the number of images.',
      }),
      thumbnailWidth: pixels({
        minimum: 1,
        default: 240,
        title: 'Thumbnail width',
        description: 'Maximum width of a thumbnail.',
      }),
      thumbnailHeight: pixels({
        minimum: 1,
        default: 180,
        title: 'Thumbnail height',
        description: 'Maximum height of a thumbnail.',
      }),
      fit: Type.Enum(['contain', 'cover'], {
        default: 'contain',
        title: 'Fit',
        description:
          'contain: show the entire image, aligned to its caption; cover: fill the thumbnail and crop evenly.',
      }),
      captions: Type.Array(Type.String({ maxLength: limits.labelCharsMax }), {
        maxItems: limits.inputWiresMax,
        default: [],
        title: 'Captions',
        description: 'Captions of the images, in the same order. Further images have no caption.',
      }),
      numbers: Type.Boolean({
        default: false,
        title: 'Numbers',
        description: 'Write the number of each image, starting at 1, before its caption.',
      }),
      title: Type.String({
        maxLength: limits.labelCharsMax,
        default: '',
        title: 'Title',
        description: 'Title at the top of the page.',
      }),
      font: font(),
      captionSize: Type.Number({
        minimum: 4,
        maximum: 400,
        default: 15,
        title: 'Caption size',
        description: 'Font size of the captions; the title is twice as large.',
        'x-unit': 'px',
      }),
      color: color({ default: '#212529', title: 'Colour', description: 'Colour of the title and the captions.' }),
      gap: pixels({ default: 24, title: 'Gap', description: 'Space between thumbnails.' }),
      padding: pixels({ default: 40, title: 'Padding', description: 'Space around the page content.' }),
      radius: pixels({
        default: 0,
        title: 'Radius',
        description: 'Corner radius of every image; at most half of its shorter side.',
      }),
      background: color({ default: 'white', title: 'Background', description: 'Colour of the page.' }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The page; its height depends on the content.' },
  alpha: 'made',
  frames: 'first',
  deterministic: true,
  reads: { fonts: true },
  examples: [
    {
      name: 'numbered on a dark page',
      inputs: { images: ['cat.jpg', 'coffee.jpg', 'cat.jpg', 'coffee.jpg'] },
      params: {
        thumbnailWidth: 90,
        thumbnailHeight: 90,
        fit: 'cover',
        numbers: true,
        captionSize: 12,
        gap: 10,
        padding: 16,
        radius: 8,
        background: '#212529',
        color: '#dee2e6',
      },
    },
    {
      name: 'a page',
      inputs: { images: ['coffee.jpg', 'cat.jpg', 'badge.png', 'mark.svg', 'cat.jpg'] },
      params: {
        columns: 3,
        thumbnailWidth: 120,
        thumbnailHeight: 80,
        title: 'Contact sheet',
        captions: ['coffee.jpg', 'cat.jpg', 'badge.png', 'A vector drawing with a long name', 'cat.jpg'],
        captionSize: 11,
        gap: 16,
        padding: 24,
      },
    },
  ],

  async run({ images }, params, context) {
    const { captions, title, numbers, captionSize, gap, padding, background, radius, fit } = params
    if (captions.length > images.length) {
      throw failure(
        'input_invalid',
        `There are ${counted(captions.length, 'caption')} for ${counted(images.length, 'image')}; there can be at most one caption per image.`,
      )
    }
    const columns = Math.min(params.columns, images.length)
    const rows = Math.ceil(images.length / columns)
    const thumbnail = { width: params.thumbnailWidth, height: params.thumbnailHeight }
    const hasCaptions = numbers || captions.some((caption) => caption.trim() !== '')
    const caption = hasCaptions ? lineOf(captionSize) : 0
    const head = title.trim() === '' ? 0 : lineOf(2 * captionSize) + gap
    const width = 2 * padding + columns * (thumbnail.width + gap) - gap
    const height = 2 * padding + head + rows * (thumbnail.height + caption + gap) - gap

    const cells = images.map((image, index) => ({
      image,
      x: padding + (index % columns) * (thumbnail.width + gap),
      y: padding + head + Math.floor(index / columns) * (thumbnail.height + caption + gap),
      ...thumbnail,
    }))
    const seen = cells.map((cell) =>
      fit === 'cover' ? cell : { ...cell, ...atBottom(cell, insideSize(cell.image, cell)) },
    )
    const page = await composeSheet({ width, height, background, radius }, seen, context)

    const style = { font: params.font, color: params.color, linesMax: 1 }
    const written: Written[] = cells.map((cell, index) => ({
      label: {
        ...style,
        text: [numbers ? `${index + 1}` : '', captions[index] ?? ''].filter((text) => text !== '').join('  '),
        size: captionSize,
        weight: 400,
        align: 'center',
      },
      box: { x: cell.x, y: cell.y + cell.height, width: cell.width, height: caption },
    }))
    written.push({
      label: { ...style, text: title, size: 2 * captionSize, weight: 700 },
      box: { x: padding, y: padding, width: width - 2 * padding, height: head - gap },
    })
    await writeAll(page, written, context)
    return { image: imageFromPixels(page) }
  },
})

/** Line height with some space: a caption is closer to its image than to the next one. */
function lineOf(size: number): number {
  return Math.ceil(size * 1.8)
}

/** Centred, and aligned to the caption. */
function atBottom(cell: Rectangle, size: { width: number; height: number }): Rectangle {
  return { x: cell.x + Math.floor((cell.width - size.width) / 2), y: cell.y + cell.height - size.height, ...size }
}

interface Written {
  label: Label
  box: Rectangle
}

async function writeAll(page: Pixels, all: Written[], context: OperationContext): Promise<void> {
  const seen = all.filter(({ label }) => label.text.trim() !== '')
  if (seen.length === 0) return
  // Loaded with the first text, so that the service starts without it.
  const { writeLabel } = await import('../../imaging/vector/label.ts')
  for (const { label, box } of seen) await writeLabel(page, label, box, context)
}
