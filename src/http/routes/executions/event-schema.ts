/** What is told of an execution while it goes on: the `data` of each kind of server-sent event. */
import Type from 'typebox'
import { executionStatuses } from '../../../domain/execution.ts'
import { ExecutionRecord, Timestamp } from '../schema.ts'
import { StepRecord } from './step-schema.ts'

const closed = { additionalProperties: false }

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
