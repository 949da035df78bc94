import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * Whether the column `name` contains this text, in any case. Case is what the database knows of it: SQLite that of ASCII unless the
 * connection has a `lower` of its own, PostgreSQL that of the database's locale.
 */
export function nameContains(text: string, column = 'name'): RawBuilder<SqlBool> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`lower(${sql.ref(column)}) like lower(${pattern}) escape '\\'`
}
