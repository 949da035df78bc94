/** `Idempotency-Key` on every POST. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, createClient, ok, type Reply, refused } from '../harness/client.ts'
import { canvas } from '../harness/documents.ts'
import { field, file, type Part } from '../harness/multipart.ts'
import type { OpenApiDocument } from '../harness/openapi.ts'
import { plain } from '../harness/pictures.ts'
import { type Service, startWithoutExamples } from '../harness/service.ts'
import { firstAccount, newAccount, secondAccount } from '../harness/shared.ts'
import type { Execution, Executions, Images, Listed, Project, Projects, Workflows } from '../harness/types.ts'
import { save } from '../harness/workflows.ts'

const font = readFileSync(
  createRequire(import.meta.url).resolve('@fontsource/anton/files/anton-latin-400-normal.woff2'),
)

const design = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><text id="title" y="15">a</text></svg>'

/** The ids for the requests of an account. */
interface Setup {
  api: Client
  workflowId: string
  otherWorkflowId: string
  draftId: string
  /** A workflow with the channels `live` and `beta`, which were moved often. */
  movedId: string
  /** Ids of ended executions. */
  executionIds: string[]
  failedId: string
  png: Buffer
}

const missing = {
  name: 'Missing',
  nodes: { load: { type: 'image', params: { source: 'img_00000000000000000000' } } },
  output: { node: 'load' },
}

async function prepare(api: Client): Promise<Setup> {
  const { id } = await save(api, canvas())
  const other = await save(api, canvas({ width: 9 }))
  const execute = async () => ok(await api.post<Execution>('/workflows/execute', { workflowId: id })).executionId
  const broken = await save(api, missing)
  const draft = ok(await api.post<{ workflowId: string }>('/workflows/drafts', { document: canvas() }), 201)
  const { id: movedId } = await save(api, canvas())
  ok(await api.put(`/workflows/${movedId}`, canvas({ width: 9 })))
  for (const channel of ['live', 'beta'])
    for (let i = 0; i < 8; i++) ok(await api.put(`/workflows/${movedId}/channels/${channel}`, { version: 1 + (i % 2) }))
  const { executionId } = refused(await api.post('/workflows/execute', { workflowId: broken.id }), 'workflow_failed')
  return {
    api,
    workflowId: id,
    otherWorkflowId: other.id,
    draftId: draft.workflowId,
    movedId,
    executionIds: [await execute(), await execute()],
    failedId: String(executionId),
    png: await plain('png'),
  }
}

interface Post {
  label: string
  route: string
  status: number
  /** Sends the request, or with `other`, a different request. */
  send(setup: Setup, key: string, other?: boolean): Promise<Reply<unknown>>
}

interface Sent {
  /** The path of the route by default. */
  path?: string
  json?: object
  parts?: Part[]
}

function post(
  label: string,
  path: string,
  status: number,
  make: (setup: Setup, other: boolean, key: string) => Sent | Promise<Sent>,
): Post {
  return {
    ...{ label, route: `POST ${path}`, status },
    async send(setup, key, other = false) {
      const sent = await make(setup, other, key)
      return setup.api.call('POST', sent.path ?? path, { ...sent, headers: { 'idempotency-key': key } })
    },
  }
}

