import { type SelectQueryBuilder, sql } from 'kysely'
import type { Page, PageOfLong, PageRequest } from '../../../domain/page.ts'

interface Count {
  executeTakeFirstOrThrow(): Promise<{ total: number }>
}

/** A list with the newest row first, which an index has in this order. */
interface NewestFirst<DB, Tables extends keyof DB, Row, Item> {
  table: SelectQueryBuilder<DB, Tables, object>
  matching: SelectQueryBuilder<DB, Tables, object>
  /** The column of the ids: `id`, unless it has another name. */
  id?: string
  columns: (rows: SelectQueryBuilder<DB, Tables, object>) => SelectQueryBuilder<DB, Tables, Row>
  count: Count
  toItem: (row: Row) => Item
}

/** Reads a page of ordered `rows`, of which an account has few, and the total: with `count`, unless the page shows it. */
export function readPage<DB, Tables extends keyof DB, Row, Item>(
  request: PageRequest,
  rows: SelectQueryBuilder<DB, Tables, Row>,
  count: Count,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  return read(request, rows.limit(request.limit).offset(request.offset), count, toItem)
}

/**
 * As `readPage`, for lists of any length. Of the rows before a later page, only the ids are read, from the index: with the columns, PostgreSQL would read each
 * of these rows and run its subqueries.
 */
export function readNewest<DB, Tables extends keyof DB, Row, Item>(
  { limit, offset }: PageRequest,
  { table, matching, id = 'id', columns, count, toItem }: NewestFirst<DB, Tables, Row, Item>,
): Promise<Page<Item>> {
  const idColumn = sql.ref<string>(id)
  const ordered = <Columns>(rows: SelectQueryBuilder<DB, Tables, Columns>) =>
    rows.orderBy(sql.ref('created_at'), 'desc').orderBy(idColumn, 'desc')
  const ids = ordered(matching.select(idColumn.as('id')))
    .limit(limit)
    .offset(offset)
  const rows = offset === 0 ? matching.limit(limit) : table.where(idColumn, 'in', ids)
  return read({ limit, offset }, ordered(columns(rows)), count, toItem)
}

/** As `readNewest`, for rows with the columns of `shortened`. */
export async function readNewestOfLong<DB, Tables extends keyof DB, Row extends { id: string }, Item>(
  request: PageRequest,
  list: NewestFirst<DB, Tables, Row & { is_long: unknown }, Item>,
): Promise<PageOfLong<Item>> {
  const longIds = new Set<string>()
  const toItem = (row: Row & { is_long: unknown }) => {
    if (row.is_long) longIds.add(row.id)
    return list.toItem(row)
  }
  return { ...(await readNewest(request, { ...list, toItem })), longIds }
}

/** Counts before it reads a later page: after the end, the database would go through the whole list for nothing. */
async function read<Row, Item>(
  { limit, offset }: PageRequest,
  rows: { execute(): Promise<Row[]> },
  count: Count,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  const totalOf = async () => Number((await count.executeTakeFirstOrThrow()).total)
  const counted = offset > 0 ? await totalOf() : undefined
  if (counted !== undefined && offset >= counted) return { items: [], total: counted }
  const items = (await rows.execute()).map(toItem)
  const end = offset + items.length
  const isLast = items.length < limit && (items.length > 0 || offset === 0)
  // Rows can be added after the count.
  return { items, total: isLast ? end : Math.max(counted ?? (await totalOf()), end) }
}
