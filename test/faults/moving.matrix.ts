/**
 * Moves all data through every combination of engine and store, and back, on the servers of TINTYPE_TEST_POSTGRES and
 * TINTYPE_TEST_S3 or on separate ones.
 */
import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { tintypeJson } from '../harness/cli.ts'
import { type Client, createClient, ok } from '../harness/client.ts'
import { type CreatedData, createData, readAll } from '../harness/moving.ts'
import { startPostgres } from '../harness/postgres.ts'
import { startS3 } from '../harness/s3.ts'
import { newPlace, type Service } from '../harness/service.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'

const settings = { FETCH_ALLOW: 'localhost', FETCH_TIMEOUT_SECONDS: '300', EXECUTIONS_RUNNING_MAX: '1' }
const ring = ['postgres+s3', 'postgres+files', 'sqlite+s3', 'sqlite+files']

const postgres = process.env.TINTYPE_TEST_POSTGRES === undefined ? await startPostgres({ durable: false }) : undefined
const s3 = process.env.TINTYPE_TEST_S3 === undefined ? await startS3() : undefined
if (postgres) process.env.TINTYPE_TEST_POSTGRES = postgres.url
if (s3) Object.assign(process.env, { TINTYPE_TEST_S3: s3.url, ...s3.environment })

let host: SourceHost
let service: Service
let api: Client
let key: string
let created: CreatedData

before(async () => {
  host = await startSourceHost()
  service = await (await newPlace(settings, 'sqlite+files')).start()
  key = service.key
  api = await createClient(service, key)
  created = await createData(api, host)
})
after(async () => {
  created?.release()
  await service?.remove()
  await host?.close()
  await Promise.all([postgres?.remove(), s3?.stop()])
})

for (const [i, backing] of ring.entries()) {
  test(`from ${ring[i - 1] ?? 'sqlite+files'} to ${backing}: the same key sees the same lists, records and bytes`, async () => {
    const before = await readAll(api)
    const archive = path.join(service.dataDir, 'all.tar.zst')
    const out = await tintypeJson<{ rows: object; blobs: number }>(service, 'export', archive)
    const place = await newPlace(settings, backing)
    const { rows, blobs } = await tintypeJson<{ rows: object; blobs: number }>(place, 'import', archive)
    assert.deepEqual([rows, blobs], [out.rows, out.blobs])
    await service.remove()
    service = await place.start()
    assert.equal(service.key, '', 'no first account was made')
    api = await createClient(service, key)
    assert.deepEqual(await readAll(api), before)
  })
}

test('executions that waited all the way complete at the end', async () => {
  created.release()
  for (const id of created.waiting) {
    const { status } = await until(`the end of ${id}`, async () => {
      const execution = ok(await api.get<Execution>(`/workflows/executions/${id}`))
      return execution.status === 'pending' || execution.status === 'running' ? undefined : execution
    })
    assert.equal(status, 'completed')
  }
})
