import Type from 'typebox'
import { publishedSchema } from '../../../domain/published-schema.ts'
import { alphaRules, framesRules, groups } from '../../../operations/define.ts'
import { defineRoute } from '../../define-route.ts'

const Socket = Type.Object({
  name: Type.String(),
  description: Type.String(),
  required: Type.Boolean(),
  many: Type.Boolean(),
})

export const listOperations = defineRoute({
  id: 'operations.list',
  method: 'GET',
  path: '/operations',
  summary: 'List the operations that workflows can use, with the JSON Schema of their params',
  tag: 'Operations',
  permission: [],
  reply: {
    status: 200,
    description: 'The catalogue.',
    schema: Type.Object({
      operations: Type.Array(
        Type.Object({
          id: Type.String({ description: "The word in a node's `type`." }),
          version: Type.Integer(),
          title: Type.String(),
          summary: Type.String(),
          group: Type.Enum([...groups]),
          inputs: Type.Array(Socket),
          params: Type.Unknown({ description: 'JSON Schema.' }),
          outputs: Type.Object({ image: Type.String(), values: Type.Record(Type.String(), Type.Unknown()) }),
          alpha: Type.Enum([...alphaRules], {
            description:
              'What becomes of transparency. kept: every pixel keeps its own; moved: it goes where the pixels go; made: the operation decides.',
          }),
          frames: Type.Enum([...framesRules], {
            description:
              'What becomes of an animation. each: every frame by itself; whole: all frames together; first: only the first counts; none: it takes no image.',
          }),
          deterministic: Type.Boolean(),
          examples: Type.Array(
            Type.Object({ name: Type.String(), params: Type.Record(Type.String(), Type.Unknown()) }),
          ),
        }),
      ),
    }),
  },
  handle(_request, { catalogue }) {
    const operations = [...catalogue.values()].map(({ run: _, inputs, params, outputs, examples, ...facts }) => ({
      ...facts,
      params: publishedSchema(params),
      inputs: Object.entries(inputs).map(([name, socket]) => ({ name, ...socket })),
      outputs: { image: outputs.image, values: outputs.values ?? {} },
      examples: examples.map(({ name, params }) => ({ name, params })),
    }))
    return { body: { operations } }
  },
})