const nameOf = (other: boolean) => (other ? 'Other' : 'Once')
const posts: Post[] = [
  post('a project', '/projects', 201, (_, other) => ({ json: { name: nameOf(other) } })),
  post('a workflow', '/workflows', 201, (_, other) => ({ json: canvas({ width: other ? 9 : 8 }) })),
  post('a synchronous execution', '/workflows/execute', 200, ({ workflowId }, other) => ({
    json: { workflowId, ...(other && { async: false }) },
  })),
  post('an asynchronous execution', '/workflows/execute', 202, ({ workflowId }, other) => ({
    json: { workflowId, async: true, ...(other && { parameters: {} }) },
  })),
  post('a cancellation', '/workflows/executions/{executionId}/cancel', 200, ({ executionIds }, other) => ({
    path: `/workflows/executions/${executionIds[other ? 1 : 0]}/cancel`,
  })),
  post('a resumption', '/workflows/executions/{executionId}/resume', 202, ({ failedId }, other) => ({
    path: `/workflows/executions/${failedId}/resume`,
    json: { async: true, ...(other && { parameters: {} }) },
  })),
  post('a batch', '/batches', 201, ({ workflowId }, other) => ({ json: { workflowId, name: nameOf(other) } })),
  post('the draft of a new workflow', '/workflows/drafts', 201, (_, other) => ({ json: { document: { other } } })),
  post('an execution of a draft', '/workflows/{workflowId}/draft/execute', 202, ({ draftId }, other) => ({
    path: `/workflows/${draftId}/draft/execute`,
    json: { async: true, ...(other && { node: 'sheet' }) },
  })),
  // Of two concurrent requests, one would publish the draft of the other.
  post('a publication', '/workflows/{workflowId}/draft/publish', 200, async (setup, other, key) => {
    const id = key.startsWith('other') ? setup.otherWorkflowId : setup.workflowId
    await setup.api.put(`/workflows/${id}/draft`, { document: canvas({ color: '#00f' }) })
    return { path: `/workflows/${id}/draft/publish`, json: { overwrite: true, ...(other && { note: 'Other' }) } }
  }),
  post('a rollback of a channel', '/workflows/{workflowId}/channels/{name}/rollback', 200, ({ movedId }, other) => ({
    path: `/workflows/${movedId}/channels/${other ? 'beta' : 'live'}/rollback`,
  })),
  post('an upload', '/storage/upload', 201, ({ png }, other) => ({ parts: [field('name', nameOf(other)), file(png)] })),
  post('a restoration from the bin', '/storage/bin/restore', 200, (_, other) => ({
    json: { ids: [other ? 'img_other' : 'img_unknown'] },
  })),
  post('an import of an SVG', '/workflows/import-svg', 201, (_, other) => ({
    parts: [field('name', nameOf(other)), file(Buffer.from(design), 'design.svg')],
  })),
  post('a font', '/fonts', 201, (_, other) => ({ parts: [field('family', nameOf(other)), file(font, 'own.woff2')] })),
  post('a verification', '/verify', 200, ({ png }, other) => ({
    parts: [file(other ? Buffer.concat([png, png]) : png)],
  })),
  post('a validation', '/workflows/validate', 200, (_, other) => ({ json: canvas({ width: other ? 9 : 8 }) })),
]

/** Routes that ignore the header, or respond once. */
const others: Record<string, string> = {
  'POST /mcp': 'has a key of its own for each call of a tool: see mcp.ts',
  'POST /workflows/{workflowId}/draft/compare': 'creates nothing, and needs a draft in a state: see compare.ts',
  'POST /workflows/{workflowId}/draft/preview': 'creates nothing: see draft-previews.ts',
  'POST /session': 'asks for no key',
  'POST /keys': 'shows the text of a key: see keys.ts',
  'POST /keys/{keyId}/rotate': 'shows the text of a key: see keys.ts',
  'POST /batches/{batchId}/start': 'needs a batch in a state: see batches.ts',
  'POST /batches/{batchId}/pause': 'needs a batch in a state: see batches.ts',
  'POST /batches/{batchId}/resume': 'needs a batch in a state: see batches.ts',
  'POST /batches/{batchId}/cancel': 'needs a batch in a state: see batches.ts',
  'POST /batches/{batchId}/retry': 'needs a batch in a state: see batches.ts',
  'POST /signing-keys': 'shows a secret: see signing-keys.ts',
  'POST /signing-keys/{keyId}/rotate': 'shows a secret: see signing-keys.ts',
  'POST /signing-keys/{keyId}/urls': 'creates nothing, and its response has a time',
  'POST /openai/v1/images/generations': 'its response is not stored: see openai.ts',
  'POST /openai/v1/images/edits': 'its response is not stored: see openai.ts',
  'POST /run-link/executions': 'needs the key of a run link: see run-links.ts',
  'POST /run-link/executions/{executionId}/cancel': 'needs the key of a run link: see run-links.ts',
  'POST /run-link/images': 'needs the key of a run link: see run-links.ts',
  'POST /webhook-endpoints': 'shows a secret: see webhooks.ts',
  'POST /webhook-endpoints/{endpointId}/secret/rotate': 'shows a secret: see webhooks.ts',
  'POST /webhook-secret/rotate': 'shows a secret: see webhooks.ts',
  'POST /webhook-endpoints/{endpointId}/test': 'its delivery changes meanwhile: see webhooks.ts',
  'POST /webhook-deliveries/{deliveryId}/replay': 'its delivery changes meanwhile: see webhooks.ts',
}

