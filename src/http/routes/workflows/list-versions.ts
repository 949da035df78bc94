import Type from 'typebox'
import { hasMore } from '../../../domain/page.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { id, PageQuery, pageOf } from '../schema.ts'
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
    schema: pageOf('WorkflowVersionPage', { versions: Type.Array(WorkflowVersionItem) }),
  },
  errors: ['not_found'],
  async handle({ params, query, caller }, { workflows }) {
    const found = await workflows.versions(caller.account.id, params.workflowId, query)
    return { body: { versions: found.items.map(workflowVersion), total: found.total, hasMore: hasMore(found, query) } }
  },
})
