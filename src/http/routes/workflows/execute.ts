import Type from 'typebox'
import { closed, defineRoute, type RouteResponse } from '../../define-route.ts'
import { executionReplies, executionResponse } from '../executions/response.ts'
import { asyncField, outputsExpireInField, previewsField } from '../executions/schema.ts'
import { channelField, id, versionField } from '../schema.ts'
import { webhookUrlField } from '../webhook-endpoints/schema.ts'

export const executeWorkflow = defineRoute({
  id: 'workflows.execute',
  method: 'POST',
  path: '/workflows/execute',
  summary: 'Execute a saved workflow',
  description:
    'Executes the newest version, or the version in `version` or of the channel in `channel`. Synchronous by default: returns 200 with the output. If the execution takes longer than the service waits, returns 202 and the execution continues: poll it. With `async: true`, returns 202 as soon as the execution is stored.',
  tag: 'Workflows',
  permission: ['workflows:execute'],
  body: Type.Object(
    {
      workflowId: id('The id or the slug of the workflow.'),
      parameters: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { description: 'Values by parameter name.' }),
      ),
      version: Type.Optional(versionField('The version to execute. Default: the newest version.')),
      channel: Type.Optional(
        channelField('The channel whose version to execute, such as `live`. Not together with `version`.'),
      ),
      previews: Type.Optional(previewsField),
      expiresIn: Type.Optional(outputsExpireInField),
      async: Type.Optional(asyncField),
      webhookUrl: Type.Optional(webhookUrlField),
    },
    {
      ...closed,
      examples: [{ workflowId: 'wf_06h15x0nmw0097a6m4hdb288e0ha', parameters: { headline: 'Hello from Tintype' } }],
    },
  ),
  ...executionReplies,
  errors: ['not_found', 'workflow_failed'],
  async handle({ body, caller, once, signal }, services): Promise<RouteResponse> {
    const { workflowId, parameters = {}, previews, version, channel, expiresIn } = body
    const started = await services.executions.start(
      { accountId: caller.account.id, keyId: caller.key.id },
      workflowId,
      parameters,
      once,
      { previews, expiresIn, async: body.async, webhookUrl: body.webhookUrl, version, channel },
    )
    // With an Idempotency-Key, a retry needs the response even if this client disconnects.
    return executionResponse(started, body.async, once ? undefined : signal, services, caller.account)
  },
})
