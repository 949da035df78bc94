import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Whether the JSON of the column contains this text, such as an id. The text has no character that JSON escapes. */
export function documentContains(column: string, text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`
}
