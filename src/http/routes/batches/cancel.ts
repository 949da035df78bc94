import { defineRoute } from '../../define-route.ts'
import { batchRecord } from './present.ts'
import { BatchRecord, batchParams } from './schema.ts'

export const cancelBatch = defineRoute({
  id: 'batches.cancel',
  method: 'POST',
  path: '/batches/{batchId}/cancel',
  summary: 'Cancel a batch',
  description: "Cancels its executions, and all rows that have not ended. A cancelled batch can't continue.",
  tag: 'Batches',
  permission: ['workflows:execute'],
  params: batchParams,
  reply: {
    status: 200,
    description: 'The batch is cancelled. Its last rows end in the next seconds.',
    schema: BatchRecord,
  },
  errors: ['not_found'],
  async handle({ params, caller }, { batches, clock }) {
    return { body: batchRecord(await batches.cancel(caller.account.id, params.batchId), clock) }
  },
})
