import Type from 'typebox'
import { closed, defineRoute, type RouteResponse } from '../../define-route.ts'
import { executionReplies, executionResponse } from '../executions/response.ts'
import { asyncField, previewsField } from '../executions/schema.ts'
import { id } from '../schema.ts'

export const executeWorkflow = defineRoute({
  id: 'workflows.execute',
  method: 'POST',
  path: '/workflows/execute',
  summary: 'Execute a saved workflow',
  description:
    'Synchronous by default: 200 with the output. One that takes longer than the service waits answers 202 and goes on; poll it. With `async` true it answers 202 as soon as the execution is durably recorded.',
  tag: 'Workflows',
  permission: ['workflows:execute'],
  body: Type.Object(
    {
      workflowId: id('The workflow to execute.'),
      parameters: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { description: "Keys are the workflow's parameter names." }),
      ),
      previews: Type.Optional(previewsField),
      async: Type.Optional(asyncField),
    },
    closed,
  ),
  ...executionReplies,
  errors: ['not_found', 'workflow_failed'],
  async handle({ body, caller, once, signal }, services): Promise<RouteResponse> {
    const { workflowId, parameters = {}, previews } = body
    const started = await services.executions.start(
      { accountId: caller.account.id, keyId: caller.key.id },
      workflowId,
      parameters,
      once,
      { previews, async: body.async },
    )
    // Under a key the answer is for whoever sends the request again, too.
    return executionResponse(started, body.async, once ? undefined : signal, services)
  },
})