/** The number of records of an account, of every kind that a POST can create. */
async function totals(api: Client): Promise<number[]> {
  const lists = ['/projects', '/workflows', '/workflows/executions', '/storage/images', '/fonts', '/batches']
  return Promise.all(
    lists.map(async (list) => {
      const page = ok(await api.get<Listed & { executions?: unknown[] }>(list, { limit: 100 }))
      return page.executions?.length ?? page.total
    }),
  )
}

area('Idempotency-Key', { concurrency: 4 }, () => {
  let api: Client
  let setup: Setup
  let png: Buffer
  before(async () => {
    api = await firstAccount()
    setup = await prepare(api)
    png = setup.png
  })

  const projectsNamed = async (name: string): Promise<number> =>
    ok(await api.get<Projects>('/projects', { limit: 100 })).projects.filter((each) => each.name === name).length

  for (const { label, status, send } of posts) {
    test(`${label} with the key and body of an earlier request gets the same response`, async () => {
      const key = `replay ${label}`
      const [first, second] = [await send(setup, key), await send(setup, key)]
      ok(first, status)
      assert.equal(first.headers['idempotent-replayed'], undefined)
      assert.equal(second.headers['idempotent-replayed'], 'true')
      assert.equal(second.status, status)
      assert.deepEqual(second.body, first.body)
      assert.equal(second.headers.location, first.headers.location)
    })

    test(`${label} with the key of an earlier request and another body is rejected`, async () => {
      const key = `other ${label}`
      ok(await send(setup, key), status)
      refused(await send(setup, key, true), 'invalid_request')
    })
  }

  test('every POST of the reference supports it', async () => {
    const { paths } = ok(await api.get<OpenApiDocument>('/openapi.json'))
    const all = Object.entries(paths)
      .flatMap(([path, methods]) => ('post' in methods ? [`POST ${path}`] : []))
      .filter((route) => !Object.hasOwn(others, route))
    assert.deepEqual([...new Set(posts.map(({ route }) => route))].sort(), all.sort())
  })

  test('a replay creates nothing: no project, workflow, execution or image', async () => {
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
    // The executed one and the one of the loop; the output of the execution and the upload.
    assert.equal(ok(await api.get<Workflows>('/workflows', { projectId })).total, 2)
    assert.equal(ok(await api.get<Images>('/storage/images', { projectId })).total, 2)
    const { executions } = ok(await api.get<Executions>('/workflows/executions', { limit: 100 }))
    assert.equal(executions.filter((each) => each.workflowId === id).length, 1)
  })

  test('the same key of another account is a different key', async () => {
    const [one, two] = [api, (await secondAccount()).api]
    const first = await one.post<{ id: string }>('/projects', { name: 'P' }, { 'idempotency-key': 'shared' })
    const second = await two.post<{ id: string }>('/projects', { name: 'P' }, { 'idempotency-key': 'shared' })
    assert.equal(second.headers['idempotent-replayed'], undefined)
    assert.notEqual(ok(first, 201).id, ok(second, 201).id)
  })

  test('a rejected request is rejected again', async () => {
    refused(await api.post('/projects', { nope: 1 }, { 'idempotency-key': 'refused' }), 'invalid_request')
    const second = await api.post('/projects', { nope: 1 }, { 'idempotency-key': 'refused' })
    refused(second, 'invalid_request')
  })

  test('a failed execution is replayed with its failure', async () => {
    const { id } = await save(api, missing)
    const run = () => api.post<Execution>('/workflows/execute', { workflowId: id }, { 'idempotency-key': 'fails' })
    const [first, second] = [await run(), await run()]
    assert.equal(refused(second, 'workflow_failed').executionId, refused(first, 'workflow_failed').executionId)
  })

  test('an empty key and a key of 10,000 characters are rejected', async () => {
    for (const key of ['', 'k'.repeat(10_000)]) {
      refused(await api.post('/projects', { name: 'x' }, { 'idempotency-key': key }), 'invalid_request')
    }
  })
})

