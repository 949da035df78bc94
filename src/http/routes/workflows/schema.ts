/** Schemas of workflows, their versions, comparisons and validation. */
import Type from 'typebox'
import { imageFormats } from '../../../domain/image.ts'
import { ParameterDeclaration } from '../../../domain/workflow.ts'
import { closed } from '../../define-route.ts'
import { LastOutput } from '../executions/schema.ts'
import { Timestamp } from '../schema.ts'

const Issues = Type.Array(Type.Object({ path: Type.String(), message: Type.String() }, closed))

export const WorkflowListItem = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    projectId: Type.String(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    lastOutput: Type.Optional(LastOutput),
  },
  closed,
)

export const WorkflowDetail = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    projectId: Type.String(),
    parameters: Type.Array(ParameterDeclaration),
    inputSchema: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'A JSON Schema (2020-12) of the whole `parameters` object of a request: it accepts exactly what executing the workflow accepts.',
    }),
    createdAt: Timestamp,
    updatedAt: Type.Optional(Timestamp),
    version: Type.Optional(Type.Integer({ description: 'The newest version, which executions run.' })),
    warnings: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }, closed))),
  },
  closed,
)

const ComparedSide = Type.Union([
  Type.Object(
    {
      width: Type.Integer(),
      height: Type.Integer(),
      format: Type.Enum(Object.keys(imageFormats)),
      size: Type.Integer({ description: 'Bytes.' }),
    },
    closed,
  ),
  Type.Object(
    {
      error: Type.Object(
        { code: Type.String(), message: Type.String(), details: Type.Record(Type.String(), Type.Unknown()) },
        closed,
      ),
    },
    closed,
  ),
])

/** With `?compare=true`, `comparison` is set and the other fields are the current, unchanged workflow. */
export const ReplaceWorkflowReply = Type.Object(
  {
    ...WorkflowDetail.properties,
    comparison: Type.Optional(
      Type.Object(
        {
          examples: Type.Array(
            Type.Object(
              {
                name: Type.String(),
                result: Type.Enum(['same', 'encoded', 'different', 'resized', 'failed'], {
                  description:
                    '`same`: equal bytes. `encoded`: the same pixels in another format or quality. `different`: other pixels. `resized`: another size or number of frames. `failed`: at least one execution failed; its error replaces the image.',
                }),
                before: ComparedSide,
                after: ComparedSide,
                differing: Type.Union([Type.Number(), Type.Null()], {
                  description: 'Share of pixels that differ, 0 to 1, before encoding.',
                }),
                maxDifference: Type.Union([Type.Integer(), Type.Null()], {
                  description: 'Largest difference of a channel, 0 to 255.',
                }),
                psnr: Type.Union([Type.Number(), Type.Null()], {
                  description: 'Peak signal-to-noise ratio in dB. Null if all pixels are equal or the sizes differ.',
                }),
              },
              closed,
            ),
          ),
        },
        {
          ...closed,
          description:
            'With `compare=true`: the differences between the current and the new document. Nothing was saved.',
        },
      ),
    ),
  },
  closed,
)

export const WorkflowVersionItem = Type.Object(
  {
    version: Type.Integer(),
    createdAt: Timestamp,
    note: Type.Optional(Type.String({ description: 'The note of the publisher.' })),
  },
  closed,
)

export const CostRange = Type.Union(
  [Type.Object({ minUsd: Type.Number(), maxUsd: Type.Number() }, closed), Type.Null()],
  { description: 'Estimated cost of AI model calls in US dollars. Null if a price is unknown.' },
)

export const ValidationReply = Type.Object(
  {
    valid: Type.Boolean(),
    issues: Issues,
    warnings: Issues,
    steps: Type.Array(
      Type.Object(
        {
          node: Type.String(),
          operation: Type.String(),
          action: Type.Enum(['run', 'skip', 'decide', 'unneeded'], {
            description: '`decide`: known only after other nodes have run. `unneeded`: no other node uses the result.',
          }),
          params: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
            description: 'Resolved params, including defaults. Null if they are known only after other nodes have run.',
          }),
          fusedWith: Type.Union([Type.String(), Type.Null()], {
            description:
              'The node that is processed in the same call of the image library, without an intermediate image. The id of this node if it is fused with the encoding.',
          }),
          servedFrom: Type.Union([Type.Literal('cache'), Type.Null()], {
            description: '`cache`: the node would not run, because its result or the result of a later node is cached.',
          }),
          expectedDuration: Type.Union([Type.Number(), Type.Null()], {
            description: 'Milliseconds: the median of the operation in recent executions of the account.',
          }),
          cost: Type.Optional(CostRange),
          fingerprint: Type.Optional(
            Type.String({
              description:
                'Identifies the work of the step: its settings and all that it depends on. Compare it with the steps of an execution with `previews: true`. Absent for `unneeded`.',
            }),
          ),
        },
        closed,
      ),
    ),
    expectedDuration: Type.Union([Type.Number(), Type.Null()], {
      description:
        'Milliseconds from start to stored output, estimated from recent executions of the account. Null if an operation has not run yet.',
    }),
    cost: CostRange,
    output: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
      description: 'Resolved output settings. Null if they are not known yet.',
    }),
  },
  closed,
)
