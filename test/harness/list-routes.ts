/** The lists of the API, found by their responses in the OpenAPI document, and how to add an item to each. */
import { readFileSync } from 'node:fs'
import { type Client, ok, openApiOf } from './client.ts'
import { canvas } from './documents.ts'
import { file } from './multipart.ts'
import { plain } from './pictures.ts'
import { sharedService } from './shared.ts'
import { save } from './workflows.ts'

interface Parameter {
  name: string
  in: string
  schema: { enum?: string[]; default?: unknown }
}
interface Schema {
  $ref?: string
  type?: string
  items?: Schema
  properties?: Record<string, Schema>
}
export interface ListRoute {
  path: string
  parameters: Parameter[]
  properties: Record<string, Schema>
}

const font = readFileSync(new URL(import.meta.resolve('@fontsource/anton/files/anton-latin-400-normal.woff2')))

export interface Owner {
  api: Client
  workflowId: string
  batchId: string
  endpointId: string
}

/** Creates one more item of each list. `number`: from 1. */
export const makers: Record<string, (owner: Owner, number: number) => Promise<unknown>> = {
  '/workflows': ({ api }) => save(api, canvas()),
  '/workflows/drafts': async ({ api }) => ok(await api.post('/workflows/drafts', {}), 201),
  '/workflows/{workflowId}/versions': async ({ api, workflowId }, number) =>
    ok(await api.put(`/workflows/${workflowId}`, { ...canvas(), description: `Change ${number}` })),
  '/workflows/{workflowId}/channels/{name}/moves': async ({ api, workflowId }, number) =>
    ok(await api.put(`/workflows/${workflowId}/channels/live`, { version: number })),
  '/workflows/executions': async ({ api, workflowId }) => ok(await api.post('/workflows/execute', { workflowId })),
  '/batches': async ({ api, workflowId }) => ok(await api.post('/batches', { workflowId }), 201),
  '/batches/{batchId}/items': async ({ api, batchId }, number) => {
    const body = `key\n${Array.from({ length: number }, (_, row) => `k${row}\n`).join('')}`
    ok(await api.call('PUT', `/batches/${batchId}/items`, { body, headers: { 'content-type': 'text/csv' } }))
  },
  '/storage/images': async ({ api }) => ok(await api.upload([file(await plain('png'))]), 201),
  '/storage/bin': async ({ api }) => {
    const { id } = ok(await api.upload([file(await plain('png'))]), 201)
    ok(await api.delete(`/storage/images/${id}?bin=true`))
  },
  '/fonts': async ({ api }) => ok(await api.call('POST', '/fonts', { parts: [file(font)] }), 201),
  '/projects': async ({ api }) => ok(await api.post('/projects', { name: 'A project' }), 201),
  '/keys': async ({ api }) => ok(await api.post('/keys', {}), 201),
  '/signing-keys': async ({ api }) => ok(await api.post('/signing-keys', {}), 201),
  '/webhook-endpoints': async ({ api }) =>
    ok(await api.post('/webhook-endpoints', { url: 'https://example.com/hook', disabled: true }), 201),
  '/webhook-deliveries': async ({ api, endpointId }) =>
    ok(await api.post(`/webhook-endpoints/${endpointId}/test`), 202),
  '/audit': async ({ api }) => ok(await api.post('/projects', { name: 'Recorded' }), 201),
}

/** Every GET route whose JSON response has an array of records. */
export async function listRoutes(): Promise<ListRoute[]> {
  const service = await sharedService()
  const { document } = await openApiOf(service, service.key)
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>
  const resolve = (schema: Schema): Schema => schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema
  return Object.entries(document.paths).flatMap(([path, { get }]) => {
    const schema = get?.responses?.['200']?.content?.['application/json']?.schema as Schema | undefined
    const properties = (schema && resolve(schema).properties) ?? {}
    const hasRecords = Object.values(properties).some(({ items }) => items?.$ref ?? items?.properties)
    const { parameters = [] } = (get ?? {}) as { parameters?: Parameter[] }
    return hasRecords ? [{ path, parameters, properties }] : []
  })
}
