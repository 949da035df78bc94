/** SQLite by Node's own driver, under Kysely's own dialect. */
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
  // New ones get the permissions of the database.
  for (const end of ['-wal', '-shm']) closeToOthers(file + end, 0o600)
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
  try {
    await switchToWal(database)
    // NORMAL loses the last acknowledged commits at a power cut; FULL syncs the log at each.
    database.exec('pragma synchronous = full')
    // The log goes into the database every 16 MiB instead of every 4: the pages that each execution changes again are then
    // written once for several executions.
    database.exec('pragma wal_autocheckpoint = 4096')
    // SQLite's own knows the case of ASCII only.
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

/** SQLite's own timeout does not hold for this switch: where two processes make one database, one is refused at once. */
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

/** SQLITE_BUSY: another connection holds a lock that is in the way. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5
}

class NodeSqliteDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }
}

/** SQLite's DDL is transactional; Kysely assumes the least. With it a migration happens whole, under the write lock. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** DatabaseSync in the shape that Kysely knows (better-sqlite3's), with prepared statements kept. */
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
  // A deferred transaction that reads before it writes fails at once, without waiting, when another process wrote in
  // between. Ours all write: they wait for the write lock at their beginning.
  const statement = database.prepare(sql === 'begin' ? 'begin immediate' : sql)
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run(parameters) {
      // A full disk ends a transaction by itself; rolling it back again would fail, and hide what had happened.
      if (sql === 'rollback' && !database.isTransaction) return { changes: 0, lastInsertRowid: 0 }
      return statement.run(...values(parameters))
    },
    iterate: (parameters) => statement.iterate(...values(parameters)),
  }
}

function values(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[]
}
