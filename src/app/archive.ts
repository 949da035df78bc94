/** Composition of export and import: the database and the blobs, without services. */
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { refusal } from '../errors.ts'
import type { Compression } from '../storage/archive/archive.ts'
import { type Exported, exportArchive } from '../storage/archive/export.ts'
import { importArchive } from '../storage/archive/import.ts'
import type { Imported, OnProgress } from '../storage/archive/progress.ts'
import { retentionKinds } from '../storage/database/retention/kinds.ts'
import { takeServeLock } from '../storage/database/serve-lock.ts'
import { jobNames } from '../worker/jobs/sweep.ts'
import { openBlobs } from './blobs.ts'
import { createQueueAndNotices } from './queue.ts'
import { openRecords } from './records.ts'
import { version } from './version.ts'

export interface Archive {
  /** Writes an archive, also while the service runs. */
  exportTo(out: Writable, compression: Compression, onProgress: OnProgress): Promise<Exported>
  importFrom(source: AsyncIterable<Uint8Array>, onProgress: OnProgress): Promise<Imported>
  close(): Promise<void>
}

export async function createArchive(config: Config, log: Logger): Promise<Archive> {
  return {
    async exportTo(out, compression, onProgress) {
      const database = await openRecords(config)
      try {
        const blobs = await openBlobs(config)
        return await exportArchive({ database, blobs, clock: database.clock, version, onProgress }, out, compression)
      } finally {
        await database.close()
      }
    },

    async importFrom(source, onProgress) {
      const database = await openRecords(config, { asItIs: true })
      const lock = database.engine === 'sqlite' ? takeServeLock(join(config.dataDir, 'serve.lock')) : noLock
      const queueing = await createQueueAndNotices(config, database, log)
      try {
        if (lock === undefined) {
          throw refusal(`A service is running on ${config.dataDir}. Stop it, or set DATA_DIR to an empty folder.`)
        }
        const blobs = await openBlobs(config)
        const jobs = jobNames(retentionKinds(config).map(({ job }) => job))
        const target = { database, blobs, clock: database.clock, jobs, onProgress }
        // A service that starts at the same time waits before it creates the first account.
        return await database.exclusively('first-start', () => importArchive(target, source))
      } finally {
        await queueing.close()
        await database.close()
        lock?.release()
      }
    },

    async close() {},
  }
}

const noLock = { release() {} }
