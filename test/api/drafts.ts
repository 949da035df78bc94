/** Drafts: saved while a user types, executed at any time, published as versions. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { assertFields, type Client, createClient, issuePaths, ok, type Reply, refused } from '../harness/client.ts'
import { canvas, type Document, scale } from '../harness/documents.ts'
import { plain } from '../harness/pictures.ts'
import { type Service, startWithoutExamples } from '../harness/service.ts'
import { firstAccount, newAccount, secondAccount } from '../harness/shared.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { Execution, Image, Listed, Project, Workflow, Workflows } from '../harness/types.ts'
import { fetchImage, idInUrl, run, save, upload } from '../harness/workflows.ts'

interface DraftItem {
  workflowId: string
  name: string
  projectId: string
  baseVersion: number
  revision: number
  createdAt: string
  updatedAt: string
  lastOutput?: LastOutput
}
interface LastOutput {
  executionId: string
  url: string
  width: number
  height: number
  format: string
  completedAt: string
}
type Draft = DraftItem & { document: unknown }
type DraftList = Listed & { drafts: DraftItem[] }
type DraftExecution = Execution & { draft?: boolean; node?: string; workflowVersion?: number; resumedFrom?: string }
type Versions = Listed & { versions: { version: number; createdAt: string; note?: string }[] }
type Steps = { steps: { node: string; status: string; servedFrom?: string }[] }

const item = ['baseVersion', 'createdAt', 'name', 'projectId', 'revision', 'updatedAt', 'workflowId']
const unknownId = 'wf_00000000000000000000'

/** Two branches, one of them incomplete. */
function halfDone(): Document & { parameters: Record<string, unknown>[] } {
  return {
    name: 'Half done',
    parameters: [
      { name: 'width', type: 'number', default: 8 },
      { name: 'unfinished', type: 'number', minimum: 9, maximum: 1 },
      { name: 'must', type: 'string', required: true },
    ],
    nodes: {
      other: { type: 'resize', inputs: { image: 'nowhere' }, params: { width: 'no' } },
      sheet: { type: 'canvas', params: { width: '{{ width }}', height: 6, color: '#00ff00' } },
      facts: { type: 'info', inputs: { image: 'sheet' } },
      wide: { type: 'resize', inputs: { image: 'sheet' }, params: { width: '{{ nodes.facts.width | times: 2 }}' } },
      strange: { type: 'no such operation' },
      several: { type: 'canvas', each: 3, params: { width: 2, height: 2 } },
    },
    output: { node: 'wide', format: 'png' },
  }
}

