import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from './dialect.ts'

/** Whether the column contains this text, ignoring case. */
export function nameContains({ lower }: Dialect, column: string, text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`${lower(sql.ref(column))} like ${lower(sql`${pattern}`)} escape '\\'`
}
