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
} from 'kysely'
import { elapsedSince, monotonicMs } from '../../domain/clock.ts'
import { DependencyUnavailable } from '../../errors.ts'
import { closeToOthers, makePrivateFile } from '../private.ts'
import type { Schema } from './schema.ts'

const lockMsMax = 10_000
/** Pauses between attempts to get a lock. The last one repeats. */
const lockPausesMs = [1, 2, 5, 10, 20]
const statementsMax = 512

/**
 * Each statement waits up to `waitMsMax` for locks of other processes, after the statements before it, and then rejects with `DependencyUnavailable`. They wait in JavaScript:
 * SQLite's own timeout would stop the event loop.
 */
export async function openSqlite(file: string, waitMsMax = lockMsMax): Promise<Kysely<Schema>> {
  mkdirSync(dirname(file), { recursive: true })
  makePrivateFile(file)
  // New files get the permissions of the database.
  for (const end of ['-wal', '-shm']) closeToOthers(file + end, 0o600)
  const database = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: true })
  try {
    await withLock(waitMsMax, () => {
      database.exec('pragma journal_mode = wal')
      // NORMAL loses the last acknowledged commits at a power cut; FULL syncs the log at each.
      database.exec('pragma synchronous = full')
      // Checkpoints of the log every 16 MiB instead of 4: pages that each execution changes are then written once for
      // several executions.
      database.exec('pragma wal_autocheckpoint = 4096')
    })
    // SQLite's built-in function knows the case of ASCII only.
    database.function('lower', { deterministic: true }, lower)
  } catch (error) {
    database.close()
    throw error
  }
  return new Kysely<Schema>({ dialect: new NodeSqliteDialect(asKyselySqlite(database), waitMsMax) })
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
  readonly #waitMsMax: number

  constructor(database: SqliteDatabase, waitMsMax: number) {
    super({ database })
    this.#database = database
    this.#waitMsMax = waitMsMax
  }

  override createDriver(): Driver {
    return new WaitingDriver(this.#database, this.#waitMsMax)
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }
}

/** Waits for locks. Only the first statement of a transaction can meet one, because it takes the write lock. */
class WaitingDriver extends SqliteDriver {
  readonly #waitMsMax: number
  #waiting: DatabaseConnection | undefined

  constructor(database: SqliteDatabase, waitMsMax: number) {
    super({ database })
    this.#waitMsMax = waitMsMax
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection()
    this.#waiting ??= {
      executeQuery: (query) => withLock(this.#waitMsMax, () => connection.executeQuery(query)),
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    }
    return this.#waiting
  }
}

/** SQLite's DDL is transactional, which Kysely doesn't assume. With it, a migration is atomic and has the write lock. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** DatabaseSync with the interface that Kysely expects (better-sqlite3's), with a cache of prepared statements. */
function asKyselySqlite(database: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    close() {
      statements.clear()
      database.close()
    },
    prepare(sql) {
      let statement = statements.get(sql)
      if (statement === undefined) {
        if (statements.size >= statementsMax) statements.clear()
        statement = prepare(database, sql)
        statements.set(sql, statement)
      }
      return statement
    },
  }
}

function prepare(database: DatabaseSync, sql: string): SqliteStatement {
  // A deferred transaction that reads before it writes fails immediately if another process wrote in between. All our
  // transactions write, so they wait for the write lock at their beginning.
  const statement = database.prepare(sql === 'begin' ? 'begin immediate' : sql)
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run(parameters) {
      // A full disk ends a transaction automatically. A rollback would then fail and hide the cause.
      if (sql === 'rollback' && !database.isTransaction) return { changes: 0, lastInsertRowid: 0 }
      return statement.run(...values(parameters))
    },
    iterate: (parameters) => statement.iterate(...values(parameters)),
  }
}

function values(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[]
}
