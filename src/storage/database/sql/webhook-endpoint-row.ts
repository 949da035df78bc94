/** Converts webhook endpoints and their secrets to rows and back. */
import type { Kysely } from 'kysely'
import { liveAccountOf } from '../../../domain/accounts/twin.ts'
import type {
  DisabledReason,
  WebhookEndpoint,
  WebhookEventType,
  WebhookSecret,
} from '../../../domain/webhooks/webhook.ts'
import type { Schema } from '../schema.ts'
import type { WebhookEndpointRow, WebhookSecretRow } from '../schema-webhooks.ts'

/** The secret for the URLs of executions. Stores `initial` if the account has none. A receiver has one secret: that of the live account. */
export async function accountSecret(
  within: Kysely<Schema>,
  ofAccount: string,
  initial: string,
): Promise<WebhookSecret> {
  const accountId = liveAccountOf(ofAccount)
  const read = () =>
    within.selectFrom('webhook_secrets').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  const known = await read()
  if (known !== undefined) return toSecret(known)
  await within
    .insertInto('webhook_secrets')
    .values({ account_id: accountId, ...secretColumns({ secret: initial, previous: null, previousUntil: null }) })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .execute()
  return toSecret((await read()) as WebhookSecretRow)
}

export function toEndpoint(row: WebhookEndpointRow): WebhookEndpoint {
  return {
    id: row.id,
    accountId: row.account_id,
    url: row.url,
    description: row.description,
    eventTypes: row.event_types === null ? null : (JSON.parse(row.event_types) as WebhookEventType[]),
    ...toSecret(row),
    disabledAt: row.disabled_at,
    disabledReason: row.disabled_reason as DisabledReason | null,
    failingSince: row.failing_since,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export function toSecret(row: WebhookSecretRow): WebhookSecret {
  return { secret: row.secret, previous: row.previous_secret, previousUntil: row.previous_until }
}

export function secretColumns({ secret, previous, previousUntil }: WebhookSecret) {
  return { secret, previous_secret: previous, previous_until: previousUntil }
}

export function toEndpointRow(endpoint: WebhookEndpoint): WebhookEndpointRow {
  return {
    id: endpoint.id,
    account_id: endpoint.accountId,
    url: endpoint.url,
    description: endpoint.description,
    event_types: endpoint.eventTypes === null ? null : JSON.stringify(endpoint.eventTypes),
    ...secretColumns(endpoint),
    disabled_at: endpoint.disabledAt,
    disabled_reason: endpoint.disabledReason,
    failing_since: endpoint.failingSince,
    created_at: endpoint.createdAt,
    updated_at: endpoint.updatedAt,
  }
}
