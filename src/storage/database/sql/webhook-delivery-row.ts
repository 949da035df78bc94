/** Converts webhook deliveries to rows and back. */
import type {
  DeliveryAttempt,
  DeliveryDetails,
  DeliveryStatus,
  WebhookDelivery,
} from '../../../domain/webhooks/webhook.ts'
import type { WebhookDeliveryRow } from '../schema-webhooks.ts'

/** Columns without body and log. */
export const deliveryColumns = [
  'id',
  'account_id',
  'endpoint_id',
  'url',
  'event_id',
  'event_type',
  'status',
  'attempts',
  'next_attempt_at',
  'problem',
  'created_at',
  'ended_at',
] as const

export function toDelivery(row: Pick<WebhookDeliveryRow, (typeof deliveryColumns)[number]>): WebhookDelivery {
  return {
    id: row.id,
    accountId: row.account_id,
    endpointId: row.endpoint_id || null,
    url: row.url,
    eventId: row.event_id,
    eventType: row.event_type,
    status: row.status as DeliveryStatus,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    problem: row.problem,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  }
}

export function toDetails(row: WebhookDeliveryRow): DeliveryDetails {
  return { delivery: toDelivery(row), body: row.body, log: JSON.parse(row.log) as DeliveryAttempt[] }
}

export function toDeliveryRow(delivery: WebhookDelivery, body: string, traceparent?: string): WebhookDeliveryRow {
  return {
    id: delivery.id,
    account_id: delivery.accountId,
    endpoint_id: delivery.endpointId ?? '',
    url: delivery.url,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    body,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt,
    problem: delivery.problem,
    log: '[]',
    created_at: delivery.createdAt,
    ended_at: delivery.endedAt,
    traceparent: traceparent ?? null,
  }
}
