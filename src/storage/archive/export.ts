/** Writes all records and blobs to an archive while the service runs. */
import type { Hash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { type Clock, timestamp } from '../../domain/clock.ts'
import { BlobMissing, type BlobStore } from '../../domain/images/image.ts'
import { refusal } from '../../errors.ts'
import { findExisting } from '../database/dump.ts'
import { type ExportedTable, exportedTables, lineOf, tablesWithBlobs } from '../database/exported-tables.ts'
import type { Database } from '../database/open.ts'
import {
  type ArchiveWriter,
  type Checks,
  type Compression,
  checksName,
  formatVersion,
  type Manifest,
  manifestName,
  sha256,
  writeArchive,
} from './archive.ts'
import { type BlobFacts, blobGroupOf, blobLine, blobOf, callBlobKeys, keyLine, recordIdOfBlob } from './blob-facts.ts'
import type { ArchiveTotals, OnProgress } from './progress.ts'
import { readAhead, readWhole } from './read-ahead.ts'
import { copyRecords, type RecordsCopy } from './records-copy.ts'

const fileChars = 1_048_576
const blobsPerList = 256

export interface Exported extends ArchiveTotals {
  /** Ids of records that were deleted after they were read. The archive has neither the record nor its bytes. */
  deletedMeanwhile: string[]
  /** Ids of records whose bytes are missing in the store. The archive omits these records. */
  withoutBytes: string[]
}

interface Dependencies {
  database: Database
  blobs: BlobStore
  clock: Clock
  version: string
  onProgress: OnProgress
}

export async function exportArchive(
  { database, blobs, clock, version, onProgress }: Dependencies,
  out: Writable,
  compression: Compression,
): Promise<Exported> {
  const checks: Checks = { manifest: '', blobs: {}, records: {}, files: {} }
  const now = clock.now()
  const records = await copyRecords(database, onProgress)
  const missing = await writeArchive(out, compression, new Date(now), async (writer) => {
    const manifest: Manifest = {
      format: 'tintype-archive',
      formatVersion,
      version,
      engine: database.engine,
      createdAt: timestamp(now),
      migrations: records.migrations,
    }
    checks.manifest = await addJson(writer, manifestName, manifest)
    const leftOut = await addBlobs(writer, { records, blobs, checks, onProgress })
    for (const table of exportedTables) await addRecords(writer, table, { records, leftOut, checks })
    await addJson(writer, checksName, checks)
    return leftOut
  }).finally(records.close)
  const withoutBytes = await findExisting(database, missing)
  return {
    rows: Object.fromEntries(Object.entries(checks.records).map(([table, { rows }]) => [table, rows])),
    blobs: Object.values(checks.blobs).reduce((sum, { count }) => sum + count, 0),
    bytes: Object.values(checks.blobs).reduce((sum, { bytes }) => sum + bytes, 0),
    deletedMeanwhile: [...missing].filter((id) => !withoutBytes.includes(id)),
    withoutBytes,
  }
}

interface Part {
  records: RecordsCopy
  checks: Checks
}

/** Returns the ids of records whose bytes are missing. */
async function addBlobs(
  writer: ArchiveWriter,
  { records, blobs, checks, onProgress }: Part & { blobs: BlobStore; onProgress: OnProgress },
): Promise<ReadonlySet<string>> {
  const leftOut = new Set<string>()
  let list: string[] = []
  let lists = 0
  const endList = async () => {
    if (list.length === 0) return
    await addText(writer, `blobs/${numbered(++lists)}.sha256`, list)
    list = []
  }
  const sums = new Map<string, { count: number; bytes: number; hash: Hash; keysHash: Hash }>()
  for (const exportedTable of tablesWithBlobs) {
    const group = blobGroupOf(exportedTable.table)
    const { hash, keysHash, ...sum } = sums.get(group) ?? { hash: sha256(), keysHash: sha256(), count: 0, bytes: 0 }
    const hasKeys = exportedTable.table === 'provider_calls'
    const all = hasKeys
      ? readWhole(blobs, callBlobKeysOf(records, exportedTable))
      : readAhead(blobs, blobsOf(records, exportedTable))
    for await (const { blob, content } of all) {
      try {
        await writer.add(`blobs/${blob.key}`, blob.bytes, checked(blob, await content()))
      } catch (error) {
        if (!(error instanceof BlobMissing)) throw error
        leftOut.add(recordIdOfBlob(blob.key))
        continue
      }
      hash.update(blobLine(blob))
      keysHash.update(keyLine(blob.key))
      list.push(`${blob.hash}  blobs/${blob.key}\n`)
      sum.count += 1
      sum.bytes += blob.bytes
      onProgress({ blobs: 1, bytes: blob.bytes })
      if (list.length === blobsPerList) await endList()
    }
    sums.set(group, { ...sum, hash, keysHash })
    checks.blobs[group] = {
      ...sum,
      sha256: hash.copy().digest('hex'),
      ...(hasKeys && { keysSha256: keysHash.digest('hex') }),
    }
  }
  await endList()
  return leftOut
}

async function* blobsOf(records: RecordsCopy, exportedTable: ExportedTable): AsyncGenerator<BlobFacts, void> {
  for await (const rows of records.rows(exportedTable)) yield* rows.map(blobOf)
}

async function* callBlobKeysOf(records: RecordsCopy, exportedTable: ExportedTable): AsyncGenerator<string[], void> {
  for await (const rows of records.rows(exportedTable)) yield* rows.map(callBlobKeys)
}

/** Passes the bytes on, and throws if they differ from the size and hash in the record. */
async function* checked({ key, bytes, hash }: BlobFacts, content: AsyncIterable<Uint8Array>) {
  const id = recordIdOfBlob(key)
  const wrong = () =>
    refusal(
      `The stored bytes of ${id} have changed: the storage has corrupted them. Restore them or delete ${id}, then export again.`,
    )
  const found = sha256()
  let count = 0
  for await (const chunk of content) {
    found.update(chunk)
    count += chunk.byteLength
    if (count > bytes) throw wrong()
    // The last chunk is passed on only if all bytes are correct.
    if (count === bytes && found.copy().digest('hex') !== hash) throw wrong()
    yield chunk
  }
  if (count !== bytes) throw wrong()
}

async function addRecords(
  writer: ArchiveWriter,
  exportedTable: ExportedTable,
  { records, leftOut, checks }: Part & { leftOut: ReadonlySet<string> },
): Promise<void> {
  const hash = sha256()
  const hasBytes = tablesWithBlobs.includes(exportedTable)
  let lines: string[] = []
  let chars = 0
  let files = 0
  let rows = 0
  const endFile = async () => {
    if (lines.length === 0) return
    const name = `records/${exportedTable.table}-${numbered(++files)}.ndjson`
    checks.files[name] = await addText(writer, name, lines)
    lines = []
    chars = 0
  }
  for await (const page of records.rows(exportedTable)) {
    for (const row of page) {
      if (hasBytes && leftOut.has(String(row.id))) continue
      const line = lineOf(row)
      hash.update(line)
      lines.push(line)
      chars += line.length
      rows += 1
      if (chars >= fileChars) await endFile()
    }
  }
  await endFile()
  checks.records[exportedTable.table] = { rows, sha256: hash.digest('hex') }
}

async function addJson(writer: ArchiveWriter, name: string, value: unknown): Promise<string> {
  return addText(writer, name, [`${JSON.stringify(value, null, 2)}\n`])
}

/** Returns the hash. */
async function addText(writer: ArchiveWriter, name: string, lines: string[]): Promise<string> {
  const bytes = Buffer.from(lines.join(''))
  await writer.add(name, bytes.byteLength, [bytes])
  return sha256().update(bytes).digest('hex')
}

function numbered(number: number): string {
  return String(number).padStart(5, '0')
}
