/**
 * A copy of all records in a temporary file. The snapshot of the database ends when it is complete, before blobs are read and the archive is written:
 * while a snapshot is open, the database removes no old version of any row, and every query passes over them.
 */
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { refusal } from '../../errors.ts'
import { type Snapshot, withSnapshot } from '../database/dump.ts'
import { exportedTables, type Row } from '../database/exported-tables.ts'
import type { Database } from '../database/open.ts'
import type { OnProgress } from './progress.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

export interface RecordsCopy extends Snapshot {
  /** Removes it. */
  close(): Promise<void>
}

/** Position of a page of rows in the file, in bytes. */
interface Place {
  start: number
  length: number
}

export async function copyRecords(database: Database, onProgress: OnProgress): Promise<RecordsCopy> {
  const file = await openNameless()
  const pages = new Map<string, Place[]>()
  let end = 0
  try {
    const migrations = await withSnapshot(database, async (snapshot) => {
      for (const exportedTable of exportedTables) {
        const places: Place[] = []
        for await (const rows of snapshot.rows(exportedTable)) {
          const bytes = await compress(JSON.stringify(rows))
          // A full disk can take a part of the bytes without an error: this writes the rest, or throws.
          await file.appendFile(bytes).catch(onFull)
          places.push({ start: end, length: bytes.byteLength })
          end += bytes.byteLength
          onProgress({ rows: rows.length })
        }
        pages.set(exportedTable.table, places)
      }
      return snapshot.migrations
    })
    return {
      migrations,
      async *rows({ table }) {
        for (const { start, length } of pages.get(table) ?? []) {
          const bytes = Buffer.alloc(length)
          await file.read(bytes, 0, length, start)
          yield JSON.parse((await decompress(bytes)).toString()) as Row[]
        }
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** A file without a name: a killed export leaves nothing behind. */
async function openNameless() {
  const folder = await mkdtemp(join(tmpdir(), 'tintype-export-'))
  try {
    return await open(join(folder, 'records'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true })
  }
}

function onFull(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOSPC') throw error
  const message = `The records don't fit into ${tmpdir()}. Free space there, or set TMPDIR to a folder on a larger disk.`
  throw refusal(message, { cause: error })
}
