import Type from 'typebox'
import { hasMore } from '../../../domain/page.ts'
import { defineRoute } from '../../define-route.ts'
import { workflowItem } from '../../present.ts'
import { id, PageFacts, PageQuery, WorkflowListItem } from '../../schemas.ts'

export const listWorkflows = defineRoute({
  id: 'workflows.list',
  method: 'GET',
  path: '/workflows',
  summary: "List the account's workflows, newest first",
  tag: 'Workflows',
  permission: ['workflows:read'],
  query: Type.Object(
    { ...PageQuery, projectId: Type.Optional(id('Only those of this project.')) },
    { additionalProperties: false },
  ),
  reply: {
    status: 200,
    description: 'A page of workflows.',
    schema: Type.Object({ workflows: Type.Array(WorkflowListItem), ...PageFacts }),
  },
  async handle({ query: { projectId, ...page }, caller }, { workflows }) {
    const found = await workflows.list(caller.account.id, page, projectId === undefined ? {} : { projectId })
    return { body: { workflows: found.items.map(workflowItem), total: found.total, hasMore: hasMore(found, page) } }
  },
})
