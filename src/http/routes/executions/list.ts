import Type from 'typebox'
import { executionStatuses } from '../../../domain/execution.ts'
import { hasMore } from '../../../domain/page.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { id, PageFields, PageQuery, parseTimes, timeField } from '../schema.ts'
import { executionRecord } from './present.ts'
import { ExecutionRecord } from './schema.ts'

export const listExecutions = defineRoute({
  id: 'executions.list',
  method: 'GET',
  path: '/workflows/executions',
  summary: "List the account's executions, newest first",
  tag: 'Executions',
  permission: ['workflows:read', 'workflows:execute'],
  query: Type.Object(
    {
      ...PageQuery,
      workflowId: Type.Optional(id('Only those of this workflow.')),
      status: Type.Optional(Type.Enum([...executionStatuses], { description: 'Only those in this state.' })),
      createdAfter: Type.Optional(timeField('Only those created at this time or later.')),
      createdBefore: Type.Optional(timeField('Only those created before this time.')),
    },
    closed,
  ),
  reply: {
    status: 200,
    description: 'A page of executions.',
    schema: Type.Object({ executions: Type.Array(ExecutionRecord), ...PageFields }),
  },
  async handle({ query: { limit, offset, createdAfter, createdBefore, ...same }, caller }, { executions, images }) {
    const page = { limit, offset }
    const filter = { ...same, ...parseTimes({ createdAfter, createdBefore }) }
    const found = await executions.list(caller.account.id, page, filter)
    const items = found.items.map((execution) => executionRecord(execution, images))
    return { body: { executions: items, total: found.total, hasMore: hasMore(found, page) } }
  },
})
