/** oazapfts: a function for each operation, and responses by status. */
import assert from 'node:assert/strict'
import { baseUrl, key, photo, workflowId } from './environment.ts'
import {
  batchesCreate,
  batchesUpload,
  defaults,
  type Execution,
  executionsGet,
  imagesDelete,
  imagesList,
  imagesUpload,
  workflowsExecute,
  workflowsGet,
} from './generated/oazapfts.ts'

defaults.baseUrl = baseUrl
defaults.headers = { authorization: `Bearer ${key}` }

const uploaded = await imagesUpload({ file: photo })
assert(uploaded.status === 201)
const image = uploaded.data

const executed = await workflowsExecute({ workflowId, parameters: { headline: 'Hello' } })
assert(executed.status === 200)
assert.ok(executed.data.output.url)

const accepted = await workflowsExecute({ workflowId, async: true })
assert(accepted.status === 202)
let execution: Execution | undefined
while (execution?.status !== 'completed' && execution?.status !== 'failed') {
  const response = await executionsGet(accepted.data.executionId)
  assert(response.status === 200)
  execution = response.data
}
assert(execution.status === 'completed')
assert.ok(execution.output.url)

const listed = await imagesList({ limit: 100 })
assert(listed.status === 200)
assert.ok(listed.data.images.some(({ id }) => id === image.id))

const missing = await workflowsGet('wf_0')
assert(missing.status === 404)
assert.equal(missing.data.error.code, 'not_found')

const deleted = await imagesDelete(image.id)
assert(deleted.status === 200)
assert.equal(deleted.data.deleted, true)

const created = await batchesCreate({ workflowId })
assert(created.status === 201)
const rows = await batchesUpload(created.data.id, [{ key: 'a', headline: 'One' }])
assert(rows.status === 200)
assert.equal(rows.data.counts.total, 1)
