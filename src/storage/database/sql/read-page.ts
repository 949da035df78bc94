import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
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
  /** The total, if it is kept or few rows match. If undefined, all rows are counted, in parts. */
  count: Count | undefined
  toItem: (row: Row) => Item
}

/** The place of a row in a list. */
interface Place {
  created_at: number
  id: string
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
 * Reads a page like `readPage`, for lists of any length. Of the rows before a later page, only the ids are read, from
 * the index: with the columns, PostgreSQL would read each of these rows and run its subqueries. No statement passes
 * over more than `rowsAtOnce` rows, so other clients have their turns at the database between.
 */
export function readNewest<DB, Tables extends keyof DB, Row, Item>(
  { limit, offset }: PageRequest,
  { table, matching, id = 'id', columns, count, toItem }: NewestFirst<DB, Tables, Row, Item>,
  rowsAtOnce = 10_000,
): Promise<Page<Item>> {
  const idColumn = sql.ref<string>(id)
  const createdAt = sql.ref<number>('created_at')
  const ordered = <Columns>(rows: SelectQueryBuilder<DB, Tables, Columns>) =>
    rows.orderBy(createdAt, 'desc').orderBy(idColumn, 'desc')
  const after = (place: Place | undefined) =>
    place ? matching.where(sql<SqlBool>`(${createdAt}, ${idColumn}) < (${place.created_at}, ${place.id})`) : matching
  const placeOfNext = (place: Place | undefined): Promise<Place | undefined> =>
    ordered(after(place).select([createdAt.as('created_at'), idColumn.as('id')]))
      .limit(1)
      .offset(rowsAtOnce - 1)
      .$castTo<Place>()
      .executeTakeFirst()
  async function countAll() {
    let total = 0
    let place: Place | undefined
    for (let next = await placeOfNext(place); next; next = await placeOfNext(place)) {
      total += rowsAtOnce
      place = next
    }
    const rest = await after(place)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .$castTo<{ total: number }>()
      .executeTakeFirstOrThrow()
    return { total: total + Number(rest.total) }
  }
  async function execute(): Promise<Row[]> {
    let place: Place | undefined
    let rest = offset
    for (; rest > rowsAtOnce; rest -= rowsAtOnce) {
      place = await placeOfNext(place)
      // Rows were removed after the count.
      if (place === undefined) return []
    }
    const ids = ordered(after(place).select(idColumn.as('id')))
      .limit(limit)
      .offset(rest)
    return ordered(columns(offset === 0 ? matching.limit(limit) : table.where(idColumn, 'in', ids))).execute()
  }
  return read({ limit, offset }, { execute }, count ?? { executeTakeFirstOrThrow: countAll }, toItem)
}

/** Reads like `readNewest`, for rows with the columns of `shortened`. */
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
