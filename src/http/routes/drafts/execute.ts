import Type from 'typebox'
import { closed, defineRoute, type RouteResponse } from '../../define-route.ts'
import { executionReplies, executionResponse } from '../executions/response.ts'
import { asyncField, previewsField } from '../executions/schema.ts'
import { id } from '../schema.ts'

export const executeDraft = defineRoute({
  id: 'drafts.execute',
  method: 'POST',
  path: '/workflows/{workflowId}/draft/execute',
  summary: "Execute a workflow's draft",
  description:
    'As it is at this moment, which is kept with the execution; where there is no draft, the newest version is what one would begin from, and is executed. Only what the output needs is checked and executed, or what the node in `node` needs. Answers as executing a saved workflow does.',
  tag: 'Drafts',
  permission: ['workflows:execute'],
  params: Type.Object({ workflowId: id('A workflow, or the id that is reserved for one.') }),
  body: Type.Object(
    {
      parameters: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { description: "Keys are the draft's parameter names." }),
      ),
      node: Type.Optional(id('Run to this node: its image is the output, in the default format.')),
      previews: Type.Optional(previewsField),
      async: Type.Optional(asyncField),
    },
    closed,
  ),
  ...executionReplies,
  errors: ['not_found', 'workflow_failed'],
  async handle({ params, body, caller, once, signal }, services): Promise<RouteResponse> {
    const { parameters = {}, node, previews } = body
    const started = await services.executions.startDraft(
      { accountId: caller.account.id, keyId: caller.key.id },
      params.workflowId,
      { parameters, node },
      once,
      { previews, async: body.async },
    )
    return executionResponse(started, body.async, once ? undefined : signal, services)
  },
})
