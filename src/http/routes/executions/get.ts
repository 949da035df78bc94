import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { id, waitQuery } from '../schema.ts'
import { executionRecord } from './present.ts'
import { ExecutionRecord } from './schema.ts'

export const getExecution = defineRoute({
  id: 'executions.get',
  method: 'GET',
  path: '/workflows/executions/{executionId}',
  summary: 'Get an execution',
  description:
    'Poll while `status` is `pending` or `running`. With `wait`, the response comes when the execution ends. A failed execution has `error`, with the fields of an error response.',
  tag: 'Executions',
  permission: ['workflows:read', 'workflows:execute'],
  params: Type.Object({ executionId: id('The id of the execution.') }),
  query: waitQuery('execution'),
  reply: { status: 200, description: 'The execution.', schema: ExecutionRecord },
  errors: ['not_found'],
  wait: ({ params, query, caller, signal }, { executions }) =>
    query.wait ? executions.ended(caller.account.id, params.executionId, { seconds: query.wait, signal }) : undefined,
  async handle({ params, caller }, { executions, images }) {
    return {
      body: executionRecord(
        await executions.find(caller.account.id, params.executionId),
        images.urlsOf(caller.account),
      ),
    }
  },
})
