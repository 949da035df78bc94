import { defineRoute } from '../../define-route.ts'
import { BatchResultsRecord, batchParams } from './schema.ts'

export const getBatchResults = defineRoute({
  id: 'batches.results',
  method: 'GET',
  path: '/batches/{batchId}/results',
  summary: 'List the ZIP files of a batch',
  description:
    'A batch with more images than a ZIP file can have is downloaded in parts: request `results.zip` with `fromRow` and `toRow` of each part.',
  tag: 'Batches',
  permission: ['workflows:read', 'workflows:execute'],
  params: batchParams,
  reply: { status: 200, description: 'The parts.', schema: BatchResultsRecord },
  errors: ['not_found'],
  async handle({ params, caller }, { batches, batchResults }) {
    const batch = await batches.find(caller.account.id, params.batchId)
    return { body: { zipParts: await batchResults.zipParts(batch) } }
  },
})
