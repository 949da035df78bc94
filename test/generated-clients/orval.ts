/** orval with fetch: a function for each operation, and responses by status. */
import assert from 'node:assert/strict'
import { key, photo, workflowId } from './environment.ts'
import {
  batchesCreate,
  batchesUpload,
  executionsGet,
  imagesDelete,
  imagesUpload,
  workflowsExecute,
  workflowsGet,
} from './generated/orval.ts'

const options = { headers: { authorization: `Bearer ${key}` } }

const uploaded = await imagesUpload({ file: photo }, options)
assert(uploaded.status === 201)

const accepted = await workflowsExecute({ workflowId, async: true }, options)
assert(accepted.status === 202)
let url: string | undefined
while (url === undefined) {
  const response = await executionsGet(accepted.data.executionId, options)
  assert(response.status === 200)
  assert.notEqual(response.data.status, 'failed')
  if (response.data.status === 'completed') url = response.data.output.url
}

const missing = await workflowsGet('wf_0', {}, options)
assert(missing.status === 404)
assert.equal(missing.data.error.code, 'not_found')

const created = await batchesCreate({ workflowId }, options)
assert(created.status === 201)
const rows = await batchesUpload(created.data.id, [{ key: 'a', headline: 'One' }], options)
assert(rows.status === 200)
assert.equal(rows.data.counts.total, 1)

const deleted = await imagesDelete(uploaded.data.id, options)
assert(deleted.status === 200)
assert.equal(deleted.data.deleted, true)
