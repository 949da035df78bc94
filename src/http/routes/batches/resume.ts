import { defineRoute } from '../../define-route.ts'
import { batchRecord } from './present.ts'
import { BatchRecord, batchParams } from './schema.ts'

export const resumeBatch = defineRoute({
  id: 'batches.resume',
  method: 'POST',
  path: '/batches/{batchId}/resume',
  summary: 'Resume a paused batch',
  description: 'Continues with the rows that have not ended.',
  tag: 'Batches',
  permission: ['workflows:execute'],
  params: batchParams,
  reply: { status: 200, description: 'The batch continues.', schema: BatchRecord },
  errors: ['not_found'],
  async handle({ params, caller }, { batches, clock }) {
    return { body: batchRecord(await batches.resume(caller.account.id, params.batchId), clock) }
  },
})
