/** Takes events from the outbox and writes their deliveries, in one transaction: after a crash between the two, both are done again. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { BatchStatus } from '../../../domain/batches/batch.ts'
import type { ExecutionStatus } from '../../../domain/executions/execution.ts'
import { newId } from '../../../domain/ids.ts'
import type {
  WebhookDelivery,
  WebhookDeliveryStore,
  WebhookEndpoint,
  WebhookEvent,
  WebhookQueue,
} from '../../../domain/webhooks/webhook.ts'
import { limits } from '../../../limits.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import type { WebhookEventRow } from '../schema-webhooks.ts'
import { toAccount } from '../stores/accounts.ts'
import { toWorkflow } from '../stores/workflows.ts'
import { stateColumns, toBatchState } from './batch-row.ts'
import { brandOfExecution } from './execution-brands.ts'
import { executionColumns, toExecution } from './execution-row.ts'
import { toDeliveryRow } from './webhook-delivery-row.ts'
import { toEndpoint } from './webhook-endpoint-row.ts'
import { addToQueue, byQueue, deliveryRowBytes, isFull, keyOf, minus } from './webhook-queues.ts'
import { disableEndpoint } from './webhook-records.ts'

interface NewDelivery extends WebhookQueue {
  url: string
  event: WebhookEvent
  body: string
  bytes: number
}

/** Events that are taken before the written bytes are compared with the limit. */
const eventsAtOnce = 5
/** Maximum of one transaction: other writers wait for it on SQLite. */
const bytesMax = 262_144

export function dispatchingEvents(db: Kysely<Schema>, dialect: Dialect): WebhookDeliveryStore['dispatch'] {
  const take = takingEvents(dialect)
  return async (eventsMax, now, bodyOf) => {
    const first = await db.selectFrom('webhook_events').select('id').limit(1).executeTakeFirst()
    if (first === undefined) return 0
    return db.transaction().execute(async (trx) => {
      const endpointsOf = readingEndpoints(trx)
      const deliveries: NewDelivery[] = []
      let taken = 0
      for (let bytes = 0; taken < eventsMax && bytes < bytesMax; ) {
        const events = await take(trx, Math.min(eventsAtOnce, eventsMax - taken))
        if (events.length === 0) break
        taken += events.length
        for (const row of events) {
          const endpoints = row.for_endpoints === 1 ? await endpointsOf(row.account_id) : []
          const receivers = receiversOf(row, endpoints)
          if (receivers.length === 0) continue
          const event = await readEvent(trx, row)
          if (event === undefined) continue
          const { accountId } = event
          const body = bodyOf(event)
          const rowBytes = Buffer.byteLength(body) + deliveryRowBytes
          for (const receiver of receivers) {
            deliveries.push({ ...receiver, accountId, event, body, bytes: rowBytes })
            bytes += rowBytes + receiver.url.length
          }
        }
      }
      await insertDeliveries(trx, deliveries, now)
      return taken
    })
  }
}

function receiversOf(
  { type, url }: WebhookEventRow,
  endpoints: readonly WebhookEndpoint[],
): Pick<NewDelivery, 'endpointId' | 'url'>[] {
  const selecting = endpoints.filter(({ eventTypes }) => eventTypes?.some((each) => each === type) ?? true)
  const receivers = selecting.map(({ id, url }) => ({ endpointId: id as string | null, url }))
  return url === null ? receivers : [...receivers, { endpointId: null, url }]
}

function readingEndpoints(trx: Kysely<Schema>): (accountId: string) => Promise<WebhookEndpoint[]> {
  const known = new Map<string, WebhookEndpoint[]>()
  return async (accountId) => {
    const before = known.get(accountId)
    if (before !== undefined) return before
    const rows = await trx
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('disabled_at', 'is', null)
      .execute()
    const endpoints = rows.map(toEndpoint)
    known.set(accountId, endpoints)
    return endpoints
  }
}

type About = Pick<WebhookEvent, 'id' | 'accountId' | 'type' | 'createdAt'>

/** Undefined if the record is gone. */
async function readEvent(trx: Kysely<Schema>, row: WebhookEventRow): Promise<WebhookEvent | undefined> {
  const { id, account_id: accountId, type, created_at: createdAt, data } = row
  const about = { id, accountId, type, createdAt }
  if (row.subject === null)
    return { ...about, brief: { data: null }, subject: () => ({ data: JSON.parse(data ?? 'null') }) }
  if (type === 'workflow.published') return readWorkflowEvent(trx, about, row.subject)
  if (type === 'batch.completed') return readBatchEvent(trx, about, row.subject)
  return readExecutionEvent(trx, about, row.subject)
}

async function readExecutionEvent(trx: Kysely<Schema>, about: About, id: string): Promise<WebhookEvent | undefined> {
  const account = await trx.selectFrom('accounts').selectAll().where('id', '=', about.accountId).executeTakeFirst()
  const ofExecution = trx.selectFrom('executions').where('id', '=', id)
  const row = await ofExecution
    .select(executionColumns)
    .select((eb) => {
      const budget = eb.selectFrom('budgets').whereRef('scope', '=', 'executions.id').where('period', '=', sql.lit(''))
      return [budget.select('spent').as('spent'), budget.select('unknown_costs').as('unknown_costs')]
    })
    .where(fitsMessage('parameters', brandOfExecution, 'output', 'outputs', 'error'))
    .executeTakeFirst()
  const short = row ?? (await ofExecution.select(['workflow_id', 'status', 'traceparent']).executeTakeFirst())
  if (short === undefined || account === undefined) return undefined
  const execution = { id, workflowId: short.workflow_id, status: short.status as ExecutionStatus }
  const subject = row && (() => ({ execution: toExecution(row), account: toAccount(account) }))
  return { ...about, traceparent: short.traceparent ?? undefined, brief: { execution }, subject }
}

