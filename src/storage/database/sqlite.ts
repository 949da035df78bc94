/** SQLite with Node's driver and Kysely's dialect. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
  sql,
} from 'kysely'
import { elapsedSince, monotonicMs } from '../../domain/clock.ts'
import { DependencyUnavailable } from '../../errors.ts'
import { closeToOthers, makePrivateFile } from '../private.ts'
import type { Schema } from './schema.ts'
import { createLogSync, type LogSync, type Sync, syncedByCommits } from './sqlite-log.ts'

const lockMsMax = 10_000
/** Pauses between attempts to get a lock. The last one repeats. */
const lockPausesMs = [1, 2, 5, 10, 20]
const statementsMax = 512
/** Statements run in the main thread. After this time, the event loop does other work before the next one, also in a loop that awaits one after the other. */
const statementsMs = 10

export interface SqliteOptions {
  /**
   * Each statement waits up to this time for locks of other processes, after the statements before it, and then rejects with `DependencyUnavailable`. They
   * wait in JavaScript: SQLite's own timeout would stop the event loop.
   */
  waitMsMax?: number
  /**
   * Syncs the log within each commit, and not in a thread after it. For a process whose commits another process reads and reports to clients: it
   * could read a commit before its sync.
   */
  syncsInCommit?: boolean
  sync?: Sync
}

/** No one gets the result of a statement before everything that the result depends on is on the disk. */
export async function openSqlite(file: string, options: SqliteOptions = {}): Promise<Kysely<Schema>> {
  const { waitMsMax = lockMsMax, syncsInCommit = false, sync } = options
  mkdirSync(dirname(file), { recursive: true })
  makePrivateFile(file)
  // New files get the permissions of the database.
  for (const end of ['-wal', '-shm']) closeToOthers(file + end, 0o600)
  const database = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: true })
  try {
    await withLock(waitMsMax, () => {
      database.exec('pragma journal_mode = wal')
      // FULL syncs the log within each commit. NORMAL syncs it only before pages move from the log to the database, so `createLogSync` does the rest.
      database.exec(`pragma synchronous = ${syncsInCommit ? 'full' : 'normal'}`)
      // Checkpoints of the log every 16 MiB instead of 4: pages that each execution changes are then written once for
      // several executions.
      database.exec('pragma wal_autocheckpoint = 4096')
    })
    database.function('lower_unicode', { deterministic: true }, lower)
  } catch (error) {
    database.close()
    throw error
  }
  const log = syncsInCommit ? syncedByCommits : createLogSync(`${file}-wal`, sync)
  return new Kysely<Schema>({ dialect: new NodeSqliteDialect(asKyselySqlite(database, log), log, waitMsMax) })
}

/**
 * A transaction in a group records the pages before its changes, and SQLite puts more than 64 KiB of them into a file, which it creates and deletes each time.
 * Sorts are in memory then as well: the largest is of the executions of one account on one day. For the time after migrations: a new index of a large table
 * is sorted in files.
 */
export async function keepTemporaryDataInMemory(db: Kysely<Schema>): Promise<void> {
  await sql`pragma temp_store = memory`.execute(db)
}

function lower(text: SQLOutputValue): SQLOutputValue {
  return typeof text === 'string' ? text.toLowerCase() : text
}

async function withLock<Value>(waitMsMax: number, work: () => Value | Promise<Value>): Promise<Value> {
  const startMs = monotonicMs()
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (elapsedSince(startMs) >= waitMsMax) throw new DependencyUnavailable(error)
      await setTimeout(lockPausesMs[attempt] ?? lockPausesMs.at(-1))
    }
  }
}

/** SQLITE_BUSY: another connection has a conflicting lock. The higher bits of the code say which. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5
}

class NodeSqliteDialect extends SqliteDialect {
  readonly #database: SqliteDatabase
  readonly #log: LogSync
  readonly #waitMsMax: number

  constructor(database: SqliteDatabase, log: LogSync, waitMsMax: number) {
    super({ database })
    this.#database = database
    this.#log = log
    this.#waitMsMax = waitMsMax
  }

  override createDriver(): Driver {
    return new WaitingDriver(this.#database, this.#log, this.#waitMsMax)
  }

  override createAdapter(): SqliteAdapter {
    return new NodeSqliteAdapter()
  }
}

/**
 * Lets one user at a time have the connection, and the next one while the log is synced for the one before. Waits for locks of other processes: only the
 * first statement of a transaction can meet one, because it takes the write lock.
 */
