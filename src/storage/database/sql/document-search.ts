import { sql } from 'kysely'
import type { DocumentSearch } from '../../../domain/workflows/workflow.ts'
import type { Dialect } from '../dialect.ts'

/**
 * Columns of a search in the JSON of `column`: whether it contains the text, such as an id, and its size. The text has no character that JSON
 * escapes.
 */
export function documentSearch({ contains }: Dialect, column: string, text: string) {
  const document = sql.ref(column)
  return [
    sql<number>`case when ${contains(document, sql`${text}`)} then 1 else 0 end`.as('has_text'),
    sql<number>`octet_length(${document})`.as('bytes'),
  ] as const
}

export function searchResult(rows: readonly { id: string; has_text: number; bytes: number }[]): DocumentSearch {
  return {
    ids: new Set(rows.filter(({ has_text }) => has_text === 1).map(({ id }) => id)),
    bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}
