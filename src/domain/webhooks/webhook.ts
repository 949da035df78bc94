/** Webhooks: endpoints of an account, and the deliveries of events to them (Standard Webhooks 1.0). */
import { limits } from '../../limits.ts'
import type { Account } from '../accounts/account.ts'
import type { BatchState } from '../batches/batch.ts'
import { timestamp } from '../clock.ts'
import type { Execution } from '../executions/execution.ts'
import type { NewIdempotencyRecord } from '../idempotency.ts'
import { randomBase64 } from '../ids.ts'
import type { Micros } from '../models/model.ts'
import { dollars } from '../money.ts'
import type { CountedPage, Page, PageRequest } from '../page.ts'
import type { Workflow } from '../workflows/workflow.ts'

/** Types that an endpoint can select, and when they occur. */
export const webhookEventTypes = {
  'execution.completed': 'An execution of a published workflow completed.',
  'execution.failed': 'An execution of a published workflow failed, or was cancelled.',
  'batch.completed': 'All rows of a batch have ended. Again after a retry.',
  'workflow.published': 'A new version of a workflow was saved or published.',
  'budget.reached': 'The account has spent 80 % or 100 % of its budget of the month. Once per month for each.',
  'key.expiring': `An API key expires in ${limits.keyExpiryNoticeDays} days.`,
  'webhook.disabled': 'Another webhook endpoint of the account was disabled after failures.',
} as const

export type WebhookEventType = keyof typeof webhookEventTypes
export const webhookTypes = Object.keys(webhookEventTypes) as WebhookEventType[]

/** Sent on request only, to one endpoint. */
export const testEventType = 'webhook.test'

/** `gone`: it returned 410. `failing`: no delivery succeeded for days. `backlog`: too many deliveries were waiting. `caller`: by request. */
export const disabledReasons = ['gone', 'failing', 'backlog', 'caller'] as const
export type DisabledReason = (typeof disabledReasons)[number]

/** `whsec_` and base64. After a rotation, both secrets sign until `previousUntil`. */
export interface WebhookSecret {
  secret: string
  previous: string | null
  previousUntil: number | null
}

export interface WebhookEndpoint extends WebhookSecret {
  id: string
  accountId: string
  url: string
  description: string
  /** Null for all types, also those of later versions. */
  eventTypes: WebhookEventType[] | null
  disabledAt: number | null
  disabledReason: DisabledReason | null
  /** The first failure since the last success. */
  failingSince: number | null
  createdAt: number
  updatedAt: number
}

/** 192 bits. */
export function newWebhookSecret(): string {
  return `whsec_${randomBase64(24)}`
}

/** Secrets that sign at this time, the newest first. */
export function signingSecrets({ secret, previous, previousUntil }: WebhookSecret, now: number): string[] {
  return previous !== null && previousUntil !== null && previousUntil > now ? [secret, previous] : [secret]
}

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export interface WebhookDelivery {
  id: string
  accountId: string
  /** Null for the `webhookUrl` of an execution. */
  endpointId: string | null
  /** The URL of the last attempt, or of the next one. */
  url: string
  /** The `webhook-id`: the same for all endpoints, attempts and replays. */
  eventId: string
  eventType: string
  status: DeliveryStatus
  /** Attempts since the last replay. */
  attempts: number
  nextAttemptAt: number | null
  /** Why it failed without another attempt. */
  problem: string | null
  createdAt: number
  endedAt: number | null
}

export interface DeliveryDetails {
  delivery: WebhookDelivery
  /** JSON: the same bytes in each attempt. */
  body: string
  /** The newest `webhookAttemptsLoggedMax`, oldest first. */
  log: DeliveryAttempt[]
}

export interface DeliveryAttempt {
  at: number
  durationMs: number
  /** Null if there was no response. */
  status: number | null
  /** The first bytes of the response. */
  response: string
  /** Why it counts as failed; null for a success. */
  problem: string | null
}

