import Type from 'typebox'
import { named } from '../../../domain/named-schema.ts'
import { defineRoute } from '../../define-route.ts'
import { batchRecord, estimateRecord } from './present.ts'
import { BatchEstimateRecord, BatchRecord, batchParams } from './schema.ts'

export const startBatch = defineRoute({
  id: 'batches.start',
  method: 'POST',
  path: '/batches/{batchId}/start',
  summary: 'Start a batch',
  description:
    'The rows become executions, which start after the other executions of the account. Returns the estimate of the cost; get it before the start with `GET /batches/{batchId}/estimate`.',
  tag: 'Batches',
  permission: ['workflows:execute'],
  params: batchParams,
  reply: {
    status: 200,
    description: 'The batch was started.',
    schema: Type.Object({ batch: BatchRecord, estimate: BatchEstimateRecord }, named('StartedBatch')),
  },
  errors: ['not_found'],
  async handle({ params, caller: { account }, signal }, services) {
    const created = await services.batches.find(account.id, params.batchId)
    const estimate = await services.estimateBatch(account, created, signal)
    const batch = await services.batches.start(account.id, params.batchId)
    return { body: { batch: batchRecord(batch, services.clock), estimate: estimateRecord(estimate) } }
  },
})
