import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { BatchState } from '../../domain/batches/batch.ts'
import type { BatchItemStore } from '../../domain/batches/batch-item.ts'
import type { StagedBlob } from '../../domain/images/image.ts'
import type { CheckedWorkflow } from '../../engine/check/checked-workflow.ts'
import { limits } from '../../limits.ts'
import { createBatchUploads } from './uploads.ts'

/** Uploads of rows to one batch. `added`: the keys of the rows that were written together. */
function openUploads(t: TestContext, options: { renewUpload?: BatchItemStore['renewUpload'] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tintype-uploads-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const batch = { accountId: 'acct_1', id: 'batch_1', status: 'created', defaults: {} } as BatchState
  const reported: unknown[] = []
  const added: string[][] = []
  const uploads = createBatchUploads({
    batches: { find: async () => batch },
    items: {
      beginUpload: async () => 1,
      renewUpload: options.renewUpload ?? (async () => {}),
      async add(_rows, _firstRow, rows) {
        added.push(rows.map(({ key }) => key))
        return true
      },
      endUpload: async () => true,
      abandonUpload: async () => assert.fail('the upload is complete'),
    },
    versionCache: {
      get: async () => ({ parameters: [{ name: 'text', type: 'string' }] }) as unknown as CheckedWorkflow,
    },
    requestParameters: { rowIssues: async () => [] },
    quotas: { require: async () => {} },
    disk: { require: async () => {} },
    blobs: {
      async stage(source) {
        const path = join(folder, 'rows')
        await writeFile(path, source)
        return { path, discard: async () => {} } as StagedBlob
      },
    },
    clock: { now: () => 5 },
    onUnrenewed: (error) => reported.push(error),
  })
  const { signal } = new AbortController()
  const upload = (body: AsyncIterable<Uint8Array>) =>
    uploads.replace('acct_1', 'batch_1', { format: 'ndjson', body, signal })
  return { batch, upload, reported, added }
}

test('an upload whose renewal fails is reported once a minute, and ends with its rows if a later renewal succeeds', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const lost = new Error('the database is away')
  const untils: number[] = []
  const { batch, upload, reported, added } = openUploads(t, {
    async renewUpload(_rows, until) {
      untils.push(until)
      if (untils.length < 3) throw lost
    },
  })
  async function* slowly() {
    for (const key of ['a', 'b', 'c']) {
      t.mock.timers.tick((limits.batchUploadSeconds * 1_000) / 3)
      yield Buffer.from(`{"key":"${key}"}\n`)
    }
  }
  assert.equal(await upload(slowly()), batch)
  assert.deepEqual(
    untils,
    [1, 2, 3].map(() => 5 + limits.batchUploadSeconds * 1_000),
  )
  assert.deepEqual(reported, [lost])
  assert.deepEqual(added, [['a', 'b', 'c']])
})

test('long rows are written in parts of 256 KB, although 50 rows are checked together', async (t) => {
  const { upload, added } = openUploads(t)
  async function* lines() {
    for (let i = 0; i < 10; i++) yield Buffer.from(`${JSON.stringify({ key: `r${i}`, text: 'x'.repeat(100_000) })}\n`)
  }
  await upload(lines())
  assert.deepEqual(added, [['r0', 'r1', 'r2'], ['r3', 'r4', 'r5'], ['r6', 'r7', 'r8'], ['r9']])
})
