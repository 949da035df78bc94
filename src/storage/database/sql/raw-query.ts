import { CompiledQuery, type Kysely } from 'kysely'
import type { Schema } from '../schema.ts'
import { keepPrepared } from './prepared.ts'

/** A query for code with its own SQL: few texts that are sent often, some of which take longer to plan than to run. */
export function rawQuery(db: Kysely<Schema>) {
  return (text: string, values: readonly unknown[] = []) => {
    keepPrepared(text)
    return db.executeQuery(CompiledQuery.raw(text, [...values]))
  }
}
