import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

export interface StoreOptions {
  /** Called within the transaction that leaves an execution pending; without it, the row itself is the queue's entry. */
  enqueue?: (trx: Kysely<Schema>, executionId: string) => Promise<void>
}
