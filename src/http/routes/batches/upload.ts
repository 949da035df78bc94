import { limits } from '../../../limits.ts'
import type { BatchFormat } from '../../../services/batches/row-reader.ts'
import { defineRoute } from '../../define-route.ts'
import { batchRecord } from './present.ts'
import { BatchRecord, BatchRows, batchParams } from './schema.ts'

const formats: Record<string, BatchFormat> = {
  'application/json': 'json',
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  // fetch() sends JSON text as this type, and so do generated clients that declare none if a body can have several types.
  'text/plain': 'json',
}

export const uploadBatchItems = defineRoute({
  id: 'batches.upload',
  method: 'PUT',
  path: '/batches/{batchId}/items',
  summary: 'Upload the rows of a batch, as JSON, CSV or NDJSON',
  description: `Replaces all rows of a batch that was not started. Each row is validated in the same way as the parameters of an execution: if one is invalid, the batch keeps its former rows, and \`details.issues\` lists the first ${limits.issuesMax} issues with their \`line\` or, in a JSON array, their row, \`details.issueCount\` their number (the rest of a file with ${limits.batchProblemsMax} issues is not read). At most ${limits.batchRowsMax} rows and ${limits.batchUploadBytesMax} bytes, in UTF-8.`,
  tag: 'Batches',
  permission: ['workflows:execute'],
  params: batchParams,
  stream: {
    'application/json': {
      description: 'One object for each row: values by parameter name, and optionally `key`.',
      schema: BatchRows,
    },
    'text/csv': {
      description:
        'The first line has the names of parameters, and optionally `key`: a text that identifies the row in the results, unique in the batch. Default: the number of the row. An empty cell passes no value. Cells are separated by commas, semicolons or tabs, or by the character that a line such as `sep=;` before the names declares. Between semicolons, numbers can have a decimal comma. Empty rows, and empty columns at the right, are ignored. The column of a parameter with the name `key` is `parameters.key`.',
    },
    'application/x-ndjson': {
      description: 'One JSON object on each line: values by parameter name, and optionally `key`.',
    },
    'text/plain': {},
  },
  reply: { status: 200, description: 'The rows were stored.', schema: BatchRecord },
  errors: ['not_found'],
  async handle({ params, stream, caller, signal }, { batchUploads, clock }) {
    const format = formats[stream.mediaType] as BatchFormat
    const uploaded = { format, body: stream.body, signal }
    const batch = await batchUploads.replace(caller.account.id, params.batchId, uploaded)
    return { body: batchRecord(batch, clock) }
  },
})
