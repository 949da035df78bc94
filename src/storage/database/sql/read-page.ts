import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { CountedPage, Page, PageRequest, Place } from '../../../domain/page.ts'

interface Count {
  executeTakeFirstOrThrow(): Promise<{ total: number }>
}

/** The order of a list, which an index has. The rows contain its columns. */
export interface ListOrder {
  /** A column with integers. Default: `created_at`. */
  by?: string
  /** The column of ids, which order rows with the same value. Default: `id`. Null if the values are unique in the list. */
  id?: string | null
  /** Default: the largest value first. */
  isAscending?: boolean
}

interface List<DB, Tables extends keyof DB, Row, Item> extends ListOrder {
  table: SelectQueryBuilder<DB, Tables, object>
  matching: SelectQueryBuilder<DB, Tables, object>
  columns: (rows: SelectQueryBuilder<DB, Tables, object>) => SelectQueryBuilder<DB, Tables, Row>
  toItem: (row: Row) => Item
}

interface Counted {
  count: Count
  /** `count` counts no more than these. The total of a list with more is this number. */
  countMax?: number
}

/**
 * Reads a page of a list of any length. A page after a place is read from the index. Of the rows that an offset passes over, only the ids are
 * read: with the columns, PostgreSQL would read each of these rows and run its subqueries. No statement passes over more than `rowsAtOnce`
 * rows, so other clients have their turns at the database between.
 */
export async function readPage<DB, Tables extends keyof DB, Row, Item>(
  request: PageRequest,
  list: List<DB, Tables, Row, Item>,
  rowsAtOnce?: number,
): Promise<Page<Item>> {
  const { limit } = request
  const rows = await readRows({ ...request, limit: limit + 1 }, list, rowsAtOnce)
  const shown = rows.slice(0, limit)
  return { items: shown.map(list.toItem), next: rows.length > limit ? placeOf(shown.at(-1), list) : null }
}

/** Reads a page like `readPage`, and the total: with `count`, unless the page shows it. */
export async function readCounted<DB, Tables extends keyof DB, Row, Item>(
  request: PageRequest,
  list: List<DB, Tables, Row, Item> & Counted,
  rowsAtOnce?: number,
): Promise<CountedPage<Item>> {
  const { offset, after } = request
  const { count, countMax = Number.MAX_SAFE_INTEGER } = list
  const totalOf = async () => Number((await count.executeTakeFirstOrThrow()).total)
  // After the end, the database would go through the whole list for nothing.
  const counted = offset > 0 && after === undefined ? await totalOf() : undefined
  if (counted !== undefined && counted < countMax && offset >= counted) return { items: [], next: null, total: counted }
  const page = await readPage(request, list, rowsAtOnce)
  const end = offset + page.items.length
  const isAll = page.next === null && after === undefined && (page.items.length > 0 || offset === 0)
  // Rows can be added after the count.
  const total = isAll ? end : Math.max(counted ?? (await totalOf()), end)
  return { ...page, total: Math.min(total, countMax) }
}

/** For a list whose rows have the columns of `shortened`: notes the ids of long rows while it converts them. */
export function notingLong<Row extends { id: string }, Item>(toItem: (row: Row) => Item) {
  const longIds = new Set<string>()
  return {
    longIds,
    toItem(row: Row & { is_long: unknown }) {
      if (row.is_long) longIds.add(row.id)
      return toItem(row)
    },
  }
}

function placeOf(row: unknown, { by = 'created_at', id = 'id' }: ListOrder): Place {
  const values = row as Record<string, unknown>
  return { value: Number(values[by]), id: id === null ? '' : String(values[id]) }
}

async function readRows<DB, Tables extends keyof DB, Row, Item>(
  { limit, offset, after: start }: PageRequest,
  { table, matching, columns, by = 'created_at', id = 'id', isAscending = false }: List<DB, Tables, Row, Item>,
  rowsAtOnce = 10_000,
): Promise<Row[]> {
  const value = sql.ref<number>(by)
  const direction = isAscending ? 'asc' : 'desc'
  const comparison = sql.raw(isAscending ? '>' : '<')
  const ordered = <Columns>(rows: SelectQueryBuilder<DB, Tables, Columns>) => {
    const byValue = rows.orderBy(value, direction)
    return id === null ? byValue : byValue.orderBy(sql.ref(id), direction)
  }
  const after = (place: Place | undefined) => {
    if (place === undefined) return matching
    // Any number of a cursor is accepted, also for a column of type integer.
    const at = sql`cast(${place.value} as bigint)`
    return matching.where(
      id === null
        ? sql<SqlBool>`${value} ${comparison} ${at}`
        : sql<SqlBool>`(${value}, ${sql.ref(id)}) ${comparison} (${at}, ${place.id})`,
    )
  }
  // Without ids, the list is short.
  if (id === null) return ordered(columns(after(start).limit(limit).offset(offset))).execute()
  const idColumn = sql.ref<string>(id)
  let place = start
  let rest = offset
  for (; rest > rowsAtOnce; rest -= rowsAtOnce) {
    place = await ordered(after(place).select([value.as('value'), idColumn.as('id')]))
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
