/** Schemas of the catalogue of operations. */
import Type from 'typebox'
import { capabilities } from '../../../domain/models/model.ts'
import { named } from '../../../domain/named-schema.ts'
import { alphaRules, framesRules, groups } from '../../../operations/define.ts'

const Socket = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    required: Type.Boolean(),
    many: Type.Boolean(),
    mask: Type.Optional(
      Type.Literal(true, { description: 'Its image is a mask of the first input. White areas are selected.' }),
    ),
  },
  named('Socket'),
)

const OperationRecord = Type.Object(
  {
    id: Type.String({ description: 'The value of `type` in a node.' }),
    version: Type.Integer(),
    title: Type.String(),
    summary: Type.String(),
    keywords: Type.Array(Type.String(), {
      description: 'Synonyms and tasks for a search, such as "overlay" and "merge" for `composite`.',
    }),
    group: Type.Enum([...groups]),
    inputs: Type.Array(Socket),
    params: Type.Unknown({ description: 'JSON Schema of the params.' }),
    outputs: Type.Object(
      {
        image: Type.Union([Type.String(), Type.Null()], {
          description: 'Description of the output image. Null if the operation has no output image.',
        }),
        values: Type.Record(Type.String(), Type.Unknown()),
        structured: Type.Optional(
          Type.Object(
            { value: Type.String(), param: Type.String() },
            { ...named('StructuredValue'), description: 'A value whose JSON Schema is a param of the node.' },
          ),
        ),
      },
      named('OperationOutputs'),
    ),
    alpha: Type.Enum([...alphaRules], {
      description:
        'Effect on transparency. `kept`: each pixel keeps its alpha. `moved`: alpha moves with the pixels. `made`: the operation sets alpha.',
    }),
    frames: Type.Enum([...framesRules], {
      description:
        'Effect on animations. `each`: processes each frame separately. `whole`: processes all frames together. `first`: uses the first frame only. `none`: has no image input.',
    }),
    asks: Type.Union([Type.Enum([...capabilities]), Type.Null()], {
      description:
        'The capability that the AI model needs, as in `GET /providers`. Null if the operation uses no AI model.',
    }),
    deterministic: Type.Boolean({
      description:
        'Whether the same inputs and params always produce the same result. False if this depends on a param such as a seed.',
    }),
    examples: Type.Array(
      Type.Object(
        { name: Type.String(), params: Type.Record(Type.String(), Type.Unknown()) },
        named('OperationExample'),
      ),
    ),
  },
  named('Operation'),
)

export const OperationsReply = Type.Object({ operations: Type.Array(OperationRecord) }, named('Operations'))
