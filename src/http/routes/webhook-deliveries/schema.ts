/** Schemas of webhook deliveries and of the events that they contain. */
import Type, { type TSchema } from 'typebox'
import { named } from '../../../domain/named-schema.ts'
import {
  deliveryStatuses,
  disabledReasons,
  testEventType,
  type WebhookEventType,
  webhookEventTypes,
} from '../../../domain/webhooks/webhook.ts'
import { limits } from '../../../limits.ts'
import { BatchRecord } from '../batches/schema.ts'
import { executionFields } from '../executions/schema.ts'
import { Timestamp } from '../schema.ts'

const delivery = {
  id: Type.String(),
  endpointId: Type.Optional(Type.String({ description: 'Absent for the `webhookUrl` of an execution.' })),
  url: Type.String(),
  eventId: Type.String({
    description: 'The header `webhook-id`: the same for all endpoints, attempts and replays of an event.',
  }),
  eventType: Type.String({ description: `The type of the event, or \`${testEventType}\`.` }),
  status: Type.Enum([...deliveryStatuses], { description: '`failed`: no attempt follows.' }),
  attempts: Type.Integer({ description: 'Number of attempts since the last replay.' }),
  nextAttemptAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'Of a pending delivery. Later than the attempt that is running.' }),
  ),
  problem: Type.Optional(
    Type.String({
      description:
        'Reason why it failed without another attempt: `endpoint_disabled`, `endpoint_deleted` or `backlog`.',
    }),
  ),
  createdAt: Timestamp,
  endedAt: Type.Optional(Timestamp),
}

export const DeliveryRecord = Type.Object(delivery, named('WebhookDelivery'))

const Attempt = Type.Object(
  {
    at: Timestamp,
    duration: Type.Number({ description: 'Milliseconds.' }),
    status: Type.Optional(Type.Integer({ description: 'HTTP status of the response. Absent without a response.' })),
    response: Type.String({ description: `The first ${limits.webhookResponseBytesMax} bytes of the response.` }),
    problem: Type.Optional(Type.String({ description: 'Why it counts as failed.' })),
  },
  named('WebhookAttempt'),
)

export const DeliveryDetailsRecord = Type.Object(
  {
    ...delivery,
    body: Type.String({ description: 'The JSON text that is sent, the same in each attempt.' }),
    log: Type.Array(Attempt, {
      description: `The attempts, oldest first, at most the newest ${limits.webhookAttemptsLoggedMax}.`,
    }),
  },
  named('WebhookDeliveryDetails'),
)

const isShortened = Type.Optional(
  Type.Literal(true, {
    description: `The event would have more than ${limits.webhookBodyBytesMax} bytes, so it has ids and the status only.`,
  }),
)

const { id, status } = BatchRecord.properties
const EndedExecution = Type.Object({ ...executionFields, isShortened }, named('EndedExecution'))
/** A shortened event has the id and the status only. */
const EndedBatch = Type.Object(
  { ...Type.Partial(BatchRecord).properties, id, status, isShortened },
  named('EndedBatch'),
)

const data: Record<WebhookEventType | typeof testEventType, [name: string, schema: TSchema]> = {
  'execution.completed': ['ExecutionCompletedWebhook', EndedExecution],
  'execution.failed': ['ExecutionFailedWebhook', EndedExecution],
  'batch.completed': ['BatchCompletedWebhook', EndedBatch],
  'workflow.published': [
    'WorkflowPublishedWebhook',
    Type.Object(
      {
        id: Type.String(),
        version: Type.Integer(),
        name: Type.Optional(Type.String()),
        projectId: Type.Optional(Type.String()),
        slug: Type.Optional(Type.String()),
        createdAt: Type.Optional(Timestamp),
        updatedAt: Type.Optional(Timestamp),
        isShortened,
      },
      named('PublishedWorkflow'),
    ),
  ],
  'budget.reached': [
    'BudgetReachedWebhook',
    Type.Object(
      {
        month: Type.String({ description: 'Such as `2026-11`, in UTC.' }),
        threshold: Type.Integer({ description: 'Percent of the budget: 80 or 100.' }),
        budgetUsd: Type.Number(),
        spentUsd: Type.Number({
          description: 'With threshold 100 it can be lower than the budget: the next model call would exceed it.',
        }),
      },
      named('ReachedBudget'),
    ),
  ],
  'key.expiring': [
    'KeyExpiringWebhook',
    Type.Object(
      { keyId: Type.String(), name: Type.String(), prefix: Type.String(), expiresAt: Timestamp },
      named('ExpiringKey'),
    ),
  ],
  'webhook.disabled': [
    'WebhookDisabledWebhook',
    Type.Object(
      { endpointId: Type.String(), url: Type.String(), reason: Type.Enum([...disabledReasons]) },
      named('DisabledWebhookEndpoint'),
    ),
  ],
  [testEventType]: [
    'TestWebhook',
    Type.Object({ endpointId: Type.String(), message: Type.String() }, named('WebhookTest')),
  ],
}

const descriptions = {
  ...webhookEventTypes,
  [testEventType]: 'A test of an endpoint: `POST /webhook-endpoints/{endpointId}/test`.',
}

/** The body of each type of event, for the section `webhooks` of the OpenAPI document. */
export const webhookBodies = Object.entries(data).map(([type, [name, schema]]) => ({
  type,
  description: descriptions[type as keyof typeof descriptions],
  schema: Type.Object(
    {
      type: Type.Literal(type),
      timestamp: Type.String({ format: 'date-time', description: 'Time of the event, ISO 8601, UTC.' }),
      data: schema,
    },
    named(name),
  ),
}))
