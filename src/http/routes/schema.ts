/** The documented shapes, as replies carry them. What Tintype adds to the specification is optional and told so. */
import Type from 'typebox'
import { executionStatuses } from '../../domain/execution.ts'
import { fontFormats } from '../../domain/font.ts'
import { imageFormats } from '../../domain/image.ts'
import { storableText } from '../../domain/storable-text.ts'
import { ParameterDeclaration } from '../../domain/workflow.ts'
import { errors, failureReasons } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { CostRange, ExecutionCost } from './providers/schema.ts'

const closed = { additionalProperties: false }

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' })

/** An id in a path or a body: any text, since what no record has is simply not found. */
export function id(description: string) {
  return Type.String({ description })
}

export const PageQuery = {
  limit: Type.Integer({
    minimum: 1,
    maximum: limits.pageSizeMax,
    default: limits.pageSizeDefault,
    description: 'Most results to give.',
  }),
  offset: Type.Integer({
    minimum: 0,
    maximum: limits.pageOffsetMax,
    default: 0,
    description: 'How many to pass over.',
  }),
}

export const searchField = Type.String({
  ...storableText,
  minLength: 1,
  maxLength: limits.nameCharsMax,
  description: 'Only those whose name contains this, in upper or lower case.',
})

export const includeField = Type.Enum(['lastOutput'], {
  description: '`lastOutput`: tell of each what its newest execution gave.',
})

export const PageFacts = {
  total: Type.Integer({ description: 'How many match in all.' }),
  hasMore: Type.Boolean({ description: 'Whether there are more after these.' }),
}

/** Where a call of an AI model is why an execution failed. */
const modelFailure = {
  provider: Type.Optional(Type.String({ description: 'The AI provider that was asked.' })),
  model: Type.Optional(Type.String({ description: 'As `provider/model`.' })),
  problem: Type.Optional(
    Type.String({
      description:
        'What went wrong with the call: not_configured, auth, quota, rate_limited, invalid_request, unsupported, refused, down, timeout, bad_output, no_output, expired, outcome_unknown, cancelled, circuit_open or budget. After `outcome_unknown` it may have been carried out, and billed.',
    }),
  ),
  status: Type.Optional(Type.Integer({ description: 'HTTP status that the provider answered with.' })),
  providerRequestId: Type.Optional(Type.String({ description: "The provider's own id of the request or the job." })),
  billed: Type.Optional(Type.Enum(['no', 'yes', 'unknown'], { description: 'Whether the call was billed.' })),
}

export const ErrorReply = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.Enum(Object.keys(errors) as (keyof typeof errors)[]),
        message: Type.String(),
        details: Type.Object(
          {
            requestId: Type.String(),
            issues: Type.Optional(
              Type.Array(Type.Object({ path: Type.String(), message: Type.String() }, closed), {
                description: 'Every problem of an `invalid_request` at once.',
              }),
            ),
            permission: Type.Optional(Type.Union([Type.String(), Type.Null()])),
            retryAfterSeconds: Type.Optional(Type.Integer()),
            limit: Type.Optional(Type.Integer()),
            executionId: Type.Optional(Type.String()),
            node: Type.Optional(Type.String()),
            operation: Type.Optional(Type.String()),
            reason: Type.Optional(Type.Enum(Object.keys(failureReasons))),
            ...modelFailure,
          },
          { additionalProperties: true },
        ),
      },
      closed,
    ),
  },
  closed,
)

const Issues = Type.Array(Type.Object({ path: Type.String(), message: Type.String() }, closed))

export const LastOutput = Type.Object(
  {
    executionId: Type.String(),
    url: Type.String(),
    width: Type.Integer(),
    height: Type.Integer(),
    format: Type.Enum(Object.keys(imageFormats)),
    completedAt: Timestamp,
  },
  {
    ...closed,
    description:
      'With `include=lastOutput`: what its newest execution gave that ran to the output, unless that image was deleted.',
  },
)

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
export const WorkflowPreview = Type.Object(
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

const Output = Type.Object(
  {
    url: Type.String(),
    width: Type.Integer(),
    height: Type.Integer(),
    format: Type.Enum(Object.keys(imageFormats)),
    imageId: Type.Optional(Type.String()),
  },
  closed,
)

const ExecutionFault = Type.Object(
  { code: Type.String(), message: Type.String(), details: Type.Record(Type.String(), Type.Unknown()) },
  closed,
)

export const ExecutionDone = Type.Object(
  {
    executionId: Type.String(),
    status: Type.Literal('completed'),
    output: Output,
    duration: Type.Number({ description: 'Milliseconds from the acceptance of the request to the stored output.' }),
    cost: Type.Optional(ExecutionCost),
  },
  closed,
)

export const ExecutionAccepted = Type.Object(
  { executionId: Type.String(), status: Type.Enum(['pending', 'running']) },
  closed,
)

export const ExecutionRecord = Type.Object(
  {
    executionId: Type.String(),
    workflowId: Type.String(),
    status: Type.Enum([...executionStatuses]),
    output: Type.Optional(Output),
    error: Type.Optional(ExecutionFault),
    duration: Type.Optional(Type.Number({ description: 'Milliseconds from acceptance to the end.' })),
    startedAt: Type.Optional(Timestamp),
    completedAt: Type.Optional(Timestamp),
    createdAt: Type.Optional(Timestamp),
    workflowVersion: Type.Optional(Type.Integer()),
    parameters: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
    previews: Type.Optional(Type.Literal(true, { description: 'Small pictures of what its steps give are kept.' })),
    resumedFrom: Type.Optional(Type.String({ description: 'The failed execution that it goes on with.' })),
    draft: Type.Optional(
      Type.Literal(true, {
        description: "It ran the workflow's draft, as that was then; `workflowVersion` is not told.",
      }),
    ),
    node: Type.Optional(Type.String({ description: 'The node that the draft was run to.' })),
    cost: Type.Optional(ExecutionCost),
  },
  closed,
)

export const ImageDetail = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    name: Type.String({ description: 'File name.' }),
    size: Type.Integer({ description: 'Bytes.' }),
    format: Type.Enum(Object.keys(imageFormats)),
    width: Type.Integer(),
    height: Type.Integer(),
    createdAt: Timestamp,
    projectId: Type.Optional(Type.String()),
  },
  closed,
)

export const ImageListItem = Type.Object(
  { id: Type.String(), url: Type.String(), name: Type.String(), size: Type.Integer(), createdAt: Timestamp },
  closed,
)

/** The name of a family, as a text calls it: no control characters, no blank ends. */
export const fontFamily = {
  maxLength: limits.fontFamilyCharsMax,
  pattern:
    '^[^\\s\\u0000-\\u001f\\u007f-\\u009f]([^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f])?$',
  'x-expected': 'a name without control characters, and without spaces around it',
}

export const FontRecord = Type.Object(
  {
    id: Type.String(),
    family: Type.String({ description: 'What texts call it by; files of one family differ in weight and slant.' }),
    format: Type.Enum([...fontFormats]),
    weightMin: Type.Integer({ description: 'Lightest weight, 1 to 1000.' }),
    weightMax: Type.Integer({ description: 'Boldest weight; another than the lightest only of a variable font.' }),
    italic: Type.Boolean(),
    size: Type.Integer({ description: 'Bytes.' }),
    createdAt: Timestamp,
  },
  closed,
)

export const ProjectRecord = Type.Object(
  { id: Type.String(), name: Type.String(), description: Type.String(), createdAt: Timestamp, updatedAt: Timestamp },
  closed,
)