area('drafts', { concurrency: 4 }, () => {
  let api: Client
  let outside: SourceHost
  before(async () => {
    api = await firstAccount()
    outside = await startSourceHost()
  })
  after(() => outside.close())

  const at = (id: string) => `/workflows/${id}/draft`
  const createDraft = async (document?: unknown, projectId?: string): Promise<Draft> =>
    ok(
      await api.post<Draft>('/workflows/drafts', {
        ...(document === undefined ? {} : { document }),
        ...(projectId === undefined ? {} : { projectId }),
      }),
      201,
    )
  const put = (id: string, document: unknown, ifMatch?: string): Promise<Reply<Draft>> =>
    api.put<Draft>(at(id), { document }, ifMatch === undefined ? {} : { 'if-match': ifMatch })
  const execute = (id: string, body: object = {}, headers = {}) =>
    api.post<DraftExecution>(`${at(id)}/execute`, body, headers)
  const publish = (id: string, body: object = {}, headers = {}) =>
    api.post<Workflow & { version: number }>(`${at(id)}/publish`, body, headers)
  const record = async (id: string) => ok(await api.get<DraftExecution>(`/workflows/executions/${id}`))
  const messages = (reply: Reply<unknown>) => refused(reply, 'invalid_request').issues?.map(({ message }) => message)

  test('creating a draft returns 201 with its document, Location and ETag, and reserves an id without a workflow', async () => {
    const document = { name: 'Started', nodes: { a: 1 }, 'any thing': [null, { deep: '\u0000' }] }
    const reply = await api.post<Draft>('/workflows/drafts', { document })
    const draft = ok(reply, 201)
    assertFields(draft, [...item, 'document'])
    assert.deepEqual([draft.name, draft.baseVersion, draft.revision, draft.document], ['Started', 0, 1, document])
    assert.equal(new URL(reply.headers.location ?? '').pathname, `/v1${at(draft.workflowId)}`)
    assert.equal(reply.headers.etag, '"1"')
    const read = await api.get<Draft>(at(draft.workflowId))
    assert.deepEqual(ok(read), draft)
    assert.equal(read.headers.etag, '"1"')
    refused(await api.get(`/workflows/${draft.workflowId}`), 'not_found')
    refused(await api.get(`/workflows/${draft.workflowId}/document`), 'not_found')
    refused(await api.get(`/workflows/${draft.workflowId}/document`, { version: 1 }), 'not_found')
    refused(await api.get(`/workflows/${draft.workflowId}/versions`), 'not_found')
    refused(await api.delete(`/workflows/${draft.workflowId}`), 'not_found')
    refused(await api.put(`/workflows/${draft.workflowId}`, canvas()), 'not_found')
    refused(await api.post('/workflows/execute', { workflowId: draft.workflowId }), 'not_found')
    const { workflows } = ok(await api.get<Workflows>('/workflows', { limit: 100 }))
    assert.ok(!workflows.some(({ id }) => id === draft.workflowId))
  })

  test('a draft without a document starts empty, and is called Untitled until it has a name', async () => {
    const { name, document } = await createDraft()
    assert.deepEqual([name, document], ['Untitled', { name: 'Untitled', nodes: {} }])
    for (const odd of [undefined, '', '  ', 5, null, ['x']])
      assert.equal((await createDraft({ name: odd })).name, 'Untitled')
    assert.equal((await createDraft({ name: ` ${'é'.repeat(300)}` })).name, 'é'.repeat(255))
    assert.equal((await createDraft({ name: 'a\u0000b' })).name, 'ab')
  })

  test('a draft belongs to the project that it names, and so does its published workflow', async () => {
    const project = ok(await api.post<Project>('/projects', { name: 'Of a draft' }), 201)
    const draft = await createDraft(canvas(), project.id)
    assert.equal(draft.projectId, project.id)
    const { executionId, output } = ok(await execute(draft.workflowId))
    const image = ok(await api.get<Image>(`/storage/images/${idInUrl(output?.url ?? '')}`))
    assert.equal(image.projectId, project.id)
    assert.equal(ok(await publish(draft.workflowId), 201).projectId, project.id)
    assert.equal((await record(executionId)).workflowId, draft.workflowId)
    refused(await api.post('/workflows/drafts', { projectId: 'proj_00000000000000000000' }), 'not_found')
  })

  test('each save returns the next revision, regardless of the document', async () => {
    const { workflowId, createdAt } = await createDraft()
    for (const [i, document] of [{}, { nodes: [] }, { name: 'Now', nodes: 'later' }].entries()) {
      const reply = await put(workflowId, document)
      const draft = ok(reply)
      assertFields(draft, [...item, 'document'])
      assert.deepEqual([draft.revision, draft.document, draft.createdAt], [i + 2, document, createdAt])
      assert.equal(reply.headers.etag, `"${i + 2}"`)
      assert.deepEqual(ok(await api.get(at(workflowId))), draft)
    }
  })

  test('saving checks only the size of the document', async () => {
    const { workflowId } = await createDraft()
    const large = { text: 'x'.repeat(524_288) }
    assert.deepEqual(issuePaths(await put(workflowId, large)), ['document'])
    assert.deepEqual(issuePaths(await api.post('/workflows/drafts', { document: large })), ['document'])
    for (const odd of [undefined, null, [], 'x', 1]) {
      assert.deepEqual(issuePaths(await put(workflowId, odd)), ['document'])
    }
    assert.deepEqual(issuePaths(await api.put(at(workflowId), { document: {}, more: 1 })), ['more'])
    assert.deepEqual(issuePaths(await api.post('/workflows/drafts', { document: [], more: 1 })), ['document', 'more'])
    assert.equal(ok(await api.get<Draft>(at(workflowId))).revision, 1)
  })

  test('the first save of a draft of a workflow returns 201 and is based on the newest version', async () => {
    const { id, projectId } = await save(api, canvas())
    ok(await api.put(`/workflows/${id}`, canvas({ width: 9 })))
    refused(await api.get(at(id)), 'not_found')
    const draft = ok(await put(id, { name: 'Changed' }), 201)
    assert.deepEqual([draft.workflowId, draft.projectId, draft.baseVersion], [id, projectId, 2])
    assert.equal(ok(await put(id, { name: 'Again' })).revision, draft.revision + 1)
    assert.equal(ok(await api.get<Workflow>(`/workflows/${id}`)).name, 'A canvas')
    assert.equal((await run(api, id)).width, 9)
    refused(await put(unknownId, {}), 'not_found')
  })

  test('of two tabs, the one with an old revision gets the newer one in the error, and changes nothing', async () => {
    const { workflowId } = await createDraft()
    ok(await put(workflowId, { tab: 1 }, '"1"'))
    const late = await put(workflowId, { yours: 1 }, '"1"')
    refused(late, 'precondition_failed')
    assert.match(late.text, /newest revision \(ETag \\?"2/)
    assert.deepEqual(ok(await api.get<Draft>(at(workflowId))).document, { tab: 1 })
    assert.equal(ok(await put(workflowId, { yours: 1 }, '"2"')).revision, 3)
    assert.equal(ok(await put(workflowId, { yours: 2 }, '*')).revision, 4)
    for (const odd of ['3', '"x"', '"1", "2"', ''])
      assert.deepEqual(issuePaths(await put(workflowId, {}, odd)), ['If-Match'])
  })

  test('an old tab cannot bring back a draft that was published or deleted meanwhile', async () => {
    const { workflowId } = await createDraft(canvas())
    ok(await publish(workflowId), 201)
    const late = await put(workflowId, { late: true }, '"1"')
    refused(late, 'precondition_failed')
    assert.match(late.text, /published or deleted.*newest version is 1/)
    refused(await api.get(at(workflowId)), 'not_found')
    const again = ok(await put(workflowId, canvas({ width: 9 })), 201)
    // Not 1 again: an old tab would take the draft for its own.
    assert.equal(again.revision, 2)
    refused(await put(workflowId, { late: true }, '"1"'), 'precondition_failed')
    ok(await api.delete(at(workflowId)))
    assert.equal(ok(await put(workflowId, {}), 201).revision, 3)
  })

  test('concurrent saves all succeed, each with its own revision', async () => {
    const { id } = await save(api, canvas())
    const replies = await Promise.all(Array.from({ length: 8 }, (_, i) => put(id, { i })))
    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.revision]).toSorted((a, b) => Number(a[1]) - Number(b[1])),
      Array.from({ length: 8 }, (_, i) => [i === 0 ? 201 : 200, i + 1]),
    )
    const last = replies.find(({ body }) => body.revision === 8)
    assert.deepEqual(ok(await api.get<Draft>(at(id))).document, last?.body.document)
  })

  test('deleting a draft keeps its workflow, executions and outputs', async () => {
    const { workflowId } = await createDraft(canvas())
    const { executionId, output } = ok(await execute(workflowId))
    assert.deepEqual(ok(await api.delete(at(workflowId))), { deleted: true })
    for (const reply of [
      await api.get(at(workflowId)),
      await api.delete(at(workflowId)),
      await put(workflowId, {}),
      await execute(workflowId),
      await publish(workflowId),
    ])
      refused(reply, 'not_found')
    assert.equal((await record(executionId)).status, 'completed')
    await fetchImage(api, output?.url ?? '')
    const { id } = await save(api, canvas())
    ok(await put(id, canvas({ width: 9 })), 201)
    ok(await api.delete(at(id)))
    assert.equal((await run(api, id)).width, 8)
  })

  test('without a draft the newest version is executed, also to a node, and no draft is created', async () => {
    const { id } = await save(api, canvas())
    assert.equal(ok(await execute(id)).output?.width, 8)
    ok(await api.put(`/workflows/${id}`, canvas({ width: 9 })))
    const { executionId, output } = ok(await execute(id, { node: 'sheet' }))
    assert.equal(output?.width, 9)
    assert.deepEqual([(await record(executionId)).status, output?.height], ['completed', 6])
    refused(await api.get(at(id)), 'not_found')
    assert.deepEqual(issuePaths(await execute(id, { node: 'nope' })), ['node'])
    ok(await api.delete(`/workflows/${id}`))
    refused(await execute(id), 'not_found')
  })

  test('deleting a workflow deletes its draft', async () => {
    const { id } = await save(api, canvas())
    ok(await put(id, {}), 201)
    ok(await api.delete(`/workflows/${id}`))
    refused(await api.get(at(id)), 'not_found')
    refused(await put(id, {}), 'not_found')
    refused(await put(id, {}, '"1"'), 'not_found')
    const { drafts } = ok(await api.get<DraftList>('/workflows/drafts', { limit: 100 }))
    assert.ok(!drafts.some(({ workflowId }) => workflowId === id))
  })

  test('the first publication returns 201 with the workflow as version 1, and deletes the draft', async () => {
    const { workflowId } = await createDraft({ ...canvas(), description: 'Red.', layout: { sheet: [1, 2] } })
    const reply = await publish(workflowId, { note: 'The first' })
    const workflow = ok(reply, 201)
    assert.deepEqual(
      [workflow.id, workflow.name, workflow.description, workflow.version],
      [workflowId, 'A canvas', 'Red.', 1],
    )
    assert.equal(reply.headers.etag, '"1"')
    assert.equal(new URL(reply.headers.location ?? '').pathname, `/v1/workflows/${workflowId}`)
    refused(await api.get(at(workflowId)), 'not_found')
    const { warnings, ...found } = workflow as Workflow & { warnings?: unknown }
    assert.deepEqual(warnings, [])
    assert.deepEqual(ok(await api.get(`/workflows/${workflowId}`)), found)
    const { workflows } = ok(await api.get<Workflows>('/workflows', { limit: 100 }))
    assert.ok(workflows.some(({ id }) => id === workflowId))
    assert.equal((await run(api, workflowId)).width, 8)
    const { versions, total } = ok(await api.get<Versions>(`/workflows/${workflowId}/versions`))
    assert.deepEqual([versions.map(({ version, note }) => [version, note]), total], [[[1, 'The first']], 1])
  })

  test('publishing again creates the next version, and every version can be read', async () => {
    const { id } = await save(api, canvas())
    ok(await put(id, canvas({ width: 9 })), 201)
    const reply = await publish(id, { note: 'Wider' })
    assert.equal(ok(reply).version, 2)
    assert.deepEqual([reply.headers.etag, reply.headers.location], ['"2"', undefined])
    const { versions } = ok(await api.get<Versions>(`/workflows/${id}/versions`))
    assert.deepEqual(
      versions.map(({ version, note }) => [version, note]),
      [
        [2, 'Wider'],
        [1, undefined],
      ],
    )
    const document = async (version: number) => {
      const read = await api.get(`/workflows/${id}/document`, { version })
      return [read.headers.etag, ok(read)]
    }
    assert.deepEqual(await document(1), ['"1"', canvas()])
    assert.deepEqual(await document(2), ['"2"', canvas({ width: 9 })])
    refused(await api.get(`/workflows/${id}/document`, { version: 3 }), 'not_found')
    for (const odd of ['0', '-1', '1.5', 'x', '99999999999'])
      assert.deepEqual(issuePaths(await api.get(`/workflows/${id}/document`, { version: odd })), ['version'])
  })

  test('publishing a draft that equals the newest version creates no version', async () => {
    const { id } = await save(api, canvas())
    ok(await put(id, canvas()), 201)
    assert.equal(ok(await publish(id, { note: 'Nothing' })).version, 1)
    refused(await api.get(at(id)), 'not_found')
    const { versions } = ok(await api.get<Versions>(`/workflows/${id}/versions`))
    assert.deepEqual(
      versions.map(({ note }) => note),
      [undefined],
    )
  })

  test('an invalid draft is not published: every issue is reported, and the draft stays', async () => {
    const { workflowId } = await createDraft(halfDone())
    const paths = issuePaths(await publish(workflowId))
    const wrong = ['nodes.other.inputs.image', 'nodes.other.params.width', 'nodes.strange.type', 'parameters.1.minimum']
    assert.deepEqual(paths, wrong)
    assert.equal(ok(await api.get<Draft>(at(workflowId))).revision, 1)
    refused(await api.get(`/workflows/${workflowId}`), 'not_found')
    assert.deepEqual(issuePaths(await publish(workflowId, { note: '', overwrite: 1, more: 1 })), [
      'more',
      'note',
      'overwrite',
    ])
    assert.deepEqual(issuePaths(await publish(workflowId, { note: 'x'.repeat(1_001) })), ['note'])
    assert.deepEqual(issuePaths(await publish(workflowId, { note: '\u0000' })), ['note'])
    const unnamed = await createDraft({ ...canvas(), name: ' ' })
    assert.deepEqual(issuePaths(await publish(unnamed.workflowId)), ['name'])
    ok(await api.post(`${at(unnamed.workflowId)}/execute`, {}))
  })

  test('publishing never overwrites a newer version, unless the request requires it', async () => {
    const { id } = await save(api, canvas())
    ok(await put(id, canvas({ width: 9 })), 201)
    ok(await api.put(`/workflows/${id}`, canvas({ width: 10 })))
    const reply = await publish(id)
    assert.deepEqual(issuePaths(reply), ['overwrite'])
    assert.match(String(messages(reply)), /based on version 1, but the newest version is 2/)
    assert.equal((await run(api, id)).width, 10)
    assert.equal(ok(await publish(id, { overwrite: true })).version, 3)
    assert.equal((await run(api, id)).width, 9)
  })

  test('with If-Match a draft is published only at that revision', async () => {
    const { workflowId } = await createDraft(canvas())
    ok(await put(workflowId, canvas({ width: 9 })))
    const late = await publish(workflowId, {}, { 'if-match': '"1"' })
    refused(late, 'precondition_failed')
    assert.match(late.text, /newest revision \(ETag \\?"2/)
    assert.equal(ok(await publish(workflowId, {}, { 'if-match': '"2"' }), 201).version, 1)
  })

  test('a draft is executed as it is, and the execution has the draft and no version', async () => {
    const { id } = await save(api, canvas())
    ok(await put(id, { ...canvas({ width: 9 }), name: 'Tried' }), 201)
    const { executionId, output } = ok(await execute(id))
    assert.deepEqual([output?.width, output?.format], [9, 'png'])
    const found = await record(executionId)
    assert.deepEqual(
      [found.draft, found.node, found.workflowVersion, found.workflowId],
      [true, undefined, undefined, id],
    )
    assert.equal(ok(await api.get<Image>(`/storage/images/${idInUrl(output?.url ?? '')}`)).name, 'Tried.png')
    assert.equal((await run(api, id)).width, 8)
    const { executions } = ok(
      await api.get<{ executions: DraftExecution[] }>('/workflows/executions', { workflowId: id }),
    )
    assert.deepEqual(
      executions.map(({ draft, workflowVersion }) => [draft, workflowVersion]),
      [
        [undefined, 1],
        [true, undefined],
      ],
    )
  })

  test('incomplete nodes that the output does not need do not fail a draft, and parameters can be passed', async () => {
    const { workflowId } = await createDraft(halfDone())
    const { executionId, output } = ok(await execute(workflowId, { parameters: { must: 'x', width: 5 } }))
    assert.deepEqual([output?.width, output?.height], [10, 12])
    const { steps } = ok(await api.get<Steps>(`/workflows/executions/${executionId}/steps`))
    assert.deepEqual(steps.map(({ node }) => node).toSorted(), ['facts', 'sheet', 'wide'])
    assert.deepEqual(issuePaths(await execute(workflowId)), ['parameters.must'])
    assert.deepEqual(issuePaths(await execute(workflowId, { parameters: { must: 'x', nope: 1 } })), ['parameters.nope'])
  })

  test('the document of an execution is the version, or the executed part of the draft at that moment', async () => {
    const { id } = await save(api, canvas())
    const started = await api.post<Execution>('/workflows/execute', { workflowId: id })
    const ofVersion = ok(started).executionId
    ok(await api.put(`/workflows/${id}`, canvas({ width: 9 })))
    const documentOf = async (executionId: string, by = api) => by.get(`/workflows/executions/${executionId}/document`)
    assert.deepEqual(ok(await documentOf(ofVersion)), canvas())

    const { nodes, output, ...rest } = canvas({ width: 7 })
    const more = { ...nodes, unused: { type: 'canvas', params: { width: 1, height: 1 } } }
    ok(await put(id, { ...rest, nodes: more, output, layout: { unused: [1, 2] } }), 201)
    const ofDraft = ok(await execute(id)).executionId
    ok(await put(id, canvas({ width: 5 })))
    // It belongs to the record of the execution, which outlives the workflow.
    ok(await api.delete(`/workflows/${id}`))
    assert.deepEqual(ok(await documentOf(ofVersion)), canvas())
    assert.deepEqual(ok(await documentOf(ofDraft)), { name: rest.name, nodes, output })
    const { api: other } = await secondAccount()
    for (const executionId of [ofVersion, ofDraft]) refused(await documentOf(executionId, other), 'not_found')
  })

  test('a draft runs to a node, without an output and without parameters that it does not need', async () => {
    const { output: _, ...document } = halfDone()
    const { workflowId } = await createDraft(document)
    const { executionId, output } = ok(await execute(workflowId, { node: 'sheet', parameters: { width: 5 } }))
    assert.deepEqual([output?.width, output?.height], [5, 6])
    const found = await record(executionId)
    assert.deepEqual([found.draft, found.node], [true, 'sheet'])
    const { steps } = ok(await api.get<Steps>(`/workflows/executions/${executionId}/steps`))
    assert.deepEqual(
      steps.map(({ node }) => node),
      ['sheet'],
    )
    const wide = ok(await execute(workflowId, { node: 'wide', async: true, previews: true }), 202)
    assert.equal((await api.ended(wide.executionId)).output?.width, 16)
  })

  test('issues of necessary nodes have their paths in the draft', async () => {
    const document = halfDone()
    const { workflowId } = await createDraft(document)
    const issuesOf = async (body: object) => issuePaths(await execute(workflowId, body))
    assert.deepEqual(await issuesOf({ node: 'nobody' }), ['node'])
    assert.deepEqual(await issuesOf({ node: 'several' }), ['node'])
    assert.deepEqual(await issuesOf({ node: 'other' }), ['nodes.other.inputs.image', 'nodes.other.params.width'])
    assert.deepEqual(await issuesOf({ node: 'strange' }), ['nodes.strange.type'])
    assert.deepEqual(await issuesOf({ node: 'sheet', parameters: { width: 'x' } }), ['parameters.width'])
    assert.deepEqual(await issuesOf({ node: 'sheet', parameters: { width: -5 } }), ['nodes.sheet.params.width'])
    assert.deepEqual(await issuesOf({ node: 1, parameter: {}, previews: 'yes' }), ['node', 'parameter', 'previews'])
    // The necessary declaration comes after one that is left out.
    document.parameters[2] = { name: 'width', type: 'number', default: 'wide' }
    document.parameters.splice(0, 1)
    ok(await put(workflowId, document))
    assert.deepEqual(await issuesOf({ node: 'sheet' }), ['parameters.1.default'])
  })

  test('a draft without a valid output reports it', async () => {
    const { workflowId } = await createDraft({ nodes: canvas().nodes })
    const issuesOf = async (document: unknown) => {
      ok(await put(workflowId, document))
      return issuePaths(await execute(workflowId))
    }
    assert.deepEqual(await issuesOf({}), ['output'])
    assert.deepEqual(await issuesOf({ nodes: canvas().nodes }), ['output'])
    assert.deepEqual(await issuesOf({ ...canvas(), output: { node: 'gone' } }), ['output.node'])
    assert.deepEqual(await issuesOf({ ...canvas(), output: { node: 'sheet', format: 'bmp', width: 3 } }), [
      'output.format',
      'output.width',
    ])
    assert.deepEqual(await issuesOf({ nodes: {}, output: { node: 'a' } }), ['nodes', 'output.node'])
    assert.deepEqual(await issuesOf({ nodes: [1], output: 'x' }), ['nodes', 'output'])
  })

  test('an execution runs the draft as it was at its start, regardless of later changes', async () => {
    const { workflowId } = await createDraft(scale())
    const hold = outside.hold()
    const started = ok(await execute(workflowId, { parameters: { source: hold.url }, async: true }), 202)
    await hold.waiting()
    ok(await put(workflowId, { ...scale(), name: 'Changed', output: {} }))
    ok(await api.delete(at(workflowId)))
    hold.release()
    const { status, output } = await api.ended(started.executionId)
    assert.deepEqual([status, output?.width], ['completed', 20])
    const image = ok(await api.get<Image>(`/storage/images/${idInUrl(output?.url ?? '')}`))
    assert.equal(image.name, 'Scale.png')
  })

  test('resuming a failed execution of a draft uses the document of that execution', async () => {
    const document = {
      name: 'Resumed',
      parameters: [{ name: 'left', type: 'number', default: 1000 }],
      nodes: {
        sheet: { type: 'canvas', cache: false, params: { width: 30, height: 30 } },
        cut: { type: 'crop', inputs: { image: 'sheet' }, params: { x: '{{ left }}', y: 0, width: 10, height: 10 } },
      },
    }
    const { workflowId } = await createDraft(document)
    const { executionId = '' } = refused(await execute(workflowId, { node: 'cut' }), 'workflow_failed')
    ok(await put(workflowId, {}))
    const resumed = await api.post<DraftExecution>(`/workflows/executions/${executionId}/resume`, {
      parameters: { left: 3 },
    })
    const { executionId: again, output } = ok(resumed)
    assert.equal(output?.width, 10)
    const found = await record(again)
    assert.deepEqual([found.draft, found.node, found.resumedFrom], [true, 'cut', executionId])
    const { steps } = ok(await api.get<Steps>(`/workflows/executions/${again}/steps`))
    assert.deepEqual(
      steps.map(({ node, servedFrom }) => [node, servedFrom]),
      [
        ['sheet', 'resumed'],
        ['cut', undefined],
      ],
    )
  })

  test('a complete draft produces the same image when it is executed and after publication', async () => {
    const photo = await upload(api, await plain('png', 64, 48))
    const documents: [Document, Record<string, unknown>][] = [
      [canvas(), {}],
      [scale(), { source: photo.id }],
      [
        {
          name: 'Each',
          parameters: [{ name: 'sizes', type: 'string', default: '5,9,7' }],
          nodes: {
            one: {
              type: 'canvas',
              each: '{{ sizes | split: "," }}',
              params: { width: '{{ item | plus: 0 }}', height: 4 },
            },
            all: { type: 'grid', inputs: { images: 'one' }, params: { columns: '{{ nodes.one.count }}' } },
            seen: { type: 'info', inputs: { image: 'all' } },
            maybe: { type: 'invert', when: '{{ nodes.seen.width | at_least: 1 }}', inputs: { image: 'all' } },
          },
          output: { node: 'maybe', format: 'png', name: 'w{{ nodes.seen.width }}' },
        },
        {},
      ],
    ]
    for (const [document, parameters] of documents) {
      const { workflowId } = await createDraft(document)
      const drafted = ok(await execute(workflowId, { parameters })).output
      ok(await publish(workflowId), 201)
      const published = await run(api, workflowId, parameters)
      const [one, other] = [await fetchImage(api, drafted?.url ?? ''), await fetchImage(api, published.url)]
      assert.ok(one.equals(other), document.name)
    }
  })

  test('another account cannot find a draft, or save one into its project', async () => {
    const { workflowId } = await createDraft(canvas())
    const other = (await secondAccount()).api
    const missing = (id: string) => [
      other.get(at(id)),
      other.put(at(id), { document: {} }),
      other.put(at(id), { document: {} }, { 'if-match': '"1"' }),
      other.delete(at(id)),
      other.post(`${at(id)}/publish`, {}),
      other.post(`${at(id)}/execute`, {}),
      other.post(`${at(id)}/execute`, { node: 'sheet' }),
    ]
    const bare = ({ status, text }: Reply<unknown>) => [status, text.replaceAll(/"requestId":"[^"]*"|\bwf_\w+/g, '')]
    const [of, none] = [await Promise.all(missing(workflowId)), await Promise.all(missing(unknownId))]
    assert.deepEqual(of.map(bare), none.map(bare))
    for (const reply of of) refused(reply, 'not_found')
    const { drafts } = ok(await other.get<DraftList>('/workflows/drafts', { limit: 100 }))
    assert.ok(!drafts.some((each) => each.workflowId === workflowId))
    const { projectId } = ok(await api.get<Draft>(at(workflowId)))
    refused(await other.post('/workflows/drafts', { projectId }), 'not_found')
    assert.equal(ok(await api.get<Draft>(at(workflowId))).revision, 1)
  })
})

area('lists with drafts, searches and last outputs', {}, () => {
  let api: Client
  before(async () => {
    api = (await newAccount()).api
  })
  const names = (list: { name: string }[]) => list.map(({ name }) => name)

  test('drafts are listed newest first without their documents, and filtered by project and name', async () => {
    const project = ok(await api.post<Project>('/projects', { name: 'Of drafts' }), 201)
    const created: Draft[] = []
    for (const name of ['Äpfel 100%', 'apples', 'Pears_and apples', 'Nuts'])
      created.push(ok(await api.post<Draft>('/workflows/drafts', { document: { name }, projectId: project.id }), 201))
    ok(await api.post('/workflows/drafts', {}), 201)
    const { id } = await save(api, canvas(), project.id)
    ok(await api.put(`/workflows/${id}/draft`, { document: { name: 'Of a workflow' } }), 201)
    const list = async (query: Record<string, string | number> = {}) =>
      ok(await api.get<DraftList>('/workflows/drafts', query))
    const all = await list()
    assert.deepEqual(names(all.drafts), ['Of a workflow', 'Untitled', ...names(created).toReversed()])
    assert.deepEqual([all.total, all.hasMore], [6, false])
    for (const each of all.drafts) assertFields(each, item)
    const page = await list({ limit: 2, offset: 1 })
    assert.deepEqual([names(page.drafts), page.total, page.hasMore], [['Untitled', 'Nuts'], 6, true])
    assert.deepEqual(names((await list({ projectId: project.id })).drafts), [
      'Of a workflow',
      ...names(created).toReversed(),
    ])
    assert.deepEqual(names((await list({ search: 'APPLES' })).drafts), ['Pears_and apples', 'apples'])
    const { workflowId = '' } = created[1] ?? {}
    assert.deepEqual(names((await list({ workflowId })).drafts), ['apples'])
    const unknown = workflowId.slice(0, -1) + (workflowId.endsWith('0') ? '1' : '0')
    assert.equal((await list({ workflowId: unknown })).total, 0)
    assert.deepEqual(names((await list({ search: 'äPF' })).drafts), ['Äpfel 100%'])
    assert.deepEqual(names((await list({ search: '0%' })).drafts), ['Äpfel 100%'])
    assert.deepEqual(names((await list({ search: 's_a', limit: 1 })).drafts), ['Pears_and apples'])
    assert.deepEqual((await list({ search: '%', limit: 1, offset: 1 })).total, 1)
    assert.deepEqual((await list({ search: '\\' })).total, 0)
    assert.deepEqual(issuePaths(await api.get('/workflows/drafts', { search: '\0' })), ['search'])
    assert.deepEqual(issuePaths(await api.get('/workflows/drafts', { search: '', include: 'x' })), [
      'include',
      'search',
    ])
  })

  test('workflows can be searched by a part of the name, case-insensitively, with a total', async () => {
    const project = ok(await api.post<Project>('/projects', { name: 'Searched' }), 201)
    const created = []
    for (const name of ['Sommer Über 50%', 'winter', 'Sommer_2', 'sommerlich'])
      created.push(await save(api, { ...canvas(), name }, project.id))
    const list = async (query: Record<string, string | number>) => ok(await api.get<Workflows>('/workflows', query))
    assert.deepEqual(names((await list({ search: 'SOMMER' })).workflows), ['sommerlich', 'Sommer_2', 'Sommer Über 50%'])
    const page = await list({ search: 'sommer', limit: 1, offset: 1, projectId: project.id })
    assert.deepEqual([names(page.workflows), page.total, page.hasMore], [['Sommer_2'], 3, true])
    assert.deepEqual(names((await list({ search: 'ÜBER' })).workflows), ['Sommer Über 50%'])
    assert.deepEqual(names((await list({ search: '_' })).workflows), ['Sommer_2'])
    assert.deepEqual(names((await list({ search: '50%' })).workflows), ['Sommer Über 50%'])
    assert.equal((await list({ search: 'sommer', projectId: 'proj_00000000000000000000' })).total, 0)
    ok(await api.delete(`/workflows/${created[3]?.id}`))
    assert.equal((await list({ search: 'sommer' })).total, 2)
    assert.deepEqual(issuePaths(await api.get('/workflows', { search: 'x'.repeat(256), include: 'document' })), [
      'include',
      'search',
    ])
  })

  test('a list includes the newest output of each workflow on request, except deleted ones', async () => {
    const project = ok(await api.post<Project>('/projects', { name: 'With outputs' }), 201)
    const { id } = await save(api, canvas(), project.id)
    const never = await save(api, canvas(), project.id)
    const list = async (include = true) => {
      const query = { projectId: project.id, ...(include ? { include: 'lastOutput' } : {}) }
      const { workflows } = ok(
        await api.get<{ workflows: (Workflow & { lastOutput?: LastOutput })[] }>('/workflows', query),
      )
      return new Map(workflows.map((each) => [each.id, each.lastOutput]))
    }
    assert.deepEqual([...(await list()).values()], [undefined, undefined])
    await run(api, id)
    const newest = await run(api, id)
    ok(await api.put(`/workflows/${id}/draft`, { document: canvas({ width: 3 }) }), 201)
    ok(await api.post(`/workflows/${id}/draft/execute`, { node: 'sheet' }))
    const last = (await list()).get(id)
    assertFields(last, ['completedAt', 'executionId', 'format', 'height', 'url', 'width'])
    const { url, width, height, format } = newest
    assert.deepEqual([last?.url, last?.width, last?.height, last?.format], [url, width, height, format])
    assert.equal((await list()).get(never.id), undefined)
    assert.deepEqual([...(await list(false)).values()], [undefined, undefined])
    ok(await api.delete(`/storage/images/${idInUrl(url)}`))
    assert.deepEqual([...(await list()).values()], [undefined, undefined])
    const drafted = ok(await api.post<Execution>(`/workflows/${id}/draft/execute`, {}))
    assert.equal((await list()).get(id)?.executionId, drafted.executionId)
    const { drafts } = ok(
      await api.get<DraftList>('/workflows/drafts', { projectId: project.id, include: 'lastOutput' }),
    )
    assert.deepEqual(
      drafts.map(({ lastOutput }) => lastOutput?.width),
      [3],
    )
  })

  test('executions can be filtered by creation time', async () => {
    const { id } = await save(api, canvas())
    const created: string[] = []
    for (let i = 0; i < 3; i++) {
      const { executionId } = ok(await api.post<Execution>('/workflows/execute', { workflowId: id }))
      const { createdAt } = ok(await api.get<{ createdAt: string }>(`/workflows/executions/${executionId}`))
      created.push(createdAt)
    }
    const [first = '', second = '', third = ''] = created
    const list = async (query: Record<string, string | number>) => {
      const found = ok(
        await api.get<{ hasMore: boolean; executions: { createdAt: string }[] }>('/workflows/executions', {
          workflowId: id,
          ...query,
        }),
      )
      return { ...found, times: found.executions.map(({ createdAt }) => createdAt) }
    }
    assert.deepEqual((await list({ createdAfter: second })).times, [third, second])
    assert.deepEqual((await list({ createdBefore: third })).times, [second, first])
    const page = await list({ createdAfter: first, createdBefore: third, limit: 1, status: 'completed' })
    assert.deepEqual([page.times, page.hasMore], [[second], true])
    assert.equal((await list({ createdAfter: '2100-01-01' })).times.length, 0)
    assert.equal((await list({ createdBefore: '2100-01-01T00:00:00+02:00' })).times.length, 3)
    for (const odd of ['', 'now', '2026-13-01', '2026-01-01T00:00:00', '1790000000', '2026-11-21 10:00:00Z'])
      assert.deepEqual(issuePaths(await api.get('/workflows/executions', { createdAfter: odd, createdBefore: odd })), [
        'createdAfter',
        'createdBefore',
      ])
  })
})

area('drafts of a service that ends', { isSlow: true }, () => {
  let service: Service
  let outside: SourceHost
  before(async () => {
    service = await startWithoutExamples({ FETCH_ALLOW: 'localhost', SHUTDOWN_GRACE_SECONDS: '0' })
    outside = await startSourceHost()
  })
  after(async () => {
    await outside.close()
    await service.remove()
  })

  test('after a restart an execution continues with its document, and the draft still exists', async () => {
    const { key } = service
    let api = await createClient(service, key)
    const { workflowId } = ok(await api.post<Draft>('/workflows/drafts', { document: scale() }), 201)
    const hold = outside.hold()
    const body = { parameters: { source: hold.url }, async: true }
    const { executionId } = ok(await api.post<Execution>(`/workflows/${workflowId}/draft/execute`, body), 202)
    await hold.waiting()
    ok(await api.put(`/workflows/${workflowId}/draft`, { document: { name: 'Emptied' } }))
    await service.stop()
    service = await service.restart()
    api = await createClient(service, key)
    hold.release()
    const { status, output } = await api.ended(executionId)
    assert.deepEqual([status, output?.width], ['completed', 20])
    const draft = ok(await api.get<Draft>(`/workflows/${workflowId}/draft`))
    assert.deepEqual([draft.revision, draft.document], [2, { name: 'Emptied' }])
  })
})
