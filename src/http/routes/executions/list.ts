import Type from 'typebox'
import { executionStatuses } from '../../../domain/executions/execution.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { pageOfLong } from '../../response/pieces.ts'
import { PageQuery, pageOf, paging } from '../pages.ts'
import { id, parseTimes, timeField } from '../schema.ts'
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
      ...PageQuery,
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
    schema: pageOf('ExecutionPage', { executions: Type.Array(ExecutionRecord) }),
  },
  async handle(request, { executions, images }) {
    const {
      method,
      caller: { account },
    } = request
    const { page, filter, fieldsOf } = paging(request)
    const { createdAfter, createdBefore, ...rest } = filter
    const selection = { ...rest, ...parseTimes({ createdAfter, createdBefore }) }
    const found = await executions.list(account.id, page, selection)
    const urls = images.urlsOf(account)
    return pageOfLong(
      'executions',
      found,
      { method, rest: fieldsOf(found) },
      (execution) => executionRecord(execution, urls),
      (id) => executions.find(account.id, id),
    )
  },
})
