import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { jsonInPieces } from '../../response/pieces.ts'
import { PageQuery, pageOf } from '../schema.ts'
import { batchItemPage } from './present.ts'
import { BatchItemRecord, batchParams, itemStatusField } from './schema.ts'

export const listBatchItems = defineRoute({
  id: 'batches.items',
  method: 'GET',
  path: '/batches/{batchId}/items',
  summary: 'List the rows of a batch, in the order of the file',
  tag: 'Batches',
  permission: ['workflows:read', 'workflows:execute'],
  params: batchParams,
  query: Type.Object({ ...PageQuery, status: Type.Optional(itemStatusField) }, closed),
  reply: {
    status: 200,
    description: 'A page of rows.',
    schema: pageOf('BatchItemPage', { items: Type.Array(BatchItemRecord) }),
  },
  errors: ['not_found'],
  async handle({ params, query: { limit, offset, status }, method, caller }, { batchItems, images }) {
    const found = await batchItems.list(caller.account.id, params.batchId, { limit, offset }, status)
    return jsonInPieces(method, batchItemPage(found, offset, images.urlsOf(caller.account)))
  },
})
