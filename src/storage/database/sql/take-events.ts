import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import type { WebhookEventRow } from '../schema-webhooks.ts'

/** Events of an account before the next account has its turn. */
const eventsOfTurn = 5

/**
 * Takes the oldest events of each account from the outbox. Accounts take turns in the order of their ids: an account with very many events delays
 * an event of another one by a few events for each account.
 */
export function takingEvents(dialect: Dialect): (trx: Kysely<Schema>, eventsMax: number) => Promise<WebhookEventRow[]> {
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
