import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { versionEtag, workflowDetail } from './present.ts'
import { WorkflowDetail } from './schema.ts'

export const getWorkflow = defineRoute({
  id: 'workflows.get',
  method: 'GET',
  path: '/workflows/{workflowId}',
  summary: 'Get a workflow and its parameters',
  tag: 'Workflows',
  permission: ['workflows:read'],
  params: Type.Object({ workflowId: id('The id of the workflow.') }),
  reply: {
    status: 200,
    description: 'The workflow.',
    schema: WorkflowDetail,
    headers: { ETag: 'Newest version, for `If-Match`.' },
  },
  errors: ['not_found'],
  async handle({ params, caller }, { workflows }) {
    const { workflow, document } = await workflows.find(caller.account.id, params.workflowId)
    return { headers: { etag: versionEtag(workflow.version) }, body: workflowDetail(workflow, document) }
  },
})
