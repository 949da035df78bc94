import Type from 'typebox'
import { batchStatuses } from '../../../domain/batch.ts'
import { hasMore } from '../../../domain/page.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { id, PageQuery, pageOf } from '../schema.ts'
import { batchRecord } from './present.ts'
import { BatchRecord } from './schema.ts'

export const listBatches = defineRoute({
  id: 'batches.list',
  method: 'GET',
  path: '/batches',
  summary: 'List batches, newest first',
  tag: 'Batches',
  permission: ['workflows:read', 'workflows:execute'],
  query: Type.Object(
    {
      ...PageQuery,
      status: Type.Optional(Type.Enum([...batchStatuses], { description: 'Return only batches with this status.' })),
      workflowId: Type.Optional(id('Return only batches of this workflow.')),
    },
    closed,
  ),
  reply: {
    status: 200,
    description: 'A page of batches.',
    schema: pageOf('BatchPage', { batches: Type.Array(BatchRecord) }),
  },
  async handle({ query: { limit, offset, ...filter }, caller }, { batches, clock }) {
    const page = { limit, offset }
    const found = await batches.list(caller.account.id, page, filter)
    const items = found.items.map((batch) => batchRecord(batch, clock))
    return { body: { batches: items, total: found.total, hasMore: hasMore(found, page) } }
  },
})
