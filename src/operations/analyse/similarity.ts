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
  summary: 'Measures how similar two images are.',
  keywords: ['compare', 'comparison', 'ssim', 'psnr', 'score'],
  group: 'analyse',
  inputs: {
    image: socket.one('The image to compare.'),
    reference: socket.one('The image to compare with. If its size or shape differs, it is stretched.'),
  },
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
      similarity: Type.Number({
        description:
          'Structural similarity (SSIM) of luma: 1 is identical, above 0.95 is hardly distinguishable, 0 is unrelated. Measured on small copies with a shorter side of at most 256 px.',
      }),
      psnr: Type.Number({
        description:
          'Peak signal-to-noise ratio of the same copies, in dB: above 40 differences are invisible; 100 for no difference.',
      }),
      hashDistance: Type.Integer({
        description:
          'Number of bits, of 64, that differ between the `phash` hashes: at most 6 for the same image, more than 20 for different images.',
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

/** Replaces infinity, which JSON cannot represent. */
const psnrMax = 100
