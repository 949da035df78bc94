/** Every route of the interface with its permissions, from the specification and the decisions. */
import type { CallOptions } from '../harness/client.ts'
import { field, file } from '../harness/multipart.ts'

export interface RouteRow {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Paths have unknown ids. */
  path: string
  /** Any of them is sufficient. `all`: only keys with every permission. Empty: any key of an account with API access. */
  permissions: string[]
  query?: Record<string, string>
  /** A valid body; undefined for none. `parts`: it is an upload. */
  json?: unknown
  upload?: true
  /** Fields of an upload, whose file is in `image`. */
  fields?: Record<string, string>
  /** The body is a file of this media type. */
  stream?: string
  /** Expected status for a key with the permission, with the ids and the body above. */
  expect: number
}

const workflow = '/workflows/wf_00000000000000000000'
const execution = '/workflows/executions/exec_00000000000000000000'
const batch = '/batches/batch_00000000000000000000'
const readers = ['workflows:read', 'workflows:execute']
const endpoint = '/webhook-endpoints/whe_00000000000000000000'
const project = '/projects/proj_00000000000000000000'
const delivery = '/webhook-deliveries/whd_00000000000000000000'
const signingKey = '/signing-keys/skey_00000000000000000000'
const document = { name: 'x', nodes: { a: { type: 'canvas', params: { width: 1, height: 1 } } }, output: { node: 'a' } }