async function readBatchEvent(trx: Kysely<Schema>, about: About, id: string): Promise<WebhookEvent | undefined> {
  const ofBatch = trx.selectFrom('batches').where('batches.id', '=', id)
  const row = await ofBatch
    .selectAll('batches')
    .select(stateColumns)
    .where(fitsMessage('defaults', 'brand'))
    .executeTakeFirst()
  const short = row ?? (await ofBatch.select(['status', 'traceparent']).executeTakeFirst())
  if (short === undefined) return undefined
  const batch = { id, status: short.status as BatchStatus }
  const subject = row && (() => ({ batch: toBatchState(row, about.createdAt) }))
  return { ...about, traceparent: short.traceparent ?? undefined, brief: { batch }, subject }
}

async function readWorkflowEvent(
  trx: Kysely<Schema>,
  about: About,
  subject: string,
): Promise<WebhookEvent | undefined> {
  const [id = '', version = ''] = subject.split(' ')
  const row = await trx.selectFrom('workflows').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) return undefined
  const brief = { workflow: { id }, version: Number(version) }
  return { ...about, brief, subject: () => ({ ...brief, workflow: toWorkflow(row) }) }
}

/** A message has these columns, so it can't be shorter than they are. The size of a column is known without reading it. */
function fitsMessage(...columns: (string | RawBuilder<unknown>)[]) {
  const texts = columns.map((column) => (typeof column === 'string' ? sql.ref(column) : column))
  const sizes = texts.map((text) => sql`coalesce(octet_length(${text}), 0)`)
  return sql<boolean>`${sql.join(sizes, sql` + `)} <= ${sql.lit(limits.webhookBodyBytesMax)}`
}

async function insertDeliveries(trx: Kysely<Schema>, deliveries: readonly NewDelivery[], now: number): Promise<void> {
  const queues = Map.groupBy(deliveries, keyOf)
  // In one order, so that two processes don't wait for each other.
  for (const ofQueue of [...queues.values()].sort(([a], [b]) => byQueue(a as WebhookQueue, b as WebhookQueue))) {
    const { accountId, endpointId } = ofQueue[0] as NewDelivery
    const added = { count: ofQueue.length, bytes: ofQueue.reduce((sum, { bytes }) => sum + bytes, 0) }
    const isBacklog = await isFull(trx, accountId, await addToQueue(trx, { accountId, endpointId }, added, now))
    const failed = isBacklog && endpointId === null
    if (failed) await addToQueue(trx, { accountId, endpointId }, minus(added), now)
    const rows = ofQueue.map(({ event, url, body }) => {
      const delivery: WebhookDelivery = {
        id: newId('whd', now),
        accountId,
        endpointId,
        url,
        eventId: event.id,
        eventType: event.type,
        status: failed ? 'failed' : 'pending',
        attempts: 0,
        nextAttemptAt: failed ? null : now,
        problem: failed ? 'backlog' : null,
        createdAt: now,
        endedAt: failed ? now : null,
      }
      return toDeliveryRow(delivery, body, event.traceparent)
    })
    await trx.insertInto('webhook_deliveries').values(rows).execute()
    if (isBacklog && endpointId !== null) await disableEndpoint(trx, accountId, endpointId, 'backlog', now)
  }
}

/** Events of an account before the next account has its turn. */
const eventsOfTurn = 5

/**
 * Takes the oldest events of each account from the outbox. Accounts take turns in the order of their ids: an account with very many events delays
 * an event of another one by a few events for each account.
 */
function takingEvents(dialect: Dialect): (trx: Kysely<Schema>, eventsMax: number) => Promise<WebhookEventRow[]> {
  /** The account that had its turn. */
  let last = ''

  async function nextAccount(trx: Kysely<Schema>): Promise<string | undefined> {
    const row = await trx
      .selectFrom('webhook_events')
      .select('account_id')
      .where('account_id', '>', last)
      .orderBy('account_id')
      .limit(1)
      .executeTakeFirst()
    last = row?.account_id ?? ''
    return row?.account_id
  }

  async function takeOldest(trx: Kysely<Schema>, accountId: string, max: number): Promise<WebhookEventRow[]> {
    const oldest = trx
      .selectFrom('webhook_events')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('created_at')
      .orderBy('id')
      .limit(max)
    const rows = await dialect.skipLocked(oldest).execute()
    const ids = rows.map(({ id }) => id)
    if (ids.length > 0) await trx.deleteFrom('webhook_events').where('id', 'in', ids).execute()
    return rows
  }

  return async (trx, eventsMax) => {
    const taken: WebhookEventRow[] = []
    let takenBefore: number | undefined
    while (taken.length < eventsMax) {
      const accountId = await nextAccount(trx)
      if (accountId !== undefined) {
        taken.push(...(await takeOldest(trx, accountId, Math.min(eventsOfTurn, eventsMax - taken.length))))
        continue
      }
      // After a round without an event, the rest is locked by another process, or there is none.
      if (takenBefore === taken.length) break
      takenBefore = taken.length
    }
    return taken
  }
}
