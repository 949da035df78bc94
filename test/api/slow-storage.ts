/** Executions on a store that is slow. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { area } from '../harness/area.ts'
import { isMany } from '../harness/backing.ts'
import { createClient, ok } from '../harness/client.ts'
import { canvas } from '../harness/documents.ts'
import { send, startFakeS3 } from '../harness/fake-s3.ts'
import { startWithoutExamples } from '../harness/service.ts'
import type { Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { save } from '../harness/workflows.ts'

area('slow storage', { isSlow: true, skip: isMany && 'each of two workers has a slot' }, () => {
  test('while the file of an execution is stored, its slot is free for another execution', async (t) => {
    const fake = await startFakeS3()
    t.after(() => fake.close())
    const service = await startWithoutExamples({
      STORAGE_URL: `s3://${fake.bucket}/images?endpoint=${fake.endpoint}`,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      EXECUTIONS_RUNNING_MAX: '1',
    })
    t.after(() => service.remove())
    const api = await createClient(service, service.key)
    const workflows = [await save(api, canvas()), await save(api, canvas({ width: 9 }))]
    const stored = new Set<string | undefined>()
    fake.injectFault(
      Number.POSITIVE_INFINITY,
      ({ method, key }) => method === 'PUT' && key.endsWith('.png'),
      async ({ url }, response, respond) => {
        stored.add(url)
        await until('the file of the other execution', () => stored.size === 2 || undefined)
        send(response, await respond())
      },
    )
    const executed = await Promise.all(
      workflows.map(({ id }) => api.post<Execution>('/workflows/execute', { workflowId: id })),
    )
    assert.deepEqual(
      executed.map((reply) => ok(reply).status),
      ['completed', 'completed'],
    )
    assert.equal(stored.size, 2)
  })
})
