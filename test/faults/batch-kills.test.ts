/**
 * A batch whose service is killed again and again: each row has exactly one outcome. With TEST_FULL=1, 5,000 rows. The service has one image
 * for all rows, and each row its own size.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '../../src/storage/database/open.ts'
import { createClient, ok } from '../harness/client.ts'
import { repetitions } from '../harness/repetitions.ts'
import { startWithoutExamples } from '../harness/service.ts'
import { until } from '../harness/wait.ts'
import { save } from '../harness/workflows.ts'
import { createRandom } from './random.ts'

interface Batch {
  id: string
  status: string
  counts: Record<string, number>
}

const rows = repetitions(100, 5_000)
const seed = 20_261_125
/** Rows between two kills, at most, and on average half of them: some kills are soon after the start. */
const rowsBetweenKills = repetitions(100, 200)

test(`a batch of ${rows} rows under repeated kill -9 has exactly one outcome for each row`, async (t) => {
  const random = createRandom(seed)
  let service = await startWithoutExamples({ FETCH_ALLOW: 'localhost' })
  t.after(() => service.remove())
  const { key } = service
  let api = await createClient(service, key)
  const { id: workflowId } = await save(api, {
    name: 'Rows',
    parameters: [{ name: 'width', type: 'number', required: true }],
    nodes: { sheet: { type: 'canvas', params: { width: '{{ width }}', height: 2, color: 'red' } } },
    output: { node: 'sheet', format: 'png' },
  })
  const { id } = ok(await api.post<Batch>('/batches', { workflowId }), 201)
  const file = `width\n${Array.from({ length: rows }, (_, i) => `${1 + (i % 200)}\n`).join('')}`
  ok(await api.call('PUT', `/batches/${id}/items`, { body: file, headers: { 'content-type': 'text/csv' } }))
  ok(await api.post(`/batches/${id}/start`))
  let kills = 0
  for (let completed = 0; ; ) {
    const next = completed + random.below(rowsBetweenKills)
    const batch = await until(
      `${next} completed rows`,
      async () => {
        const { body } = await api.get<Batch>(`/batches/${id}`)
        return body.status === 'completed' || (body.counts.completed ?? 0) >= next ? body : undefined
      },
      600,
    )
    if (batch.status === 'completed') break
    completed = batch.counts.completed ?? 0
    await service.kill()
    kills += 1
    service = await service.restart()
    api = await createClient(service, key)
  }
  const { counts } = ok(await api.get<Batch>(`/batches/${id}`))
  assert.deepEqual(counts, { total: rows, pending: 0, running: 0, completed: rows, failed: 0, cancelled: 0 })
  assert.ok(kills > 0, 'it was never killed')
  await service.stop()
  const { kysely, close } = await openDatabase({ file: join(service.dataDir, 'tintype.db') })
  t.after(close)
  const executions = await kysely.selectFrom('executions').select(['id', 'status']).where('batch_id', '=', id).execute()
  assert.equal(executions.length, rows, 'one execution for each row')
  const items = await kysely
    .selectFrom('batch_items')
    .select(['execution_id', 'state'])
    .where('batch_id', '=', id)
    .execute()
  assert.equal(new Set(items.map((item) => item.execution_id)).size, rows)
  const images = await kysely
    .selectFrom('images')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('execution_id', 'in', kysely.selectFrom('executions').select('id').where('batch_id', '=', id))
    .executeTakeFirstOrThrow()
  assert.equal(Number(images.n), rows, 'one image for each row')
  t.diagnostic(`killed ${kills} times`)
})
