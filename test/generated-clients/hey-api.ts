/** @hey-api/openapi-ts: a function for each operation, and server-sent events. */
import assert from 'node:assert/strict'
import { baseUrl, key, photo, workflowId } from './environment.ts'
import { client } from './generated/hey-api/client.gen.ts'
import {
  executionsEvents,
  executionsGet,
  imagesDelete,
  imagesList,
  imagesUpload,
  workflowsExecute,
  workflowsGet,
} from './generated/hey-api/sdk.gen.ts'
import type { ExecutionEvent, Image } from './generated/hey-api/types.gen.ts'

client.setConfig({ baseUrl, auth: () => key })

const uploaded = await imagesUpload({ body: { file: photo } })
assert(uploaded.data)
const image: Image = uploaded.data

const executed = await workflowsExecute({ body: { workflowId, parameters: { headline: 'Hello' } } })
assert(executed.data && 'output' in executed.data)
assert.ok(executed.data.output.url)

const accepted = await workflowsExecute({ body: { workflowId, async: true } })
assert(accepted.data)
const { executionId } = accepted.data
const { stream } = await executionsEvents({ path: { executionId } })
const events: ExecutionEvent[] = []
for await (const event of stream) {
  // The generator adds `void` for the response 204.
  if (!event) continue
  events.push(event)
  if ('status' in event && 'executionId' in event && event.status === 'completed') break
}
assert.ok(events.length > 0)
const execution = await executionsGet({ path: { executionId } })
assert.equal(execution.data?.status, 'completed')

const listed = await imagesList({ query: { limit: 100 } })
assert.ok(listed.data?.images.some(({ id }) => id === image.id))

const missing = await workflowsGet({ path: { workflowId: 'wf_0' } })
assert.equal(missing.error?.error.code, 'not_found')

const deleted = await imagesDelete({ path: { imageId: image.id } })
assert.equal(deleted.data?.deleted, true)
