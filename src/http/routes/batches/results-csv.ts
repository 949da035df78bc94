import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { downloadDocs, downloadHeaders } from '../../response/file-response.ts'
import { batchParams, itemStatusField } from './schema.ts'

export const getBatchCsv = defineRoute({
  id: 'batches.resultsCsv',
  method: 'GET',
  path: '/batches/{batchId}/results.csv',
  summary: 'Download the results of a batch as CSV',
  description:
    'One line for each row: key, status, execution, image, the reason and the message of a failure, and the parameters. A cell that a spreadsheet could run as a formula (it starts with `=`, `+`, `-`, `@`, a tab or a carriage return) has an apostrophe in front. Rows that have not ended have no result yet.',
  tag: 'Batches',
  permission: ['workflows:read', 'workflows:execute'],
  params: batchParams,
  query: Type.Object({ status: Type.Optional(itemStatusField) }, closed),
  reply: { status: 200, description: 'The file.', mediaType: 'text/csv', headers: downloadDocs },
  errors: ['not_found'],
  async handle({ params, query, method, caller }, services) {
    const batch = await services.batches.find(caller.account.id, params.batchId)
    const headers = downloadHeaders(`${batch.name}.csv`, 'text/csv; charset=utf-8')
    const urls = services.images.urlsOf(caller.account)
    return { headers, body: method === 'HEAD' ? null : services.batchResults.csv(batch, urls, query.status) }
  },
})
