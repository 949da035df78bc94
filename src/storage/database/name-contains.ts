import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Whether the column contains this text, in any case: on PostgreSQL as far as the locale of the database knows of case. */
export function nameContains(text: string, column = 'name'): RawBuilder<SqlBool> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`lower(${sql.ref(column)}) like lower(${pattern}) escape '\\'`
}
