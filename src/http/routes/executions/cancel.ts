import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { executionRecord } from './present.ts'
import { ExecutionRecord } from './schema.ts'

export const cancelExecution = defineRoute({
  id: 'executions.cancel',
  method: 'POST',
  path: '/workflows/executions/{executionId}/cancel',
  summary: 'Cancel an execution',
  description: 'The execution fails with reason `cancelled`. An execution that has ended is returned unchanged.',
  tag: 'Executions',
  permission: ['workflows:execute'],
  params: Type.Object({ executionId: id('The id of the execution.') }),
  reply: { status: 200, description: 'The current state of the execution.', schema: ExecutionRecord },
  errors: ['not_found'],
  async handle({ params, caller }, { executions, images }) {
    return {
      body: executionRecord(
        await executions.cancel(caller.account.id, params.executionId),
        images.urlsOf(caller.account),
      ),
    }
  },
})