area('concurrent requests with one Idempotency-Key', {}, () => {
  let setup: Setup
  before(async () => {
    setup = await prepare((await newAccount()).api)
  })

  for (const { label, status, send, route } of posts) {
    test(`${label}, requested 20 times concurrently, is created once, and all get the same response`, async () => {
      const before = await totals(setup.api)
      // The text of a font is drawn in full each time.
      const count = route === 'POST /fonts' ? 5 : 20
      const replies = await Promise.all(Array.from({ length: count }, () => send(setup, `at once ${label}`)))
      const [first] = replies
      assert.ok(first)
      for (const reply of replies) {
        assert.deepEqual([reply.status, reply.body], [status, first.body])
        assert.equal(reply.headers.location, first.headers.location)
      }
      assert.equal(replies.filter((each) => each.headers['idempotent-replayed'] === undefined).length, 1)
      if (status === 202) await setup.api.ended((first.body as Execution).executionId)
      const created = (await totals(setup.api)).map((total, i) => total - (before[i] ?? 0))
      const expected = {
        'POST /projects': [1, 0, 0, 0, 0, 0],
        'POST /workflows': [0, 1, 0, 0, 0, 0],
        'POST /workflows/import-svg': [0, 1, 0, 0, 0, 0],
        'POST /workflows/execute': [0, 0, 1, 1, 0, 0],
        'POST /workflows/{workflowId}/draft/execute': [0, 0, 1, 1, 0, 0],
        'POST /workflows/executions/{executionId}/resume': [0, 0, 1, 0, 0, 0],
        'POST /storage/upload': [0, 0, 0, 1, 0, 0],
        'POST /fonts': [0, 0, 0, 0, 1, 0],
        'POST /batches': [0, 0, 0, 0, 0, 1],
      }
      assert.deepEqual(created, expected[route as keyof typeof expected] ?? [0, 0, 0, 0, 0, 0])
    })
  }
})

area('Idempotency-Key and kill -9', { isSlow: true }, () => {
  let service: Service
  let key: string
  let setup: Setup
  before(async () => {
    service = await startWithoutExamples()
    key = service.key
    setup = await prepare(await createClient(service, key))
  })
  after(() => service.remove())

  test('after a kill of the service, repeated requests create each record exactly once', async () => {
    const making = posts.filter(({ route }) => !/validate|cancel/.test(route))
    const before = await totals(setup.api)
    const rounds = 2
    for (let round = 0; round < rounds; round++) {
      const responses = making.map(({ send, label }) => send(setup, `${round} ${label}`).catch(() => undefined))
      // At a different moment each time: after this number of responses.
      for (const each of responses.slice(0, 3 * round)) await each
      await service.kill()
      await Promise.all(responses)
      service = await service.restart()
      setup = { ...setup, api: await createClient(service, key) }
      for (const { send, status, label } of making) {
        const [again, andAgain] = [await send(setup, `${round} ${label}`), await send(setup, `${round} ${label}`)]
        assert.equal(again.status, status, `${label}: ${JSON.stringify(again.body)}`)
        assert.deepEqual(andAgain.body, again.body)
        if (status === 202) await setup.api.ended((again.body as Execution).executionId)
      }
    }
    const created = (await totals(setup.api)).map((total, i) => total - (before[i] ?? 0))
    // Projects, workflows (one imported), executions of both kinds, of a draft and a resumption, an upload and three outputs, fonts, batches.
    assert.deepEqual(
      created,
      [1, 2, 4, 4, 1, 1].map((each) => each * rounds),
    )
  })
})
