import Type from 'typebox'
import { WorkflowDocument } from '../../../domain/workflows/workflow.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { chosenVersionQuery, id } from '../schema.ts'
import { versionEtag } from './present.ts'

export const getWorkflowDocument = defineRoute({
  id: 'workflows.getDocument',
  method: 'GET',
  path: '/workflows/{workflowId}/document',
  summary: 'Get the document of a workflow',
  description: 'Returns the newest version, or the version in `version` or of the channel in `channel`.',
  tag: 'Workflows',
  permission: ['workflows:read'],
  params: Type.Object({ workflowId: id('The id or the slug of the workflow.') }),
  query: Type.Object(chosenVersionQuery, closed),
  reply: {
    status: 200,
    description: 'The document.',
    schema: WorkflowDocument,
    headers: { ETag: 'Version of the document, for `If-Match`.' },
  },
  errors: ['not_found'],
  async handle({ params: { workflowId }, query, caller: { account } }, { workflows }) {
    const { workflow, document } = await workflows.findAt(account.id, workflowId, query)
    return { headers: { etag: versionEtag(workflow.version) }, body: document }
  },
})
