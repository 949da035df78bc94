import { hash } from 'node:crypto'
import Type from 'typebox'
import { imageFromBytes } from '../../imaging/raster/image.ts'
import { limits } from '../../limits.ts'
import { defineOperation } from '../define.ts'

export const image = defineOperation({
  id: 'image',
  version: 1,
  title: 'Image',
  summary: 'Reads an image from storage or a URL.',
  keywords: ['photo', 'picture', 'file', 'input', 'upload', 'load', 'import', 'url'],
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
  ],

  async run(_, { source }, context) {
    const { bytes, origin, sha256 = hash('sha256', bytes), ...known } = await context.open(source)
    const image = await imageFromBytes(bytes, context)
    const { format } = image
    if (format === 'raw') throw new Error('a file was read without a format')
    const madeFrom = { models: [], sources: [{ sha256, format, ...known }] }
    return { image: { ...image, ...(origin && { origin }), madeFrom } }
  },
})
