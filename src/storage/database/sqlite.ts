/** SQLite with Node's driver and Kysely's dialect. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { Kysely, SqliteAdapter, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'
import { closeToOthers, makePrivateFile } from '../private.ts'
import type { Schema } from './schema.ts'

const busyTimeoutMs = 5_000
const busyRetryMs = 20
const statementsMax = 512

export async function openSqlite(file: string): Promise<Kysely<Schema>> {
  mkdirSync(dirname(file), { recursive: true })
  makePrivateFile(file)
  // New files get the permissions of the database.
  for (const end of ['-wal', '-shm']) closeToOthers(file + end, 0o600)
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
  try {
    await switchToWal(database)
    // NORMAL loses the last acknowledged commits at a power cut; FULL syncs the log at each.
    database.exec('pragma synchronous = full')
    // Checkpoints of the log every 16 MiB instead of 4: pages that each execution changes are then written once for
    // several executions.
    database.exec('pragma wal_autocheckpoint = 4096')
    // SQLite's built-in function knows the case of ASCII only.
    database.function('lower', { deterministic: true }, lower)
  } catch (error) {
    database.close()
    throw error
  }
  return new Kysely<Schema>({ dialect: new NodeSqliteDialect({ database: asKyselySqlite(database) }) })
}

function lower(text: SQLOutputValue): SQLOutputValue {
  return typeof text === 'string' ? text.toLowerCase() : text
}

/** SQLite's time-out does not apply to this switch: if two processes create a database, one of them fails immediately. */
async function switchToWal(database: DatabaseSync): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += busyRetryMs) {
    try {
      database.exec('pragma journal_mode = wal')
      return
    } catch (error) {
      if (!isBusy(error) || waitedMs >= busyTimeoutMs) throw error
      await setTimeout(busyRetryMs)
    }
  }
}

/** SQLITE_BUSY: another connection has a conflicting lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5
}

class NodeSqliteDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
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
