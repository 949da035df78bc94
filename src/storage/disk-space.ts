/**
 * Refuses new work while a disk is nearly full, so that the rest of it is left for the database and for the outputs of work that was accepted. Reading and
 * deleting work on.
 */
import type { StatsFs } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { inTime } from '../domain/abortable.ts'
import { monotonicMs } from '../domain/clock.ts'
import type { DiskSpace } from '../domain/disk-space.ts'
import { Fault } from '../errors.ts'
import { limits } from '../limits.ts'

/** A disk with less room than its reserve. */
export interface FullDisk {
  folder: string
  freeBytes: number
  reserveBytes: number
}

interface Disk {
  folder: string
  full: FullDisk | undefined
  /** Whether a call has not returned. */
  isBusy: boolean
}

interface Options {
  /** Folders of the database and of files. Several can be on one disk. */
  folders: readonly string[]
  /** Default: `diskReserveBytes`, or a part of a small disk. 0: never full. */
  reserveBytes: number | undefined
  /** Called when the first disk is nearly full, and with undefined when all have room again. */
  onChange(full: FullDisk | undefined): void
  statfs?(folder: string): Promise<Pick<StatsFs, 'bavail' | 'blocks' | 'bsize'>>
  now?(): number
}

/** A system call takes some microseconds, and some milliseconds on a network share. */
const knownMs = 1_000

export function createDiskSpace({
  folders,
  reserveBytes,
  onChange,
  statfs: call = statfs,
  now = monotonicMs,
}: Options): DiskSpace {
  let known: { at: number; full: Promise<FullDisk | undefined> } | undefined
  let wasFull = false
  const disks = folders.map((folder): Disk => ({ folder, full: undefined, isBusy: false }))

  async function read(folder: string): Promise<FullDisk | undefined> {
    try {
      const { bavail, blocks, bsize } = await call(folder)
      const reserve = reserveBytes ?? Math.min(limits.diskReserveBytes, blocks * bsize * limits.diskReservePart)
      const freeBytes = bavail * bsize
      return freeBytes < reserve ? { folder, freeBytes, reserveBytes: Math.ceil(reserve) } : undefined
    } catch {
      // A folder that can't be read is reported by the work that needs it.
      return undefined
    }
  }

  /** Keeps the last known state of a network share that doesn't respond. */
  async function look(disk: Disk): Promise<void> {
    // Each call that hangs takes one of the few threads for files.
    if (disk.isBusy) return
    disk.isBusy = true
    const work = read(disk.folder).then((full) => Object.assign(disk, { full, isBusy: false }))
    await inTime(work, knownMs / 1_000)
  }

  async function lookAtAll(): Promise<FullDisk | undefined> {
    await Promise.all(disks.map(look))
    const full = disks.map((disk) => disk.full).find((each) => each !== undefined)
    if ((full !== undefined) !== wasFull) onChange(full)
    wasFull = full !== undefined
    return full
  }

  return {
    async require() {
      if (reserveBytes === 0) return
      if (known === undefined || now() - known.at >= knownMs) known = { at: now(), full: lookAtAll() }
      if ((await known.full) === undefined) return
      throw new Fault(
        'unavailable',
        'The disk of the service is nearly full, and it accepts no uploads and no executions. Retry later, or contact the operator.',
      )
    },
  }
}
