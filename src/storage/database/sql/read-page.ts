import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { CountedPage, Page, PageRequest, Place } from '../../../domain/page.ts'

interface Count {
  executeTakeFirstOrThrow(): Promise<{ total: number }>
}

/** The order of a list, which an index has. The rows contain its columns. */
export interface ListOrder {
  /** A column with integers. Default: `created_at`. */
  by?: string
  /** The text that orders the list, in place of a column. An index has the same expression, and the rows contain it as `text_order`. */
  text?: RawBuilder<string>
  /** The column of ids, which order rows with the same value. Default: `id`. Null if the values are unique in the list. */
  id?: string | null
  /** Default: the largest value first. */
  isAscending?: boolean
}

interface Selection<DB, Tables extends keyof DB> extends ListOrder {
  /** The rows that the index of the order finds. */
  matching: SelectQueryBuilder<DB, Tables, object>
  /** A condition that is checked for each of these rows, of which it can reject many. */
  filter?: ((rows: SelectQueryBuilder<DB, Tables, object>) => SelectQueryBuilder<DB, Tables, object>) | undefined
}

interface List<DB, Tables extends keyof DB, Row, Item> extends Selection<DB, Tables> {
  table: SelectQueryBuilder<DB, Tables, object>
  columns: (rows: SelectQueryBuilder<DB, Tables, object>) => SelectQueryBuilder<DB, Tables, Row>
  toItem: (row: Row) => Item
}

interface Counted {
  /** The number of rows: a kept total, or a count of few rows. `countMax`: they are counted up to this number. */
  count: Count | { countMax: number }
}

/** Rows of one statement, so that other clients have their turns at the database between two of them. */
const rowsAtOnceMax = 10_000
const firstPartRows = 1_000

/**
 * Reads a page of a list of any length. A page after a place is read from the index. Of the rows that an offset passes over, only the ids are
 * read: with the columns, PostgreSQL would read each of these rows and run its subqueries. No statement reads more than `rowsAtOnce` rows before
 * the page, or for a filter.
 */
export async function readPage<DB, Tables extends keyof DB, Row, Item>(
  request: PageRequest,
  list: List<DB, Tables, Row, Item>,
  rowsAtOnce = rowsAtOnceMax,
): Promise<Page<Item>> {
  const { limit } = request
  const read = list.filter === undefined ? readRows : readFiltered
  const rows = await read({ ...request, limit: limit + 1 }, list, rowsAtOnce)
  const shown = rows.slice(0, limit)
  return { items: shown.map(list.toItem), next: rows.length > limit ? placeOf(shown.at(-1), list) : null }
}

