import Type from 'typebox'
import { dctHash, differenceHash, hex64 } from '../../imaging/raster/measure/hash.ts'
import { defineOperation, socket } from '../define.ts'
import { color } from '../shared/params.ts'

export const phash = defineOperation({
  id: 'phash',
  version: 1,
  title: 'Perceptual hash',
  summary: 'Computes perceptual hashes, which hardly change when the image is resized, compressed or slightly edited.',
  keywords: ['fingerprint', 'duplicate', 'near duplicate'],
  group: 'analyse',
  inputs: { image: socket.one('The image to hash.') },
  params: Type.Object(
    {
      background: color({
        default: 'white',
        title: 'Background',
        description: 'Background for transparent areas.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The image, unchanged.',
    values: {
      hash: Type.String({
        description:
          'DCT hash of 64 bits (as in pHash), as 16 hexadecimal digits. If at most 6 bits differ, two hashes very likely show the same image; if more than 20 differ, different images.',
      }),
      dhash: Type.String({
        description:
          'Difference hash of 64 bits, as 16 hexadecimal digits: 8 x 8 comparisons of a cell with its right neighbour.',
      }),
    },
  },
  alpha: 'kept',
  frames: 'first',
  deterministic: true,
  examples: [
    { name: 'a photograph', inputs: { image: 'coffee.jpg' }, params: {} },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: {} },
  ],

  async run({ image }, { background }, context) {
    const [hash, dhash] = await Promise.all([
      dctHash(image, background, context),
      differenceHash(image, background, context),
    ])
    return { image, hash: hex64(hash), dhash: hex64(dhash) }
  },
})
