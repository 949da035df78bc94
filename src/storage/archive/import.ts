/** Imports an archive into an empty database and a store: first the bytes, then all records in one transaction. */
import type { Clock } from '../../domain/clock.ts'
import type { BlobStore } from '../../domain/images/image.ts'
import { Fault, refusal } from '../../errors.ts'
import { exportedTables, type Row, tablesWithBlobs } from '../database/exported-tables.ts'
import type { Database } from '../database/open.ts'
import {
  accountsOf,
  allowPauses,
  countMonths,
  hasAccounts,
  importProblem,
  insertRows,
  migrationsFor,
  postponeJobs,
  readLines,
  type Transaction,
} from '../database/restore.ts'
import { type ArchiveEntry, type Checks, checksName, damaged, manifestName, readArchive, sha256 } from './archive.ts'
import { blobGroupOf, blobLine, blobOf, callBlobKeys, keyLine } from './blob-facts.ts'
import { storeBlobs } from './import-blobs.ts'
import { jsonOf, manifestOf, rowsOf, textOf } from './import-text.ts'
import type { Imported, OnProgress } from './progress.ts'

interface Dependencies {
  database: Database
  blobs: BlobStore
  clock: Clock
  /** Background jobs that must not run during the import, because blobs have no records yet. */
  jobs: readonly string[]
  onProgress: OnProgress
}

/** Longer than any import. If an import is killed, the jobs pause for a week, which does no harm. */
const postponedMs = 7 * 24 * 60 * 60 * 1000

/** Throws, with no record written, if the archive cannot be imported completely. */
export async function importArchive(
  { database, blobs, clock, jobs, onProgress }: Dependencies,
  source: AsyncIterable<Uint8Array>,
): Promise<Imported> {
  const entries = readArchive(source)
  let stored = 0
  let postponed = false
  try {
    const manifest = await manifestOf(await next(entries))
    const migrations = migrationsFor(manifest.migrations)
    const problem = await importProblem(database, migrations)
    if (problem !== undefined) throw refusal(problem)
    await database.migrateTo(migrations.at(-1))
    await postponeJobs(database.kysely, jobs, clock.now() + postponedMs)
    postponed = true

    const { sums, entry } = await storeBlobs(entries, blobs, (more) => {
      stored += more.blobs
      onProgress(more)
    })
    const rows = await database.kysely.transaction().execute(async (trx) => {
      await allowPauses(trx, database)
      if (await hasAccounts(trx))
        throw refusal(
          'The database received accounts during the import. Stop the service, and import into an empty database.',
        )
      const found = await insertAll(trx, entry, entries, onProgress)
      compare(found, { manifest: manifest.sha256, blobs: sums })
      if (found.refused) throw found.refused
      await requireSame(trx, found.checks)
      return Object.fromEntries(Object.entries(found.checks.records).map(([table, check]) => [table, check.rows]))
    })
    await database.migrateTo()
    await countMonths(database.kysely, clock.now())
    const all = Object.values(sums)
    return {
      accounts: await accountsOf(database.kysely),
      rows,
      blobs: all.reduce((sum, { count }) => sum + count, 0),
      bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    }
  } catch (error) {
    if (!(error instanceof Fault) || stored === 0) throw error
    const left = `No record was imported. ${stored} blobs were stored. The next import overwrites them, and the service later removes blobs without a record.`
    throw new Fault(error.code, `${error.message} ${left}`, error.details, { cause: error })
  } finally {
    // The result of the import is known by now.
    if (postponed) await postponeJobs(database.kysely, jobs, clock.now()).catch(() => {})
    await entries.return()
  }
}

interface Found {
  checks: Checks
  /** Hashes by file. */
  files: Record<string, string>
  /** Counts and hashes of the blobs in the records, by `blobGroupOf`. */
  blobs: Checks['blobs']
  /** The error of the first file of records that the database refused. */
  refused: Error | undefined
}

async function next(entries: AsyncGenerator<ArchiveEntry, void>): Promise<ArchiveEntry> {
  const { value } = await entries.next()
  if (value === undefined) throw damaged('it is truncated')
  return value
}

