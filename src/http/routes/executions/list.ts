import Type from 'typebox'
import { executionStatuses } from '../../../domain/execution.ts'
import { hasMore } from '../../../domain/page.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { jsonInPieces, pageInPieces } from '../../response/pieces.ts'
import { id, PageQuery, pageOf, parseTimes, timeField } from '../schema.ts'
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
  async handle({ query, method, caller: { account } }, { executions, images }) {
    const { limit, offset, createdAfter, createdBefore, ...filters } = query
    const page = { limit, offset }
    const filter = { ...filters, ...parseTimes({ createdAfter, createdBefore }) }
    const { items, total, longIds } = await executions.list(account.id, page, filter)
    const urls = images.urlsOf(account)
    if (longIds.size === 0) {
      const records = items.map((execution) => executionRecord(execution, urls))
      return { body: { executions: records, total, hasMore: hasMore({ items, total }, page) } }
    }
    async function* records() {
      for (const item of items)
        yield executionRecord(longIds.has(item.id) ? await executions.find(account.id, item.id) : item, urls)
    }
    return jsonInPieces(method, pageInPieces('executions', records(), { offset, count: items.length, total }))
  },
})
