import Type from 'typebox'
import { WorkflowDocument } from '../../../domain/workflow.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { versionEtag } from './present.ts'

export const getWorkflowDocument = defineRoute({
  id: 'workflows.getDocument',
  method: 'GET',
  path: '/workflows/{workflowId}/document',
  summary: "Read a workflow's document, as it was saved",
  description: 'That of the newest version, or with `version` that of another one.',
  tag: 'Workflows',
  permission: ['workflows:read'],
  params: Type.Object({ workflowId: id('A workflow.') }),
  query: Type.Object(
    {
      version: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Default: the newest version.' }),
      ),
    },
    closed,
  ),
  reply: {
    status: 200,
    description: 'The document; `ETag` names its version, for `If-Match` of a PUT.',
    schema: WorkflowDocument,
  },
  errors: ['not_found'],
  async handle({ params: { workflowId }, query, caller: { account } }, { workflows }) {
    if (query.version !== undefined) {
      const { version, document } = await workflows.findVersion(account.id, workflowId, query.version)
      return { headers: { etag: versionEtag(version) }, body: document }
    }
    const { workflow, document } = await workflows.find(account.id, workflowId)
    return { headers: { etag: versionEtag(workflow.version) }, body: document }
  },
})
