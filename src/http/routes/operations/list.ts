import type { Catalogue } from '../../../operations/define.ts'
import { defineRoute } from '../../define-route.ts'
import { notModified } from '../../response/preconditions.ts'
import { createJsonDocument } from '../../static/document.ts'
import { staticFileResponse, validator } from '../../static/static-file.ts'
import { operationRecord } from './present.ts'
import { OperationsReply } from './schema.ts'

const document = createJsonDocument((catalogue: Catalogue) => ({
  operations: [...catalogue.values()].map(operationRecord),
}))

export const listOperations = defineRoute({
  id: 'operations.list',
  method: 'GET',
  path: '/operations',
  summary: 'List operations, with the JSON Schema of their params',
  tag: 'Operations',
  permission: [],
  reply: {
    status: 200,
    description: 'All operations.',
    schema: OperationsReply,
    headers: validator,
  },
  moreReplies: [{ ...notModified, headers: validator }],
  errors: ['precondition_failed'],
  handle: async ({ headers }, { catalogue }) =>
    staticFileResponse(await document(catalogue), {
      headers,
      isImmutable: false,
      // It requires a key.
      added: { 'cache-control': 'private, no-cache' },
    }),
})
