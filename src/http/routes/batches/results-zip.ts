import Type from 'typebox'
import { invalidRequest } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { downloadDocs, downloadHeaders } from '../../response/file-response.ts'
import { batchParams } from './schema.ts'

const rowNumber = { minimum: 1, maximum: limits.batchRowsMax }

export const getBatchZip = defineRoute({
  id: 'batches.resultsZip',
  method: 'GET',
  path: '/batches/{batchId}/results.zip',
  summary: 'Download the images of a batch as a ZIP file',
  description: `The images of all completed rows, named by their keys, and \`results.csv\`. The file is made while it is sent, so its size is not known in advance. Images that were deleted are not in it. A ZIP file has at most ${limits.batchZipFilesMax} images: download a larger batch in parts, with \`fromRow\` and \`toRow\`. \`GET /batches/{batchId}/results\` lists them.`,
  tag: 'Batches',
  permission: ['workflows:read', 'workflows:execute'],
  params: batchParams,
  query: Type.Object(
    {
      fromRow: Type.Optional(Type.Integer({ ...rowNumber, description: 'Only rows from this number. Default: 1.' })),
      toRow: Type.Optional(Type.Integer({ ...rowNumber, description: 'Only rows to this number. Default: the last.' })),
    },
    closed,
  ),
  reply: { status: 200, description: 'The file.', mediaType: 'application/zip', headers: downloadDocs },
  errors: ['not_found'],
  async handle({ params, query: { fromRow, toRow }, method, caller, signal }, services) {
    if (fromRow !== undefined && toRow !== undefined && fromRow > toRow)
      throw invalidRequest([{ path: 'toRow', message: `must be at least fromRow, ${fromRow}` }])
    const batch = await services.batches.find(caller.account.id, params.batchId)
    const part = fromRow === undefined && toRow === undefined ? '' : `-${fromRow ?? 1}-${toRow ?? batch.total}`
    const headers = downloadHeaders(`${batch.name}${part}.zip`, 'application/zip')
    const urls = services.images.urlsOf(caller.account)
    const isHead = method === 'HEAD'
    const body = await services.batchResults.zip(batch, {
      urls,
      rows: { from: fromRow, to: toRow },
      // Of a HEAD, the file is not made.
      signal: isHead ? AbortSignal.abort() : signal,
    })
    return { headers, body: isHead ? null : body }
  },
})
