import Type from 'typebox'
import { list, show } from '../../../shared/text.ts'
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
import { type ChoiceIssue, defineOperation, type OperationContext, socket } from '../define.ts'
import { color, pixels } from '../shared/params.ts'

/** Longer texts are not cases. */
const caseLengthMax = 200
const measures = ['index', 'value', 'sharpness', 'contrast', 'brightness', 'similarity', 'text-contrast'] as const

export const choose = defineOperation({
  id: 'choose',
  version: 1,
  title: 'Choose',
  summary: 'Returns one of several images, by index, by the value of a parameter, or by a measurement.',
  keywords: ['select', 'pick', 'switch', 'case', 'branch', 'variant', 'best', 'condition', 'if'],
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
          'Criterion. index: the position; value: the position of `value` in `cases`, and only this image is made; sharpness: strength of edges; contrast, brightness: of luma; similarity: similarity to `reference`; text-contrast: readability of text in `color` on the image.',
      }),
      pick: Type.Enum(['most', 'least'], {
        default: 'most',
        title: 'Pick',
        description:
          'Whether to choose the highest or the lowest value; the first of equal values. Ignored for index and value.',
      }),
      index: Type.Integer({
        minimum: -limits.inputWiresMax * limits.eachMax,
        maximum: limits.inputWiresMax * limits.eachMax - 1,
        default: 0,
        title: 'Index',
        description: 'Index of the image, starting at 0. Negative values count from the end; -1 is the last.',
      }),
      value: Type.Optional(
        Type.String({
          maxLength: caseLengthMax,
          title: 'Value',
          description: 'For value: the text to find in `cases`, usually a template such as `{{ season }}`.',
        }),
      ),
      cases: Type.Optional(
        Type.Array(Type.String({ maxLength: caseLengthMax }), {
          minItems: 1,
          maxItems: limits.inputWiresMax,
          uniqueItems: true,
          title: 'Cases',
          description:
            'For value: one text for each image, in the order of the images. One more image than cases is used for all other values. Upper and lower case differ.',
        }),
      ),
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
        description: 'Measured value of the chosen image; null for index and value.',
      }),
      scores: Type.Array(Type.Number(), { description: 'Measured value of each image; empty for index and value.' }),
    },
  },
  alpha: 'made',
  frames: 'first',
  deterministic: true,
  examples: [
    { name: 'by place', inputs: { images: ['cat.jpg', 'coffee.jpg'] }, params: { index: -1 } },
    {
      name: 'by value',
      inputs: { images: ['cat.jpg', 'coffee.jpg', 'badge.png'] },
      params: { by: 'value', value: 'drink', cases: ['animal', 'drink'] },
    },
    { name: 'the sharpest', inputs: { images: ['coffee.jpg', 'cat.jpg', 'badge.png'] }, params: { by: 'sharpness' } },
    {
      name: 'the most like another',
      inputs: { images: ['coffee.jpg', 'cat.jpg'], reference: 'cat.jpg' },
      params: { by: 'similarity' },
    },
  ],

  choice: {
    socket: 'images',
    by: { param: 'by', value: 'value' },
    params: ['value', 'cases'],
    issue: ({ value, cases }, count) =>
      value === undefined ? { param: 'value', message: 'is required for `by: value`' } : casesIssue(cases, count),
    indexOf: ({ value, cases }, count) =>
      indexOfValue(value as string | undefined, cases as string[] | undefined, count),
  },

  async run({ images, reference }, { by, pick, index, value, cases, ...text }, context) {
    if (by === 'value') {
      const chosen = indexOfValue(value, cases, images.length)
      if (typeof chosen !== 'number') throw failure('input_invalid', `\`${chosen.param}\` ${chosen.message}`)
      return { ...imageAt(images, chosen), score: null, scores: [] }
    }
    if (by === 'index') return { ...imageAt(images, index), score: null, scores: [] }
    const measure = measureOf(by, reference, text)
    const scores: number[] = []
    // In sequence: the pixels of each are in memory only while it is measured.
    for (const image of images) scores.push(rounded(await measure(image, context)))
    const best = scores.indexOf(pick === 'most' ? Math.max(...scores) : Math.min(...scores))
    return { ...imageAt(images, best), score: scores[best] ?? null, scores }
  },
})

/** A template that renders to nothing omits the value, which is then like any other text. */
function indexOfValue(value = '', cases: string[] = [], count: number): number | ChoiceIssue {
  const issue = casesIssue(cases, count)
  if (issue) return issue
  const found = cases.indexOf(value)
  if (found !== -1) return found
  if (count > cases.length) return cases.length
  return {
    param: 'value',
    message: `is ${show(value)}, which is not one of \`cases\`: ${list(cases)}. Pass one of them, or connect one more image for all other values.`,
  }
}

function casesIssue(cases: unknown, count: number): ChoiceIssue | undefined {
  if (cases === undefined || (Array.isArray(cases) && cases.length === 0))
    return { param: 'cases', message: 'is required for `by: value`. List one text for each image.' }
  if (!Array.isArray(cases) || count === cases.length || count === cases.length + 1) return undefined
  return {
    param: 'cases',
    message: `has ${counted(cases.length, 'text')} for ${counted(count, 'image')}. List one text for each image; only the last image can be without one, for all other values.`,
  }
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

function imageAt(images: ImageValue[], index: number): { image: ImageValue; index: number } {
  const image = images.at(index)
  if (image === undefined) {
    const last = images.length - 1
    throw failure(
      'input_invalid',
      `Image ${index} doesn't exist. The list has ${counted(images.length, 'image')}: 0 to ${last}.`,
    )
  }
  return { image, index: index < 0 ? images.length + index : index }
}

type Measure = (image: ImageValue, context: OperationContext) => Promise<number>
type TextPosition = Parameters<typeof legibilityOf>[1]

function measureOf(
  by: Exclude<(typeof measures)[number], 'index' | 'value'>,
  reference: ImageValue | undefined,
  text: TextPosition,
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
