import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What was begun before is taken before what never ran. */
export const begunAgain: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createIndex('executions_pending_again')
      .on('executions')
      .columns(['created_at', 'id'])
      .where(sql.ref('status'), '=', sql.lit('pending'))
      .where(sql.ref('attempt'), '>', sql.lit(0))
      .execute()
  },
}
