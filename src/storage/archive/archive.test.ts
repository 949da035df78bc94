/** Archives of all kinds, in memory. The commands are tested in test/api/moving.ts. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { isFull, repetitions } from '../../../test/harness/repetitions.ts'
import { newSqlite } from '../../../test/harness/sqlite.ts'
import { blobKeyOf } from '../../domain/blob-key.ts'
import { systemClock } from '../../domain/clock.ts'
import type { Execution } from '../../domain/executions/execution.ts'
import { newId } from '../../domain/ids.ts'
import type { BlobStore, Image } from '../../domain/images/image.ts'
import { callBlobKey, type ProviderCall } from '../../domain/models/provider-call.ts'
import type { Draft } from '../../domain/workflows/draft.ts'
import { createFsBlobs } from '../blobs/fs.ts'
import { exportedTables, readRows } from '../database/exported-tables.ts'
import { migrations, unreleased } from '../database/migrations/index.ts'
import type { Database, OpenOptions, Stores } from '../database/open.ts'
import type { Compression } from './archive.ts'
import { type Exported, exportArchive } from './export.ts'
import { importArchive } from './import.ts'
import type { Imported } from './progress.ts'

const now = 1_790_000_000_000
const version = '0.0.0'
/** Number of executions of 20 KB: more than one file of records. */
const executions = 56

interface Installation {
  database: Database
  blobs: BlobStore
}

async function install(t: TestContext, options?: OpenOptions): Promise<Installation> {
  const database = await newSqlite(t, options)
  return { database, blobs: createFsBlobs({ dir: join(database.dir, 'blobs') }) }
}

async function takeOut(from: Installation, compression: Compression = 'none'): Promise<Exported & { archive: Buffer }> {
  const chunks: Buffer[] = []
  const out = new Writable({
    write(chunk, _, done) {
      chunks.push(chunk)
      done()
    },
  })
  const exported = await exportArchive({ ...from, clock: systemClock, version, onProgress() {} }, out, compression)
  return { ...exported, archive: Buffer.concat(chunks) }
}

/** Imports an archive in pieces that end anywhere. */
async function bringIn(to: Installation, archive: Buffer, pieceBytes = 10_007): Promise<Imported> {
  const pieces = Array.from({ length: Math.ceil(archive.byteLength / pieceBytes) }, (_, i) =>
    archive.subarray(i * pieceBytes, (i + 1) * pieceBytes),
  )
  return importArchive({ ...to, clock: systemClock, jobs: ['orphaned-blobs'], onProgress() {} }, Readable.from(pieces))
}

/** An account with a bit of everything. */
async function fill({ database: { stores }, blobs }: Installation) {
  const accountId = newId('acct', now)
  await stores.accounts.create({
    id: accountId,
    name: 'Bäckerei 🥐',
    plan: 'pro',
    rateLimit: null,
    createdAt: now,
    monthlyBudget: 7_000_000,
  })
  const project = { id: newId('proj', now), accountId, name: 'All', description: '', isDefault: true }
  await stores.projects.create({ ...project, createdAt: now, updatedAt: now })
  const workflow = {
    id: newId('wf', now),
    accountId,
    projectId: project.id,
    slug: null,
    name: 'A',
    description: '"\\\n\u2028',
  }
  const document = { name: 'A', parameters: [], nodes: {}, output: { node: 'a' } }
  await stores.workflows.create({ ...workflow, version: 1, createdAt: now, updatedAt: now }, document as never)
  const images: Image[] = []
  for (const [i, bytes] of [
    randomBytes(3_000),
    randomBytes(70_000),
    Buffer.from([1]),
    randomBytes(1_200_000),
  ].entries()) {
    images.push(await addImage({ database: { stores } as Database, blobs }, accountId, bytes, i))
  }
  const binned = await addImage({ database: { stores } as Database, blobs }, accountId, randomBytes(2_000), 9)
  assert.equal((await stores.images.removeSome(accountId, { ids: [binned.id] }, 1, now, { toBin: true })).count, 1)
  await stores.drafts.begin(draftOf({ ...workflow, workflowId: workflow.id, baseVersion: 1 }))
  const draft = draftOf({ accountId, projectId: project.id, workflowId: newId('wf', now + 1), baseVersion: 0 })
  await stores.drafts.create(draft)
  const first = { ...workflow, id: newId('wf', now + 2), version: 1, createdAt: now, updatedAt: now }
  await stores.drafts.create({ ...draft, workflowId: first.id })
  const publication = { document: document as never, note: '📝', revision: 1, expectedVersion: 0 }
  assert.equal(await stores.drafts.publish({ workflow: first, ...publication }), 'published')
  for (let i = 0; i < executions - 1; i++) await stores.executions.create(executionOf(workflow, accountId, i))
  const run = { ...executionOf({ id: draft.workflowId }, accountId, executions), workflowVersion: 0 }
  await stores.executions.create({ ...run, isDraft: true, node: 'a' }, { document: document as never })
  const calls = await addCalls(stores, blobs)
  return { images, binned, accountId, calls }
}

