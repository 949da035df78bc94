/** PostgreSQL with node-postgres and Kysely's dialect. Imported only if `DATABASE_URL` is set. */
import { Kysely, PostgresDialect, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import { DependencyUnavailable } from '../../errors.ts'
import type { Schema } from './schema.ts'
import { isPrepared } from './sql/prepared.ts'

/** The oldest release that is tested. */
const versionMin = 15
const connectSecondsMax = 10
/** Queries take milliseconds. A query that takes this long is stuck. */
const statementSecondsMax = 30
/** Time after which the server should have ended the statement, so the network is gone. */
const responseSecondsMax = 35
/** A process that freezes within a transaction must not keep its locks.  */
const idleInTransactionSecondsMax = 60

export interface Postgres {
  db: Kysely<Schema>
  /** The connections of the pool, and the work that waits for one. */
  connections(): Connections
  /** The same database by a separate connection, whose statements may take any time. */
  migrating<T>(work: (db: Kysely<Schema>) => Promise<T>): Promise<T>
  /** Waits until no other process runs work of this name. The lock ends with the connection, and so with the process. */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>
}

export interface Connections {
  open: number
  idle: number
  waiting: number
}

/** Throws one sentence, without the password, if the server cannot be used. */
export async function openPostgres(url: string, { connectionsMax }: { connectionsMax: number }): Promise<Postgres> {
  const pool = new pg.Pool({
    ...connection(url),
    max: connectionsMax,
    statement_timeout: statementSecondsMax * 1_000,
    query_timeout: responseSecondsMax * 1_000,
    idle_in_transaction_session_timeout: idleInTransactionSecondsMax * 1_000,
  })
  surviveLostConnections(pool)
  const db = new Kysely<Schema>({ dialect: dialectOver(pool) })
  try {
    await requireUsable(db)
  } catch (error) {
    await db.destroy()
    throw new Error(`${locationOf(url)} ${reason(error)}`, { cause: error })
  }
  return {
    db,
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async migrating(work) {
      const singlePool = new pg.Pool({ ...connection(url), max: 1 })
      surviveLostConnections(singlePool)
      const migrator = new Kysely<Schema>({ dialect: dialectOver(singlePool) })
      try {
        return await work(migrator)
      } finally {
        await migrator.destroy()
      }
    },
    async exclusively(name, work) {
      // Not a connection of the pool: work that takes all of them would deadlock with this one.
      const client = new pg.Client(connection(url))
      client.on('error', () => {})
      try {
        await client.connect()
        await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [`tintype:${name}`])
        return await work()
      } finally {
        await client.end()
      }
    },
  }
}

function connection(url: string) {
  return {
    connectionString: url,
    application_name: 'tintype',
    connectionTimeoutMillis: connectSecondsMax * 1_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser },
  }
}

/** Returns bigint (milliseconds, bytes and counts) as a number: our values stay below 2^53. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')

/**
 * A broken connection is reported twice: to the query that waits for it, and as an event that ends the process
 * without a listener. The pool listens only while the connection is idle, and emits the error as its own event.
 */
function surviveLostConnections(pool: pg.Pool): void {
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
}

function dialectOver(pool: pg.Pool): PostgresDialect {
  const statements = new Map<string, string>()
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return new PostgresDialect({
    pool: {
      options: pool.options,
      Client: pg.Client,
      async connect() {
        const client = await pool.connect().catch(reportUnreachable)
        const known = clients.get(client) ?? asKyselyClient(client, statements)
        clients.set(client, known)
        return known
      },
      end: () => pool.end(),
    },
  })
}

/** A client with the interface that Kysely expects. `statements`: the names of the prepared statements, by their text. */
function asKyselyClient(client: pg.PoolClient, statements: Map<string, string>): PostgresPoolClient {
  let isSilent = false
  async function query(text: string, parameters: readonly unknown[] = []): Promise<unknown> {
    try {
      return await send(text, parameters)
    } catch (error) {
      isSilent ||= error instanceof Error && error.message === 'Query read timeout'
      reportUnreachable(error)
    }
  }
  async function send(text: string, parameters: readonly unknown[]): Promise<unknown> {
    const values = parameters.map(storable)
    if (!isPrepared(text)) return client.query(text, values)
    const name = statements.get(text) ?? `tintype_${statements.size}`
    statements.set(text, name)
    try {
      return await client.query({ name, text, values })
    } catch (error) {
      // "cached plan must not change result type": a newer release, which runs at the same time, has added a column.
      if (!(error instanceof pg.DatabaseError) || error.code !== '0A000') throw error
      statements.set(text, `${name}_again`)
      return client.query(text, values)
    }
  }
  const { processID } = client as pg.PoolClient & { processID?: number }
  return {
    ...(processID !== undefined && { processID }),
    query: query as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy || isSilent),
  }
}

/**
 * Connection exceptions; a server that was stopped, crashed, is starting, or has no room for another connection; a deadlock, and a statement that took too
 * long, whose transactions were rolled back: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const unreachableCodes = /^(08...|57P0[1-4]|53300|40P01|57014)$/
/** Messages of node-postgres, which have no code, for connections that broke or could not be made. */
const unreachableMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered)/

function reportUnreachable(error: unknown): never {
  if (!(error instanceof Error)) throw error
  const { code = '', syscall, message } = error as NodeJS.ErrnoException
  const is = syscall !== undefined || unreachableCodes.test(code) || unreachableMessages.test(message)
  throw is || error instanceof AggregateError ? new DependencyUnavailable(error) : error
}

/** PostgreSQL refuses U+0000 in text. No id contains it, so a look-up by such a text finds nothing. */
function storable(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
}

async function requireUsable(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ number: string; name: string }>`
    select current_setting('server_version_num') as number, current_setting('server_version') as name`.execute(db)
  const [version] = rows
  if (Number(version?.number) >= versionMin * 10_000) return
  throw new Error(`has version ${version?.name}, and Tintype requires ${versionMin} or newer`)
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, message } = error as NodeJS.ErrnoException
  return message.startsWith('has version') ? `${message}.` : `can't be used: ${message || code}.`
}

/** The host, port and name of the database, without credentials. */
function locationOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname || searchParams.get('host') || 'localhost'
  return `PostgreSQL at ${host}:${port || searchParams.get('port') || 5432}${pathname}`
}
