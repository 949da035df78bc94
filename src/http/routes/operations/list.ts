import Type from 'typebox'
import { capabilities } from '../../../domain/model.ts'
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
          outputs: Type.Object({
            image: Type.Union([Type.String(), Type.Null()], {
              description: 'Null where there is none, and nothing can be wired to it.',
            }),
            values: Type.Record(Type.String(), Type.Unknown()),
          }),
          alpha: Type.Enum([...alphaRules], {
            description:
              'What becomes of transparency. kept: every pixel keeps its own; moved: it goes where the pixels go; made: the operation decides.',
          }),
          frames: Type.Enum([...framesRules], {
            description:
              'What becomes of an animation. each: every frame by itself; whole: all frames together; first: only the first counts; none: it takes no image.',
          }),
          asks: Type.Union([Type.Enum([...capabilities]), Type.Null()], {
            description:
              'What it asks AI models for, as `GET /providers` lists what models can do; null where it asks none.',
          }),
          deterministic: Type.Boolean({
            description:
              'Whether the same inputs and params always give the same. False also where that depends on a param, such as a seed.',
          }),
          examples: Type.Array(
            Type.Object({ name: Type.String(), params: Type.Record(Type.String(), Type.Unknown()) }),
          ),
        }),
      ),
    }),
  },
  handle(_request, { catalogue }) {
    const operations = [...catalogue.values()].map(
      ({ run: _, inputs, params, outputs, asks, deterministic, examples, ...facts }) => ({
        ...facts,
        params: publishedSchema(params),
        inputs: Object.entries(inputs).map(([name, socket]) => ({ name, ...socket })),
        outputs: { image: outputs.image ?? null, values: outputs.values ?? {} },
        asks: asks?.capability ?? null,
        deterministic: deterministic === true,
        examples: examples.map(({ name, params }) => ({ name, params })),
      }),
    )
    return { body: { operations } }
  },
})
