import Type from 'typebox'
import { closed, defineRoute, type RouteResponse } from '../../define-route.ts'
import { executionReplies, executionResponse } from '../executions/response.ts'
import { asyncField, outputsExpireInField, previewsField, Variations } from '../executions/schema.ts'
import { id } from '../schema.ts'
import { webhookUrlField } from '../webhook-endpoints/schema.ts'

export const executeDraft = defineRoute({
  id: 'drafts.execute',
  method: 'POST',
  path: '/workflows/{workflowId}/draft/execute',
  summary: 'Execute a draft',
  description:
    'Executes the current draft, and stores a copy of the document with the execution. If the workflow has no draft, executes its newest version. Only the nodes that the output needs are validated and executed, or those that `node` needs. Responds like `POST /workflows/execute`.',
  tag: 'Drafts',
  permission: ['workflows:execute'],
  params: Type.Object({
    workflowId: id('The id of the workflow. Also an id that is reserved for an unpublished workflow.'),
  }),
  body: Type.Object(
    {
      parameters: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { description: 'Values by parameter name.' }),
      ),
      node: Type.Optional(id('Execute up to this node. Its image becomes the output, in the default format.')),
      previews: Type.Optional(previewsField),
      variations: Type.Optional(Variations),
      expiresIn: Type.Optional(outputsExpireInField),
      async: Type.Optional(asyncField),
      webhookUrl: Type.Optional(webhookUrlField),
    },
    closed,
  ),
  ...executionReplies,
  errors: ['not_found', 'workflow_failed'],
  async handle({ params, body, caller, once, signal }, services): Promise<RouteResponse> {
    const { parameters = {}, node, previews, variations, expiresIn } = body
    const started = await services.executions.startDraft(
      { accountId: caller.account.id, keyId: caller.key.id },
      params.workflowId,
      { parameters, node, signal },
      once,
      { previews, variations, expiresIn, async: body.async, webhookUrl: body.webhookUrl },
    )
    return executionResponse(started, body.async, once ? undefined : signal, services, caller.account)
  },
})