/** Calls of the oldest execution, which then waits again: one returned two images, one failed, one is open. */
async function addCalls(stores: Stores, blobs: BlobStore): Promise<ProviderCall[]> {
  const execution = await stores.executions.claimNext(now)
  assert.ok(execution !== undefined)
  const calls = [0, 1, 2].map(
    (sequence): ProviderCall => ({
      ...{ id: newId('call', now), accountId: execution.accountId, executionId: execution.id, keyId: null },
      ...{ workflowId: execution.workflowId, node: 'a', item: -1, ordinal: 0, sequence, capability: 'generate' },
      ...{ provider: 'fal', model: 'flux/dev', requestHash: '', state: 'submitting', handle: null, response: null },
      ...{ problem: null, reservedMicros: 50, costMicros: null, costSource: null, requestId: null },
      ...{ createdAt: now, updatedAt: now },
    }),
  )
  for (const call of calls)
    await stores.providerCalls.begin(call, 1, { executionMicros: null, accountMonthMicros: null })
  const [done, failed, open] = calls
  assert.ok(done !== undefined && failed !== undefined && open !== undefined)
  const blobKeys = [0, 1].map((n) => callBlobKey(done.id, n, 'png'))
  for (const key of blobKeys) await (await blobs.stage([randomBytes(2_000)] as never, { bytesMax: 2_000 })).commit(key)
  await stores.providerCalls.end(
    done.id,
    { state: 'done', response: { blobKeys }, costMicros: 40, costSource: 'reported' },
    now,
  )
  const problem = { kind: 'refused', message: '🙅' }
  await stores.providerCalls.end(failed.id, { state: 'failed', problem, costMicros: 0, costSource: 'reported' }, now)
  await stores.providerCalls.accept(open.id, { url: 'https://queue.fal.run/1' }, 'req_1', now)
  await stores.executions.release(execution.id, execution.attempt, 25)
  return calls
}

async function addImage(
  { database, blobs }: Installation,
  accountId: string,
  bytes: Buffer,
  i: number,
): Promise<Image> {
  const image: Image = {
    id: newId('img', now + i),
    accountId,
    projectId: null,
    name: `${i}.png`,
    format: 'png',
    size: bytes.byteLength,
    width: 1,
    height: 1,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    origin: null,
    credentials: null,
    executionId: null,
    createdAt: now + i,
  }
  const staged = await blobs.stage([bytes] as never, { bytesMax: bytes.byteLength })
  await staged.commit(blobKeyOf(image))
  await database.stores.images.create(image)
  return image
}

function draftOf(of: Pick<Draft, 'workflowId' | 'accountId' | 'projectId' | 'baseVersion'>): Draft {
  const { workflowId, accountId, projectId, baseVersion } = of
  const document = { name: 5, 'nodes\u0000': '\ud800' }
  return {
    workflowId,
    accountId,
    projectId,
    baseVersion,
    name: '🖌',
    document,
    revision: 1,
    createdAt: now,
    updatedAt: now,
  }
}

