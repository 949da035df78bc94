/** The differences between the database engines that a store can see, by name. */
import { type Kysely, PostgresAdapter, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'

export interface Dialect {
  /** Whether an insert failed because a unique value exists. */
  isUniqueViolation(error: unknown): boolean
  /** Whether a change failed because a row refers to another one that it removes, or that is missing. */
  isReferenceViolation(error: unknown): boolean
  /** Locks the selected rows and skips rows that another process has locked. */
  skipLocked<DB, Tables extends keyof DB, Row>(
    query: SelectQueryBuilder<DB, Tables, Row>,
  ): SelectQueryBuilder<DB, Tables, Row>
  /** The end of a query that does the same to its rows `r`. */
  skipLockedRows: RawBuilder<unknown>
  /** Locks the selected rows until the transaction ends, so that counts and reads that depend on them stay true. */
  lockRows<DB, Tables extends keyof DB, Row>(
    query: SelectQueryBuilder<DB, Tables, Row>,
  ): SelectQueryBuilder<DB, Tables, Row>
  contains(text: RawBuilder<unknown>, part: RawBuilder<unknown>): RawBuilder<SqlBool>
  /** Text in lower case, also beyond ASCII; on PostgreSQL by the locale of the database. */
  lower(text: RawBuilder<unknown>): RawBuilder<string>
  /** The text at this path of keys in the JSON of a column. */
  textIn(column: string, ...keys: string[]): RawBuilder<string>
  /** Begins a transaction without a time-out that reads the database as of its beginning, while other connections write. */
  beginSnapshot: readonly string[]
  /** Statements of a transaction that waits for something else between its queries. */
  allowPauses: readonly string[]
  /**
   * Whether one statement can change several tables (`with ... as (update ...)`): no round trip more, and no lock that a process leaves behind when it
   * stops between two statements.
   */
  changesInOneStatement: boolean
  /** The elements of a JSON array of texts as rows of `n`, from 1, and `text`. */
  elementsOf(json: RawBuilder<unknown>): RawBuilder<unknown>
  /** The most transactions that add waiting executions at the same time without seeing each other. */
  unseenWritersMax: number
  /** Waits until no other transaction is past this line, and keeps others out until the transaction ends. */
  oneAtATime<DB>(trx: Kysely<DB>): Promise<unknown>
}

/** SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE */
const sqliteUniqueCodes = new Set([1555, 2067])

export const sqliteDialect: Dialect = {
  beginSnapshot: ['begin deferred'],
  allowPauses: [],
  changesInOneStatement: false,
  elementsOf: (json) => sql`(select key + 1 as n, value as text from json_each(${json}))`,
  unseenWritersMax: 0,
  // There is one writer at a time.
  oneAtATime: async () => {},
  isUniqueViolation: (error) =>
    error instanceof Error && 'errcode' in error && sqliteUniqueCodes.has(Number(error.errcode)),
  // SQLITE_CONSTRAINT_FOREIGNKEY
  isReferenceViolation: (error) => error instanceof Error && 'errcode' in error && Number(error.errcode) === 787,
  // There is one writer at a time: nothing to skip.
  skipLocked: (query) => query,
  skipLockedRows: sql``,
  // A transaction is the only writer from its beginning.
  lockRows: (query) => query,
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  // SQLite's function is faster than ours, and knows the case of ASCII only.
  lower: (text) =>
    sql`case when length(${text}) = octet_length(${text}) then lower(${text}) else lower_unicode(${text}) end`,
  textIn: (column, ...keys) => sql`${sql.ref(column)} ->> ${sql.lit(`$.${keys.join('.')}`)}`,
}

const allowPauses = ['set local idle_in_transaction_session_timeout = 0']

export const postgresDialect: Dialect = {
  beginSnapshot: ['begin isolation level repeatable read, read only', ...allowPauses],
  allowPauses,
  changesInOneStatement: true,
  elementsOf: (json) =>
    sql`(select n, text from json_array_elements_text(${json}::json) with ordinality as element (text, n))`,
  // 50 processes with DATABASE_CONNECTIONS_MAX at its default.
  unseenWritersMax: 500,
  oneAtATime: (trx) => sql`select pg_advisory_xact_lock(hashtextextended('tintype:waiting', 0))`.execute(trx),
  isUniqueViolation: (error) => error instanceof Error && 'code' in error && error.code === '23505',
  isReferenceViolation: (error) => error instanceof Error && 'code' in error && error.code === '23503',
  skipLocked: (query) => query.forUpdate().skipLocked(),
  skipLockedRows: sql`for update of r skip locked`,
  // Not `for update`: every insert that refers to the row would wait for it.
  lockRows: (query) => query.forNoKeyUpdate(),
  contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
  // Columns sort by bytes, and their own collation knows the case of ASCII only.
  lower: (text) => sql`lower(${text} collate "default")`,
  textIn: (column, ...keys) => sql`${sql.ref(column)}::json #>> ${sql.lit(`{${keys.join(',')}}`)}`,
}

export function isPostgres<DB>(db: Kysely<DB>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** The type of text columns in migrations: sorted by bytes, as SQLite does it, not by the locale of the database. */
export function textByBytes<DB>(db: Kysely<DB>): string {
  return isPostgres(db) ? 'text collate "C"' : 'text'
}

/** Runs the statements of a migration in their order. */
export async function execute<DB>(db: Kysely<DB>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