/** An event of the outbox. */
export interface WebhookEvent {
  id: string
  accountId: string
  type: string
  createdAt: number
  /** The work that it is about, as `traceparent`. */
  traceparent?: string | undefined
  /** The ids and the status of its record. */
  brief: BriefSubject
  /** Converts its record. Throws if the record is damaged. Undefined if the record is too long for a message: then its long columns were not read. */
  subject?: (() => WebhookSubject) | undefined
}

export type WebhookSubject =
  | { execution: Execution; account: Account }
  | { workflow: Workflow; version: number }
  | { batch: BatchState }
  | { data: unknown }

export type BriefSubject =
  | { execution: Pick<Execution, 'id' | 'workflowId' | 'status'> }
  | { workflow: Pick<Workflow, 'id'>; version: number }
  | { batch: Pick<BatchState, 'id' | 'status'> }
  | { data: unknown }

/** A delivery that this process is to attempt. Another process gets it when the lease has run out. */
export interface ClaimedDelivery {
  id: string
  accountId: string
  endpointId: string | null
  url: string
  eventId: string
  body: string
  createdAt: number
  /** The work that its event is about, as `traceparent`. Undefined without traces. */
  traceparent?: string
  /** Number of this attempt, from 1: the fence of its result. */
  attempt: number
  secret: WebhookSecret
}

export type AttemptResult =
  | { kind: 'delivered' }
  /** `retryAt`: null after the last attempt. */
  | { kind: 'failed'; retryAt: number | null; isGone: boolean }

/** Deliveries of one endpoint, or of the URLs of executions of one account (`endpointId` is null). */
export interface WebhookQueue {
  accountId: string
  endpointId: string | null
}

export interface ClaimOptions {
  max: number
  leaseMs: number
  /** Queues and accounts that have as many attempts in flight as they may. */
  exceptQueues: readonly WebhookQueue[]
  exceptAccounts: readonly string[]
  /** How many more attempts the queue and its account may have, after those that this call claims. */
  roomFor(queue: WebhookQueue, claimed: readonly WebhookQueue[]): number
}

export interface DeliveryFilter {
  endpointId?: string
  status?: DeliveryStatus
}

export interface WebhookEndpointStore {
  /** Throws `QuotaReached` if the account has the maximum of endpoints. With `record`: see `KeyTaken`. */
  create(endpoint: WebhookEndpoint, record?: NewIdempotencyRecord): Promise<void>
  find(accountId: string, id: string): Promise<WebhookEndpoint | undefined>
  /** Newest first. */
  list(accountId: string, page: PageRequest): Promise<CountedPage<WebhookEndpoint>>
  /**
   * Undefined if the account has no such endpoint. `change` gets the endpoint as it is, which no one else changes meanwhile. With `record`: see
   * `KeyTaken`.
   */
  update(
    accountId: string,
    id: string,
    change: (before: WebhookEndpoint) => Partial<Omit<WebhookEndpoint, 'id' | 'accountId' | 'createdAt'>>,
    record?: NewIdempotencyRecord,
  ): Promise<WebhookEndpoint | undefined>
  /** Its waiting deliveries fail. False if there is none. */
  remove(accountId: string, id: string): Promise<boolean>
  /** The secret for the URLs of executions. Stores `initial` if the account has none. */
  accountSecret(accountId: string, initial: string): Promise<WebhookSecret>
  /** `change` gets the secret as it is, which no one else changes meanwhile. */
  changeAccountSecret(
    accountId: string,
    initial: string,
    change: (before: WebhookSecret) => WebhookSecret,
    record?: NewIdempotencyRecord,
  ): Promise<WebhookSecret>
}

