/** Saved workflows: fields, versions, changes, deletion. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { assertFields, type Client, issuePaths, ok, refused } from '../harness/client.ts'
import { canvas, type Document, naming, scale } from '../harness/documents.ts'
import { firstAccount } from '../harness/shared.ts'
import { added, type Execution, type Listed, type Project, type Workflow, type Workflows } from '../harness/types.ts'
import { fetchImage, run, save } from '../harness/workflows.ts'

type Versions = Listed & { versions: { version: number; createdAt: string }[] }

const detail = ['createdAt', 'description', 'id', 'name', 'parameters', 'projectId']
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

area('saved workflows', { concurrency: 4 }, () => {
  let api: Client
  before(async () => {
    api = await firstAccount()
  })
  const etagOf = async (id: string): Promise<string> =>
    String((await api.get(`/workflows/${id}/document`)).headers.etag)

  test('saving a workflow returns 201 with its detail, and Location', async () => {
    const reply = await api.post<Workflow>('/workflows', scale())
    const workflow = ok(reply, 201)
    assert.match(workflow.id, /^wf_[0-9a-z]{20,}$/)
    assert.equal(new URL(reply.headers.location ?? '', api.service.origin).pathname, `/v1/workflows/${workflow.id}`)
    assertFields(workflow, detail, added.savedWorkflow)
    const { warnings, ...response } = workflow as Workflow & { warnings?: unknown }
    assert.deepEqual(warnings ?? [], [])
    assert.deepEqual(ok(await api.get<Workflow>(`/workflows/${workflow.id}`)), response)
  })

  test('the detail has exactly the fields of the specification', async () => {
    const { id } = await save(api, scale())
    const workflow = ok(await api.get<Workflow>(`/workflows/${id}`))
    assertFields(workflow, detail, added.workflow)
    assert.deepEqual([workflow.id, workflow.name, workflow.description], [id, 'Scale', 'Loads an image and scales it.'])
    assert.match(workflow.projectId, /^proj_[0-9a-z]{20,}$/)
    assert.match(workflow.createdAt, timestamp)
  })

  test('a declaration has required only if it is true, and default only if there is one', async () => {
    const { id } = await save(
      api,
      naming('{{ a }}{{ b }}{{ c }}{{ d }}', [
        { name: 'a', type: 'string', required: true },
        { name: 'b', type: 'string', required: false },
        { name: 'c', type: 'string', default: '' },
        { name: 'd', type: 'number', default: 0 },
      ]),
    )
    assert.deepEqual(ok(await api.get<Workflow>(`/workflows/${id}`)).parameters, [
      { name: 'a', type: 'string', required: true },
      { name: 'b', type: 'string' },
      { name: 'c', type: 'string', default: '' },
      { name: 'd', type: 'number', default: 0 },
    ])
  })

  test('a declaration has its description, enum, minimum and maximum', async () => {
    const parameters = [
      { name: 'tone', type: 'string', default: 'warm', description: 'Warm or cold.', enum: ['warm', 'cold'] },
      { name: 'size', type: 'number', default: 3, minimum: 1, maximum: 9 },
    ]
    const { id } = await save(api, naming('{{ tone }}{{ size }}', parameters))
    assert.deepEqual(ok(await api.get<Workflow>(`/workflows/${id}`)).parameters, parameters)
  })

  test('without description and parameters, a workflow has an empty description and no parameters', async () => {
    const { id } = await save(api, canvas())
    const { description, parameters } = ok(await api.get<Workflow>(`/workflows/${id}`))
    assert.deepEqual([description, parameters], ['', []])
  })

  test('a list item has exactly the fields of the specification', async () => {
    const project = ok(await api.post<Project>('/projects', { name: 'Listed' }), 201)
    const saved = await save(api, canvas(), project.id)
    const { workflows } = ok(await api.get<Workflows>('/workflows', { projectId: project.id }))
    assert.equal(workflows.length, 1)
    assert.deepEqual(Object.keys(workflows[0] ?? {}).sort(), ['createdAt', 'id', 'name', 'projectId', 'updatedAt'])
    const { id, name, projectId, createdAt, updatedAt } = workflows[0] as Workflow
    assert.deepEqual(
      [id, name, projectId, createdAt, updatedAt],
      [saved.id, 'A canvas', saved.projectId, saved.createdAt, createdAt],
    )
  })

  test('a workflow is saved into the project that it names', async () => {
    const project = ok(await api.post<Project>('/projects', { name: 'Named' }), 201)
    const { id } = await save(api, canvas(), project.id)
    assert.equal(ok(await api.get<Workflow>(`/workflows/${id}`)).projectId, project.id)
  })

  test('the document is returned as it was saved, including the layout', async () => {
    const document: Document = { ...scale(), layout: { load: [0, 0], notes: 'kept' } }
    const { id } = await save(api, document)
    assert.deepEqual(ok(await api.get<Document>(`/workflows/${id}/document`)), document)
    assert.match(await etagOf(id), /^"[^"]+"$/)
  })

  test('a change creates a new version, a new ETag and a new updatedAt, and keeps id and createdAt', async () => {
    const saved = await save(api, canvas())
    const etag = await etagOf(saved.id)
    const changed = ok(await api.put<Workflow>(`/workflows/${saved.id}`, { ...canvas({ width: 9 }), name: 'Changed' }))
    assert.deepEqual([changed.id, changed.name, changed.createdAt], [saved.id, 'Changed', saved.createdAt])
    assert.notEqual(await etagOf(saved.id), etag)
    const { versions, total } = ok(await api.get<Versions>(`/workflows/${saved.id}/versions`))
    assert.deepEqual([versions.map((each) => each.version), total], [[2, 1], 2])
    const { workflows } = ok(await api.get<Workflows>('/workflows', { limit: 100 }))
    const item = workflows.find((each) => each.id === saved.id)
    assert.ok(String(item?.updatedAt) > saved.createdAt)
    assert.equal((await run(api, saved.id)).width, 9)
  })

  test('saving the same document again creates no version', async () => {
    const { id } = await save(api, canvas())
    const etag = await etagOf(id)
    ok(await api.put(`/workflows/${id}`, canvas()))
    assert.equal(await etagOf(id), etag)
    assert.equal(ok(await api.get<Versions>(`/workflows/${id}/versions`)).total, 1)
  })

  test('versions are listed newest first, with their number and time, in pages', async () => {
    const { id } = await save(api, canvas({ width: 1 }))
    for (let width = 2; width <= 5; width++) ok(await api.put(`/workflows/${id}`, canvas({ width })))
    const first = ok(await api.get<Versions>(`/workflows/${id}/versions`, { limit: 2 }))
    assert.deepEqual(
      first.versions.map((each) => each.version),
      [5, 4],
    )
    assert.deepEqual([first.total, first.hasMore], [5, true])
    for (const { createdAt } of first.versions) assert.match(createdAt, timestamp)
    const last = ok(await api.get<Versions>(`/workflows/${id}/versions`, { limit: 2, offset: 4 }))
    assert.deepEqual([last.versions.map((each) => each.version), last.hasMore], [[1], false])
    for (const limit of ['0', '101', '1.5', 'abc']) {
      assert.deepEqual(issuePaths(await api.get(`/workflows/${id}/versions`, { limit })), ['limit'])
    }
  })

  test('a change with the ETag of the newest version is accepted', async () => {
    const { id } = await save(api, canvas())
    ok(await api.put(`/workflows/${id}`, canvas({ width: 9 }), { 'if-match': await etagOf(id) }))
    assert.equal((await run(api, id)).width, 9)
  })

  test('a change with the ETag of an older version is rejected, and the error names the newer one', async () => {
    const { id } = await save(api, canvas())
    const old = await etagOf(id)
    ok(await api.put(`/workflows/${id}`, canvas({ width: 9 })))
    const reply = await api.put(`/workflows/${id}`, canvas({ width: 10 }), { 'if-match': old })
    refused(reply, 'precondition_failed')
    assert.match(reply.text, /\b2\b/)
    assert.equal((await run(api, id)).width, 9)
  })

  test('a change with If-Match * is accepted, with an unknown ETag it is rejected', async () => {
    const { id } = await save(api, canvas())
    ok(await api.put(`/workflows/${id}`, canvas({ width: 9 }), { 'if-match': '*' }))
    for (const value of ['"nothing"', 'nothing']) {
      refused(await api.put(`/workflows/${id}`, canvas({ width: 10 }), { 'if-match': value }), 'invalid_request')
    }
    refused(await api.put(`/workflows/${id}`, canvas({ width: 10 }), { 'if-match': '"99"' }), 'precondition_failed')
  })

  test('of five concurrent changes with one ETag, one is accepted', async () => {
    const { id } = await save(api, canvas())
    const etag = await etagOf(id)
    const replies = await Promise.all(
      [11, 12, 13, 14, 15].map((width) => api.put(`/workflows/${id}`, canvas({ width }), { 'if-match': etag })),
    )
    assert.deepEqual(replies.map((each) => each.status).sort(), [200, 412, 412, 412, 412])
    assert.equal(ok(await api.get<Versions>(`/workflows/${id}/versions`)).total, 2)
  })

  test('an invalid change is rejected with all its paths, and changes nothing', async () => {
    const { id } = await save(api, canvas())
    const paths = issuePaths(await api.put(`/workflows/${id}`, { ...canvas({ width: 0, height: 0 }), nope: 1 }))
    assert.deepEqual(paths, ['nodes.sheet.params.height', 'nodes.sheet.params.width', 'nope'])
    assert.equal((await run(api, id)).width, 8)
  })

  test('deleting a workflow keeps its executions and their outputs', async () => {
    const { id } = await save(api, canvas())
    const done = ok(await api.post<Execution>('/workflows/execute', { workflowId: id }))
    const reply = await api.delete<{ deleted: boolean }>(`/workflows/${id}`)
    assert.deepEqual(ok(reply), { deleted: true })
    for (const path of ['', '/document', '/versions']) refused(await api.get(`/workflows/${id}${path}`), 'not_found')
    refused(await api.post('/workflows/execute', { workflowId: id }), 'not_found')
    refused(await api.put(`/workflows/${id}`, canvas()), 'not_found')
    refused(await api.delete(`/workflows/${id}`), 'not_found')
    const record = ok(await api.get<Execution>(`/workflows/executions/${done.executionId}`))
    assert.deepEqual([record.status, record.workflowId, record.output], ['completed', id, done.output])
    assert.ok((await fetchImage(api, record.output?.url ?? '')).length > 0)
  })

  test('unknown query parameters are rejected by every route of a workflow', async () => {
    const { id } = await save(api, canvas())
    for (const path of ['', '/document', '/versions']) {
      assert.deepEqual(issuePaths(await api.get(`/workflows/${id}${path}`, { nope: 1 })), ['nope'])
    }
    assert.deepEqual(issuePaths(await api.call('DELETE', `/workflows/${id}`, { query: { nope: 1 } })), ['nope'])
    assert.deepEqual(issuePaths(await api.call('PUT', `/workflows/${id}`, { query: { nope: 1 }, json: canvas() })), [
      'nope',
    ])
    ok(await api.get(`/workflows/${id}`))
  })

  test('the example of the format documentation can be saved', async () => {
    const width = '{{ width }}'
    const { parameters } = await save(api, {
      name: 'Launch card',
      description: 'A 1200 x 630 link-preview card from a photo and a headline.',
      parameters: [
        { name: 'photo', type: 'string', required: true, description: 'An image id or URL' },
        { name: 'headline', type: 'string', required: true },
        { name: 'width', type: 'number', default: 1200, minimum: 200, maximum: 4000 },
      ],
      nodes: {
        photo: { type: 'image', params: { source: '{{ photo }}' } },
        cover: {
          type: 'resize',
          inputs: { image: 'photo' },
          params: { width, height: 630, fit: 'cover', position: 'attention' },
        },
        shade: { type: 'gradient', params: { width, height: 630, from: '#0000', to: '#000c', angle: 180 } },
        shaded: { type: 'composite', inputs: { image: 'cover', overlay: 'shade' } },
        title: {
          type: 'text',
          inputs: { image: 'shaded' },
          params: {
            text: '{{ headline | truncate: 80 }}',
            box: { x: 64, y: 400, width: '{{ width | minus: 128 }}', height: 180 },
            size: 64,
            fit: 'shrink',
            weight: 700,
            color: 'white',
          },
        },
        badge: {
          type: 'composite',
          when: "{{ headline contains 'New' }}",
          inputs: { image: 'title', overlay: 'ribbon' },
          params: { position: 'north-east' },
        },
        ribbon: { type: 'qr', params: { text: 'https://example.com', size: 96 } },
      },
      output: { node: 'badge', format: 'webp', quality: 82 },
      layout: { photo: [0, 0], cover: [240, 0] },
    })
    assert.equal(parameters.length, 3)
  })
})
