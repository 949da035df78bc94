import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { countedPageOf, PageQuery, paging } from '../pages.ts'
import { id } from '../schema.ts'
import { workflowVersion } from './present.ts'
import { WorkflowVersionItem } from './schema.ts'

export const listWorkflowVersions = defineRoute({
  id: 'workflows.listVersions',
  method: 'GET',
  path: '/workflows/{workflowId}/versions',
  summary: 'List the versions of a workflow, newest first',
  tag: 'Workflows',
  permission: ['workflows:read'],
  params: Type.Object({ workflowId: id('The id of the workflow.') }),
  query: Type.Object(PageQuery, closed),
  reply: {
    status: 200,
    description: 'A page of versions.',
    schema: countedPageOf('WorkflowVersionPage', { versions: Type.Array(WorkflowVersionItem) }),
  },
  errors: ['not_found'],
  async handle(request, { workflows }) {
    const { page, fieldsOf } = paging(request)
    const found = await workflows.versions(request.caller.account.id, request.params.workflowId, page)
    return { body: { versions: found.items.map(workflowVersion), ...fieldsOf(found) } }
  },
})
