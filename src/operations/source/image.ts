import { hash } from 'node:crypto'
import Type from 'typebox'
import { imageFromBytes } from '../../imaging/raster/image.ts'
import { inspectSource } from '../../imaging/raster/read/inspect.ts'
import { limits } from '../../limits.ts'
import { defineOperation } from '../define.ts'

export const image = defineOperation({
  id: 'image',
  version: 2,
  title: 'Image',
  summary: 'Reads an image from storage or a URL: a photo, a drawing, a page of a PDF or the composite of a PSD.',
  keywords: [
    'pdf',
    'psd',
    'photoshop',
    'document',
    'page',
    'photo',
    'picture',
    'file',
    'input',
    'upload',
    'load',
    'import',
    'url',
  ],
  group: 'source',
  inputs: {},
  params: Type.Object(
    {
      source: Type.String({
        minLength: 1,
        maxLength: limits.urlCharsMax,
        title: 'Source',
        description: 'The id of a stored image, its URL, or any http(s) URL of an image.',
        'x-widget': 'image',
      }),
      page: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: limits.pdfPageMax,
          title: 'Page',
          description: 'The page of a PDF, from 1. Default: 1. Other images have one page.',
        }),
      ),
      dpi: Type.Optional(
        Type.Number({
          minimum: 1,
          maximum: limits.pdfDpiMax,
          title: 'Resolution',
          description: `Pixels per inch of a page of a PDF: at 150, A4 has 1240 x 1754 pixels. Default: ${limits.pdfDpi}. No effect on images that aren't a PDF.`,
          'x-unit': 'dpi',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The image in sRGB, rotated according to its EXIF orientation, with all frames of a GIF, WebP or PNG.',
  },
  alpha: 'kept',
  frames: 'whole',
  deterministic: false,
  reads: { sources: ['source'] },
  examples: [
    { name: 'a photograph', params: { source: 'coffee.jpg' } },
    { name: 'an animation', params: { source: 'ball.gif' } },
    { name: 'a page of a PDF', params: { source: 'flyer.pdf', page: 2, dpi: 100 } },
    { name: 'the layers of a PSD', params: { source: 'layers.psd' } },
  ],

  async run(_, { source, page, dpi }, context) {
    const { bytes, origin, sha256 = hash('sha256', bytes), ...known } = await context.open(source)
    // Stored images were inspected when they were uploaded.
    if (known.imageId === undefined) await inspectSource(bytes, context)
    const image = await imageFromBytes(bytes, context, { number: page ?? 1, dpi: dpi ?? limits.pdfDpi })
    const { format } = image
    if (format === 'raw') throw new Error('a file was read without a format')
    const madeFrom = { models: [], sources: [{ sha256, format, ...known }] }
    return { image: { ...image, ...(origin && { origin }), madeFrom } }
  },
})
