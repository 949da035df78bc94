/** Writes the results of attempts, and disables endpoints that fail. */
import type { Kysely } from 'kysely'
import { newId } from '../../../domain/ids.ts'
import type { DeliveryAttempt, DisabledReason, WebhookDeliveryStore } from '../../../domain/webhooks/webhook.ts'
import { limits } from '../../../limits.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { factsOf, recordChange } from './audit.ts'
import { emitWebhookEvent } from './webhook-events.ts'
import { addToQueue, minus, none, waitingBytes } from './webhook-queues.ts'

export function recordingAttempts(db: Kysely<Schema>, dialect: Dialect): WebhookDeliveryStore['record'] {
  return ({ id, accountId, endpointId, url, attempt: number }, attempt, result) =>
    db.transaction().execute(async (trx) => {
      const queue = { accountId, endpointId }
      const now = attempt.at + Math.round(attempt.durationMs)
      const retryAt = result.kind === 'failed' ? result.retryAt : null
      // The queue first, as a claim does it.
      await addToQueue(trx, queue, none, retryAt)
      const row = await dialect
        .lockRows(
          trx
            .selectFrom('webhook_deliveries')
            .select(['log', 'status', 'problem', waitingBytes.as('bytes')])
            .where('id', '=', id)
            .where('attempts', '=', number),
        )
        .executeTakeFirst()
      const endedMeanwhile = row?.problem === 'endpoint_deleted' || row?.problem === 'endpoint_disabled'
      if (row === undefined || (row.status !== 'pending' && !endedMeanwhile)) return undefined
      const log = [...(JSON.parse(row.log) as DeliveryAttempt[]), attempt].slice(-limits.webhookAttemptsLoggedMax)
      if (endedMeanwhile) {
        const delivered = result.kind === 'delivered' ? { status: result.kind, problem: null } : {}
        await trx
          .updateTable('webhook_deliveries')
          .set({ log: JSON.stringify(log), ...delivered })
          .where('id', '=', id)
          .execute()
        return undefined
      }
      const isEnded = retryAt === null
      await trx
        .updateTable('webhook_deliveries')
        .set({
          log: JSON.stringify(log),
          next_attempt_at: retryAt,
          ...(isEnded && { status: result.kind, ended_at: now }),
        })
        .where('id', '=', id)
        .execute()
      if (isEnded) await addToQueue(trx, queue, minus({ count: 1, bytes: Number(row.bytes) }), null)
      if (endpointId === null) return undefined
      if (result.kind === 'failed') return noteFailure(trx, { accountId, endpointId, url }, result.isGone, now)
      await trx
        .updateTable('webhook_endpoints')
        .set({ failing_since: null })
        .where('id', '=', endpointId)
        .where('url', '=', url)
        .where('failing_since', 'is not', null)
        .execute()
      return undefined
    })
}

/** A failure of a former URL says nothing about the endpoint. */
async function noteFailure(
  trx: Kysely<Schema>,
  { accountId, endpointId, url }: { accountId: string; endpointId: string; url: string },
  isGone: boolean,
  now: number,
): Promise<DisabledReason | undefined> {
  const row = await trx
    .updateTable('webhook_endpoints')
    .set((eb) => ({ failing_since: eb.fn.coalesce('failing_since', eb.val(now)) }))
    .where('id', '=', endpointId)
    .where('url', '=', url)
    .where('disabled_at', 'is', null)
    .returning('failing_since')
    .executeTakeFirst()
  if (row === undefined) return undefined
  const isFailing = now - Number(row.failing_since) >= limits.webhookFailingSeconds * 1_000
  const reason = isGone ? 'gone' : isFailing ? 'failing' : undefined
  if (reason !== undefined) await disableEndpoint(trx, accountId, endpointId, reason, now)
  return reason
}

/** Its waiting deliveries fail when they are due. The other endpoints of the account get an event. */
export async function disableEndpoint(
  trx: Kysely<Schema>,
  accountId: string,
  endpointId: string,
  reason: DisabledReason,
  now: number,
): Promise<void> {
  const before = await factsOf(trx, 'webhook_endpoints', { id: endpointId })
  const row = await trx
    .updateTable('webhook_endpoints')
    .set({ disabled_at: now, disabled_reason: reason })
    .where('id', '=', endpointId)
    .where('disabled_at', 'is', null)
    .returning('url')
    .executeTakeFirst()
  if (row === undefined) return
  await recordChange(trx, 'webhook_endpoints', { id: endpointId }, 'webhookEndpoint.update', before)
  await addToQueue(trx, { accountId, endpointId }, none, now)
  const data = { endpointId, url: row.url, reason }
  await emitWebhookEvent(trx, { id: newId('evt', now), accountId, type: 'webhook.disabled', data, createdAt: now })
}
