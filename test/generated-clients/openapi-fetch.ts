/** openapi-typescript and openapi-fetch: types, and a client of a few lines. */
import assert from 'node:assert/strict'
import createClient from 'openapi-fetch'
import { baseUrl, key, photo, workflowId } from './environment.ts'
import type { components, paths } from './generated/openapi-typescript.ts'

type Image = components['schemas']['Image']

const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } })

const uploaded = await client.POST('/storage/upload', {
  // openapi-typescript writes binary data as a string.
  body: { file: '' },
  bodySerializer: () => {
    const form = new FormData()
    form.append('file', photo)
    return form
  },
})
assert(uploaded.data)
const image: Image = uploaded.data
assert.equal(image.name, 'photo.jpg')

const executed = await client.POST('/workflows/execute', { body: { workflowId, parameters: { headline: 'Hello' } } })
assert(executed.data && 'output' in executed.data)
assert.ok(executed.data.output.url)

const accepted = await client.POST('/workflows/execute', { body: { workflowId, async: true } })
assert(accepted.data)
const { executionId } = accepted.data
let execution: components['schemas']['Execution'] | undefined
while (execution?.status !== 'completed' && execution?.status !== 'failed') {
  execution = (await client.GET('/workflows/executions/{executionId}', { params: { path: { executionId } } })).data
}
assert(execution.status === 'completed')
assert.ok(execution.output.url)

const listed = await client.GET('/storage/images', { params: { query: { limit: 100 } } })
assert.ok(listed.data?.images.some(({ id }) => id === image.id))

const document = await client.GET('/workflows/{workflowId}/document', { params: { path: { workflowId } } })
assert(document.data)
const validated = await client.POST('/workflows/validate', { body: document.data })
assert.deepEqual(validated.data?.issues, [])

const missing = await client.GET('/workflows/{workflowId}', { params: { path: { workflowId: 'wf_0' } } })
assert.equal(missing.error?.error.code, 'not_found')

const deleted = await client.DELETE('/storage/images/{imageId}', { params: { path: { imageId: image.id } } })
assert.equal(deleted.data?.deleted, true)

const created = await client.POST('/batches', { body: { workflowId } })
assert(created.data)
const rows = await client.PUT('/batches/{batchId}/items', {
  params: { path: { batchId: created.data.id } },
  body: [{ key: 'a', headline: 'One' }],
})
assert.equal(rows.data?.counts.total, 1)
