import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { chosenVersionQuery, id } from '../schema.ts'
import { versionEtag, workflowDetail, workflowUser } from './present.ts'
import { WorkflowDetail } from './schema.ts'

export const getWorkflow = defineRoute({
  id: 'workflows.get',
  method: 'GET',
  path: '/workflows/{workflowId}',
  summary: 'Get a workflow and its parameters',
  tag: 'Workflows',
  permission: ['workflows:read'],
  description: 'With `version` or `channel`, name, description, parameters and `version` are those of that version.',
  params: Type.Object({ workflowId: id('The id or the slug of the workflow.') }),
  query: Type.Object(chosenVersionQuery, closed),
  reply: {
    status: 200,
    description: 'The workflow.',
    schema: WorkflowDetail,
    headers: { ETag: 'The version: the newest one, for `If-Match`, or the chosen one.' },
  },
  errors: ['not_found'],
  async handle({ params, query, caller }, { workflows }) {
    const { workflow, document } = await workflows.findAt(caller.account.id, params.workflowId, query)
    const users = (await workflows.users(workflow.id)).map(workflowUser)
    return {
      headers: { etag: versionEtag(workflow.version) },
      body: { ...workflowDetail(workflow, document), ...(users.length > 0 && { usedBy: users }) },
    }
  },
})