class WaitingDriver extends SqliteDriver {
  readonly #log: LogSync
  readonly #waitMsMax: number
  #connection: DatabaseConnection | undefined
  /** Users of the connection, in order. The first one has it. */
  readonly #users: (() => void)[] = []
  /** Start of the statements since the event loop did other work. Undefined if there were none. */
  #sinceMs: number | undefined

  constructor(database: SqliteDatabase, log: LogSync, waitMsMax: number) {
    super({ database })
    this.#log = log
    this.#waitMsMax = waitMsMax
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const { promise, resolve } = Promise.withResolvers<void>()
    if (this.#users.push(resolve) === 1) this.#start(resolve)
    await promise
    if (this.#connection) return this.#connection
    const connection = await super.acquireConnection()
    this.#connection = {
      executeQuery: (query) => withLock(this.#waitMsMax, () => connection.executeQuery(query)),
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    }
    return this.#connection
  }

  override async releaseConnection(): Promise<void> {
    this.#users.shift()
    const [next] = this.#users
    if (next) this.#start(next)
    await this.#log.settled()
  }

  #start(next: () => void): void {
    if (this.#sinceMs === undefined) {
      this.#sinceMs = monotonicMs()
      setImmediate(() => {
        this.#sinceMs = undefined
      })
    }
    if (elapsedSince(this.#sinceMs) < statementsMs) next()
    else setImmediate(() => this.#start(next))
  }

  override async destroy(): Promise<void> {
    await this.#log.settled()?.catch(() => undefined)
    this.#log.close()
    await super.destroy()
  }
}

class NodeSqliteAdapter extends SqliteAdapter {
  /** SQLite's DDL is transactional, which Kysely doesn't assume. With it, a migration is atomic and has the write lock. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  /** Kysely would keep other users waiting during the sync. The driver lets one user at a time have the connection. */
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** DatabaseSync with the interface that Kysely expects (better-sqlite3's), with a cache of prepared statements. */
function asKyselySqlite(database: DatabaseSync, log: LogSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  let hasWritten = false
  function afterStatement(mayWrite: boolean): void {
    hasWritten ||= mayWrite
    if (!hasWritten || database.isTransaction) return
    hasWritten = false
    log.add()
  }
  return {
    close() {
      statements.clear()
      database.close()
    },
    prepare(sql) {
      let statement = statements.get(sql)
      if (statement === undefined) {
        if (statements.size >= statementsMax) statements.clear()
        statement = prepare(database, sql, afterStatement)
        statements.set(sql, statement)
      }
      return statement
    },
  }
}

function prepare(database: DatabaseSync, sql: string, afterStatement: (mayWrite: boolean) => void): SqliteStatement {
  // A deferred transaction that reads before it writes fails immediately if another process wrote in between. All our
  // transactions write, so they wait for the write lock at their beginning.
  const statement = database.prepare(sql === 'begin' ? 'begin immediate' : sql)
  const mayWrite = !/^\s*(select|begin|commit|rollback|savepoint|release|pragma)\b/i.test(sql)
  return {
    reader: statement.columns().length > 0,
    all(parameters) {
      const rows = statement.all(...values(parameters))
      afterStatement(mayWrite)
      return rows
    },
    run(parameters) {
      // A full disk ends a transaction automatically. A rollback would then fail and hide the cause.
      if (sql === 'rollback' && !database.isTransaction) return { changes: 0, lastInsertRowid: 0 }
      const result = statement.run(...values(parameters))
      afterStatement(mayWrite)
      return result
    },
    iterate: (parameters) => statement.iterate(...values(parameters)),
  }
}

function values(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[]
}
