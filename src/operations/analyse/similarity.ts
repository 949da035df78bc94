import Type from 'typebox'
import { dctHash, hammingDistance } from '../../imaging/raster/measure/hash.ts'
import { lumaOf } from '../../imaging/raster/measure/luma-plane.ts'
import { rounded } from '../../imaging/raster/measure/rounded.ts'
import { smallCopies } from '../../imaging/raster/measure/small-copies.ts'
import { peakSignalToNoise, structuralSimilarity } from '../../imaging/raster/measure/ssim.ts'
import { defineOperation, socket } from '../define.ts'
import { color } from '../shared/params.ts'

export const similarity = defineOperation({
  id: 'similarity',
  version: 1,
  title: 'Similarity',
  summary: 'Tells how much the image looks like another one.',
  group: 'analyse',
  inputs: {
    image: socket.one('The image to compare.'),
    reference: socket.one('What it is compared with. One of another size or shape is stretched over it.'),
  },
  params: Type.Object(
    {
      background: color({
        default: 'white',
        title: 'Background',
        description: 'What shows through where one of them is transparent.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The image, unchanged.',
    values: {
      similarity: Type.Number({
        description:
          'Structural similarity (SSIM) of luma: 1 the same, above 0.95 hardly to be told apart, 0 nothing in common. Measured on small copies of both, whose shorter side has at most 256 px.',
      }),
      psnr: Type.Number({
        description: 'Peak signal to noise of the same copies, in dB: above 40 nobody sees a difference; 100 for none.',
      }),
      hashDistance: Type.Integer({
        description:
          'Bits in which the hashes of `phash` differ, of 64: at most 6 the same picture, more than 20 another one.',
      }),
    },
  },
  alpha: 'kept',
  frames: 'first',
  deterministic: true,
  examples: [
    { name: 'two photographs', inputs: { image: 'coffee.jpg', reference: 'cat.jpg' }, params: {} },
    { name: 'with itself', inputs: { image: 'badge.png', reference: 'badge.png' }, params: {} },
  ],

  async run({ image, reference }, { background }, context) {
    const [a, b] = await smallCopies(image, reference, background, context)
    const hashes = [await dctHash(image, background, context), await dctHash(reference, background, context)] as const
    return {
      image,
      similarity: rounded(Math.max(0, await structuralSimilarity(lumaOf(a), lumaOf(b)))),
      psnr: rounded(Math.min(psnrMax, peakSignalToNoise(a, b))),
      hashDistance: hammingDistance(...hashes),
    }
  },
})

/** Stands for infinite, which JSON does not know. */
const psnrMax = 100
