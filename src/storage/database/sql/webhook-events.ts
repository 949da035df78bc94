/** Writes events of webhooks to the outbox, in the transaction of the change that they report. */
import { type Kysely, sql } from 'kysely'
import type { NewNotice, WebhookEventType } from '../../../domain/webhooks/webhook.ts'
import type { Schema } from '../schema.ts'

export interface NewWebhookEvent {
  /** `evt_...`. An event that is in the outbox already is not written again. */
  id: string
  accountId: string
  type: WebhookEventType
  /** Sent as `data`, in the form of the API. */
  data: unknown
  createdAt: number
  /** A receiver in addition to the endpoints of the account. */
  url?: string | undefined
}

/** One statement. Writes nothing if no one gets the event. Returns whether it was written. */
export async function emitWebhookEvent(trx: Kysely<Schema>, event: NewWebhookEvent): Promise<boolean> {
  const { id, accountId, type, data, createdAt, url = null } = event
  const { rows } = await sql`
    insert into webhook_events (id, account_id, type, data, url, for_endpoints, created_at)
      select ${id}, ${accountId}, ${type}, ${JSON.stringify(data)}, ${url}, 1, cast(${createdAt} as bigint)
      where ${url === null ? sql`${hasEndpoint(accountId)}` : sql`1 = 1`}
      on conflict (id) do nothing
      returning id`.execute(trx)
  return rows.length > 0
}

/** Emits an event like `emitWebhookEvent`, once for each `id`, also after the event was delivered. */
export async function emitNotice(trx: Kysely<Schema>, { id, ...notice }: NewNotice): Promise<boolean> {
  const { rows } = await sql`
    insert into webhook_notices (id, created_at)
      select ${id}, cast(${notice.createdAt} as bigint) where ${hasEndpoint(notice.accountId)}
      on conflict (id) do nothing
      returning id`.execute(trx)
  return rows.length > 0 && emitWebhookEvent(trx, { id: `evt_${id}`, ...notice })
}

function hasEndpoint(accountId: string) {
  return sql`exists (select 1 from webhook_endpoints where account_id = ${accountId} and disabled_at is null)`
}
