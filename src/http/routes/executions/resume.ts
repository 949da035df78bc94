import Type from 'typebox'
import { closed, defineRoute, type RouteResponse } from '../../define-route.ts'
import { id } from '../schema.ts'
import { webhookUrlField } from '../webhook-endpoints/schema.ts'
import { executionReplies, executionResponse } from './response.ts'
import { asyncField, outputsExpireInField } from './schema.ts'

export const resumeExecution = defineRoute({
  id: 'executions.resume',
  method: 'POST',
  path: '/workflows/executions/{executionId}/resume',
  summary: 'Resume a failed execution',
  description:
    'Creates a new execution of the same version of the workflow. It reuses the finished steps of the failed execution, which are kept for a week. `resumedFrom` is the id of the failed execution. Parameters in the request replace the previous values, and steps that depend on them run again. Responds like `POST /workflows/execute`.',
  tag: 'Executions',
  permission: ['workflows:execute'],
  params: Type.Object({ executionId: id('The id of the failed execution.') }),
  body: Type.Object(
    {
      parameters: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { description: 'Parameters to change, by name.' }),
      ),
      expiresIn: Type.Optional(outputsExpireInField),
      async: Type.Optional(asyncField),
      webhookUrl: Type.Optional(webhookUrlField),
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
      { expiresIn: body.expiresIn, async: body.async, webhookUrl: body.webhookUrl },
    )
    return executionResponse(started, body.async, once ? undefined : signal, services, caller.account)
  },
})
