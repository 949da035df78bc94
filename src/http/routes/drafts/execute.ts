import Type from 'typebox'
import { outputFormats } from '../../../domain/workflows/output.ts'
import { invalidRequest } from '../../../errors.ts'
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
      node: Type.Optional(id('Execute up to this node. Its image becomes the output.')),
      format: Type.Optional(
        Type.Enum([...outputFormats], {
          description:
            'With `node`: the format of its image. Default: as of an output without `format`. `png` stores it without loss.',
        }),
      ),
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
    const { parameters = {}, node, format, previews, variations, expiresIn } = body
    if (format !== undefined && node === undefined)
      throw invalidRequest([{ path: 'format', message: 'requires "node": outputs of the draft have their own format' }])
    const started = await services.executions.startDraft(
      { accountId: caller.account.id, keyId: caller.key.id },
      params.workflowId,
      { parameters, node, format, signal },
      once,
      { previews, variations, expiresIn, async: body.async, webhookUrl: body.webhookUrl },
    )
    return executionResponse(started, body.async, once ? undefined : signal, services, caller.account)
  },
})
