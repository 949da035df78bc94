import Type from 'typebox'
import { batchStatuses } from '../../../domain/batches/batch.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { pageOfLong } from '../../response/pieces.ts'
import { countedPageOf, PageQuery, paging } from '../pages.ts'
import { id } from '../schema.ts'
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
    schema: countedPageOf('BatchPage', { batches: Type.Array(BatchRecord) }),
  },
  async handle(request, { batches, clock }) {
    const {
      method,
      caller: { account },
    } = request
    const { page, filter, fieldsOf } = paging(request)
    const found = await batches.list(account.id, page, filter)
    return pageOfLong(
      'batches',
      found,
      { method, rest: fieldsOf(found) },
      (batch) => batchRecord(batch, clock),
      (id) => batches.find(account.id, id),
    )
  },
})
