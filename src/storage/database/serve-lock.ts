import { existsSync, mkdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { isBusy } from './sqlite.ts'

export interface ServeLock {
  release(): void
}

/** Keeps the databases referenced: garbage collection would close them and release their locks. */
const lockedDatabases = new Set<DatabaseSync>()

/**
 * Lets one process at a time serve a data directory; undefined if another process does. It uses the operating system's lock on
 * a file, with a SQLite transaction that stays open: the lock ends with the process, however it dies. Nothing
 * else may open the file: on POSIX, closing it anywhere in the process would release the lock.
 */
export function takeServeLock(file: string): ServeLock | undefined {
  mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if (isBusy(error)) return undefined
    throw error
  }
  lockedDatabases.add(database)
  return {
    release() {
      if (lockedDatabases.delete(database)) database.close()
    },
  }
}

/** Whether another process serves it. Do not call it in the process that serves: see above. */
export function isServed(file: string): boolean {
  if (!existsSync(file)) return false
  const lock = takeServeLock(file)
  lock?.release()
  return lock === undefined
}

const waitMsMax = 30_000
const waitPollMs = 25

/** Waits for a process that is ending. */
export async function waitForServeLock(file: string): Promise<ServeLock> {
  for (let waitedMs = 0; ; waitedMs += waitPollMs) {
    const lock = takeServeLock(file)
    if (lock) return lock
    if (waitedMs >= waitMsMax)
      throw new Error(
        `Another process has locked ${basename(file)} in DATA_DIR for ${waitMsMax / 1_000} s. Stop that process.`,
      )
    await pause(waitPollMs)
  }
}
