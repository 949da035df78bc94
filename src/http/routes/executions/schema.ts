/** Schemas of executions, their steps and events. */
import Type, { type TProperties, type TSchemaOptions } from 'typebox'
import { anchors } from '../../../../shared/anchors.ts'
import { frameBounds, frameKinds } from '../../../../shared/frames.ts'
import { executionStatuses, isTerminal, stepOrigins, stepStatuses } from '../../../domain/executions/execution.ts'
import { imageFormats } from '../../../domain/images/image.ts'
import { named } from '../../../domain/named-schema.ts'
import { limits } from '../../../limits.ts'
import { FailureDetails } from '../../response/problem.ts'
import { ImageOrigin, OutputThumbnailUrl } from '../images/schema.ts'
import { expiresAtField, expiresInField, Timestamp, testSchema } from '../schema.ts'

export const ExecutionCost = Type.Object(
  {
    usd: Type.Number({ description: 'US dollars.' }),
    unknown: Type.Optional(
      Type.Integer({
        description: 'Number of calls with unknown cost. `usd` includes their maximum cost, if it is known.',
      }),
    ),
  },
  { ...named('ExecutionCost'), description: 'Cost of the AI model calls. Absent if there were none.' },
)

const exampleIds = {
  executionId: 'exec_06h15xnfhg00ww4d3x48s1b7wznh',
  workflowId: 'wf_06h15x0nmw0097a6m4hdb288e0ha',
}

const exampleOutput = {
  url: 'https://images.example.com/images/img_06h15xnfhw00snp469yjg5mdfjbs.webp',
  width: 1200,
  height: 630,
  format: 'webp',
  imageId: 'img_06h15xnfhw00snp469yjg5mdfjbs',
}

const Output = Type.Object(
  {
    url: Type.String(),
    width: Type.Integer(),
    height: Type.Integer(),
    format: Type.Enum(Object.keys(imageFormats)),
    imageId: Type.Optional(Type.String()),
    thumbnailUrl: OutputThumbnailUrl,
    origin: ImageOrigin,
    expiresAt: expiresAtField,
  },
  { ...named('ExecutionOutput'), examples: [exampleOutput] },
)

const OutputFile = Type.Object(
  {
    url: Type.String(),
    width: Type.Integer(),
    height: Type.Integer(),
    format: Type.Enum(Object.keys(imageFormats)),
    imageId: Type.String(),
    thumbnailUrl: OutputThumbnailUrl,
    size: Type.Integer({ description: 'Bytes.' }),
    origin: ImageOrigin,
    expiresAt: expiresAtField,
  },
  named('OutputFile'),
)

const NamedOutput = Type.Object(
  {
    ...OutputFile.properties,
    name: Type.String({ description: 'The name in `outputs` of the workflow.' }),
    pages: Type.Optional(
      Type.Integer({
        description: 'Of a PDF. `width` and `height` are those of the first page, in pixels at its density.',
      }),
    ),
    files: Type.Optional(
      Type.Array(OutputFile, {
        description:
          "Of a set: all files, format by format, each from the smallest width. `url` is the widest file of the last format, for clients that can't choose.",
      }),
    ),
    srcset: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Of a set: the value of the HTML attribute `srcset`, by format.',
      }),
    ),
    color: Type.Optional(
      Type.String({ description: 'Of a set: the dominant colour as `#rrggbb`, for the time until a file is loaded.' }),
    ),
    blurhash: Type.Optional(Type.String({ description: 'Of a set: a BlurHash.' })),
  },
  named('NamedOutput'),
)

const Outputs = Type.Array(NamedOutput, {
  description:
    'The outputs that `outputs` of the workflow declares, in its order and without the primary output. Absent if the workflow has none.',
})

export const ExecutionError = Type.Object(
  { code: Type.String(), message: Type.String(), details: FailureDetails },
  named('ExecutionError'),
)

const Warnings = Type.Array(Type.Object({ node: Type.String(), message: Type.String() }, named('ExecutionWarning')), {
  description:
    'Problems of the steps that did not stop the execution, such as characters that no font has. Absent if there are none.',
})

export const CompletedExecution = Type.Object(
  {
    executionId: Type.String(),
    status: Type.Literal('completed'),
    output: Output,
    outputs: Type.Optional(Outputs),
    warnings: Type.Optional(Warnings),
    duration: Type.Number({ description: 'Milliseconds from the accepted request to the stored output.' }),
    cost: Type.Optional(ExecutionCost),
    test: testSchema,
  },
  {
    ...named('CompletedExecution'),
    examples: [{ executionId: exampleIds.executionId, status: 'completed', output: exampleOutput, duration: 348 }],
  },
)

