/** `Idempotency-Key` on every POST. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Client, ok, type Reply, refused } from '../harness/client.ts'
import { canvas } from '../harness/documents.ts'
import { field, file } from '../harness/multipart.ts'
import { plain } from '../harness/pictures.ts'
import { tenant } from '../harness/shared.ts'
import type { Execution, Executions, Images, Projects, Workflows } from '../harness/types.ts'
import { save } from '../harness/workflows.ts'

describe('Idempotency-Key', { concurrency: 4 }, () => {
  let api: Client
  let workflowId: string
  let png: Buffer
  before(async () => {
    api = (await tenant()).api
    workflowId = (await save(api, canvas())).id
    png = await plain('png')
  })

  const posts: [
    what: string,
    status: number,
    send: (api: Client, key: string, other?: boolean) => Promise<Reply<unknown>>,
  ][] = [
    [
      'a project',
      201,
      (by, key, other) => by.post('/projects', { name: other ? 'Other' : 'Once' }, { 'idempotency-key': key }),
    ],
    [
      'a workflow',
      201,
      (by, key, other) => by.post('/workflows', canvas({ width: other ? 9 : 8 }), { 'idempotency-key': key }),
    ],
    [
      'a synchronous execution',
      200,
      (by, key, other) =>
        by.post('/workflows/execute', { workflowId, ...(other ? { async: false } : {}) }, { 'idempotency-key': key }),
    ],
    [
      'an asynchronous execution',
      202,
      (by, key, other) =>
        by.post(
          '/workflows/execute',
          { workflowId, async: true, ...(other ? { parameters: {} } : {}) },
          { 'idempotency-key': key },
        ),
    ],
    [
      'an upload',
      201,
      (by, key, other) =>
        by.call('POST', '/storage/upload', {
          parts: [field('name', other ? 'b' : 'a'), file(png)],
          headers: { 'idempotency-key': key },
        }),
    ],
    [
      'a validation',
      200,
      (by, key, other) => by.post('/workflows/validate', canvas({ width: other ? 9 : 8 }), { 'idempotency-key': key }),
    ],
  ]

  for (const [what, status, send] of posts) {
    test(`${what} with the key and body of an earlier one gets the answer of the earlier one`, async () => {
      const key = `replay ${what}`
      const [first, second] = [await send(api, key), await send(api, key)]
      ok(first, status)
      assert.equal(first.headers['idempotent-replayed'], undefined)
      assert.equal(second.headers['idempotent-replayed'], 'true')
      assert.equal(second.status, status)
      assert.deepEqual(second.body, first.body)
      assert.equal(second.headers.location, first.headers.location)
    })

    test(`${what} with the key of an earlier one and another body is refused`, async () => {
      const key = `other ${what}`
      ok(await send(api, key), status)
      refused(await send(api, key, true), 'invalid_request')
    })
  }

  test('a replay makes nothing: not a project, a workflow, an execution or an image', async () => {
    const own = (await tenant()).api
    const { id } = await save(own, canvas())
    const once = { 'idempotency-key': 'once' }
    for (let i = 0; i < 3; i++) {
      await own.post('/projects', { name: 'P' }, { 'idempotency-key': 'p' })
      await own.post('/workflows', canvas({ width: 5 }), { 'idempotency-key': 'w' })
      await own.post('/workflows/execute', { workflowId: id }, { 'idempotency-key': 'e' })
      await own.call('POST', '/storage/upload', { parts: [file(png)], headers: once })
    }
    assert.equal(ok(await own.get<Projects>('/projects')).total, 2)
    assert.equal(ok(await own.get<Workflows>('/workflows')).total, 2)
    assert.equal(ok(await own.get<Executions>('/workflows/executions')).total, 1)
    assert.equal(ok(await own.get<Images>('/storage/images')).total, 2)
  })

  test('of five requests at once with one key, one makes something', async () => {
    const own = (await tenant()).api
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => own.post('/projects', { name: 'P' }, { 'idempotency-key': 'k' })),
    )
    assert.ok(replies.some((each) => each.status === 201))
    assert.equal(ok(await own.get<Projects>('/projects')).total, 2)
  })

  test('the same key of another account is another key', async () => {
    const [one, two] = [(await tenant()).api, (await tenant()).api]
    const first = await one.post<{ id: string }>('/projects', { name: 'P' }, { 'idempotency-key': 'shared' })
    const second = await two.post<{ id: string }>('/projects', { name: 'P' }, { 'idempotency-key': 'shared' })
    assert.equal(second.headers['idempotent-replayed'], undefined)
    assert.notEqual(ok(first, 201).id, ok(second, 201).id)
  })

  test('a refused request does not hold on to its key', async () => {
    const own = (await tenant()).api
    refused(await own.post('/projects', { nope: 1 }, { 'idempotency-key': 'k' }), 'invalid_request')
    const second = await own.post('/projects', { nope: 1 }, { 'idempotency-key': 'k' })
    refused(second, 'invalid_request')
  })

  test('a failed execution is replayed as it failed', async () => {
    const source = 'img_00000000000000000000'
    const { id } = await save(api, {
      name: 'Missing',
      nodes: { load: { type: 'image', params: { source } } },
      output: { node: 'load' },
    })
    const run = () => api.post<Execution>('/workflows/execute', { workflowId: id }, { 'idempotency-key': 'fails' })
    const [first, second] = [await run(), await run()]
    assert.equal(refused(second, 'workflow_failed').executionId, refused(first, 'workflow_failed').executionId)
  })

  test('an empty key and one of 10,000 characters are refused', async () => {
    for (const key of ['', 'k'.repeat(10_000)]) {
      refused(await api.post('/projects', { name: 'x' }, { 'idempotency-key': key }), 'invalid_request')
    }
  })
})
