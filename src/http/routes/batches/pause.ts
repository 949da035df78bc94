import { defineRoute } from '../../define-route.ts'
import { batchRecord } from './present.ts'
import { BatchRecord, batchParams } from './schema.ts'

export const pauseBatch = defineRoute({
  id: 'batches.pause',
  method: 'POST',
  path: '/batches/{batchId}/pause',
  summary: 'Pause a batch',
  description: 'Rows that have an execution are completed; no other row starts.',
  tag: 'Batches',
  permission: ['workflows:execute'],
  params: batchParams,
  reply: { status: 200, description: 'The batch is paused.', schema: BatchRecord },
  errors: ['not_found'],
  async handle({ params, caller }, { batches, clock }) {
    return { body: batchRecord(await batches.pause(caller.account.id, params.batchId), clock) }
  },
})
