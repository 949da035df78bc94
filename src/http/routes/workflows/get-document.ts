import Type from 'typebox'
import { WorkflowDocument } from '../../../domain/workflow.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { versionEtag } from './present.ts'

export const getWorkflowDocument = defineRoute({
  id: 'workflows.getDocument',
  method: 'GET',
  path: '/workflows/{workflowId}/document',
  summary: 'Get the document of a workflow',
  description: 'Returns the newest version, or the version in `version`.',
  tag: 'Workflows',
  permission: ['workflows:read'],
  params: Type.Object({ workflowId: id('The id of the workflow.') }),
  query: Type.Object(
    {
      version: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 2_147_483_647,
          description: 'Version number. Default: the newest version.',
        }),
      ),
    },
    closed,
  ),
  reply: {
    status: 200,
    description: 'The document.',
    schema: WorkflowDocument,
    headers: { ETag: 'Version of the document, for `If-Match`.' },
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
