/** Composition of the guard of the disks. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { DiskSpace } from '../domain/disk-space.ts'
import { createDiskSpace } from '../storage/disk-space.ts'

export function openDiskSpace(config: Config, log: Logger): DiskSpace {
  const { dataDir, storageUrl, diskReserveBytes } = config
  return createDiskSpace({
    // With a bucket, uploads are written to the data folder before they are sent.
    folders: [dataDir, storageUrl?.kind === 's3' ? [] : (storageUrl?.dir ?? join(dataDir, 'blobs'))].flat(),
    reserveBytes: diskReserveBytes,
    onChange(full) {
      if (full === undefined) log.info('the disks have room again: uploads and executions are accepted')
      else log.warn(full, 'a disk is nearly full: uploads and executions get 503 (DISK_RESERVE_BYTES)')
    },
  })
}
