import { defineRoute } from '../../define-route.ts'
import { downloadHeaders } from '../../response/file-response.ts'
import { batchParams } from './schema.ts'

export const getBatchZip = defineRoute({
  id: 'batches.resultsZip',
  method: 'GET',
  path: '/batches/{batchId}/results.zip',
  summary: 'Download the images of a batch as a ZIP file',
  description:
    'The images of all completed rows, named by their keys, and `results.csv`. The file is made while it is sent, so its size is not known in advance. Images that were deleted are not in it.',
  tag: 'Batches',
  permission: ['workflows:read', 'workflows:execute'],
  params: batchParams,
  reply: { status: 200, description: 'The file.', mediaType: 'application/zip' },
  errors: ['not_found'],
  async handle({ params, method, caller }, services) {
    const batch = await services.batches.find(caller.account.id, params.batchId)
    const headers = downloadHeaders(`${batch.name}.zip`, 'application/zip')
    const urls = services.images.urlsOf(caller.account)
    return { headers, body: method === 'HEAD' ? null : services.batchResults.zip(batch, urls) }
  },
})
