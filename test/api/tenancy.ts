/** Records of another account have byte for byte the same response as unknown ones. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, ok, refused } from '../harness/client.ts'
import { canvas, scale } from '../harness/documents.ts'
import { plain } from '../harness/pictures.ts'
import { firstAccount, secondAccount } from '../harness/shared.ts'
import type { Execution, Project } from '../harness/types.ts'
import { save, upload } from '../harness/workflows.ts'

area('two accounts', { concurrency: 4 }, () => {
  let ownApi: Client
  let otherApi: Client
  const ids = { workflow: '', execution: '', image: '', project: '', key: '', signingKey: '' }
  before(async () => {
    ownApi = await firstAccount()
    otherApi = (await secondAccount()).api
    ids.project = ok(await ownApi.post<Project>('/projects', { name: 'Mine' }), 201).id
    ids.key = ok(await ownApi.post<{ id: string }>('/keys', { permissions: ['storage:read'] }), 201).id
    ids.signingKey = ok(await ownApi.post<{ id: string }>('/signing-keys', {}), 201).id
    ids.workflow = (await save(ownApi, canvas())).id
    ids.image = (await upload(ownApi, await plain('png'))).id
    ids.execution = ok(await ownApi.post<Execution>('/workflows/execute', { workflowId: ids.workflow })).executionId
  })

  /** The same id with other last characters: the right form, but unknown. */
  const missing = (id: string): string => id.slice(0, -4) + (id.endsWith('0000') ? '1111' : '0000')
  const bare = (text: string): string =>
    text.replaceAll(/"requestId":"[^"]*"/g, '').replaceAll(/\b(wf|exec|img|proj|key|skey)_[0-9a-z]+/g, '')

  const rows: [what: string, kind: keyof typeof ids, use: (id: string) => ReturnType<Client['call']>][] = [
    ['reading a workflow', 'workflow', (id) => otherApi.get(`/workflows/${id}`)],
    ['reading a document', 'workflow', (id) => otherApi.get(`/workflows/${id}/document`)],
    ['reading versions', 'workflow', (id) => otherApi.get(`/workflows/${id}/versions`)],
    ['changing a workflow', 'workflow', (id) => otherApi.put(`/workflows/${id}`, canvas({ width: 9 }))],
    [
      'changing a workflow at a version',
      'workflow',
      (id) => otherApi.put(`/workflows/${id}`, canvas({ width: 9 }), { 'if-match': '"1"' }),
    ],
    ['reading channels', 'workflow', (id) => otherApi.get(`/workflows/${id}/channels`)],
    ['moving a channel', 'workflow', (id) => otherApi.put(`/workflows/${id}/channels/live`, { version: 1 })],
    ['setting a slug', 'workflow', (id) => otherApi.put(`/workflows/${id}/slug`, { slug: 'mine' })],
    ['validating a version', 'workflow', (id) => otherApi.post('/workflows/validate', { workflowId: id, version: 1 })],
    ['deleting a workflow', 'workflow', (id) => otherApi.delete(`/workflows/${id}`)],
    ['executing a workflow', 'workflow', (id) => otherApi.post('/workflows/execute', { workflowId: id })],
    [
      'executing a workflow with wrong parameters',
      'workflow',
      (id) => otherApi.post('/workflows/execute', { workflowId: id, parameters: { a: 1 } }),
    ],
    [
      'executing a workflow asynchronously',
      'workflow',
      (id) => otherApi.post('/workflows/execute', { workflowId: id, async: true }),
    ],
    ['polling an execution', 'execution', (id) => otherApi.get(`/workflows/executions/${id}`)],
    ['reading steps', 'execution', (id) => otherApi.get(`/workflows/executions/${id}/steps`)],
    ['cancelling an execution', 'execution', (id) => otherApi.post(`/workflows/executions/${id}/cancel`)],
    ['reading an image', 'image', (id) => otherApi.get(`/storage/images/${id}`)],
    ['deleting an image', 'image', (id) => otherApi.delete(`/storage/images/${id}`)],
    ['reading a project', 'project', (id) => otherApi.get(`/projects/${id}`)],
    ['reading a key', 'key', (id) => otherApi.get(`/keys/${id}`)],
    ['reading a signing key', 'signingKey', (id) => otherApi.get(`/signing-keys/${id}`)],
  ]
  for (const [action, kind, use] of rows) {
    test(`${action} of another account has the same response as an unknown one`, async () => {
      const [other, none] = [await use(ids[kind]), await use(missing(ids[kind]))]
      refused(other, 'not_found')
      assert.equal(bare(other.text), bare(none.text))
      const names = (reply: typeof other): string[] => Object.keys(reply.headers).sort()
      assert.deepEqual(names(other), names(none))
    })
  }

  test('saving a workflow into the project of another account fails like an unknown project', async () => {
    const [other, none] = [
      await otherApi.post('/workflows', { ...canvas(), projectId: ids.project }),
      await otherApi.post('/workflows', { ...canvas(), projectId: missing(ids.project) }),
    ]
    assert.ok([400, 404].includes(other.status), other.text)
    assert.deepEqual([other.status, bare(other.text)], [none.status, bare(none.text)])
  })

  test('executing with the image of another account fails like an unknown image', async () => {
    const { id } = await save(otherApi, scale())
    const use = (source: string) => otherApi.post('/workflows/execute', { workflowId: id, parameters: { source } })
    const [other, none] = [await use(ids.image), await use(missing(ids.image))]
    assert.equal(refused(other, 'workflow_failed').reason, 'input_not_found')
    assert.equal(bare(other.text), bare(none.text))
  })

  test('lists contain only records of their account', async () => {
    const rows = [
      ['/workflows', ids.workflow],
      ['/storage/images', ids.image],
      ['/workflows/executions', ids.execution],
      ['/projects', ids.project],
    ] as const
    for (const [path, id] of rows) {
      assert.ok((await ownApi.get(path, { limit: 100 })).text.includes(id))
      assert.ok(!(await otherApi.get(path, { limit: 100 })).text.includes(id))
    }
  })

  test('none of these requests changed a record', async () => {
    ok(await ownApi.get(`/workflows/${ids.workflow}`))
    ok(await ownApi.get(`/storage/images/${ids.image}`))
    assert.equal(ok(await ownApi.get<Execution>(`/workflows/executions/${ids.execution}`)).status, 'completed')
  })
})
