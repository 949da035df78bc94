import Type from 'typebox'
import { dctHash, differenceHash, hex64 } from '../../imaging/raster/measure/hash.ts'
import { defineOperation, socket } from '../define.ts'
import { color } from '../shared/params.ts'

export const phash = defineOperation({
  id: 'phash',
  version: 1,
  title: 'Perceptual hash',
  summary: 'Gives a fingerprint that stays nearly the same when the image is resized, compressed or slightly changed.',
  group: 'analyse',
  inputs: { image: socket.one('The image to hash.') },
  params: Type.Object(
    {
      background: color({
        default: 'white',
        title: 'Background',
        description: 'What shows through where the image is transparent.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The image, unchanged.',
    values: {
      hash: Type.String({
        description:
          'DCT hash of 64 bits (as pHash makes it), in 16 hexadecimal digits. Hashes in which at most 6 bits differ are most likely of the same picture, more than 20 of another.',
      }),
      dhash: Type.String({
        description:
          'Difference hash of 64 bits, in 16 hexadecimal digits: which of 8 x 8 places are darker than their neighbour to the right.',
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
