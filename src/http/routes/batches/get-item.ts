import { defineRoute } from '../../define-route.ts'
import { batchItemRecord } from './present.ts'
import { BatchItemRecord, itemParams } from './schema.ts'

export const getBatchItem = defineRoute({
  id: 'batches.item',
  method: 'GET',
  path: '/batches/{batchId}/items/{key}',
  summary: 'Get a row of a batch',
  tag: 'Batches',
  permission: ['workflows:read', 'workflows:execute'],
  params: itemParams,
  reply: { status: 200, description: 'The row.', schema: BatchItemRecord },
  errors: ['not_found'],
  async handle({ params, caller }, { batchItems, images }) {
    const item = await batchItems.find(caller.account.id, params.batchId, params.key)
    return { body: batchItemRecord(item, images.urlsOf(caller.account)) }
  },
})