function executionOf(workflow: { id: string }, accountId: string, i: number): Execution {
  return {
    id: newId('exec', now + i),
    accountId,
    workflowId: workflow.id,
    workflowVersion: 1,
    parameters: { text: 'x'.repeat(20_000), i },
    status: 'pending',
    attempt: 0,
    output: null,
    error: null,
    createdAt: now + i,
    startedAt: null,
    completedAt: null,
  }
}

/** Everything that an archive carries. */
async function contentOf({ database, blobs }: Installation): Promise<Record<string, unknown>> {
  const content: Record<string, unknown> = {}
  for (const exportedTable of exportedTables) {
    const rows = []
    for await (const page of readRows(database.kysely, exportedTable)) rows.push(...page.map((row) => ({ ...row })))
    content[exportedTable.table] = rows
  }
  for await (const { key } of blobs.list())
    content[key] = createHash('sha256')
      .update(await blobs.read(key))
      .digest('hex')
  return content
}

async function isEmpty({ database: { kysely } }: Installation): Promise<boolean> {
  const tables = (await kysely.introspection.getTables()).map(({ name }) => name)
  const contents = exportedTables.filter(({ table }) => tables.includes(table))
  for (const each of contents) for await (const _ of readRows(kysely, each)) return false
  return true
}

interface TarEntry {
  name: string
  start: number
  contentStart: number
  contentEnd: number
  end: number
}

function entriesOf(archive: Buffer): TarEntry[] {
  const entries: TarEntry[] = []
  for (let start = 0; archive[start] !== 0; ) {
    const name = archive.toString('utf8', start, archive.indexOf(0, start))
    const size = Number.parseInt(archive.toString('latin1', start + 124, start + 135), 8)
    const contentStart = start + 512
    const end = contentStart + Math.ceil(size / 512) * 512
    entries.push({ name, start, contentStart, contentEnd: contentStart + size, end })
    start = end
  }
  return entries
}

const isAbout = (names: string[]) => (error: Error) => {
  assert.match(error.message, /^The archive is corrupt: .*\./)
  assert.ok(
    names.length === 0 || names.some((name) => error.message.includes(name)),
    `${error.message} names none of ${names}`,
  )
  return true
}

for (const compression of ['none', 'gzip', 'zstd'] as const) {
  test(`an import restores exactly the exported data (${compression})`, async (t) => {
    const [from, to] = [await install(t), await install(t, { asItIs: true })]
    await fill(from)
    const { archive, deletedMeanwhile, withoutBytes, ...counts } = await takeOut(from, compression)
    assert.deepEqual([deletedMeanwhile, withoutBytes, counts.blobs, counts.rows.executions], [[], [], 7, executions])
    const { accounts, ...totals } = await bringIn(to, archive)
    assert.deepEqual(totals, counts)
    assert.deepEqual(Object.values(accounts), [{ name: 'Bäckerei 🥐', images: 4, workflows: 2, keys: 0 }])
    assert.deepEqual(await contentOf(to), await contentOf(from))
    // Brought to the newest schema, and as good as the one that it came from.
    assert.deepEqual((await takeOut(to)).rows, counts.rows)
  })
}

test('rejects an archive that is truncated anywhere, and imports nothing', async (t) => {
  const [from, to] = [await install(t), await install(t, { asItIs: true })]
  await fill(from)
  const { archive } = await takeOut(from)
  const entries = entriesOf(archive)
  const last = entries.at(-1)
  assert.ok(last !== undefined && entries.length > 10)
  const cuts = entries.flatMap(({ start, contentStart, contentEnd }) => [
    start,
    start + 200,
    Math.floor((contentStart + contentEnd) / 2),
  ])
  for (const [i, cut] of cuts.entries()) {
    // Every fourth cut: as each entry has three, all kinds of cuts occur.
    if (i % repetitions(4, 1) > 0) continue
    await assert.rejects(bringIn(to, archive.subarray(0, cut), 65_536), isAbout([]), `at ${cut}`)
  }
  for (const pack of [gzipSync(archive), zstdCompressSync(archive)]) {
    for (const part of [0.001, 0.5, 0.999]) {
      await assert.rejects(bringIn(to, pack.subarray(0, Math.floor(pack.byteLength * part))), isAbout([]))
    }
  }
  assert.ok(await isEmpty(to))
  await bringIn(to, archive)
})

