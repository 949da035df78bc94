import Type from 'typebox'
import { hasMore } from '../../../domain/page.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { PageQuery, pageOf } from '../schema.ts'
import { batchItemRecord } from './present.ts'
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
  async handle({ params, query: { limit, offset, status }, caller }, { batchItems, images }) {
    const page = { limit, offset }
    const found = await batchItems.list(caller.account.id, params.batchId, page, status)
    const urls = images.urlsOf(caller.account)
    const items = found.items.map((item) => batchItemRecord(item, urls))
    return { body: { items, total: found.total, hasMore: hasMore(found, page) } }
  },
})
