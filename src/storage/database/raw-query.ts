import { CompiledQuery, type Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** For a library that brings its own SQL. */
export function rawQuery(db: Kysely<Schema>) {
  return (text: string, values: readonly unknown[]) => db.executeQuery(CompiledQuery.raw(text, [...values]))
}
