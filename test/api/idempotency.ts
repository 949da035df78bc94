/** `Idempotency-Key` on every POST. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, ok, type Reply, refused } from '../harness/client.ts'
import { canvas } from '../harness/documents.ts'
import { field, file } from '../harness/multipart.ts'
import { plain } from '../harness/pictures.ts'
import { firstAccount, secondAccount } from '../harness/shared.ts'
import type { Execution, Executions, Images, Project, Projects, Workflows } from '../harness/types.ts'
import { save } from '../harness/workflows.ts'

area('Idempotency-Key', { concurrency: 4 }, () => {
  let api: Client
  let workflowId: string
  let png: Buffer
  before(async () => {
    api = await firstAccount()
    workflowId = (await save(api, canvas())).id
    png = await plain('png')
  })

  const projectsNamed = async (name: string): Promise<number> =>
    ok(await api.get<Projects>('/projects', { limit: 100 })).projects.filter((each) => each.name === name).length

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
    const { id: projectId } = ok(
      await api.post<Project>('/projects', { name: 'Made once' }, { 'idempotency-key': 'p' }),
      201,
    )
    const { id } = await save(api, canvas(), projectId)
    for (let i = 0; i < 3; i++) {
      await api.post('/projects', { name: 'Made once' }, { 'idempotency-key': 'p' })
      await api.post('/workflows', { ...canvas({ width: 5 }), projectId }, { 'idempotency-key': 'w' })
      await api.post('/workflows/execute', { workflowId: id }, { 'idempotency-key': 'e' })
      const parts = [field('projectId', projectId), file(png)]
      await api.call('POST', '/storage/upload', { parts, headers: { 'idempotency-key': 'u' } })
    }
    assert.equal(await projectsNamed('Made once'), 1)
    // The one that is executed and the one of the loop; the output of the execution and the upload.
    assert.equal(ok(await api.get<Workflows>('/workflows', { projectId })).total, 2)
    assert.equal(ok(await api.get<Images>('/storage/images', { projectId })).total, 2)
    const { executions } = ok(await api.get<Executions>('/workflows/executions', { limit: 100 }))
    assert.equal(executions.filter((each) => each.workflowId === id).length, 1)
  })

  test('of five requests at once with one key, one makes something', async () => {
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => api.post('/projects', { name: 'Raced' }, { 'idempotency-key': 'raced' })),
    )
    assert.ok(replies.some((each) => each.status === 201))
    assert.equal(await projectsNamed('Raced'), 1)
  })

  test('the same key of another account is another key', async () => {
    const [one, two] = [api, (await secondAccount()).api]
    const first = await one.post<{ id: string }>('/projects', { name: 'P' }, { 'idempotency-key': 'shared' })
    const second = await two.post<{ id: string }>('/projects', { name: 'P' }, { 'idempotency-key': 'shared' })
    assert.equal(second.headers['idempotent-replayed'], undefined)
    assert.notEqual(ok(first, 201).id, ok(second, 201).id)
  })

  test('a refused request is refused again', async () => {
    refused(await api.post('/projects', { nope: 1 }, { 'idempotency-key': 'refused' }), 'invalid_request')
    const second = await api.post('/projects', { nope: 1 }, { 'idempotency-key': 'refused' })
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