export const routes: RouteRow[] = [
  { method: 'GET', path: '/openai/v1/models', permissions: readers, expect: 200 },
  {
    method: 'POST',
    path: '/openai/v1/images/generations',
    permissions: ['workflows:execute'],
    json: { model: 'unknown', prompt: 'x' },
    expect: 404,
  },
  {
    method: 'POST',
    path: '/openai/v1/images/edits',
    permissions: ['workflows:execute'],
    fields: { model: 'unknown', prompt: 'x' },
    expect: 404,
  },
  { method: 'GET', path: '/workflows', permissions: ['workflows:read'], expect: 200 },
  { method: 'POST', path: '/workflows', permissions: ['workflows:write'], json: document, expect: 201 },
  // The upload of the permission tests is an image.
  { method: 'POST', path: '/workflows/import-svg', permissions: ['workflows:write'], upload: true, expect: 400 },
  { method: 'GET', path: workflow, permissions: ['workflows:read'], expect: 404 },
  { method: 'PUT', path: workflow, permissions: ['workflows:write'], json: document, expect: 404 },
  { method: 'DELETE', path: workflow, permissions: ['workflows:write'], expect: 404 },
  { method: 'GET', path: `${workflow}/document`, permissions: ['workflows:read'], expect: 404 },
  { method: 'GET', path: `${workflow}/openapi.json`, permissions: ['workflows:read'], expect: 404 },
  { method: 'GET', path: `${workflow}/versions`, permissions: ['workflows:read'], expect: 404 },
  { method: 'PUT', path: `${workflow}/slug`, permissions: ['workflows:write'], json: { slug: 'card' }, expect: 404 },
  { method: 'DELETE', path: `${workflow}/slug`, permissions: ['workflows:write'], expect: 404 },
  { method: 'GET', path: `${workflow}/channels`, permissions: ['workflows:read'], expect: 404 },
  { method: 'GET', path: `${workflow}/channels/live`, permissions: ['workflows:read'], expect: 404 },
  {
    method: 'PUT',
    path: `${workflow}/channels/live`,
    permissions: ['workflows:write'],
    json: { version: 1 },
    expect: 404,
  },
  { method: 'POST', path: `${workflow}/channels/live/rollback`, permissions: ['workflows:write'], expect: 404 },
  { method: 'DELETE', path: `${workflow}/channels/live`, permissions: ['workflows:write'], expect: 404 },
  { method: 'GET', path: `${workflow}/channels/live/moves`, permissions: ['workflows:read'], expect: 404 },
  { method: 'GET', path: '/workflows/drafts', permissions: ['workflows:read'], expect: 200 },
  {
    method: 'POST',
    path: '/workflows/drafts',
    permissions: ['workflows:write', 'workflows:draft'],
    json: {},
    expect: 201,
  },
  { method: 'GET', path: `${workflow}/draft`, permissions: ['workflows:read'], expect: 404 },
  {
    method: 'PUT',
    path: `${workflow}/draft`,
    permissions: ['workflows:write', 'workflows:draft'],
    json: { document: {} },
    expect: 404,
  },
  { method: 'POST', path: `${workflow}/draft/compare`, permissions: ['workflows:execute'], expect: 404 },
  { method: 'POST', path: `${workflow}/draft/preview`, permissions: ['workflows:execute'], json: {}, expect: 404 },
  { method: 'DELETE', path: `${workflow}/draft`, permissions: ['workflows:write'], expect: 404 },
  { method: 'POST', path: `${workflow}/draft/publish`, permissions: ['workflows:write'], json: {}, expect: 404 },
  { method: 'POST', path: `${workflow}/draft/execute`, permissions: ['workflows:execute'], json: {}, expect: 404 },
  {
    method: 'POST',
    path: '/workflows/execute',
    permissions: ['workflows:execute'],
    json: { workflowId: 'wf_00000000000000000000' },
    expect: 404,
  },
  { method: 'GET', path: '/workflows/executions', permissions: ['workflows:read', 'workflows:execute'], expect: 200 },
  { method: 'GET', path: execution, permissions: ['workflows:read', 'workflows:execute'], expect: 404 },
  { method: 'GET', path: `${execution}/document`, permissions: ['workflows:read'], expect: 404 },
  { method: 'GET', path: `${execution}/steps`, permissions: ['workflows:read', 'workflows:execute'], expect: 404 },
  { method: 'GET', path: `${execution}/events`, permissions: ['workflows:read', 'workflows:execute'], expect: 404 },
  {
    method: 'GET',
    path: `${execution}/steps/a/preview`,
    permissions: ['workflows:read', 'workflows:execute'],
    expect: 404,
  },
  { method: 'POST', path: `${execution}/cancel`, permissions: ['workflows:execute'], expect: 404 },
  { method: 'POST', path: `${execution}/resume`, permissions: ['workflows:execute'], json: {}, expect: 404 },
  { method: 'GET', path: '/batches', permissions: readers, expect: 200 },
  {
    method: 'POST',
    path: '/batches',
    permissions: ['workflows:execute'],
    json: { workflowId: 'wf_00000000000000000000' },
    expect: 404,
  },
  { method: 'GET', path: batch, permissions: readers, expect: 404 },
  { method: 'PATCH', path: batch, permissions: ['workflows:execute'], json: { name: 'x' }, expect: 404 },
  { method: 'DELETE', path: batch, permissions: ['workflows:execute'], expect: 404 },
  { method: 'GET', path: `${batch}/items`, permissions: readers, expect: 404 },
  { method: 'PUT', path: `${batch}/items`, permissions: ['workflows:execute'], stream: 'text/csv', expect: 404 },
  { method: 'GET', path: `${batch}/items/a`, permissions: readers, expect: 404 },
  {
    method: 'PATCH',
    path: `${batch}/items/a`,
    permissions: ['workflows:execute'],
    json: { parameters: {} },
    expect: 404,
  },
  { method: 'GET', path: `${batch}/estimate`, permissions: readers, expect: 404 },
  { method: 'POST', path: `${batch}/start`, permissions: ['workflows:execute'], expect: 404 },
  { method: 'POST', path: `${batch}/pause`, permissions: ['workflows:execute'], expect: 404 },
  { method: 'POST', path: `${batch}/resume`, permissions: ['workflows:execute'], expect: 404 },
  { method: 'POST', path: `${batch}/cancel`, permissions: ['workflows:execute'], expect: 404 },
  { method: 'POST', path: `${batch}/retry`, permissions: ['workflows:execute'], json: {}, expect: 404 },
  { method: 'GET', path: `${batch}/events`, permissions: readers, expect: 404 },
  { method: 'GET', path: `${batch}/results`, permissions: readers, expect: 404 },
  { method: 'GET', path: `${batch}/results.csv`, permissions: readers, expect: 404 },
  { method: 'GET', path: `${batch}/results.ndjson`, permissions: readers, expect: 404 },
  { method: 'GET', path: `${batch}/results.zip`, permissions: readers, expect: 404 },
  { method: 'GET', path: '/storage/images', permissions: ['storage:read'], expect: 200 },
  {
    method: 'DELETE',
    path: '/storage/images',
    query: { ids: 'img_00000000000000000000' },
    permissions: ['storage:write'],
    expect: 200,
  },
  { method: 'GET', path: '/storage/images/img_00000000000000000000', permissions: ['storage:read'], expect: 404 },
  {
    method: 'GET',
    path: '/storage/images/img_00000000000000000000/uses',
    permissions: ['workflows:read'],
    expect: 404,
  },
  {
    method: 'PUT',
    path: '/storage/images/img_00000000000000000000',
    permissions: ['storage:write'],
    json: { private: true },
    expect: 404,
  },
  { method: 'DELETE', path: '/storage/images/img_00000000000000000000', permissions: ['storage:write'], expect: 404 },
  { method: 'GET', path: '/storage/bin', permissions: ['storage:read'], expect: 200 },
  {
    method: 'POST',
    path: '/storage/bin/restore',
    permissions: ['storage:write'],
    json: { ids: ['img_00000000000000000000'] },
    expect: 200,
  },
  { method: 'DELETE', path: '/storage/bin', permissions: ['storage:write'], expect: 200 },
  {
    method: 'GET',
    path: '/storage/bin/img_00000000000000000000/thumbnail',
    permissions: ['storage:read'],
    expect: 404,
  },
  { method: 'POST', path: '/storage/upload', permissions: ['storage:write'], upload: true, expect: 201 },
  { method: 'POST', path: '/verify', permissions: ['storage:read'], upload: true, expect: 200 },
  // The upload of the permission tests is an image.
  { method: 'POST', path: '/fonts', permissions: ['storage:write'], upload: true, expect: 400 },
  { method: 'GET', path: '/fonts', permissions: ['storage:read'], expect: 200 },
  { method: 'GET', path: '/fonts/font_00000000000000000000', permissions: ['storage:read'], expect: 404 },
  { method: 'DELETE', path: '/fonts/font_00000000000000000000', permissions: ['storage:write'], expect: 404 },
  { method: 'GET', path: '/providers', permissions: ['workflows:read'], expect: 200 },
  { method: 'GET', path: '/usage', permissions: ['workflows:read'], expect: 200 },
  { method: 'GET', path: '/keys', permissions: ['all'], expect: 200 },
  { method: 'POST', path: '/keys', permissions: ['all'], json: {}, expect: 201 },
  { method: 'GET', path: '/keys/key_00000000000000000000', permissions: ['all'], expect: 404 },
  { method: 'PUT', path: '/keys/key_00000000000000000000', permissions: ['all'], json: {}, expect: 404 },
  { method: 'DELETE', path: '/keys/key_00000000000000000000', permissions: ['all'], expect: 404 },
  { method: 'POST', path: '/keys/key_00000000000000000000/rotate', permissions: ['all'], json: {}, expect: 404 },
  { method: 'GET', path: '/signing-keys', permissions: ['all'], expect: 200 },
  { method: 'POST', path: '/signing-keys', permissions: ['all'], json: {}, expect: 201 },
  { method: 'GET', path: signingKey, permissions: ['all'], expect: 404 },
  { method: 'PUT', path: signingKey, permissions: ['all'], json: {}, expect: 404 },
  { method: 'DELETE', path: signingKey, permissions: ['all'], expect: 404 },
  { method: 'POST', path: `${signingKey}/rotate`, permissions: ['all'], json: {}, expect: 404 },
  { method: 'POST', path: `${signingKey}/urls`, permissions: ['all'], json: { file: 'card.png' }, expect: 404 },
  { method: 'GET', path: '/webhook-endpoints', permissions: ['webhooks:read'], expect: 200 },
  {
    method: 'POST',
    path: '/webhook-endpoints',
    permissions: ['webhooks:write'],
    json: { url: 'https://example.com/hook', disabled: true },
    expect: 201,
  },
  { method: 'GET', path: endpoint, permissions: ['webhooks:read'], expect: 404 },
  { method: 'PUT', path: endpoint, permissions: ['webhooks:write'], json: { url: 'https://example.com' }, expect: 404 },
  { method: 'DELETE', path: endpoint, permissions: ['webhooks:write'], expect: 404 },
  { method: 'GET', path: `${endpoint}/secret`, permissions: ['webhooks:write'], expect: 404 },
  { method: 'POST', path: `${endpoint}/secret/rotate`, permissions: ['webhooks:write'], json: {}, expect: 404 },
  { method: 'POST', path: `${endpoint}/test`, permissions: ['webhooks:write'], expect: 404 },
  { method: 'GET', path: '/webhook-secret', permissions: ['webhooks:write'], expect: 200 },
  {
    method: 'POST',
    path: '/webhook-secret/rotate',
    permissions: ['webhooks:write'],
    json: { overlapSeconds: 0 },
    expect: 200,
  },
  { method: 'GET', path: '/webhook-deliveries', permissions: ['webhooks:read'], expect: 200 },
  { method: 'GET', path: delivery, permissions: ['webhooks:read'], expect: 404 },
  { method: 'POST', path: `${delivery}/replay`, permissions: ['webhooks:write'], expect: 404 },
  { method: 'GET', path: '/audit', permissions: ['audit:read'], expect: 200 },
  { method: 'GET', path: '/audit.csv', permissions: ['audit:read'], expect: 200 },
  { method: 'GET', path: '/projects', permissions: ['projects:read'], expect: 200 },
  { method: 'POST', path: '/projects', permissions: ['projects:write'], json: { name: 'x' }, expect: 201 },
  { method: 'GET', path: project, permissions: ['projects:read'], expect: 404 },
  { method: 'DELETE', path: project, query: { contents: 'delete' }, permissions: ['projects:write'], expect: 404 },
  {
    method: 'PUT',
    path: '/projects/proj_00000000000000000000',
    permissions: ['projects:write'],
    json: { name: 'x' },
    expect: 404,
  },
  { method: 'GET', path: '/brand', permissions: ['workflows:read'], expect: 200 },
  { method: 'PUT', path: '/brand', permissions: ['workflows:write'], json: { values: {} }, expect: 200 },
  { method: 'GET', path: `${project}/brand`, permissions: ['workflows:read'], expect: 404 },
  { method: 'PUT', path: `${project}/brand`, permissions: ['workflows:write'], json: { values: {} }, expect: 404 },
]

