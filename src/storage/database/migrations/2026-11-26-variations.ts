import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { execute, textByBytes } from '../dialect.ts'

/** Which random results an execution reuses, as JSON. */
export const variations: Migration = {
  async up(db: Kysely<unknown>) {
    await execute(db, [`alter table executions add column variations ${textByBytes(db)}`])
  },
}
