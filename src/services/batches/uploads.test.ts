import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { BatchState } from '../../domain/batch.ts'
import type { StagedBlob } from '../../domain/image.ts'
import type { CheckedWorkflow } from '../../engine/check/checked-workflow.ts'
import { limits } from '../../limits.ts'
import { createBatchUploads } from './uploads.ts'

test('an upload whose renewal fails is reported once a minute, and ends with its rows if a later renewal succeeds', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tintype-uploads-'))
  t.after(() => rmSync(folder, { recursive: true }))
  t.mock.timers.enable({ apis: ['setInterval'] })
  const batch = { accountId: 'acct_1', id: 'batch_1', status: 'created', defaults: {} } as BatchState
  const lost = new Error('the database is away')
  const reported: unknown[] = []
  const untils: number[] = []
  const rows: unknown[] = []
  const uploads = createBatchUploads({
    batches: { find: async () => batch },
    items: {
      beginUpload: async () => 1,
      async renewUpload(_rows, until) {
        untils.push(until)
        if (untils.length < 3) throw lost
      },
      async add(_rows, _firstRow, added) {
        rows.push(...added.map(({ key }) => key))
        return true
      },
      endUpload: async () => true,
      abandonUpload: async () => assert.fail('the upload is complete'),
    },
    checkedWorkflows: { get: async () => ({ parameters: [] }) as unknown as CheckedWorkflow },
    requestParameters: { rowIssues: async () => [] },
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
  async function* slowly() {
    for (const key of ['a', 'b', 'c']) {
      t.mock.timers.tick((limits.batchUploadSeconds * 1_000) / 3)
      yield Buffer.from(`{"key":"${key}"}\n`)
    }
  }
  const { signal } = new AbortController()
  assert.equal(await uploads.replace('acct_1', 'batch_1', { format: 'ndjson', body: slowly(), signal }), batch)
  assert.deepEqual(
    untils,
    [1, 2, 3].map(() => 5 + limits.batchUploadSeconds * 1_000),
  )
  assert.deepEqual(reported, [lost])
  assert.deepEqual(rows, ['a', 'b', 'c'])
})
