import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BatchState } from '../../domain/batches/batch.ts'
import type { BatchItem } from '../../domain/batches/batch-item.ts'
import type { WorkflowVersion } from '../../domain/workflows/workflow.ts'
import { Fault } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { createEventStreams } from '../event-streams.ts'
import type { ImageUrls } from '../images/image-urls.ts'
import { createBatchResults } from './results.ts'

const output = { imageId: 'img_1', width: 1, height: 1, format: 'png' }
const total = limits.batchRowsMax
const counts = { pending: 0, running: 0, completed: total, failed: 0, cancelled: 0 }
const batch = { accountId: 'acc', id: 'batch', total, counts, createdAt: 0, defaults: {} } as unknown as BatchState
const urls = { url: () => '/images/img_1' } as unknown as ImageUrls
const { signal } = new AbortController()

function open(outputs?: object) {
  return createBatchResults({
    items: {
      readAfter: async (_batch, row, rowsMax) =>
        Array.from({ length: Math.min(rowsMax, total - row) }, (_, i) => {
          return { row: row + i + 1, key: `k${row + i + 1}`, status: 'completed', output, error: null } as BatchItem
        }),
    },
    workflows: { findVersion: async () => ({ document: { outputs } }) as WorkflowVersion },
    blobs: {
      open: async () =>
        (async function* () {
          yield Buffer.from('image')
        })(),
    },
    zips: createEventStreams(1, 'ZIP downloads'),
  })
}

test('a ZIP file with more files than allowed is refused, and parts of the batch are accepted', async () => {
  for (const [outputs, rowsMax] of [
    [{ card: {} }, limits.batchZipFilesMax / 2],
    [{ card: { widths: [1, 2], formats: ['png', 'webp'] } }, limits.batchZipFilesMax / 5],
    [{ card: { widths: '{{ widths }}' } }, limits.batchZipFilesMax / limits.outputFilesMax],
  ] as const) {
    const results = open(outputs)
    const refusal = async (rows: { from?: number; to?: number }) =>
      results.zip(batch, { urls, rows, signal: AbortSignal.abort() }).then(
        () => undefined,
        (error: unknown) => {
          assert.ok(error instanceof Fault)
          return (error.details.issues as { path: string; message: string }[])[0]
        },
      )
    const issue = await refusal({})
    assert.equal(issue?.path, 'toRow')
    assert.match(issue?.message ?? '', new RegExp(`at most ${rowsMax} rows.*NDJSON`))
    assert.equal((await refusal({ to: rowsMax + 1 }))?.path, 'toRow')
    assert.equal(await refusal({ from: 2, to: rowsMax + 1 }), undefined)
    assert.equal(await refusal({ from: total - 1 }), undefined)
    const parts = await results.zipParts(batch)
    assert.equal(parts.length, Math.ceil(total / rowsMax))
    for (const [i, { fromRow, toRow }] of parts.entries()) {
      assert.deepEqual([fromRow, toRow], [i * rowsMax + 1, Math.min((i + 1) * rowsMax, total)])
      assert.equal(await refusal({ from: fromRow, to: toRow }), undefined)
    }
  }
  assert.ok(await open().zip(batch, { urls, signal }), 'one file for each row')
  const one = [{ fromRow: 1, toRow: total }]
  assert.deepEqual(await open().zipParts(batch), one)
  const few = { ...batch, counts: { ...counts, completed: 10 } }
  assert.deepEqual(await open({ card: {} }).zipParts(few), one, 'few rows are completed')
  assert.deepEqual(await open().zipParts({ ...batch, total: 0, counts: { ...counts, completed: 0 } }), [])
})

test('an account downloads as many ZIP files at the same time as allowed', async () => {
  const results = open()
  const rows = { from: 3, to: 4 }
  const first = await results.zip(batch, { urls, rows, signal })
  await assert.rejects(results.zip(batch, { urls, rows, signal }), /open ZIP downloads, the maximum/)
  const file = Buffer.concat(await Array.fromAsync(first)).toString('latin1')
  assert.deepEqual([...new Set(file.match(/k\d\.png/g))], ['k3.png', 'k4.png'])
  const leaving = new AbortController()
  await results.zip(batch, { urls, rows, signal: leaving.signal })
  leaving.abort()
  await results.zip(batch, { urls, rows, signal })
})
