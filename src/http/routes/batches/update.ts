import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { batchRecord } from './present.ts'
import { BatchRecord, batchParams, nameField, nullableMaxUsd } from './schema.ts'

export const updateBatch = defineRoute({
  id: 'batches.update',
  method: 'PATCH',
  path: '/batches/{batchId}',
  summary: 'Change the name or the budget of a batch',
  description: 'The new budget applies from the next model call. Resume a batch that was paused by its budget.',
  tag: 'Batches',
  permission: ['workflows:execute'],
  params: batchParams,
  body: Type.Object({ name: Type.Optional(nameField), maxUsd: Type.Optional(nullableMaxUsd) }, closed),
  reply: { status: 200, description: 'The batch.', schema: BatchRecord },
  errors: ['not_found'],
  async handle({ params, body, caller }, { batches, clock }) {
    return { body: batchRecord(await batches.update(caller.account.id, params.batchId, body), clock) }
  },
})
