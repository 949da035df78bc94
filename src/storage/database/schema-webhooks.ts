/** The tables of webhooks as Kysely sees them. */
import type { Generated } from 'kysely'

export interface WebhookTables {
  webhook_endpoints: WebhookEndpointRow
  webhook_secrets: WebhookSecretRow
  webhook_events: WebhookEventRow
  webhook_deliveries: WebhookDeliveryRow
  webhook_queues: WebhookQueueRow
  webhook_notices: WebhookNoticeRow
}

export interface WebhookSecretRow {
  account_id: string
  secret: string
  previous_secret: string | null
  previous_until: number | null
}

export interface WebhookEndpointRow extends WebhookSecretRow {
  id: string
  url: string
  description: string
  /** JSON: WebhookEventType[]. Null for all. */
  event_types: string | null
  disabled_at: number | null
  disabled_reason: string | null
  failing_since: number | null
  created_at: number
  updated_at: number
}

/** An event that has no deliveries yet. */
export interface WebhookEventRow {
  id: string
  account_id: string
  type: string
  /** The id of the execution, or of the workflow with the version after a space. */
  subject: string | null
  /** JSON, of an event without a subject. */
  data: string | null
  /** URL of a receiver of an execution, in addition to the endpoints. */
  url: string | null
  /** 0 if only `url` gets it. */
  for_endpoints: number
  created_at: number
}

export interface WebhookDeliveryRow {
  id: string
  account_id: string
  /** Empty for the URL of an execution. */
  endpoint_id: string
  url: string
  event_id: string
  event_type: string
  body: string
  status: string
  attempts: number
  /** While an attempt runs: the end of its lease. Null after the end. */
  next_attempt_at: number | null
  problem: string | null
  /** JSON: DeliveryAttempt[] */
  log: string
  created_at: number
  ended_at: number | null
  /** The work that its event is about: W3C Trace Context. Null without traces. */
  traceparent: string | null
}

/** The waiting deliveries of an endpoint, or of the URLs of executions of an account. */
export interface WebhookQueueRow {
  account_id: string
  endpoint_id: string
  /** Deliveries that are `pending`. */
  waiting: number
  /** Bytes of these deliveries, each with its body. */
  waiting_bytes: Generated<number>
  /** Time of the next delivery, or before it. Null if none waits, or if they end. */
  next_at: number | null
  /** Its endpoint was found deleted or disabled, or a part of the deliveries has ended, at this time: the others are to end. */
  ending_at: Generated<number | null>
}

/** A notice that was sent, so that it isn't sent again. */
export interface WebhookNoticeRow {
  id: string
  created_at: number
}