export const AcceptedExecution = Type.Object(
  { executionId: Type.String(), status: Type.Enum(['pending', 'running']), test: testSchema },
  { ...named('AcceptedExecution'), examples: [{ executionId: exampleIds.executionId, status: 'pending' }] },
)

/** Booleans and JSON occur for parameters of these formats. */
const ParameterValue = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  Type.Record(Type.String(), Type.Unknown()),
  Type.Array(Type.Unknown()),
])

export const UsedBrand = Type.Record(Type.String(), Type.String(), {
  description:
    'The brand values that the workflow reads, as they were when the request was accepted. Absent if it reads none.',
})

/** A type for each status: one with an output, and one with an error. The fields of the others stay optional, so that clients can read them. */
function byStatus<Fields extends TProperties>(name: string, fields: Fields, status: TSchemaOptions, options: object) {
  const typeOf = (suffix: string, more: TProperties) =>
    Type.Object({ ...fields, ...more }, named(name.replace('Execution', `Execution${suffix}`)))
  return Type.Union(
    [
      typeOf('InProgress', {
        status: Type.Enum(
          executionStatuses.filter((each) => !isTerminal(each)),
          status,
        ),
      }),
      typeOf('Completed', { status: Type.Literal('completed', status), output: Output }),
      typeOf('Failed', { status: Type.Literal('failed', status), error: ExecutionError }),
    ],
    { ...named(name), ...options },
  )
}

export const executionFields = {
  executionId: Type.String(),
  workflowId: Type.String(),
  status: Type.Enum([...executionStatuses]),
  output: Type.Optional(Output),
  outputs: Type.Optional(Outputs),
  warnings: Type.Optional(Warnings),
  error: Type.Optional(ExecutionError),
  duration: Type.Optional(
    Type.Number({ description: 'Milliseconds from the accepted request to the end of the execution.' }),
  ),
  startedAt: Type.Optional(Timestamp),
  completedAt: Type.Optional(Timestamp),
  createdAt: Type.Optional(Timestamp),
  workflowVersion: Type.Optional(Type.Integer()),
  parameters: Type.Optional(
    Type.Record(Type.String(), ParameterValue, {
      description:
        'The values with defaults, as templates see them. A `data:` URL is replaced by the id of its stored image.',
    }),
  ),
  brand: Type.Optional(UsedBrand),
  batchId: Type.Optional(Type.String({ description: 'The batch that the execution runs a row of.' })),
  previews: Type.Optional(Type.Literal(true, { description: 'Previews of the step results are stored.' })),
  signingKeyId: Type.Optional(
    Type.String({
      description: 'The signing key of the delivery URL that started it. Its output is not listed in storage.',
    }),
  ),
  resumedFrom: Type.Optional(Type.String({ description: 'The failed execution that this execution resumes.' })),
  draft: Type.Optional(
    Type.Literal(true, {
      description: 'The execution ran a draft. `workflowVersion` is absent.',
    }),
  ),
  node: Type.Optional(Type.String({ description: 'The last node that was executed.' })),
  variations: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: 'The variations of the request, by node.' }),
  ),
  cost: Type.Optional(ExecutionCost),
  traceId: Type.Optional(
    Type.String({
      description: 'The OpenTelemetry trace of the request that started it, if the service records traces.',
    }),
  ),
  test: testSchema,
}

export const ExecutionRecord = byStatus(
  'Execution',
  executionFields,
  {},
  {
    examples: [
      {
        ...exampleIds,
        status: 'completed',
        output: exampleOutput,
        duration: 348,
        startedAt: '2026-11-25T13:48:06.123Z',
        completedAt: '2026-11-25T13:48:06.466Z',
        createdAt: '2026-11-25T13:48:06.118Z',
        workflowVersion: 1,
        parameters: { headline: 'Hello from Tintype' },
      },
    ],
  },
)

export const LastOutput = Type.Object(
  {
    executionId: Type.String(),
    url: Type.String(),
    width: Type.Integer(),
    height: Type.Integer(),
    format: Type.Enum(Object.keys(imageFormats)),
    thumbnailUrl: OutputThumbnailUrl,
    completedAt: Timestamp,
  },
  {
    ...named('LastOutput'),
    description:
      'With `include=lastOutput`: the output of the most recent completed execution. Absent if the image was deleted.',
  },
)

