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
  description: 'It ends `failed` with reason `cancelled`. One that has ended already stays as it is.',
  tag: 'Executions',
  permission: ['workflows:execute'],
  params: Type.Object({ executionId: id('An execution.') }),
  reply: { status: 200, description: 'The execution as it now stands.', schema: ExecutionRecord },
  errors: ['not_found'],
  async handle({ params, caller }, { executions, images }) {
    return { body: executionRecord(await executions.cancel(caller.account.id, params.executionId), images) }
  },
})
