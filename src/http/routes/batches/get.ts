import { defineRoute } from '../../define-route.ts'
import { waitQuery } from '../schema.ts'
import { batchRecord } from './present.ts'
import { BatchRecord, batchParams } from './schema.ts'

export const getBatch = defineRoute({
  id: 'batches.get',
  method: 'GET',
  path: '/batches/{batchId}',
  summary: 'Get a batch and its progress',
  tag: 'Batches',
  permission: ['workflows:read', 'workflows:execute'],
  params: batchParams,
  query: waitQuery('batch'),
  reply: { status: 200, description: 'The batch.', schema: BatchRecord },
  errors: ['not_found'],
  wait: ({ params, query, caller, signal }, { batchEvents }) =>
    query.wait ? batchEvents.ended(caller.account.id, params.batchId, { seconds: query.wait, signal }) : undefined,
  async handle({ params, caller }, { batches, clock }) {
    return { body: batchRecord(await batches.find(caller.account.id, params.batchId), clock) }
  },
})