export const asyncField = Type.Boolean({
  description: 'Return an execution id immediately instead of waiting for the output. Default: false.',
})

export const outputsExpireInField = expiresInField(
  'Seconds after the end of the execution after which its outputs are removed. Default: the time of the project or plan, if there is one.',
)

export const previewsField = Type.Boolean({
  description: 'Store a preview of each step result, available during and after the execution. Default: false.',
})

export const Variations = Type.Record(
  Type.String(),
  Type.String({ minLength: 1, maxLength: limits.variationCharsMax }),
  {
    maxProperties: limits.nodesMax,
    description:
      'Reuse random results, such as those of AI models without a seed, instead of calling the models again. A node whose settings and inputs are unchanged reuses the result that an earlier execution of this workflow with `variations` created. The object maps node ids to variations, any text: a new text requests a new result, and an earlier text returns its result. A node that is not listed has its own id as its variation, and an id that is not a node of the workflow is rejected. Results are kept in the step cache. Default: random results are not reused.',
  },
)

export const ModelCall = Type.Object(
  {
    model: Type.String({ description: '`provider/model`.' }),
    outcome: Type.String({ description: '`done`, or the kind of the error.' }),
    costUsd: Type.Union([Type.Number(), Type.Null()], { description: 'US dollars. Null if the cost is unknown.' }),
    costSource: Type.Union([Type.Enum(['reported', 'computed', 'assumed']), Type.Null()], {
      description:
        '`reported`: by the provider. `computed`: from the usage and the price table. `assumed`: the maximum cost, because it is unknown whether the call was billed.',
    }),
    requestId: Type.Optional(Type.String({ description: 'The id that the provider assigned to the request or job.' })),
  },
  named('ModelCall'),
)

const FrameBind = Type.Object(
  {
    param: Type.String({ description: 'Path in the params of the node, such as `box.width`.' }),
    origin: Type.Optional(Type.Number({ description: 'Default: 0.' })),
    scale: Type.Optional(Type.Number({ description: 'Pixels of the image for 1 of the param. Default: 1.' })),
  },
  {
    ...named('FrameBind'),
    description: 'The param that sets a bound of the frame: value of the param = (bound - `origin`) / `scale`.',
  },
)

const FrameAnchor = Type.Object(
  {
    param: Type.String({ description: 'Path of the param with the compass point.' }),
    value: Type.Enum([...anchors], { description: 'The compass point of this step.' }),
    size: Type.Array(Type.Number(), {
      minItems: 2,
      maxItems: 2,
      description: 'Width and height of the image that the box is in.',
    }),
  },
  {
    ...named('FrameAnchor'),
    description:
      'A box that a compass point places if the params of `x` and `y` have no values: with the distance `margin` from the sides that it names, and in the middle otherwise.',
  },
)

const FrameLine = Type.Object(
  { x: Type.Number(), baseline: Type.Number(), width: Type.Number() },
  {
    ...named('FrameLine'),
    description:
      'A drawn line of text: its left edge, baseline and width, in pixels of the image without the rotation.',
  },
)

export const Frame = Type.Object(
  {
    id: Type.String({ description: 'Unique in the step, and the same in every execution.' }),
    kind: Type.Enum([...frameKinds], {
      description:
        '`box`: a rectangle that the operation draws in. `rect`: a rectangle that it keeps or reads. `point`: a position. `quad`: four corners. `line`: from a start to an end. `mask`: the rectangle around the white area of a mask.',
    }),
    of: Type.Enum(['input', 'result'], {
      description: 'The image that the points are in: the result of the step, or the input of `socket`.',
    }),
    socket: Type.Optional(Type.String({ description: 'With `of: input`: the input. Default: the first.' })),
    points: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
      maxItems: 4,
      description:
        'Pixels from the left top, not rotated. `box`, `rect`, `mask`: left top and right bottom. `point`: one point. `quad`: clockwise from the left top. `line`: start and end.',
    }),
    rotation: Type.Optional(Type.Number({ description: 'Degrees clockwise, about the centre of the frame.' })),
    binds: Type.Object(Object.fromEntries(frameBounds.map((bound) => [bound, Type.Optional(FrameBind)])), {
      ...named('FrameBinds'),
      description:
        'The params that set the bounds of the frame. No param sets a bound without an entry. If one param sets `width` and `height`, it keeps their ratio.',
    }),
    anchor: Type.Optional(FrameAnchor),
    removes: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Params to remove when you set one of `binds`, because they exclude each other. With `anchor`: only when you set `x` or `y`.',
      }),
    ),
    lines: Type.Optional(Type.Array(FrameLine, { description: 'The lines of a text.' })),
  },
  { ...named('Frame'), description: 'An area of an image that a step draws or reads. See `/guide/previews`.' },
)

