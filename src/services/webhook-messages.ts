/** The signed messages of webhooks (Standard Webhooks 1.0). */
import { Webhook } from 'standardwebhooks'
import type { Account } from '../domain/account.ts'
import type { BatchState } from '../domain/batch.ts'
import { timestamp } from '../domain/clock.ts'
import type { Execution } from '../domain/execution.ts'
import { signingSecrets, type WebhookEvent, type WebhookSecret } from '../domain/webhook.ts'
import type { Workflow } from '../domain/workflow.ts'
import { limits } from '../limits.ts'

/** Converts records to the shapes of the API. */
export interface WebhookPresenter {
  execution(execution: Execution, account: Account): object
  workflow(workflow: Workflow): object
  batch(batch: BatchState): object
}

/** The JSON body of an event: type, time and data. */
export function messageBody(event: WebhookEvent, present: WebhookPresenter): string {
  const body = bodyWith(event, dataOf(event, present))
  if (Buffer.byteLength(body) <= limits.webhookBodyBytesMax) return body
  return bodyWith(event, { ...thinDataOf(event), isShortened: true })
}

export function bodyWith({ type, createdAt }: Pick<WebhookEvent, 'type' | 'createdAt'>, data: unknown): string {
  return JSON.stringify({ type, timestamp: timestamp(createdAt), data })
}

function dataOf({ subject }: WebhookEvent, present: WebhookPresenter): unknown {
  if ('execution' in subject) return present.execution(subject.execution, subject.account)
  if ('batch' in subject) return present.batch(subject.batch)
  if ('workflow' in subject) return { ...present.workflow(subject.workflow), version: subject.version }
  return subject.data
}

/** Ids and status: a receiver reads the rest from the API. */
function thinDataOf({ subject }: WebhookEvent): Record<string, unknown> {
  if ('execution' in subject) {
    const { id, workflowId, status } = subject.execution
    return { executionId: id, workflowId, status }
  }
  if ('batch' in subject) return { id: subject.batch.id, status: subject.batch.status }
  if ('workflow' in subject) return { id: subject.workflow.id, version: subject.version }
  const entries = Object.entries((subject.data ?? {}) as Record<string, unknown>)
  return Object.fromEntries(entries.filter(([, value]) => typeof value !== 'object' && String(value).length <= 200))
}

/** The headers of one attempt. During the overlap of a rotation, the header has a signature of each secret. */
export function signedHeaders(
  { eventId, body, secret }: { eventId: string; body: string; secret: WebhookSecret },
  now: number,
): Record<string, string> {
  const signatures = signingSecrets(secret, now).map((signingSecret) =>
    new Webhook(signingSecret).sign(eventId, new Date(now), body),
  )
  return {
    'content-type': 'application/json',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(now / 1_000)),
    'webhook-signature': signatures.join(' '),
  }
}