/** Reads a page like `readPage`, and the total, unless the page shows it. */
export async function readCounted<DB, Tables extends keyof DB, Row, Item>(
  request: PageRequest,
  list: List<DB, Tables, Row, Item> & Counted,
  rowsAtOnce = rowsAtOnceMax,
): Promise<CountedPage<Item>> {
  const { offset, after } = request
  const { count } = list
  const countMax = 'countMax' in count ? count.countMax : Number.MAX_SAFE_INTEGER
  const totalOf = async () =>
    'countMax' in count ? countUpTo(countMax, list, rowsAtOnce) : Number((await count.executeTakeFirstOrThrow()).total)
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

/** Notes the ids of long rows while it converts rows with the columns of `shortened`. */
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

function placeOf(row: unknown, { by = 'created_at', text, id = 'id' }: ListOrder): Place {
  const values = row as Record<string, unknown>
  const order = text ? { value: 0, text: String(values.text_order) } : { value: Number(values[by]) }
  return { ...order, id: id === null ? '' : String(values[id]) }
}

/** The queries of a list. */
function queriesOf<DB, Tables extends keyof DB>({
  matching,
  by = 'created_at',
  id = 'id',
  isAscending = false,
  text,
}: Selection<DB, Tables>) {
  const value: RawBuilder<unknown> = text ?? sql.ref(by)
  const idColumn = sql.ref<string>(id ?? by)
  const direction = isAscending ? 'asc' : 'desc'
  const [beyond, upTo] = isAscending ? ['>', '<='] : ['<', '>=']
  /** Any number of a cursor is accepted, also for a column of type integer. */
  function compared({ value: at, text: textAt, id: of }: Place, comparison: string | undefined) {
    const key = text ? sql`${textAt ?? ''}` : sql`cast(${at} as bigint)`
    const operator = sql.raw(String(comparison))
    return id === null
      ? sql<SqlBool>`${value} ${operator} ${key}`
      : sql<SqlBool>`(${value}, ${idColumn}) ${operator} (${key}, ${of})`
  }
  const ordered = <Columns>(rows: SelectQueryBuilder<DB, Tables, Columns>) => {
    const byValue = rows.orderBy(value, direction)
    return id === null ? byValue : byValue.orderBy(idColumn, direction)
  }
  const after = (place: Place | undefined) => (place ? matching.where(compared(place, beyond)) : matching)
  return {
    idColumn,
    ordered,
    after,
    between: (start: Place | undefined, end: Place | undefined) =>
      end ? after(start).where(compared(end, upTo)) : after(start),
    /** The place of the last of this number of rows; undefined if fewer follow. */
    passOver: (start: Place | undefined, rows: number) =>
      ordered(after(start).select([value.as(text ? 'text' : 'value'), idColumn.as('id')]))
        .limit(1)
        .offset(rows - 1)
        .$castTo<Place>()
        .executeTakeFirst(),
  }
}

async function readRows<DB, Tables extends keyof DB, Row, Item>(
  { limit, offset, after: start }: PageRequest,
  list: List<DB, Tables, Row, Item>,
  rowsAtOnce: number,
): Promise<Row[]> {
  const { table, columns, id } = list
  const { idColumn, ordered, after, passOver } = queriesOf(list)
  let place = start
  let rest = offset
  for (; rest > rowsAtOnce; rest -= rowsAtOnce) {
    place = await passOver(place, rowsAtOnce)
    // The list has ended, or rows were removed after the count.
    if (place === undefined) return []
  }
  // Without a column of ids, rows before the page are short.
  if (rest === 0 || id === null) return ordered(columns(after(place).limit(limit).offset(rest))).execute()
  const ids = ordered(after(place).select(idColumn.as('id')))
    .limit(limit)
    .offset(rest)
  return ordered(columns(table.where(idColumn, 'in', ids))).execute()
}

/** The rows of a list in parts of consecutive rows, without those that its filter rejects. The first parts are small: often they have a page. */
async function* filteredParts<DB, Tables extends keyof DB>(
  list: Selection<DB, Tables>,
  start: Place | undefined,
  rowsAtOnce: number,
) {
  const { between, passOver } = queriesOf(list)
  const { filter = (rows) => rows } = list
  let place = start
  let rows = Math.min(firstPartRows, rowsAtOnce)
  do {
    const end = await passOver(place, rows)
    yield filter(between(place, end))
    place = end
    rows = Math.min(2 * rows, rowsAtOnce)
  } while (place !== undefined)
}

async function readFiltered<DB, Tables extends keyof DB, Row, Item>(
  { limit, offset, after }: PageRequest,
  list: List<DB, Tables, Row, Item>,
  rowsAtOnce: number,
): Promise<Row[]> {
  const { idColumn, ordered } = queriesOf(list)
  const ids: string[] = []
  let rest = offset
  for await (const part of filteredParts(list, after, rowsAtOnce)) {
    const found = await ordered(part.select(idColumn.as('id')))
      .limit(rest + limit - ids.length)
      .$castTo<{ id: string }>()
      .execute()
    ids.push(...found.slice(rest).map((row) => row.id))
    rest = Math.max(0, rest - found.length)
    if (ids.length === limit) break
  }
  if (ids.length === 0) return []
  return ordered(list.columns(list.table.where(idColumn, 'in', ids))).execute()
}

/** Counts the rows of a list, in parts. Above `max`, the number is between it and the number of rows. */
export async function countUpTo<DB, Tables extends keyof DB>(
  max: number,
  list: Selection<DB, Tables>,
  rowsAtOnce = rowsAtOnceMax,
): Promise<number> {
  let total = 0
  for await (const part of filteredParts(list, undefined, rowsAtOnce)) {
    const counted = part.select((eb) => eb.fn.countAll<number>().as('total')).$castTo<{ total: number }>()
    total += Number((await counted.executeTakeFirstOrThrow()).total)
    if (total >= max) break
  }
  return total
}
