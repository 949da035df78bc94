import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** Runs the work in the transaction of `db`, or in a new one. */
export function inTransaction<Result>(
  db: Kysely<Schema>,
  work: (trx: Kysely<Schema>) => Promise<Result>,
): Promise<Result> {
  return db.isTransaction ? work(db) : db.transaction().execute(work)
}
