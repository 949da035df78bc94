import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { jsonInPieces } from '../../response/pieces.ts'
import { countedPageOf, PageQuery, paging } from '../pages.ts'
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
    schema: countedPageOf('BatchItemPage', { items: Type.Array(BatchItemRecord) }),
  },
  errors: ['not_found'],
  async handle(request, { batchItems, images }) {
    const {
      params,
      method,
      caller: { account },
    } = request
    const { page, filter, fieldsOf } = paging(request)
    const found = await batchItems.list(account.id, params.batchId, page, filter.status)
    return jsonInPieces(method, batchItemPage(found.parts, fieldsOf(found), images.urlsOf(account)))
  },
})
