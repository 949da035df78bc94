import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { execute } from '../dialect.ts'

/** Keys are found by their end, which is an expression of two columns: see `endsAt` of the stores. */
export const endedKeys: Migration = {
  async up(db: Kysely<unknown>) {
    await execute(db, [
      ...['keys', 'signing_keys'].flatMap((table) => [
        `create index ${table}_ending on ${table} ((${endsAt}), id)`,
        `create index ${table}_of_account_ending on ${table} (account_id, (${endsAt}), id)`,
      ]),
      // No query uses it any longer.
      'drop index keys_expiring',
    ])
  },
}

const endsAt =
  'coalesce(case when expires_at < revoked_at then expires_at else revoked_at end, expires_at, 9007199254740991)'
