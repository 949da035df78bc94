import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type {
  Page,
  PageOfLong,
  PageRequest,
  Place,
  UncountedPage,
  UncountedPageOfLong,
  UncountedRequest,
} from '../../../domain/page.ts'

interface Count {
  executeTakeFirstOrThrow(): Promise<{ total: number }>
}

export interface ListOrder {
  /** The column before the id. Default: `created_at`. */
  by?: string
  /** Default: the largest value first. */
  isAscending?: boolean
}

/** A list with the newest row first, or in another order, which an index has. */
interface NewestFirst<DB, Tables extends keyof DB, Row, Item> extends ListOrder {
  table: SelectQueryBuilder<DB, Tables, object>
  matching: SelectQueryBuilder<DB, Tables, object>
  /** The column of the ids: `id`, unless it has another name. */
  id?: string
  columns: (rows: SelectQueryBuilder<DB, Tables, object>) => SelectQueryBuilder<DB, Tables, Row>
  toItem: (row: Row) => Item
}

interface Counted {
  /** The total, if it is kept or few rows match. */
  count: Count
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
  list: NewestFirst<DB, Tables, Row, Item> & Counted,
  rowsAtOnce?: number,
): Promise<Page<Item>> {
  const execute = () => readRows({ limit, offset }, list, rowsAtOnce)
  return read({ limit, offset }, { execute }, list.count, list.toItem)
}

/** Reads a page like `readNewest`, without a total. */
export async function readUncounted<DB, Tables extends keyof DB, Row, Item extends Place>(
  { limit, ...from }: UncountedRequest,
  list: NewestFirst<DB, Tables, Row, Item>,
  rowsAtOnce?: number,
): Promise<UncountedPage<Item>> {
  const rows = await readRows({ limit: limit + 1, ...from }, list, rowsAtOnce)
  const items = rows.slice(0, limit).map(list.toItem)
  const last = items.at(-1)
  return { items, next: rows.length > limit && last ? { createdAt: last.createdAt, id: last.id } : null }
}

async function readRows<DB, Tables extends keyof DB, Row, Item>(
  { limit, offset, after: start }: UncountedRequest,
  { table, matching, id = 'id', columns, by = 'created_at', isAscending = false }: NewestFirst<DB, Tables, Row, Item>,
  rowsAtOnce = 10_000,
): Promise<Row[]> {
  const idColumn = sql.ref<string>(id)
  const value = sql.ref<number>(by)
  const direction = isAscending ? 'asc' : 'desc'
  const ordered = <Columns>(rows: SelectQueryBuilder<DB, Tables, Columns>) =>
    rows.orderBy(value, direction).orderBy(idColumn, direction)
  const after = (place: Place | undefined) =>
    place
      ? matching.where(
          sql<SqlBool>`(${value}, ${idColumn}) ${sql.raw(isAscending ? '>' : '<')} (${place.createdAt}, ${place.id})`,
        )
      : matching
  let place = start
  let rest = offset
  for (; rest > rowsAtOnce; rest -= rowsAtOnce) {
    place = await ordered(after(place).select([value.as('createdAt'), idColumn.as('id')]))
      .limit(1)
      .offset(rowsAtOnce - 1)
      .$castTo<Place>()
      .executeTakeFirst()
    // The list has ended, or rows were removed after the count.
    if (place === undefined) return []
  }
  const ids = ordered(after(place).select(idColumn.as('id')))
    .limit(limit)
    .offset(rest)
  return ordered(columns(rest === 0 ? after(place).limit(limit) : table.where(idColumn, 'in', ids))).execute()
}

type Long<Row> = Row & { is_long: unknown }

/** Reads like `readNewest`, for rows with the columns of `shortened`. */
export async function readNewestOfLong<DB, Tables extends keyof DB, Row extends { id: string }, Item>(
  request: PageRequest,
  list: NewestFirst<DB, Tables, Long<Row>, Item> & Counted,
): Promise<PageOfLong<Item>> {
  const { toItem, longIds } = notingLong(list.toItem)
  return { ...(await readNewest(request, { ...list, toItem })), longIds }
}

export async function readUncountedOfLong<DB, Tables extends keyof DB, Row extends { id: string }, Item extends Place>(
  request: UncountedRequest,
  list: NewestFirst<DB, Tables, Long<Row>, Item>,
): Promise<UncountedPageOfLong<Item>> {
  const { toItem, longIds } = notingLong(list.toItem)
  return { ...(await readUncounted(request, { ...list, toItem })), longIds }
}

function notingLong<Row extends { id: string }, Item>(toItem: (row: Long<Row>) => Item) {
  const longIds = new Set<string>()
  return {
    longIds,
    toItem(row: Long<Row>) {
      if (row.is_long) longIds.add(row.id)
      return toItem(row)
    },
  }
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
