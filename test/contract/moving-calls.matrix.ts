/** Provider calls moved from one engine to the other, on the server of TINTYPE_TEST_POSTGRES or on a separate one. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, test } from 'node:test'
import { systemClock } from '../../src/domain/clock.ts'
import type { BlobStore } from '../../src/domain/images/image.ts'
import { callBlobKey } from '../../src/domain/models/provider-call.ts'
import { exportArchive } from '../../src/storage/archive/export.ts'
import { importArchive } from '../../src/storage/archive/import.ts'
import { createFsBlobs } from '../../src/storage/blobs/fs.ts'
import { exportedTables, readRows } from '../../src/storage/database/exported-tables.ts'
import { type Database, openDatabase } from '../../src/storage/database/open.ts'
import { newDatabaseOn, startPostgres } from '../harness/postgres.ts'
import { call } from './provider-calls.ts'
import { account, execution, lost, tenant } from './records.ts'
import { scratchFolder } from './scratch.ts'

const serverUrl = process.env.TINTYPE_TEST_POSTGRES
const server = serverUrl === undefined ? await startPostgres({ durable: false }) : undefined
after(() => server?.remove())

const noBudgets = { executionMicros: null, accountMonthMicros: null }
const locations = [
  { node: 'B', item: -1 },
  { node: 'a', item: 10 },
  { node: 'ä', item: 9 },
]

async function fill({ stores }: Database, blobs: BlobStore): Promise<void> {
  await stores.accounts.create(account({ monthlyBudget: 9_000_000_000_000 }))
  const { workflow } = await tenant(stores)
  for (const keyId of [null, 'key_B', 'key_a']) {
    const record = execution(workflow, keyId === null ? {} : { keyId })
    await stores.executions.create(record)
    await stores.executions.claim(record.id, record.createdAt, { attemptsMax: 3, error: lost })
    for (const [i, location] of locations.entries()) {
      const fields = { ...location, keyId, model: location.node, reservedMicros: 5_000_000_000 }
      const created = call(record, fields)
      assert.equal(await stores.providerCalls.begin(created, 1, noBudgets), 'started')
      await stores.providerCalls.accept(created.id, { url: 'https://ä' }, 'r', created.createdAt)
      if (i === 0) continue
      const blobKeys = [callBlobKey(created.id, 0, 'png')]
      const staged = await blobs.stage([Buffer.from(created.id)] as never, { bytesMax: 100 })
      await staged.commit(blobKeys[0] ?? '')
      const response = { blobKeys, text: '\u0000 🥐' }
      const end = {
        state: 'done',
        response,
        costMicros: i === 1 ? null : 4_000_000_000,
        costSource: 'computed',
      } as const
      await stores.providerCalls.end(created.id, end, created.createdAt)
    }
  }
}

async function contentOf({ kysely }: Database, blobs: BlobStore): Promise<unknown[]> {
  const content: unknown[] = []
  for (const exportedTable of exportedTables) {
    for await (const rows of readRows(kysely, exportedTable)) content.push(...rows.map((row) => ({ ...row })))
  }
  for (const { key } of await Array.fromAsync(blobs.list())) content.push([key, String(await blobs.read(key))])
  return content
}

async function open(location: Parameters<typeof openDatabase>[0], asItIs: boolean) {
  const database = await openDatabase(location, { asItIs })
  after(() => database.close())
  return { database, blobs: createFsBlobs({ dir: join(scratchFolder(), 'blobs') }) }
}

test('calls, budgets and usage are the same on both engines, and after moving back', async () => {
  const first = await open({ file: join(scratchFolder(), 'tintype.db') }, false)
  await fill(first.database, first.blobs)
  const second = await open({ url: await newDatabaseOn(serverUrl ?? server?.url ?? '') }, true)
  const third = await open({ file: join(scratchFolder(), 'tintype.db') }, true)
  const expected = await contentOf(first.database, first.blobs)
  assert.ok(expected.length > 30)
  for (const [from, to] of [
    [first, second],
    [second, third],
  ] as const) {
    // Running executions wait after an import: they are made waiting now, so that everything is the same.
    for (const { id, attempt } of await from.database.kysely.selectFrom('executions').selectAll().execute())
      await from.database.stores.executions.release(id, attempt, 25)
    const before = await contentOf(from.database, from.blobs)
    const archive = new PassThrough()
    const common = { clock: systemClock, onProgress() {} }
    const [exported, found] = await Promise.all([
      exportArchive({ ...from, ...common, version: '0' }, archive, 'none'),
      importArchive({ ...to, ...common, jobs: ['orphaned-blobs'] }, archive),
    ])
    assert.deepEqual([found.rows, found.blobs], [exported.rows, 6])
    assert.deepEqual(await contentOf(to.database, to.blobs), before)
  }
})
