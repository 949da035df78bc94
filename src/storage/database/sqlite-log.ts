/**
 * Syncs the write-ahead log of SQLite in a thread. SQLite would do it within each commit, and the event loop would wait for the disk. A commit that
 * ends while a sync runs waits for the next sync, which covers all commits until then: concurrent requests share it.
 */
import { closeSync, fdatasync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DependencyUnavailable } from '../../errors.ts'

export interface LogSync {
  /** A commit has written to the log. */
  add(): void
  /** Resolves when the commits until now are on the disk; undefined if they are. Rejects forever once a sync has failed. */
  settled(): Promise<void> | undefined
  close(): void
}

/** The log of a connection that syncs it within each commit. */
export const syncedByCommits: LogSync = { add() {}, settled: () => undefined, close() {} }

export type Sync = (fd: number, done: (error: Error | null) => void) => void

/** `file`: the log. It exists while a connection to the database is open. */
export function createLogSync(file: string, sync: Sync = fdatasync): LogSync {
  let fd: number | undefined
  let running: PromiseWithResolvers<void> | undefined
  /** Covers the commits since the running sync began. */
  let next: PromiseWithResolvers<void> | undefined
  let failed: Promise<never> | undefined

  function begin(): void {
    fd ??= openLog(file)
    running = next
    next = undefined
    sync(fd, (error) => {
      // The kernel drops pages that it couldn't write, so a later sync would succeed without them.
      if (error) failed ??= rejected(new DependencyUnavailable(error))
      running?.resolve(failed)
      running = undefined
      if (next) begin()
    })
  }

  return {
    add() {
      next ??= Promise.withResolvers()
      if (running === undefined) begin()
    },
    settled: () => failed ?? next?.promise ?? running?.promise,
    close() {
      if (fd !== undefined) closeSync(fd)
    },
  }
}

/** Opens the log, and syncs its folder: else a power cut could lose the name of a new log, and with it the synced commits. */
function openLog(file: string): number {
  const folder = openSync(dirname(file), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
  return openSync(file, 'r')
}

/** A rejection that is handled even if no one waits for it. */
function rejected(error: Error): Promise<never> {
  const promise = Promise.reject(error)
  promise.catch(() => {})
  return promise
}
