/** Versions and channels of executions, and slugs of workflows. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { assertFields, type Client, issuePaths, ok, refused } from '../harness/client.ts'
import { canvas, type Document, scale } from '../harness/documents.ts'
import { repetitions } from '../harness/repetitions.ts'
import { newAccount } from '../harness/shared.ts'
import { added, type Execution, type Listed, type Workflow } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { run, save } from '../harness/workflows.ts'

interface Channel {
  name: string
  version: number
  movedAt: string
  keyId: string
}

interface Move {
  version?: number
  from?: number
  rollback?: true
  movedAt: string
  keyId: string
}

type Moves = Listed & { moves: Move[] }

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

let slugs = 0
const newSlug = (): string => `card-${++slugs}`

area('channels and slugs', { concurrency: 4 }, () => {
  let api: Client
  let keyId: string
  before(async () => {
    api = (await newAccount()).api
    keyId = ok(await api.get<{ keys: { id: string }[] }>('/keys')).keys[0]?.id ?? ''
  })

  /** A workflow whose version n draws an image of n pixels. */
  const withVersions = async (count: number, fields: object = {}): Promise<string> => {
    const { id } = await save(api, { ...canvas({ width: 1 }), ...fields } as Document)
    for (let width = 2; width <= count; width++) ok(await api.put(`/workflows/${id}`, canvas({ width })))
    return id
  }
  const move = async (id: string, name: string, version: number): Promise<Channel> =>
    ok(await api.put<Channel>(`/workflows/${id}/channels/${name}`, { version }))
  const rollBack = (id: string, name: string, headers?: Record<string, string>) =>
    api.post<Channel>(`/workflows/${id}/channels/${name}/rollback`, undefined, headers)
  const execute = (workflowId: string, choice: object = {}, headers?: Record<string, string>) =>
    api.post<Execution>('/workflows/execute', { workflowId, ...choice }, headers)
  const widthOf = async (workflowId: string, choice: object = {}): Promise<number | undefined> =>
    ok(await execute(workflowId, choice)).output?.width
  const movesOf = async (id: string, name: string): Promise<Move[]> =>
    ok(await api.get<Moves>(`/workflows/${id}/channels/${name}/moves`)).moves

  test('an execution runs the version of its request, and the newest version without one', async () => {
    const id = await withVersions(3)
    for (const version of [1, 2, 3]) assert.equal(await widthOf(id, { version }), version)
    assert.equal(await widthOf(id), 3)
    const { executionId } = ok(await execute(id, { version: 2 }))
    const record = ok(await api.get<{ workflowVersion: number }>(`/workflows/executions/${executionId}`))
    assert.equal(record.workflowVersion, 2)
  })

  test('an execution by channel runs the version of the channel, also after newer versions', async () => {
    const id = await withVersions(2)
    const channel = await move(id, 'live', 1)
    assert.deepEqual(Object.keys(channel).sort(), ['keyId', 'movedAt', 'name', 'version'])
    assert.deepEqual([channel.name, channel.version, channel.keyId], ['live', 1, keyId])
    assert.match(channel.movedAt, timestamp)
    assert.equal(await widthOf(id, { channel: 'live' }), 1)
    await move(id, 'live', 2)
    assert.equal(await widthOf(id, { channel: 'live' }), 2)
    ok(await api.put(`/workflows/${id}`, canvas({ width: 3 })))
    assert.equal(await widthOf(id, { channel: 'live' }), 2)
    assert.equal(await widthOf(id), 3)
  })

  test('an unknown version or channel, and both together, are rejected with their path', async () => {
    const id = await withVersions(2)
    await move(id, 'live', 1)
    for (const version of [0, -1, 1.5, 3, '1', 2 ** 40])
      assert.deepEqual(issuePaths(await execute(id, { version })), ['version'], `${version}`)
    for (const channel of ['staging', 'Live', '', 7, 'a'.repeat(64)])
      assert.deepEqual(issuePaths(await execute(id, { channel })), ['channel'], `${channel}`)
    assert.deepEqual(issuePaths(await execute(id, { channel: 'live', version: 1 })), ['channel'])
    const unknown = refused(await execute(id, { channel: 'lvie' }), 'invalid_request')
    assert.match(unknown.issues?.[0]?.message ?? '', /Did you mean "live"\?/)
    assert.match(refused(await execute(id, { version: 9 }), 'invalid_request').issues?.[0]?.message ?? '', /1 to 2/)
    refused(await execute('wf_00000000000000000000', { version: 1 }), 'not_found')
  })

  test('the parameters of a request are those of the chosen version', async () => {
    const { id } = await save(api, { ...canvas(), parameters: [{ name: 'old', type: 'string', required: true }] })
    ok(await api.put(`/workflows/${id}`, { ...canvas(), parameters: [{ name: 'new', type: 'number', default: 1 }] }))
    await move(id, 'live', 1)
    ok(await execute(id, { channel: 'live', parameters: { old: 'x' } }))
    assert.deepEqual(issuePaths(await execute(id, { channel: 'live', parameters: { new: 1 } })), [
      'parameters.new',
      'parameters.old',
    ])
    assert.deepEqual(issuePaths(await execute(id, { parameters: { old: 'x' } })), ['parameters.old'])
    for (const query of [{ channel: 'live' }, { version: 1 }]) {
      const reply = await api.get<Workflow & { version: number }>(`/workflows/${id}`, query)
      const { parameters, version } = ok(reply)
      assert.deepEqual([parameters.map(({ name }) => name), version, reply.headers.etag], [['old'], 1, '"1"'])
      const document = ok(await api.get<Document>(`/workflows/${id}/document`, query))
      assert.equal(document.parameters?.[0]?.name, 'old')
    }
  })

  test('reading an unknown version or channel returns 404, and both together 400', async () => {
    const id = await withVersions(1)
    for (const path of [`/workflows/${id}`, `/workflows/${id}/document`]) {
      refused(await api.get(path, { version: 2 }), 'not_found')
      refused(await api.get(path, { channel: 'live' }), 'not_found')
      assert.deepEqual(issuePaths(await api.get(path, { version: 0 })), ['version'])
      assert.deepEqual(issuePaths(await api.get(path, { channel: 'X' })), ['channel'])
      await move(id, 'live', 1)
      assert.deepEqual(issuePaths(await api.get(path, { version: 1, channel: 'live' })), ['channel'])
      ok(await api.delete(`/workflows/${id}/channels/live`))
    }
  })

  test('a dry run of a saved workflow validates the version that executing would run', async () => {
    const slug = newSlug()
    const id = await withVersions(2, { slug, parameters: [{ name: 'text', type: 'string', required: true }] })
    await move(id, 'live', 1)
    const dryRun = (body: object) =>
      api.post<{ valid: boolean; issues: { path: string }[]; steps: unknown[] }>('/workflows/validate', body)
    for (const workflowId of [id, slug]) {
      const { valid, issues } = ok(await dryRun({ workflowId, channel: 'live', parameters: {} }))
      assert.deepEqual([valid, issues.map(({ path }) => path)], [false, ['parameters.text']])
    }
    const good = ok(await dryRun({ workflowId: id, version: 1, parameters: { text: 'x' } }))
    assert.deepEqual([good.valid, good.steps.length], [true, 1])
    assert.equal(ok(await dryRun({ workflowId: id, parameters: {} })).valid, true)
    assert.deepEqual(issuePaths(await dryRun({ workflowId: id, version: 3 })), ['version'])
    assert.deepEqual(issuePaths(await dryRun({ workflowId: id, chanel: 'live' })), ['chanel'])
    refused(await dryRun({ workflowId: 'wf_00000000000000000000' }), 'not_found')
  })

  test('each move is recorded with its key, time and versions, newest first, in pages', async () => {
    const id = await withVersions(3)
    for (const version of [1, 3, 3, 2]) await move(id, 'live', version)
    ok(await rollBack(id, 'live'))
    ok(await api.delete(`/workflows/${id}/channels/live`))
    await move(id, 'live', 1)
    const moves = await movesOf(id, 'live')
    assert.deepEqual(
      moves.map(({ from, version, rollback }) => [from, version, rollback]),
      [
        [undefined, 1, undefined],
        [3, undefined, undefined],
        [2, 3, true],
        [3, 2, undefined],
        [1, 3, undefined],
        [undefined, 1, undefined],
      ],
    )
    for (const change of moves) {
      assert.equal(change.keyId, keyId)
      assert.match(change.movedAt, timestamp)
    }
    const path = `/workflows/${id}/channels/live/moves`
    const page = ok(await api.get<Moves>(path, { limit: 2, offset: 4 }))
    assert.deepEqual([page.moves, page.total, page.hasMore], [moves.slice(4), 6, false])
    assert.deepEqual(issuePaths(await api.get(path, { limit: 101 })), ['limit'])
    refused(await api.get(`/workflows/${id}/channels/staging/moves`), 'not_found')
  })

  test('a channel is listed, read with its ETag, and deleted', async () => {
    const id = await withVersions(2)
    const [live, beta] = [await move(id, 'live', 2), await move(id, 'beta', 1)]
    assert.deepEqual(ok(await api.get(`/workflows/${id}/channels`)), { channels: [beta, live] })
    const reply = await api.get<Channel>(`/workflows/${id}/channels/live`)
    assert.deepEqual([ok(reply), reply.headers.etag], [live, '"2"'])
    assert.deepEqual(ok(await api.delete(`/workflows/${id}/channels/live`)), { deleted: true })
    refused(await api.delete(`/workflows/${id}/channels/live`), 'not_found')
    refused(await api.get(`/workflows/${id}/channels/live`), 'not_found')
    assert.deepEqual(issuePaths(await execute(id, { channel: 'live' })), ['channel'])
    assert.deepEqual(ok(await api.get(`/workflows/${id}/channels`)), { channels: [beta] })
  })

  test('a move to an unknown version, of an invalid name or of an unknown workflow is rejected', async () => {
    const id = await withVersions(2)
    const put = (name: string, body: unknown) => api.put(`/workflows/${id}/channels/${name}`, body)
    for (const version of [0, 3, '1', null]) assert.deepEqual(issuePaths(await put('live', { version })), ['version'])
    assert.deepEqual(issuePaths(await put('live', { version: 1, by: 'me' })), ['by'])
    for (const name of ['Live', '1st', 'a_b', 'a'.repeat(64)])
      assert.deepEqual(issuePaths(await put(name, { version: 1 })), ['name'], name)
    const unknown = '/workflows/wf_00000000000000000000/channels/live'
    refused(await api.put(unknown, { version: 1 }), 'not_found')
    refused(await api.get('/workflows/wf_00000000000000000000/channels'), 'not_found')
    assert.deepEqual(ok(await api.get(`/workflows/${id}/channels`)), { channels: [] })
    for (let i = 0; i < 20; i++) await move(id, `c-${i}`, 1)
    assert.deepEqual(issuePaths(await put('one-more', { version: 1 })), ['name'])
  })

  test('with If-Match, a move or rollback is rejected if the channel was moved in the meantime', async () => {
    const id = await withVersions(3)
    await move(id, 'live', 1)
    const put = (version: number, etag: string) =>
      api.put<Channel>(`/workflows/${id}/channels/live`, { version }, { 'if-match': etag })
    ok(await put(2, '"1"'))
    refused(await put(3, '"1"'), 'precondition_failed')
    refused(await rollBack(id, 'live', { 'if-match': '"1"' }), 'precondition_failed')
    assert.equal(ok(await rollBack(id, 'live', { 'if-match': '"2"' })).version, 1)
    refused(await rollBack(id, 'live', { 'if-match': '"2"' }), 'precondition_failed')
    const missing = await api.put(`/workflows/${id}/channels/new`, { version: 3 }, { 'if-match': '"1"' })
    refused(missing, 'precondition_failed')
  })

  test('a rollback goes back one move, repeated rollbacks go back further, and then there is nothing left', async () => {
    const id = await withVersions(3)
    for (const version of [1, 2, 3]) await move(id, 'live', version)
    for (const version of [2, 1]) {
      assert.equal(ok(await rollBack(id, 'live')).version, version)
      assert.equal(await widthOf(id, { channel: 'live' }), version)
    }
    assert.deepEqual(issuePaths(await rollBack(id, 'live')), ['name'])
    refused(await rollBack(id, 'staging'), 'not_found')
  })

  test('a request with an Idempotency-Key runs one version, also if its channel is moved before the retry', async () => {
    const id = await withVersions(2)
    await move(id, 'live', 1)
    const headers = { 'idempotency-key': `channel ${id}` }
    const first = ok(await execute(id, { channel: 'live' }, headers))
    await move(id, 'live', 2)
    assert.deepEqual(ok(await execute(id, { channel: 'live' }, headers)), first)
    assert.deepEqual(issuePaths(await execute(id, { channel: 'live', version: 2 }, headers)), ['Idempotency-Key'])
    assert.equal(first.output?.width, 1)
  })

  test('an asynchronous execution with previews, and its resumption, keep the version of the channel', async () => {
    const { id } = await save(api, scale())
    ok(await api.put(`/workflows/${id}`, { ...scale(), name: 'Newer' }))
    await move(id, 'live', 1)
    const parameters = { source: 'http://127.0.0.1:1/gone.png' }
    const choice = { channel: 'live', parameters, async: true, previews: true }
    const { executionId } = ok(await execute(id, choice), 202)
    await move(id, 'live', 2)
    type Ran = Execution & { workflowVersion: number }
    const recordOf = async (ranId: string) => ok(await api.get<Ran>(`/workflows/executions/${ranId}`))
    await until('the execution fails', async () => (await recordOf(executionId)).status === 'failed' || undefined)
    const resumed = ok(
      await api.post<Execution>(`/workflows/executions/${executionId}/resume`, { async: true }),
      202,
    ).executionId
    assert.deepEqual([(await recordOf(executionId)).workflowVersion, (await recordOf(resumed)).workflowVersion], [1, 1])
  })

  test('while a channel moves, each execution runs one of the two versions, and the new one after the response', async () => {
    const id = await withVersions(2)
    await move(id, 'live', 1)
    /** `version`: undefined from the request of a move to its response. */
    let state: { version: number | undefined } = { version: 1 }
    let isMoving = true
    const ran = { all: 0, betweenMoves: 0 }
    const load = Array.from({ length: 4 }, async () => {
      while (isMoving) {
        const atStart = state
        const width = await widthOf(id, { channel: 'live' })
        assert.ok(width === 1 || width === 2, `${width}`)
        ran.all += 1
        if (state !== atStart || atStart.version === undefined) continue
        assert.equal(width, atStart.version)
        ran.betweenMoves += 1
      }
    })
    try {
      for (let i = 0; i < repetitions(10, 40); i++) {
        const version = i % 2 === 0 ? 2 : 1
        state = { version: undefined }
        if (version === 1) ok(await rollBack(id, 'live'))
        else await move(id, 'live', version)
        state = { version }
        for (let more = 0; more < 3; more++) assert.equal(await widthOf(id, { channel: 'live' }), version)
      }
    } finally {
      isMoving = false
    }
    await Promise.all(load)
    assert.ok(ran.betweenMoves > 0 && ran.all > 10, JSON.stringify(ran))
  })

  test('a deleted workflow can not be executed by its channel, and its slug is free', async () => {
    const slug = newSlug()
    const id = await withVersions(1, { slug })
    await move(id, 'live', 1)
    ok(await api.delete(`/workflows/${id}`))
    refused(await execute(id, { channel: 'live' }), 'not_found')
    refused(await execute(slug, { channel: 'live' }), 'not_found')
    refused(await api.get(`/workflows/${id}/channels`), 'not_found')
    assert.equal((await save(api, { ...canvas(), slug } as Document)).id.startsWith('wf_'), true)
  })

  test('a workflow is executed by its slug, which is part of its detail and not of its document', async () => {
    const slug = newSlug()
    const reply = await api.post<Workflow & { slug: string }>('/workflows', { ...canvas({ width: 7 }), slug })
    const { id } = ok(reply, 201)
    assert.equal(ok(reply, 201).slug, slug)
    assert.equal(await widthOf(slug), 7)
    const detail = ok(await api.get<Workflow & { slug: string }>(`/workflows/${id}`))
    assert.equal(detail.slug, slug)
    assertFields(detail, ['createdAt', 'description', 'id', 'name', 'parameters', 'projectId', 'slug'], added.workflow)
    assert.deepEqual(ok(await api.get(`/workflows/${id}/document`)), canvas({ width: 7 }))
    assert.equal(ok(await execute(slug)).executionId.startsWith('exec_'), true)
  })

  test('a slug is kept by later versions, changed with PUT, and removed with DELETE', async () => {
    const [slug, next] = [newSlug(), newSlug()]
    const { id } = await save(api, { ...canvas(), slug } as Document)
    const slugOf = async () => ok(await api.get<{ slug?: string }>(`/workflows/${id}`)).slug
    ok(await api.put(`/workflows/${id}`, canvas({ width: 9 })))
    assert.equal(await slugOf(), slug)
    const same = ok(await api.put<{ version: number }>(`/workflows/${id}`, { ...canvas({ width: 9 }), slug: next }))
    assert.deepEqual([await slugOf(), same.version], [next, 2])
    refused(await execute(slug), 'not_found')
    assert.equal(ok(await api.put<{ slug: string }>(`/workflows/${id}/slug`, { slug })).slug, slug)
    assert.equal((await run(api, slug)).width, 9)
    for (let i = 0; i < 2; i++) assert.deepEqual(ok(await api.delete(`/workflows/${id}/slug`)), { deleted: true })
    assert.equal(await slugOf(), undefined)
    refused(await execute(slug), 'not_found')
    refused(await api.put('/workflows/wf_00000000000000000000/slug', { slug }), 'not_found')
    refused(await api.delete('/workflows/wf_00000000000000000000/slug'), 'not_found')
  })

  test('a slug that another workflow has is rejected, and the error names that workflow', async () => {
    const slug = newSlug()
    const first = await save(api, { ...canvas(), slug } as Document)
    const second = await save(api, canvas())
    const attempts = [
      await api.post('/workflows', { ...canvas(), slug }),
      await api.put(`/workflows/${second.id}`, { ...canvas({ width: 9 }), slug }),
      await api.put(`/workflows/${second.id}/slug`, { slug }),
    ]
    for (const attempt of attempts) {
      assert.deepEqual(issuePaths(attempt), ['slug'])
      assert.ok(refused(attempt, 'invalid_request').issues?.[0]?.message.includes(first.id))
    }
    assert.equal(await widthOf(second.id), 8)
    ok(await api.put(`/workflows/${first.id}/slug`, { slug }))
    const others = await Promise.all(
      Array.from({ length: 6 }, () => api.post('/workflows', { ...canvas(), slug: `${slug}-x` })),
    )
    assert.deepEqual(others.map(({ status }) => status).sort(), [201, 400, 400, 400, 400, 400])
  })

  test('an invalid slug is rejected with its path', async () => {
    const { id } = await save(api, canvas())
    const reserved = ['drafts', 'execute', 'executions', 'validate']
    for (const slug of ['Card', '1st', 'a_b', '-a', '', 'a'.repeat(64), 'wf_00000000000000000000', 7, ...reserved]) {
      assert.deepEqual(issuePaths(await api.post('/workflows', { ...canvas(), slug })), ['slug'], `${slug}`)
      assert.deepEqual(issuePaths(await api.put(`/workflows/${id}/slug`, { slug })), ['slug'], `${slug}`)
    }
    assert.deepEqual(issuePaths(await api.put(`/workflows/${id}/slug`, {})), ['slug'])
    const slug = `z${'9-'.repeat(31)}`
    assert.equal(ok(await api.put<{ slug: string }>(`/workflows/${id}/slug`, { slug })).slug, slug)
  })

  test('two accounts can have the same slug, and each executes its own workflow', async () => {
    const slug = newSlug()
    const other = (await newAccount()).api
    await save(api, { ...canvas({ width: 2 }), slug } as Document)
    await save(other, { ...canvas({ width: 3 }), slug } as Document)
    assert.equal(await widthOf(slug), 2)
    assert.equal((await run(other, slug)).width, 3)
  })

  test('a workflow that is moved to another project with the same document gets no version', async () => {
    const { id } = await save(api, canvas())
    const { id: projectId } = ok(await api.post<{ id: string }>('/projects', { name: 'Elsewhere' }), 201)
    const moved = ok(await api.put<Workflow & { version: number }>(`/workflows/${id}`, { ...canvas(), projectId }))
    assert.deepEqual([moved.projectId, moved.version], [projectId, 1])
  })
})
