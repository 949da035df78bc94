import { defineRoute } from '../../define-route.ts'
import { Deleted } from '../schema.ts'
import { batchParams } from './schema.ts'

export const deleteBatch = defineRoute({
  id: 'batches.delete',
  method: 'DELETE',
  path: '/batches/{batchId}',
  summary: 'Delete a batch',
  description:
    'Deletes the batch and its rows. Its executions and their images are kept. Cancel a batch that has not ended first.',
  tag: 'Batches',
  permission: ['workflows:execute'],
  params: batchParams,
  reply: { status: 200, description: 'The batch was deleted.', schema: Deleted },
  errors: ['not_found'],
  async handle({ params, caller }, { batches }) {
    await batches.remove(caller.account.id, params.batchId)
    return { body: { deleted: true } }
  },
})
