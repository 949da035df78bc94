import Type from 'typebox'
import { closed, defineRoute, type RouteResponse } from '../../define-route.ts'
import { id } from '../schema.ts'
import { executionReplies, executionResponse } from './response.ts'
import { asyncField } from './schema.ts'

export const resumeExecution = defineRoute({
  id: 'executions.resume',
  method: 'POST',
  path: '/workflows/executions/{executionId}/resume',
  summary: 'Go on with an execution that failed',
  description:
    'Makes a new execution of the same version of the workflow, which does not run again what the failed one has finished; its `resumedFrom` names that one. Given parameters stand in place of the old ones, by name, and what they touch runs again. Finished steps are kept for a week. Answers as executing does.',
  tag: 'Executions',
  permission: ['workflows:execute'],
  params: Type.Object({ executionId: id('An execution that has failed.') }),
  body: Type.Object(
    {
      parameters: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { description: 'Those that are to be other ones.' }),
      ),
      async: Type.Optional(asyncField),
    },
    closed,
  ),
  ...executionReplies,
  errors: ['not_found', 'workflow_failed'],
  async handle({ params, body, caller, once, signal }, services): Promise<RouteResponse> {
    const { parameters = {} } = body
    const started = await services.executions.resume(
      { accountId: caller.account.id, keyId: caller.key.id },
      params.executionId,
      parameters,
      once,
      { async: body.async },
    )
    return executionResponse(started, body.async, once ? undefined : signal, services)
  },
})
