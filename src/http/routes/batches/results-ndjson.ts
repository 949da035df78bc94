import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { downloadDocs, downloadHeaders } from '../../response/file-response.ts'
import { ndjson } from './present.ts'
import { batchParams, itemStatusField } from './schema.ts'

export const getBatchNdjson = defineRoute({
  id: 'batches.resultsNdjson',
  method: 'GET',
  path: '/batches/{batchId}/results.ndjson',
  summary: 'Download the results of a batch as NDJSON',
  description: 'One JSON object on each line, as `GET /batches/{batchId}/items` returns it.',
  tag: 'Batches',
  permission: ['workflows:read', 'workflows:execute'],
  params: batchParams,
  query: Type.Object({ status: Type.Optional(itemStatusField) }, closed),
  reply: { status: 200, description: 'The file.', mediaType: 'application/x-ndjson', headers: downloadDocs },
  errors: ['not_found'],
  async handle({ params, query, method, caller }, services) {
    const batch = await services.batches.find(caller.account.id, params.batchId)
    const headers = downloadHeaders(`${batch.name}.ndjson`, 'application/x-ndjson')
    if (method === 'HEAD') return { headers, body: null }
    const items = services.batchResults.items(batch, query.status)
    return { headers, body: ndjson(items, services.images.urlsOf(caller.account)) }
  },
})