test('detects one wrong byte in any entry, names the entry, and imports nothing', async (t) => {
  const [from, to] = [await install(t), await install(t, { asItIs: true })]
  await fill(from)
  const { archive } = await takeOut(from)
  const flipped = (at: number, bit: number) => {
    const copy = Buffer.from(archive)
    copy[at] = (copy[at] ?? 0) ^ bit
    return copy
  }
  for (const [i, { name, start, contentStart, contentEnd }] of entriesOf(archive).entries()) {
    for (const part of isFull ? [0, 0.3, 1] : [[0, 0.3, 1][i % 3] ?? 0]) {
      const at = Math.min(contentEnd - 1, contentStart + Math.floor((contentEnd - contentStart) * part))
      // A wrong list of hashes looks like wrong bytes, and wrong checks name the entry that they are about.
      const names = [name, ...(name.endsWith('.sha256') ? ['blobs/'] : [])]
      // A wrong manifest may name another release, and then nothing else is read.
      const message =
        name === 'manifest.json'
          ? /The archive .*\./
          : name === 'checks.json'
            ? /The (archive is corrupt|database returns other rows)/
            : isAbout(names)
      await assert.rejects(bringIn(to, flipped(at, 1 << Math.floor(part * 6)), 65_536), message, `${name} at ${at}`)
    }
    await assert.rejects(bringIn(to, flipped(start + 130, 1), 65_536), isAbout([]), `the head of ${name}`)
  }
  assert.ok(await isEmpty(to))
  await bringIn(to, archive)
})

test('detects an entry that is missing, duplicated or misplaced', async (t) => {
  const [from, to] = [await install(t), await install(t, { asItIs: true })]
  await fill(from)
  const { archive } = await takeOut(from)
  const entries = entriesOf(archive)
  const partOf = ({ start, end }: TarEntry) => archive.subarray(start, end)
  const packed = (list: TarEntry[]) => Buffer.concat([...list.map(partOf), Buffer.alloc(1024)])
  for (const [i, entry] of entries.entries()) {
    await assert.rejects(bringIn(to, packed(entries.toSpliced(i, 1)), 65_536), isAbout([]), `without ${entry.name}`)
    await assert.rejects(
      bringIn(to, packed(entries.toSpliced(i, 0, entry)), 65_536),
      isAbout([]),
      `${entry.name} twice`,
    )
  }
  const blobs = entries.filter(({ name }) => name.startsWith('blobs/img'))
  const [one, two] = blobs
  assert.ok(one !== undefined && two !== undefined)
  const swapped = entries.map((entry) => (entry === one ? two : entry === two ? one : entry))
  await assert.rejects(bringIn(to, packed(swapped)), isAbout([]))
  assert.ok(await isEmpty(to))
})

test('rejects a file that is not an archive, and an archive of a newer release, in one sentence', async (t) => {
  const [from, to] = [await install(t), await install(t, { asItIs: true })]
  await fill(from)
  const { archive } = await takeOut(from)
  for (const other of [Buffer.alloc(0), Buffer.from('PK'), Buffer.alloc(4096, 'a'), gzipSync('nothing')]) {
    await assert.rejects(bringIn(to, other), isAbout([]))
  }
  const edited = (text: string, by: string) => {
    assert.equal(text.length, by.length)
    const copy = Buffer.from(archive)
    copy.write(by, copy.indexOf(text))
    return copy
  }
  await assert.rejects(
    bringIn(to, edited('2026-12-09-init', '2026-11-30-init')),
    /before the first release \(migration 2026-11-30-init\).* with commit [0-9a-f]{40}, export it again/,
  )
  await assert.rejects(bringIn(to, edited('"formatVersion": 1', '"formatVersion": 2')), /by release 0\.0\.0/)
  await assert.rejects(
    bringIn(to, edited('2026-12-09-init', '2036-11-28-init')),
    /newer version, and this version doesn't know its migration 2036-11-28-init/,
  )
  assert.ok(await isEmpty(to))
})

