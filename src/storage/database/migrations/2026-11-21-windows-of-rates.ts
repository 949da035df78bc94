import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { executeFor } from '../dialect.ts'

/**
 * As rate-limiter-flexible has it, in the order of its columns. Not logged: a crash begins a new minute. On SQLite there is
 * one process, which counts in its memory.
 */
export const windowsOfRates: Migration = {
  async up(db: Kysely<unknown>) {
    const table = 'rate_windows (key text primary key, points integer not null default 0, expire bigint)'
    await executeFor(db, { sqlite: [], postgres: [`create unlogged table ${table}`] })
  },
}