export const StepRecord = Type.Object(
  {
    node: Type.String(),
    operation: Type.String(),
    status: Type.Enum([...stepStatuses]),
    startedAt: Type.Optional(Timestamp),
    duration: Type.Optional(Type.Number({ description: 'Milliseconds.' })),
    width: Type.Optional(Type.Integer()),
    height: Type.Optional(Type.Integer()),
    count: Type.Optional(
      Type.Integer({
        description:
          'Number of images, if the step ran over a list. `width` and `height` are the size of the first image.',
      }),
    ),
    frames: Type.Optional(
      Type.Array(Frame, {
        maxItems: limits.stepFramesMax,
        description: `The areas that the step draws or reads, and the params that set them; at most ${limits.stepFramesMax}, with at most ${limits.stepFrameLinesMax} lines of text together. If the step ran over a list, those of the first image. A failed step can have those in its inputs. Absent if the operation reports none.`,
      }),
    ),
    outputs: Type.Optional(
      Type.Array(Type.String(), { description: 'Names of the outputs in `outputs` that the image becomes.' }),
    ),
    origin: ImageOrigin,
    servedFrom: Type.Optional(
      Type.Enum([...stepOrigins], {
        description:
          'Source of the result, if the step did not run. `cache`: the step cache; also if a later step was cached and this result was not needed. `resumed`: the execution that this execution resumes.',
      }),
    ),
    calls: Type.Optional(
      Type.Array(ModelCall, {
        description: 'AI model calls of the step in their order, including earlier attempts.',
      }),
    ),
    fingerprint: Type.Optional(
      Type.String({
        description:
          'Identifies the work of the step: its settings and all that it depends on. Only for executions with `previews: true`. Compare it with `POST /workflows/validate` to find the steps that a change affects.',
      }),
    ),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Problems that did not stop the execution, such as characters that no font has, or a source whose Content Credentials are invalid.',
      }),
    ),
    preview: Type.Optional(
      Type.Object(
        { url: Type.String(), width: Type.Integer(), height: Type.Integer() },
        {
          ...named('StepPreview'),
          description: 'Preview of the result, if the execution was started with `previews: true`.',
        },
      ),
    ),
    error: Type.Optional(Type.Object({ message: Type.String(), details: FailureDetails }, named('StepError'))),
  },
  named('Step'),
)

const { output, outputs, error, duration, cost } = executionFields

const SnapshotEvent = Type.Object(
  { execution: ExecutionRecord, steps: Type.Array(StepRecord) },
  {
    ...named('ExecutionSnapshotEvent'),
    description:
      'The current state of the execution and its steps. The `id` is that of the last event that the snapshot includes.',
  },
)

const StatusEvent = byStatus(
  'ExecutionStatusEvent',
  {
    executionId: Type.String(),
    at: Timestamp,
    startedAt: Type.Optional(Timestamp),
    completedAt: Type.Optional(Timestamp),
    output,
    outputs,
    error,
    duration,
    cost,
  },
  {
    description:
      'With `pending` or `running`, the execution restarts: discard the steps that you received. No event follows `completed` or `failed`.',
  },
  { description: 'The status of the execution changed.' },
)

/** The data of an event. `x-sse-events` names the schema of each event, because OpenAPI 3.1 has no field for it. */
export const ExecutionEvent = Type.Union([SnapshotEvent, StepRecord, StatusEvent], {
  ...named('ExecutionEvent'),
  description:
    'Each event of the stream has `id`, `event` and `data` (one line of JSON). This is the data: of `snapshot`, `step` or `execution`. The stream starts with `retry`, and comments keep it alive.',
  'x-sse-events': {
    snapshot: { $ref: '#/components/schemas/ExecutionSnapshotEvent' },
    step: { $ref: '#/components/schemas/Step' },
    execution: { $ref: '#/components/schemas/ExecutionStatusEvent' },
  },
})
