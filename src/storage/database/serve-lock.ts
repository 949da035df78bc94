import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from './sqlite.ts'

/** Held here, since a database that nothing refers to is closed when memory is collected: and the lock with it. */
const held = new Set<DatabaseSync>()

/**
 * Lets one process at a time serve a data directory: undefined while another does. It is the operating system's lock on
 * a file, by way of a SQLite transaction that stays open: however the process dies, the lock is gone with it. Nothing
 * else may open the file: on POSIX, closing it again anywhere in the process would give up the lock.
 */
export function takeServeLock(file: string): { release(): void } | undefined {
  mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if (isBusy(error)) return undefined
    throw error
  }
  held.add(database)
  return {
    release() {
      if (held.delete(database)) database.close()
    },
  }
}

/** Whether another process serves it. Not to be asked by the one that does: see above. */
export function isServed(file: string): boolean {
  if (!existsSync(file)) return false
  const lock = takeServeLock(file)
  lock?.release()
  return lock === undefined
}
