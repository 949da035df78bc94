import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { batchItemRecord } from './present.ts'
import { BatchItemRecord, itemParams } from './schema.ts'

export const updateBatchItem = defineRoute({
  id: 'batches.updateItem',
  method: 'PATCH',
  path: '/batches/{batchId}/items/{key}',
  summary: 'Change parameters of a row',
  description:
    'For rows that failed or were cancelled, and for all rows of a batch that was not started. Parameters that are not in the request stay; null removes a value, so that the default applies. A failed row runs again only after `POST /batches/{batchId}/retry`.',
  tag: 'Batches',
  permission: ['workflows:execute'],
  params: itemParams,
  body: Type.Object(
    { parameters: Type.Record(Type.String(), Type.Unknown(), { description: 'Values by parameter name.' }) },
    closed,
  ),
  reply: { status: 200, description: 'The row.', schema: BatchItemRecord },
  errors: ['not_found'],
  async handle({ params: { batchId, key }, body, caller }, { batchItems, images }) {
    const item = await batchItems.update(caller.account.id, batchId, key, body.parameters)
    return { body: batchItemRecord(item, images.urlsOf(caller.account)) }
  },
})
