import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Whether the column contains this text, ignoring case. Not `like`: for some names and texts it takes 30 times as long. */
export function nameContains({ contains, lower }: Dialect, column: string, text: string): RawBuilder<SqlBool> {
  return contains(lower(sql.ref(column)), lower(sql`${text}`))
}
