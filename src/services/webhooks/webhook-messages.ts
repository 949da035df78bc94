/** The signed messages of webhooks (Standard Webhooks 1.0). */
import { Webhook } from 'standardwebhooks'
import type { Account } from '../../domain/accounts/account.ts'
import type { BatchState } from '../../domain/batches/batch.ts'
import { timestamp } from '../../domain/clock.ts'
import type { Execution } from '../../domain/executions/execution.ts'
import {
  type BriefSubject,
  signingSecrets,
  type WebhookEvent,
  type WebhookSecret,
  type WebhookSubject,
} from '../../domain/webhooks/webhook.ts'
import type { Workflow } from '../../domain/workflows/workflow.ts'
import { limits } from '../../limits.ts'

/** Converts records to the shapes of the API. */
export interface WebhookPresenter {
  execution(execution: Execution, account: Account): object
  workflow(workflow: Workflow): object
  batch(batch: BatchState): object
}

/** The JSON body of an event: type, time and data. Throws if the record can't be converted. */
export function messageBody(event: WebhookEvent, present: WebhookPresenter): string {
  const subject = event.subject?.()
  if (subject === undefined) return shortBody(event)
  const body = bodyWith(event, dataOf(subject, present))
  return Buffer.byteLength(body) <= limits.webhookBodyBytesMax ? body : shortBody(event, subject)
}

/** Ids and status: a receiver reads the rest from the API. */
export function shortBody(event: WebhookEvent, subject: BriefSubject = event.brief): string {
  return bodyWith(event, { ...briefDataOf(subject), isShortened: true })
}

export function bodyWith({ type, createdAt }: Pick<WebhookEvent, 'type' | 'createdAt'>, data: unknown): string {
  return JSON.stringify({ type, timestamp: timestamp(createdAt), data })
}

function dataOf(subject: WebhookSubject, present: WebhookPresenter): unknown {
  if ('execution' in subject) return present.execution(subject.execution, subject.account)
  if ('batch' in subject) return present.batch(subject.batch)
  if ('workflow' in subject) return { ...present.workflow(subject.workflow), version: subject.version }
  return subject.data
}

function briefDataOf(subject: BriefSubject): Record<string, unknown> {
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
