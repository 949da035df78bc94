import Type from 'typebox'
import { WorkflowDocument } from '../../../domain/workflow.ts'
import { defineRoute } from '../../define-route.ts'
import { versionTag } from '../../present.ts'
import { id } from '../../schemas.ts'

export const getWorkflowDocument = defineRoute({
  id: 'workflows.getDocument',
  method: 'GET',
  path: '/workflows/{workflowId}/document',
  summary: "Read a workflow's newest document, as it was saved",
  tag: 'Workflows',
  permission: ['workflows:read'],
  params: Type.Object({ workflowId: id('A workflow.') }),
  reply: {
    status: 200,
    description: 'The document; `ETag` names its version, for `If-Match` of a PUT.',
    schema: WorkflowDocument,
  },
  errors: ['not_found'],
  async handle({ params, caller }, { workflows }) {
    const { workflow, document } = await workflows.find(caller.account.id, params.workflowId)
    return { headers: { etag: versionTag(workflow.version) }, body: document }
  },
})
