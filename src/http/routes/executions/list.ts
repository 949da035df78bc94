import Type from 'typebox'
import { executionStatuses } from '../../../domain/executions/execution.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { pageOfLong } from '../../response/pieces.ts'
import { CursorQuery, cursorFields, id, parseCursor, parseTimes, timeField, uncountedPageOf } from '../schema.ts'
import { executionRecord } from './present.ts'
import { ExecutionRecord } from './schema.ts'

export const listExecutions = defineRoute({
  id: 'executions.list',
  method: 'GET',
  path: '/workflows/executions',
  summary: 'List executions, newest first',
  tag: 'Executions',
  permission: ['workflows:read', 'workflows:execute'],
  query: Type.Object(
    {
      ...CursorQuery,
      workflowId: Type.Optional(id('Return only executions of this workflow.')),
      status: Type.Optional(
        Type.Enum([...executionStatuses], { description: 'Return only executions with this status.' }),
      ),
      createdAfter: Type.Optional(timeField('Return only executions created at or after this time.')),
      createdBefore: Type.Optional(timeField('Return only executions created before this time.')),
    },
    closed,
  ),
  reply: {
    status: 200,
    description: 'A page of executions.',
    schema: uncountedPageOf('ExecutionPage', { executions: Type.Array(ExecutionRecord) }),
  },
  async handle({ query, method, caller: { account } }, { executions, images }) {
    const { limit, offset, cursor, createdAfter, createdBefore, ...filters } = query
    const page = { limit, offset, after: parseCursor(cursor) }
    const filter = { ...filters, ...parseTimes({ createdAfter, createdBefore }) }
    const found = await executions.list(account.id, page, filter)
    const urls = images.urlsOf(account)
    return pageOfLong(
      'executions',
      found,
      { method, rest: cursorFields(found) },
      (execution) => executionRecord(execution, urls),
      (id) => executions.find(account.id, id),
    )
  },
})
