/** The opt-in of a workflow to the OpenAI-compatible API: which of its parameters get the fields of a request for images. */
import Type, { type Static } from 'typebox'
import { parameterNamePattern } from '../../../shared/names.ts'
import { limits } from '../../limits.ts'
import { named } from '../named-schema.ts'

function parameter(description: string) {
  return Type.String({ pattern: parameterNamePattern, 'x-expected': 'the name of a parameter', description })
}

export const OpenAi = Type.Object(
  {
    prompt: parameter('The parameter for `prompt`: a string.'),
    image: Type.Optional(
      parameter(
        'The parameter for `image`: a string for an image id or URL. Without it, `/images/edits` rejects the workflow.',
      ),
    ),
    size: Type.Optional(parameter('The parameter for the text of `size`, such as `1024x1024`: a string.')),
    width: Type.Optional(parameter('The parameter for the width in `size`: a number. Together with `height`.')),
    height: Type.Optional(parameter('The parameter for the height in `size`: a number. Together with `width`.')),
    n: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.openAiImagesMax,
        description:
          'The maximum of `n`, the number of images of a request. Each image is an execution and has its cost. Default: 1.',
      }),
    ),
  },
  {
    ...named('OpenAi'),
    additionalProperties: false,
    description:
      'Makes the workflow a model of the OpenAI-compatible API, and names the parameters for the fields of its requests. Without it, these requests are rejected.',
    examples: [{ prompt: 'headline', image: 'photo', width: 'width', height: 'height', n: 4 }],
  },
)

export type OpenAi = Static<typeof OpenAi>

/** The fields that name a parameter. */
export const openAiParameterFields = ['prompt', 'image', 'size', 'width', 'height'] as const
