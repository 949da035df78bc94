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
  summary: 'Hands on one of many images: by its place, or the one that measures best.',
  group: 'combine',
  inputs: {
    images: socket.many('The images to choose from.'),
    reference: socket.optional('What `similarity` compares them with.'),
  },
  params: Type.Object(
    {
      by: Type.Enum([...measures], {
        default: 'index',
        title: 'By',
        description:
          'What counts. index: the place; sharpness: how strong the edges are; contrast, brightness: of the luma; similarity: how much it looks like `reference`; text-contrast: how well text of `color` could be read on it.',
      }),
      pick: Type.Enum(['most', 'least'], {
        default: 'most',
        title: 'Pick',
        description: 'The one that measures most or least; of equals the first. An index knows neither.',
      }),
      index: Type.Integer({
        minimum: -limits.inputWiresMax * limits.eachMax,
        maximum: limits.inputWiresMax * limits.eachMax - 1,
        default: 0,
        title: 'Index',
        description: 'The place of the image, from 0; from the end when negative, -1 being the last.',
      }),
      color: color({ default: 'white', title: 'Text colour', description: 'Of the text, for text-contrast.' }),
      box: Type.Optional(
        Type.Object(
          {
            x: pixels({ title: 'Left', description: 'Left edge.' }),
            y: pixels({ title: 'Top', description: 'Upper edge.' }),
            width: pixels({ minimum: 1, title: 'Width', description: 'Its width.' }),
            height: pixels({ minimum: 1, title: 'Height', description: 'Its height.' }),
          },
          {
            additionalProperties: false,
            title: 'Box',
            description: 'Where the text would stand, for text-contrast. Default: the whole image.',
          },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The image that was chosen, unchanged.',
    values: {
      index: Type.Integer({ description: 'Its place, from 0.' }),
      score: Type.Union([Type.Number(), Type.Null()], { description: 'What it measures; nothing by index.' }),
      scores: Type.Array(Type.Number(), { description: 'What each of the images measures; empty by index.' }),
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
    // One after the other: each holds its pixels only while it is measured.
    for (const image of images) scores.push(rounded(await measure(image, context)))
    const best = scores.indexOf(pick === 'most' ? Math.max(...scores) : Math.min(...scores))
    return { ...placed(images, best), score: scores[best] ?? null, scores }
  },
})

function placed(images: ImageValue[], index: number): { image: ImageValue; index: number } {
  const image = images.at(index)
  if (image === undefined) {
    const last = images.length - 1
    throw failure('input_invalid', `There is no image ${index}: there are ${images.length}, from 0 to ${last}.`)
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
          throw failure('input_invalid', 'By similarity, something has to be wired to `reference`.')
        }
        const [a, b] = await smallCopies(reference, image, 'white', context)
        return structuralSimilarity(lumaOf(a), lumaOf(b))
      }
  }
}

/** All at about one size, so that a large one does not win for being large. */
const side = 512

function smallCopy(image: ImageValue, context: OperationContext) {
  return thumbnailOf(image, { width: side, height: side, fit: 'inside' }, context)
}
