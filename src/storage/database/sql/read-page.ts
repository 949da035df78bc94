import type { SelectQueryBuilder } from 'kysely'
import type { Page, PageOfLong, PageRequest } from '../../../domain/page.ts'

/** Reads a page of ordered `rows` and the total: with `count`, unless the page shows it. */
export async function readPage<DB, Tables extends keyof DB, Row, Item>(
  request: PageRequest,
  rows: SelectQueryBuilder<DB, Tables, Row>,
  count: { executeTakeFirstOrThrow(): Promise<{ total: number }> },
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  const found = await rows.limit(request.limit).offset(request.offset).execute()
  const items = found.map((row) => toItem(row as Row))
  const isLast = items.length < request.limit && (items.length > 0 || request.offset === 0)
  if (isLast) return { items, total: request.offset + items.length }
  const { total } = await count.executeTakeFirstOrThrow()
  return { items, total: Number(total) }
}

/** As `readPage`, for rows with the columns of `shortened`. */
export async function readPageOfLong<DB, Tables extends keyof DB, Row extends { id: string; is_long: unknown }, Item>(
  request: PageRequest,
  rows: SelectQueryBuilder<DB, Tables, Row>,
  count: { executeTakeFirstOrThrow(): Promise<{ total: number }> },
  toItem: (row: Row) => Item,
): Promise<PageOfLong<Item>> {
  const longIds = new Set<string>()
  const found = await readPage(request, rows, count, (row: Row) => {
    if (row.is_long) longIds.add(row.id)
    return toItem(row)
  })
  return { ...found, longIds }
}