test('does not change a database that has accounts', async (t) => {
  const [from, to] = [await install(t), await install(t)]
  await fill(from)
  await fill(to)
  const before = await contentOf(to)
  await assert.rejects(bringIn(to, (await takeOut(from)).archive), /not empty: it has accounts/)
  assert.deepEqual(await contentOf(to), before)
})

test('omits an image with its record, and reports it, if it is deleted during the export', async (t) => {
  const [from, to] = [await install(t), await install(t, { asItIs: true })]
  const { images, accountId } = await fill(from)
  const [deleted, lost] = images
  assert.ok(deleted !== undefined && lost !== undefined)
  await from.blobs.remove(blobKeyOf(lost))
  const blobs: BlobStore = {
    ...from.blobs,
    // The snapshot has ended, or the only connection would be taken: the service deletes the image with its record.
    async read(key) {
      if (key === blobKeyOf(deleted)) {
        assert.notEqual(await from.database.stores.images.remove(accountId, deleted.id, now), undefined)
        await from.blobs.remove(key)
      }
      return from.blobs.read(key)
    },
  }
  const { archive, deletedMeanwhile, withoutBytes, rows } = await takeOut({ ...from, blobs })
  assert.deepEqual([deletedMeanwhile, withoutBytes, rows.images], [[deleted.id], [lost.id], 2])
  await bringIn(to, archive)
  assert.equal(await to.database.stores.images.find(accountId, deleted.id), undefined)
  assert.equal(await to.database.stores.images.find(accountId, lost.id), undefined)
})

test('omits a call whose image is missing, and reports it; its cost is exported', async (t) => {
  const [from, to] = [await install(t), await install(t, { asItIs: true })]
  const { calls, accountId } = await fill(from)
  const [done, failed, open] = calls
  assert.ok(done !== undefined && failed !== undefined && open !== undefined)
  await from.blobs.remove(callBlobKey(done.id, 1, 'png'))
  const { archive, withoutBytes, blobs, rows } = await takeOut(from)
  assert.deepEqual([withoutBytes, blobs, rows.provider_calls], [[done.id], 5, 2])
  await bringIn(to, archive)
  const { providerCalls, accounts } = to.database.stores
  const found = await providerCalls.at([done.executionId], done)
  assert.deepEqual(
    found.map(({ id, state, handle }) => [id, state, handle]),
    [
      [failed.id, 'failed', null],
      [open.id, 'accepted', { url: 'https://queue.fal.run/1' }],
    ],
  )
  const month = new Date(now).toISOString().slice(0, 7)
  assert.deepEqual(await providerCalls.spentOf(accountId, month), { spentMicros: 40, reservedMicros: 50 })
  const [usage] = await providerCalls.usage(accountId, { from: '2026-01-01', to: '2026-12-31' })
  assert.deepEqual([usage?.calls, usage?.failures, usage?.costMicros], [1, 1, 40])
  assert.equal((await accounts.find(accountId))?.monthlyBudget, 7_000_000)
})

test('imports an archive of an older release, and migrates its tables to the newest schema', async (t) => {
  const from = await install(t)
  await fill(from)
  const { archive, rows } = await takeOut(from)
  const name = '2099-01-01-later'
  migrations[name] = { up: (db) => db.schema.alterTable('images').addColumn('later', 'text').execute() }
  t.after(() => {
    delete migrations[name]
  })
  const to = await install(t, { asItIs: true })
  assert.deepEqual((await bringIn(to, archive)).rows, rows)
  const { rows: columns } = await sql`select name from pragma_table_info('images') where name = 'later'`.execute(
    to.database.kysely,
  )
  assert.equal(columns.length, 1)
  const newer = await install(t)
  await assert.rejects(bringIn(newer, archive), /older than this database.*2099-01-01-later/)
})

