/** @hey-api/openapi-ts: a function for each operation, and server-sent events. */
import assert from 'node:assert/strict'
import { baseUrl, key, photo, workflowId } from './environment.ts'
import { client } from './generated/hey-api/client.gen.ts'
import {
  batchesCreate,
  batchesEvents,
  batchesResultsCsv,
  batchesResultsZip,
  batchesStart,
  batchesUpload,
  executionsEvents,
  executionsGet,
  imagesDelete,
  imagesList,
  imagesUpload,
  webhookEndpointsCreate,
  webhookEndpointsDelete,
  webhookEndpointsRotateSecret,
  workflowsExecute,
  workflowsGet,
} from './generated/hey-api/sdk.gen.ts'
import type { BatchCompletedWebhook, ExecutionEvent, Image } from './generated/hey-api/types.gen.ts'

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
assert(execution.data?.status === 'completed')
assert.ok(execution.data.output.url)

const listed = await imagesList({ query: { limit: 100 } })
assert.ok(listed.data?.images.some(({ id }) => id === image.id))

const missing = await workflowsGet({ path: { workflowId: 'wf_0' } })
assert.equal(missing.error?.error.code, 'not_found')

const deleted = await imagesDelete({ path: { imageId: image.id } })
assert.equal(deleted.data?.deleted, true)

const created = await batchesCreate({ body: { workflowId } })
assert(created.data)
const batch = { batchId: created.data.id }
const rows = await batchesUpload({ path: batch, body: [{ key: 'a', headline: 'One' }] })
assert.equal(rows.data?.counts.total, 1)
await batchesStart({ path: batch })
const changes = await batchesEvents({ path: batch })
for await (const event of changes.stream) if ('counts' in event && event.status === 'completed') break
const csv: string | undefined = (await batchesResultsCsv({ path: batch })).data
assert.match(csv ?? '', /^key,status,.*\r\na,completed,/)
const zip = await batchesResultsZip({ path: batch })
assert.ok((zip.data?.size ?? 0) > 100)

const endpoint = await webhookEndpointsCreate({
  body: { url: 'https://example.com/hook', eventTypes: ['batch.completed'], disabled: true },
})
assert(endpoint.data)
const endpointId = endpoint.data.id
const rotated = await webhookEndpointsRotateSecret({ path: { endpointId } })
assert.notEqual(rotated.data?.secret, endpoint.data.secret)
assert.equal((await webhookEndpointsDelete({ path: { endpointId } })).data?.deleted, true)

/** A receiver: the types of a shortened event have the fields that it can lack as optional ones. */
export const failedRows = ({ data }: BatchCompletedWebhook): number | undefined => data.counts?.failed
