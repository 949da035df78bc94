import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Whether the column contains this text, ignoring case. */
export function nameContains({ lower }: Dialect, column: string, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${lower(sql.ref(column))} like ${lower(sql`${patternOf(text)}`)} escape '\\'`
}

/** The pattern of `like` for a value that contains the text, with `\` as its escape character. */
export function patternOf(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}
