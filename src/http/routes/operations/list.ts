import { defineRoute } from '../../define-route.ts'
import { operationRecord } from './present.ts'
import { OperationsReply } from './schema.ts'

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
  },
  handle: (_request, { catalogue }) => ({ body: { operations: [...catalogue.values()].map(operationRecord) } }),
})