/** The body of a request to this route. `png`: for uploads. */
/** The query and the body. */
export function bodyOf({ query, upload, fields, stream, json }: RouteRow, png: Buffer): CallOptions {
  if (query) return { query }
  if (fields)
    return {
      parts: [...Object.entries(fields).map(([name, value]) => field(name, value)), { ...file(png), field: 'image' }],
    }
  if (upload) return { parts: [file(png)] }
  if (stream) return { body: 'a\n1\n', headers: { 'content-type': stream } }
  return json ? { json } : {}
}

export const permissions = [
  'workflows:read',
  'workflows:execute',
  'workflows:write',
  'storage:read',
  'storage:write',
  'projects:read',
  'projects:write',
  'webhooks:read',
  'webhooks:write',
  'audit:read',
]

/** Routes for the keys of run links only. */
export const linkRoutes: RouteRow[] = [
  { method: 'GET', path: '/run-link', permissions: [], expect: 200 },
  // The workflow of the test requires a parameter.
  { method: 'POST', path: '/run-link/executions', permissions: [], json: {}, expect: 400 },
  { method: 'GET', path: '/run-link/executions/exec_00000000000000000000', permissions: [], expect: 404 },
  { method: 'POST', path: '/run-link/executions/exec_00000000000000000000/cancel', permissions: [], expect: 404 },
  { method: 'POST', path: '/run-link/images', permissions: [], upload: true, expect: 201 },
]

/** Routes of the decisions without a stated permission. */
export const otherRoutes: RouteRow[] = [
  { method: 'POST', path: '/workflows/validate', permissions: [], json: document, expect: 200 },
  {
    method: 'POST',
    path: '/mcp',
    permissions: [],
    json: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    expect: 200,
  },
  { method: 'GET', path: '/operations', permissions: [], expect: 200 },
  { method: 'GET', path: '/session', permissions: [], expect: 200 },
]
