import { defineRoute } from '../../define-route.ts'
import { estimateRecord } from './present.ts'
import { BatchEstimateRecord, batchParams } from './schema.ts'

export const estimateBatch = defineRoute({
  id: 'batches.estimate',
  method: 'GET',
  path: '/batches/{batchId}/estimate',
  summary: 'Estimate the cost and the duration of a batch',
  description:
    'A dry run of some rows: plans them without executing anything. Results that are in the step cache are free.',
  tag: 'Batches',
  permission: ['workflows:read', 'workflows:execute'],
  params: batchParams,
  reply: { status: 200, description: 'The estimate.', schema: BatchEstimateRecord },
  errors: ['not_found'],
  async handle({ params, caller: { account }, signal }, services) {
    const batch = await services.batches.find(account.id, params.batchId)
    return { body: estimateRecord(await services.estimateBatch(account, batch, signal)) }
  },
})