test('imports an archive of the last commit before the first release', async (t) => {
  const [from, to] = [await install(t), await install(t, { asItIs: true })]
  const { binned } = await fill(from)
  // The commit doesn't have these tables.
  await from.database.stores.bin.restore(binned.accountId, [binned.id])
  await from.database.kysely.deleteFrom('audit_log').execute()
  const before = await contentOf(from)
  // Without the columns of later migrations, and what refers to them.
  const init = await install(t, { asItIs: true })
  await init.database.migrateTo('2026-12-09-init')
  const tables = await init.database.kysely.introspection.getTables()
  const known = new Set(tables.flatMap((table) => table.columns.map((column) => `${table.name} ${column.name}`)))
  const drop = (what: string) => sql.raw(what).execute(from.database.kysely)
  const { rows } = await sql<{ type: string; name: string }>`
    select type, name from sqlite_master where type in ('trigger', 'index') and sql is not null`.execute(
    from.database.kysely,
  )
  for (const { type, name } of rows) await drop(`drop ${type} ${name}`)
  for (const { name, columns } of await from.database.kysely.introspection.getTables()) {
    if (!exportedTables.some(({ table }) => table === name) || !tables.some((table) => table.name === name)) continue
    for (const column of columns)
      if (!known.has(`${name} ${column.name}`)) await drop(`alter table ${name} drop column ${column.name}`)
  }
  await sql`delete from kysely_migration where name > '2026-12-09-init'`.execute(from.database.kysely)
  await sql`update kysely_migration set name = '2026-11-30-init'`.execute(from.database.kysely)
  await sql`insert into kysely_migration values (${unreleased.lastMigration}, '2026-12-08T00:00:00.000Z')`.execute(
    from.database.kysely,
  )
  const { archive } = await takeOut(from)
  const older = archive
    .toString('latin1')
    .replace(/"(audit_log|binned_images)": \{[^}]*\},/g, (part) => ' '.repeat(part.length))
  await bringIn(to, Buffer.from(older, 'latin1'))
  assert.deepEqual(await contentOf(to), before)
})

test('an export ends at damaged bytes of the store and names the image', async (t) => {
  for (const bytes of [randomBytes(70_000), randomBytes(69_999), randomBytes(70_001)]) {
    const from = await install(t)
    const { images } = await fill(from)
    const image = images.find(({ size }) => size === 70_000)
    assert.ok(image !== undefined)
    await (await from.blobs.stage([bytes] as never, { bytesMax: 100_000 })).commit(blobKeyOf(image))
    await assert.rejects(takeOut(from), new RegExp(`The stored bytes of ${image.id} have changed`))
  }
})

test('an import counts the executions of the month, also those that ended', async (t) => {
  const [from, to] = [await install(t), await install(t, { asItIs: true })]
  const { accountId } = await fill(from)
  const at = systemClock.now()
  await sql`update executions set created_at = ${at}, status = 'failed', completed_at = ${at}`.execute(
    from.database.kysely,
  )
  await bringIn(to, (await takeOut(from)).archive)
  const [use] = await to.database.stores.quotas.read(accountId, ['executions'], at)
  assert.equal(use?.used, executions)
})

test('an execution that runs during the export waits after the import, and its attempt is not assigned again', async (t) => {
  const [from, to] = [await install(t), await install(t, { asItIs: true })]
  const { accountId } = await fill(from)
  const bounds = { attemptsMax: 3, error: { code: 'workflow_failed', message: '', details: {} } } as const
  const [waiting] = (await from.database.stores.executions.list(accountId, { limit: 1, offset: 0 }, {})).items
  assert.ok(waiting !== undefined)
  const running = await from.database.stores.executions.claim(waiting.id, now, bounds)
  assert.equal(running?.attempt, 1)
  await bringIn(to, (await takeOut(from)).archive)
  const { executions: store } = to.database.stores
  assert.equal((await store.find(accountId, waiting.id))?.status, 'pending')
  // The archive omits its events: a client that received the last one gets a snapshot of the waiting execution.
  const page = await store.readEvents(accountId, waiting.id, 2)
  assert.deepEqual(page, { status: 'pending', eventCount: 3, events: [] })
  assert.equal(await store.countPending(), executions)
  assert.equal((await store.claim(waiting.id, now, bounds))?.attempt, 2)
})