/** Reads the archive from the first file of records to its end. */
async function insertAll(
  trx: Transaction,
  first: ArchiveEntry | undefined,
  entries: AsyncGenerator<ArchiveEntry, void>,
  onProgress: OnProgress,
): Promise<Found> {
  const files: Record<string, string> = {}
  const blobs = Object.fromEntries(
    tablesWithBlobs.map(({ table }) => [blobGroupOf(table), { count: 0, bytes: 0, hash: sha256() }] as const),
  )
  /** Damage of an earlier entry can be the cause, so the archive is read to its end to name the right one. */
  let refused: ReturnType<typeof damaged> | undefined
  let entry = first ?? (await next(entries))
  for (; entry.name !== checksName; entry = await next(entries)) {
    const table = /^records\/([a-z_]+)-\d+\.ndjson$/.exec(entry.name)?.[1]
    const exportedTable = exportedTables.find((known) => known.table === table)
    if (exportedTable === undefined) throw damaged(`${entry.name} is not expected`)
    const text = await textOf(entry)
    files[entry.name] = text.sha256
    const rows = rowsOf(entry.name, text.text)
    const { name } = entry
    if (refused === undefined) {
      await insertRows(trx, exportedTable, rows).catch((error) => {
        refused = damaged(`${name} cannot be stored`, error)
      })
    }
    const sum = tablesWithBlobs.includes(exportedTable) ? blobs[blobGroupOf(exportedTable.table)] : undefined
    if (sum !== undefined && exportedTable.table === 'provider_calls') addKeysTo(sum, rows)
    else if (sum !== undefined) addTo(sum, rows)
    onProgress({ rows: rows.length })
  }
  const checks = jsonOf<Checks>(checksName, (await textOf(entry)).text)
  const { value: more } = await entries.next()
  if (more !== undefined) throw damaged(`${more.name} comes after its end`)
  const sums = Object.entries(blobs).map(([table, { hash, ...sum }]) => [table, { ...sum, sha256: hash.digest('hex') }])
  return { checks, files, blobs: Object.fromEntries(sums), refused }
}

function addTo(sum: { count: number; bytes: number; hash: ReturnType<typeof sha256> }, rows: Row[]): void {
  for (const row of rows) {
    const blob = blobOf(row)
    sum.hash.update(blobLine(blob))
    sum.count += 1
    sum.bytes += blob.bytes
  }
}

function addKeysTo(sum: { count: number; hash: ReturnType<typeof sha256> }, rows: Row[]): void {
  for (const key of rows.flatMap(callBlobKeys)) {
    sum.hash.update(keyLine(key))
    sum.count += 1
  }
}

/** Compares the read entries with the checks of the archive, and the blobs with their records. */
function compare({ checks, files, blobs }: Found, read: { manifest: string; blobs: Checks['blobs'] }): void {
  if (checks.manifest !== read.manifest) throw damaged(`${manifestName} was changed`)
  for (const name of new Set([...Object.keys(checks.files), ...Object.keys(files)])) {
    if (files[name] === undefined) throw damaged(`${name} is missing`)
    if (files[name] !== checks.files[name]) throw damaged(`${name} was changed`)
  }
  for (const [table, written] of Object.entries(checks.blobs)) {
    for (const [noun, found, sha256] of [
      ['blobs', read.blobs[table], written.sha256],
      ['records', blobs[table], written.keysSha256 ?? written.sha256],
    ] as const) {
      if (found?.count !== written.count)
        throw damaged(`it has ${found?.count} of ${written.count} ${noun} of ${table}`)
      if (found.sha256 !== sha256) throw damaged(`the ${noun} of ${table} were changed`)
    }
  }
}

/** Reads all rows back and compares their hashes before the transaction commits. */
async function requireSame(trx: Transaction, { records }: Checks): Promise<void> {
  // A name that one wrong byte changed would leave its table unchecked.
  const unknown = Object.keys(records).find((table) => exportedTables.every((exported) => exported.table !== table))
  if (unknown !== undefined) throw damaged(`${checksName} names the table "${unknown}", which does not exist`)
  for (const exportedTable of exportedTables) {
    const written = records[exportedTable.table]
    if (written === undefined) continue
    const hash = sha256()
    let rows = 0
    for await (const line of readLines(trx, exportedTable)) {
      hash.update(line)
      rows += 1
    }
    if (rows !== written.rows || hash.digest('hex') !== written.sha256) {
      throw refusal(
        `The database returns other rows of ${exportedTable.table} than the ${written.rows} that were written. Check the database, then import again.`,
      )
    }
  }
}
