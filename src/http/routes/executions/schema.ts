/** Schemas of executions, their steps and events. */
import Type from 'typebox'
import { executionStatuses, stepOrigins, stepStatuses } from '../../../domain/execution.ts'
import { imageFormats } from '../../../domain/image.ts'
import { closed } from '../../define-route.ts'
import { Timestamp } from '../schema.ts'

export const ExecutionCost = Type.Object(
  {
    usd: Type.Number({ description: 'US dollars.' }),
    unknown: Type.Optional(
      Type.Integer({
        description: 'Calls whose cost nobody knows; the most that each may cost is in `usd`, where that is known.',
      }),
    ),
  },
  { ...closed, description: 'What its calls of AI models cost; only where there were any.' },
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

const ExecutionError = Type.Object(
  { code: Type.String(), message: Type.String(), details: Type.Record(Type.String(), Type.Unknown()) },
  closed,
)

export const CompletedExecution = Type.Object(
  {
    executionId: Type.String(),
    status: Type.Literal('completed'),
    output: Output,
    duration: Type.Number({ description: 'Milliseconds from the acceptance of the request to the stored output.' }),
    cost: Type.Optional(ExecutionCost),
  },
  closed,
)

export const AcceptedExecution = Type.Object(
  { executionId: Type.String(), status: Type.Enum(['pending', 'running']) },
  closed,
)

export const ExecutionRecord = Type.Object(
  {
    executionId: Type.String(),
    workflowId: Type.String(),
    status: Type.Enum([...executionStatuses]),
    output: Type.Optional(Output),
    error: Type.Optional(ExecutionError),
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

/** What executing takes. */
export const asyncField = Type.Boolean({ description: 'Return at once with an execution id. Default false.' })

export const previewsField = Type.Boolean({
  description:
    'Whether a small picture of what each step gives is kept, to look at while it runs and afterwards. Default false.',
})

export const ModelCall = Type.Object(
  {
    model: Type.String({ description: '`provider/model`.' }),
    outcome: Type.String({ description: '`done`, or what went wrong.' }),
    costUsd: Type.Union([Type.Number(), Type.Null()], { description: 'US dollars; null where nobody knows.' }),
    costSource: Type.Union([Type.Enum(['reported', 'computed', 'assumed']), Type.Null()], {
      description:
        '`reported` by the provider; `computed` from what was used and the price table; `assumed`: the most that it may cost, because whether it was billed cannot be known.',
    }),
    requestId: Type.Optional(Type.String({ description: "The provider's own id of the request or the job." })),
  },
  closed,
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
        description: 'How many images it gave, when it ran over a list; width and height are those of the first.',
      }),
    ),
    servedFrom: Type.Optional(
      Type.Enum([...stepOrigins], {
        description:
          'Where its result came from when it did not run: `cache`, also where it was not needed because what follows came from there; `resumed`, the execution that this one resumes.',
      }),
    ),
    calls: Type.Optional(
      Type.Array(ModelCall, {
        description: 'The calls of AI models that it made, in their order, those of earlier attempts included.',
      }),
    ),
    preview: Type.Optional(
      Type.Object(
        { url: Type.String(), width: Type.Integer(), height: Type.Integer() },
        { ...closed, description: 'A small picture of what it gave, where the execution was asked for previews.' },
      ),
    ),
    error: Type.Optional(
      Type.Object({ message: Type.String(), details: Type.Record(Type.String(), Type.Unknown()) }, closed),
    ),
  },
  closed,
)

const { output, error, duration, cost } = ExecutionRecord.properties

/** In the OpenAPI document, by name. */
export const executionEvents = {
  ExecutionSnapshotEvent: Type.Object(
    { execution: ExecutionRecord, steps: Type.Array(StepRecord) },
    { ...closed, description: 'How all of it stands, its `id` that of the last event which is contained in it.' },
  ),
  ExecutionStepEvent: Type.Object(StepRecord.properties, { ...closed, description: 'A step that has changed, whole.' }),
  ExecutionStatusEvent: Type.Object(
    {
      executionId: Type.String(),
      status: Type.Enum([...executionStatuses], {
        description:
          'With `pending` and `running` it begins anew: forget the steps told before. After `completed` and `failed` comes nothing.',
      }),
      at: Timestamp,
      startedAt: Type.Optional(Timestamp),
      completedAt: Type.Optional(Timestamp),
      output,
      error,
      duration,
      cost,
    },
    { ...closed, description: 'The execution has another status.' },
  ),
}

/** A stream, and what its events carry: OpenAPI 3.1 has no words for it. */
export const ExecutionEventStream = Type.String({
  description: 'Frames of `id`, `event` and `data`, a line of JSON each; `retry` first; comments in between.',
  'x-sse-events': {
    snapshot: { $ref: '#/components/schemas/ExecutionSnapshotEvent' },
    step: { $ref: '#/components/schemas/ExecutionStepEvent' },
    execution: { $ref: '#/components/schemas/ExecutionStatusEvent' },
  },
})
