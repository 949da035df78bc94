import Type from 'typebox'
import { failure } from '../../errors.ts'
import { sharpnessOf } from '../../imaging/raster/measure/histogram.ts'
import { legibilityOf } from '../../imaging/raster/measure/legibility.ts'
import { lumaOf } from '../../imaging/raster/measure/luma-plane.ts'
import { rounded } from '../../imaging/raster/measure/rounded.ts'
import { smallCopies } from '../../imaging/raster/measure/small-copies.ts'
import { structuralSimilarity } from '../../imaging/raster/measure/ssim.ts'
import { statisticsOf } from '../../imaging/raster/measure/statistics.ts'
import { thumbnailOf } from '../../imaging/raster/measure/thumbnail.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'
import { color, pixels } from '../shared/params.ts'

const measures = ['index', 'sharpness', 'contrast', 'brightness', 'similarity', 'text-contrast'] as const

export const choose = defineOperation({
  id: 'choose',
  version: 1,
  title: 'Choose',
  summary: 'Returns one of several images, by index or by a measurement.',
  keywords: ['select', 'pick', 'switch', 'best', 'condition', 'if'],
  group: 'combine',
  inputs: {
    images: socket.many('The images to choose from.'),
    reference: socket.optional('The image that `similarity` compares with.'),
  },
  params: Type.Object(
    {
      by: Type.Enum([...measures], {
        default: 'index',
        title: 'By',
        description:
          'Criterion. index: the position; sharpness: strength of edges; contrast, brightness: of luma; similarity: similarity to `reference`; text-contrast: readability of text in `color` on the image.',
      }),
      pick: Type.Enum(['most', 'least'], {
        default: 'most',
        title: 'Pick',
        description: 'Whether to choose the highest or the lowest value; the first of equal values. Ignored for index.',
      }),
      index: Type.Integer({
        minimum: -limits.inputWiresMax * limits.eachMax,
        maximum: limits.inputWiresMax * limits.eachMax - 1,
        default: 0,
        title: 'Index',
        description: 'Index of the image, starting at 0. Negative values count from the end; -1 is the last.',
      }),
      color: color({ default: 'white', title: 'Text colour', description: 'Colour of the text, for text-contrast.' }),
      box: Type.Optional(
        Type.Object(
          {
            x: pixels({ title: 'Left', description: 'Left edge.' }),
            y: pixels({ title: 'Top', description: 'Upper edge.' }),
            width: pixels({ minimum: 1, title: 'Width', description: 'Width of the box.' }),
            height: pixels({ minimum: 1, title: 'Height', description: 'Height of the box.' }),
          },
          {
            additionalProperties: false,
            title: 'Box',
            description: 'Area of the text, for text-contrast. Default: the entire image.',
          },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The chosen image, unchanged.',
    values: {
      index: Type.Integer({ description: 'Index of the chosen image, starting at 0.' }),
      score: Type.Union([Type.Number(), Type.Null()], {
        description: 'Measured value of the chosen image; null for index.',
      }),
      scores: Type.Array(Type.Number(), { description: 'Measured value of each image; empty for index.' }),
    },
  },
  alpha: 'made',
  frames: 'first',
  deterministic: true,
  examples: [
    { name: 'by place', inputs: { images: ['cat.jpg', 'coffee.jpg'] }, params: { index: -1 } },
    { name: 'the sharpest', inputs: { images: ['coffee.jpg', 'cat.jpg', 'badge.png'] }, params: { by: 'sharpness' } },
    {
      name: 'the most like another',
      inputs: { images: ['coffee.jpg', 'cat.jpg'], reference: 'cat.jpg' },
      params: { by: 'similarity' },
    },
  ],

  async run({ images, reference }, { by, pick, index, ...text }, context) {
    if (by === 'index') return { ...placed(images, index), score: null, scores: [] }
    const measure = measureOf(by, reference, text)
    const scores: number[] = []
    // In sequence: the pixels of each are in memory only while it is measured.
    for (const image of images) scores.push(rounded(await measure(image, context)))
    const best = scores.indexOf(pick === 'most' ? Math.max(...scores) : Math.min(...scores))
    return { ...placed(images, best), score: scores[best] ?? null, scores }
  },
})

function placed(images: ImageValue[], index: number): { image: ImageValue; index: number } {
  const image = images.at(index)
  if (image === undefined) {
    const last = images.length - 1
    throw failure(
      'input_invalid',
      `Image ${index} doesn't exist. The list has ${images.length} ${images.length === 1 ? 'image' : 'images'}: 0 to ${last}.`,
    )
  }
  return { image, index: index < 0 ? images.length + index : index }
}

type Measure = (image: ImageValue, context: OperationContext) => Promise<number>
type TextPlace = Parameters<typeof legibilityOf>[1]

function measureOf(
  by: Exclude<(typeof measures)[number], 'index'>,
  reference: ImageValue | undefined,
  text: TextPlace,
): Measure {
  switch (by) {
    case 'sharpness':
      return async (image, context) => sharpnessOf(await smallCopy(image, context), context)
    case 'contrast':
    case 'brightness':
      return async (image, context) => (await statisticsOf(await smallCopy(image, context), context))[by]
    case 'text-contrast':
      return (image, context) => legibilityOf(image, text, context)
    case 'similarity':
      return async (image, context) => {
        if (reference === undefined) {
          throw failure('input_invalid', 'To choose by similarity, connect an image to `reference`.')
        }
        const [a, b] = await smallCopies(reference, image, 'white', context)
        return structuralSimilarity(lumaOf(a), lumaOf(b))
      }
  }
}

/** All at a similar size, so that size does not affect the result. */
const side = 512

function smallCopy(image: ImageValue, context: OperationContext) {
  return thumbnailOf(image, { width: side, height: side, fit: 'inside' }, context)
}
