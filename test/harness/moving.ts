/** The data of a service as its callers see it: created before a move, and compared before and after it. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Client, ok } from './client.ts'
import { canvas, naming, scale } from './documents.ts'
import { file } from './multipart.ts'
import { noise, plain, svg } from './pictures.ts'
import type { SourceHost } from './source-host.ts'
import type { Execution, Executions, Fonts, Images, Project, Projects, Workflows } from './types.ts'
import { run, save, upload } from './workflows.ts'

const require = createRequire(import.meta.url)

export interface CreatedData {
  /** Responses before the move. */
  idempotent: { headers: Record<string, string>; body: object; executionId: string }
  /** Waiting and running executions in the order of submission. */
  waiting: string[]
  /** The source of the running execution. */
  release(): void
}

/** Creates every kind of record, with one running execution and two waiting ones: the service runs one at a time. */
export async function createData(api: Client, host: SourceHost): Promise<CreatedData> {
  const project = ok(await api.post<Project>('/projects', { name: 'Mövings', description: '"🥐"\n' }), 201)
  const photo = await upload(api, await plain('png', 80, 60), 'photo "1".png')
  await upload(api, await noise('png', 700, 600), 'large.png')
  await upload(api, svg('<rect width="9" height="9" fill="red"/>'), 'drawing.svg')
  for (const query of ['', '?bin=true'])
    ok(await api.delete(`/storage/images/${(await upload(api, await plain('webp'))).id}${query}`))
  const font = readFileSync(require.resolve('@fontsource/anton/files/anton-latin-400-normal.woff2'))
  ok(await api.call('POST', '/fonts', { parts: [file(font)] }), 201)
  const { id } = await save(api, scale(), project.id)
  ok(await api.put(`/workflows/${id}`, { ...scale(), name: 'Scale again' }))
  ok(await api.put(`/workflows/${id}/slug`, { slug: 'moved' }))
  for (const version of [2, 1]) ok(await api.put(`/workflows/${id}/channels/live`, { version }))
  await run(api, id, { source: photo.id })
  ok(await api.put('/brand', { values: { name: { type: 'text', value: 'Tinte "🥐"' } } }))
  const logo = { type: 'image', value: photo.id, description: 'The logo' }
  ok(await api.put(`/projects/${project.id}/brand`, { values: { logo } }))
  const branded = await save(api, naming('{{ brand.name }}'))
  await run(api, branded.id)
  ok(await api.put(`/workflows/${id}/draft`, { document: { name: 'Draft of it', nodes: '🥐' } }), 201)
  const draft = ok(await api.post<{ workflowId: string }>('/workflows/drafts', { document: canvas() }), 201)
  ok(await api.post(`/workflows/${draft.workflowId}/draft/execute`, { node: 'sheet' }))
  const withNote = ok(await api.post<{ workflowId: string }>('/workflows/drafts', { document: canvas() }), 201)
  ok(await api.post(`/workflows/${withNote.workflowId}/draft/publish`, { note: 'The first "🥐"' }), 201)
  await api.post('/workflows/execute', { workflowId: id, parameters: { source: 'img_00000000000000000000' } })
  const deleted = await save(api, canvas())
  await run(api, deleted.id)
  ok(await api.delete(`/workflows/${deleted.id}`))

  const headers = { 'Idempotency-Key': 'before the move' }
  const body = { workflowId: id, parameters: { source: photo.id, width: 33 } }
  const { executionId } = ok(await api.post<Execution>('/workflows/execute', body, headers))
  const hold = host.hold()
  const startExecution = async (source: string) =>
    ok(await api.post<Execution>('/workflows/execute', { workflowId: id, parameters: { source }, async: true }), 202)
      .executionId
  const running = await startExecution(hold.url)
  await hold.waiting()
  const waiting = [running, await startExecution(photo.id), await startExecution(photo.id)]
  return { idempotent: { headers, body, executionId }, waiting, release: hold.release }
}

/** Everything that a key can read, except for the address of the service and executions that have not ended. */
export async function readAll(api: Client): Promise<Record<string, unknown>> {
  const all = { limit: 100 }
  const { images } = ok(await api.get<Images>('/storage/images', all))
  const { workflows } = ok(await api.get<Workflows>('/workflows', all))
  const { drafts } = ok(await api.get<{ drafts: { workflowId: string }[] }>('/workflows/drafts', all))
  const { executions } = ok(await api.get<Executions>('/workflows/executions', all))
  const ended = executions.filter(({ status }) => status === 'completed' || status === 'failed')
  const projects = ok(await api.get<Projects>('/projects', all))
  const everything = {
    images,
    bin: ok(await api.get('/storage/bin', all)),
    workflows,
    ended,
    drafts: await inSequence(drafts, async ({ workflowId }) => ok(await api.get(`/workflows/${workflowId}/draft`))),
    projects,
    brands: [
      ok(await api.get('/brand')),
      ...(await inSequence(projects.projects, async ({ id }) => ok(await api.get(`/projects/${id}/brand`)))),
    ],
    fonts: ok(await api.get<Fonts>('/fonts', all)),
    documents: await inSequence(workflows, async ({ id }) => ok(await api.get(`/workflows/${id}/document`))),
    versions: await inSequence(workflows, async ({ id }) => ok(await api.get(`/workflows/${id}/versions`))),
    channels: await inSequence(workflows, async ({ id }) => ok(await api.get(`/workflows/${id}/channels`))),
    slugs: await inSequence(
      workflows,
      async ({ id }) => ok(await api.get<{ slug?: string }>(`/workflows/${id}`)).slug ?? null,
    ),
    steps: await inSequence(ended, async (one) => ok(await api.get(`/workflows/executions/${one.executionId}/steps`))),
    bytes: await inSequence(images, ({ url }) => hashOf(api, url)),
  }
  return JSON.parse(JSON.stringify(everything).replaceAll(api.service.origin, '')) as Record<string, unknown>
}

export async function hashOf(api: Client, url: string): Promise<string> {
  const reply = await api.root('GET', new URL(url).pathname)
  ok(reply)
  return createHash('sha256').update(reply.bytes).digest('hex')
}

async function inSequence<Item, Result>(items: Item[], look: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await look(item))
  return results
}
