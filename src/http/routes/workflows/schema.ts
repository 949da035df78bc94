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
    createdAt: Timestamp,
    updatedAt: Type.Optional(Timestamp),
    version: Type.Optional(Type.Integer({ description: 'The newest version: what an execution runs.' })),
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

/** What `?compare=true` adds: nothing was saved, and the rest of the answer is the workflow as it stands. */
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
                    '`encoded`: the same pixels in another format, or at another quality. `resized`: other sizes or numbers of frames. `failed`: one side or both gave no image; its error is there instead.',
                }),
                before: ComparedSide,
                after: ComparedSide,
                differing: Type.Union([Type.Number(), Type.Null()], {
                  description: 'The share of pixels that differ at all, 0 to 1, before the picture is encoded.',
                }),
                maxDifference: Type.Union([Type.Integer(), Type.Null()], {
                  description: 'The largest difference of a channel, 0 to 255.',
                }),
                psnr: Type.Union([Type.Number(), Type.Null()], {
                  description: 'Peak signal to noise, in dB; null where nothing differs, or sizes do.',
                }),
              },
              closed,
            ),
          ),
        },
        { ...closed, description: 'With `compare=true`: what saving would change. Nothing was saved.' },
      ),
    ),
  },
  closed,
)

export const WorkflowVersionItem = Type.Object(
  {
    version: Type.Integer(),
    createdAt: Timestamp,
    note: Type.Optional(Type.String({ description: 'What whoever published it said of it.' })),
  },
  closed,
)

export const CostRange = Type.Union(
  [Type.Object({ minUsd: Type.Number(), maxUsd: Type.Number() }, closed), Type.Null()],
  { description: 'US dollars that calls of AI models may cost; null where a price is not known.' },
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
            description: '`decide`: known only when other nodes have run. `unneeded`: no reader is left.',
          }),
          params: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
            description:
              'As they will be used, defaults filled in; null where they are known only when other nodes have run.',
          }),
          fusedWith: Type.Union([Type.String(), Type.Null()], {
            description:
              'The node that is worked on in the same call of the image library, with no picture in between; its own id when that is the encoding.',
          }),
          servedFrom: Type.Union([Type.Literal('cache'), Type.Null()], {
            description: '`cache`: it would not run, because its result, or that of what follows, is there.',
          }),
          expectedDuration: Type.Union([Type.Number(), Type.Null()], {
            description: 'Milliseconds: the median of this operation in the newest executions of the account.',
          }),
          cost: Type.Optional(CostRange),
        },
        closed,
      ),
    ),
    expectedDuration: Type.Union([Type.Number(), Type.Null()], {
      description:
        'Milliseconds from start to stored output, by the newest executions of the account; null where an operation has not run yet.',
    }),
    cost: CostRange,
    output: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
      description: 'The settings of the output as they will be used; null where they are not known yet.',
    }),
  },
  closed,
)
