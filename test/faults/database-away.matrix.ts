/** Responses to clients while the records are unavailable, and afterwards. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient, ok, refused } from '../harness/client.ts'
import { plain } from '../harness/pictures.ts'
import { newDatabaseOn, type PostgresServer, startPostgres } from '../harness/postgres.ts'
import { type Service, startWithoutExamples } from '../harness/service.ts'
import { until } from '../harness/wait.ts'
import { fetchImage, upload } from '../harness/workflows.ts'

let postgres: PostgresServer
let service: Service | undefined
before(async () => {
  postgres = await startPostgres()
  service = await startWithoutExamples({ DATABASE_URL: await newDatabaseOn(postgres.url) })
})
after(async () => {
  await service?.remove()
  await postgres.remove()
})

test('while the database is unavailable every response is 503 with Retry-After, and afterwards everything works without a restart', async () => {
  assert.ok(service)
  const api = await createClient(service, service.key)
  const image = await upload(api, await plain('png'))
  await postgres.stop()
  for (const path of ['/projects', '/workflows', `/storage/images/${image.id}`]) {
    const reply = await api.get(path)
    refused(reply, 'unavailable')
    assert.match(reply.headers['retry-after'] ?? '', /^[1-9]\d*$/)
  }
  refused(await api.post('/projects', { name: 'x' }), 'unavailable')
  refused(await api.root('GET', '/health/ready', { keepAlive: false }), 'unavailable')
  assert.equal((await api.root('GET', '/health/live', { keepAlive: false })).status, 200)
  await postgres.start()
  await until('a response', async () => ((await api.get('/projects')).status === 200 ? true : undefined))
  ok(await api.get(`/storage/images/${image.id}`))
  assert.equal((await fetchImage(api, image.url)).length, image.size)
})