export interface WebhookDeliveryStore {
  /**
   * Takes events from the outbox, of accounts in turns and the oldest of each first, and writes a delivery for each endpoint that selects them, both or nothing. Returns the
   * number of events. `bodyOf` must be a pure function. If it throws, none of the events is taken.
   */
  dispatch(eventsMax: number, now: number, bodyOf: (event: WebhookEvent) => string): Promise<number>
  /** A delivery of an event to one endpoint, outside of the outbox. Undefined if too many deliveries wait. */
  add(delivery: WebhookDelivery, body: string, record?: NewIdempotencyRecord): Promise<WebhookDelivery | undefined>
  /**
   * Claims deliveries: of any number of callers at the same time, one gets a delivery. Queues take turns. Those of
   * deleted and disabled endpoints are set aside.
   */
  claim(now: number, options: ClaimOptions): Promise<ClaimedDelivery[]>
  /** Ends at most a hundred deliveries of a queue that was set aside. Queues take turns. Returns the number of ended deliveries, or undefined if no queue is set aside. */
  endSome(now: number): Promise<number | undefined>
  /**
   * Writes the result of an attempt, unless the delivery was claimed again. An endpoint that was changed, disabled or deleted during the attempt stays
   * as it is. Returns whether the result disabled the endpoint.
   */
  record(claimed: ClaimedDelivery, attempt: DeliveryAttempt, result: AttemptResult): Promise<DisabledReason | undefined>
  find(accountId: string, id: string): Promise<DeliveryDetails | undefined>
  /** Newest first. */
  list(accountId: string, page: PageRequest, filter: DeliveryFilter): Promise<Page<WebhookDelivery>>
  /** Makes an ended delivery due again. False if it waits already, or is missing. */
  replay(accountId: string, id: string, now: number, record?: NewIdempotencyRecord): Promise<boolean>
  /** Budgets of this month of accounts with endpoints. `defaultMicros`: of accounts without their own budget. */
  budgets(month: string, defaultMicros: Micros | null): Promise<SpentBudget[]>
  /** Keys of accounts with endpoints that expire in this period. */
  expiringKeys(from: number, until: number, max: number): Promise<ExpiringKey[]>
  /** Writes an event to the outbox, once for each `notice`. */
  notify(event: NewNotice): Promise<boolean>
}

export interface SpentBudget {
  accountId: string
  budgetMicros: Micros
  spentMicros: Micros
}

export interface ExpiringKey {
  id: string
  accountId: string
  name: string
  prefix: string
  expiresAt: number
}

/** `id` identifies the notice and its event. */
export interface NewNotice {
  id: string
  accountId: string
  type: WebhookEventType
  data: unknown
  createdAt: number
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Delays before each attempt, as Standard Webhooks suggests: about three days in all. */
const schedule = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

export const attemptsMax = schedule.length

/**
 * When to attempt again after this number of failures. Null after the last attempt. `fraction`: from 0 to 1, drawn evenly. Up to a
 * fifth is added, so that deliveries that failed together don't return together. `notBefore`: the receiver's `Retry-After`, at most a day.
 */
export function nextAttemptAt(attempts: number, now: number, fraction: number, notBefore = 0): number | null {
  const delay = schedule[attempts]
  if (delay === undefined) return null
  return Math.round(Math.max(now + delay * (1 + 0.2 * fraction), notBefore))
}

/** The shares of a budget that have an event. */
export const budgetThresholds = [80, 100] as const

export function budgetNotice(
  { accountId, budgetMicros, spentMicros }: SpentBudget,
  month: string,
  threshold: (typeof budgetThresholds)[number],
  now: number,
): NewNotice {
  const data = { month, threshold, budgetUsd: dollars(budgetMicros), spentUsd: dollars(spentMicros) }
  return { id: `budget_${accountId}_${month}_${threshold}`, accountId, type: 'budget.reached', data, createdAt: now }
}

export function keyNotice({ id, accountId, name, prefix, expiresAt }: ExpiringKey, now: number): NewNotice {
  const data = { keyId: id, name, prefix, expiresAt: timestamp(expiresAt) }
  return { id: `key_${id}_${expiresAt}`, accountId, type: 'key.expiring', data, createdAt: now }
}
