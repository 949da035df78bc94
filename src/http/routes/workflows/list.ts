import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { lastOutputField } from '../executions/present.ts'
import { countedPageOf, PageQuery, paging } from '../pages.ts'
import { id, searchField } from '../schema.ts'
import { workflowItem, workflowWithVersion } from './present.ts'
import { WorkflowListItem } from './schema.ts'

export const listWorkflows = defineRoute({
  id: 'workflows.list',
  method: 'GET',
  path: '/workflows',
  summary: 'List workflows, newest first',
  tag: 'Workflows',
  permission: ['workflows:read'],
  query: Type.Object(
    {
      ...PageQuery,
      projectId: Type.Optional(id('Return only workflows of this project.')),
      search: Type.Optional(searchField),
      include: Type.Optional(
        Type.Enum(['lastOutput', 'version'], {
          description:
            'Include the output of the most recent completed execution of each workflow, or its slug and newest version.',
        }),
      ),
    },
    closed,
  ),
  reply: {
    status: 200,
    description: 'A page of workflows.',
    schema: countedPageOf('WorkflowPage', { workflows: Type.Array(WorkflowListItem) }),
  },
  async handle(request, { workflows, executions, images }) {
    const { account } = request.caller
    const { page, filter, fieldsOf } = paging(request)
    const { include, ...selection } = filter
    const found = await workflows.list(account.id, page, selection)
    const outputs = await executions.lastOutputs(
      account.id,
      include === 'lastOutput' ? found.items.map(({ id }) => id) : [],
    )
    const urls = images.urlsOf(account)
    const items = found.items.map((item) => ({
      ...(include === 'version' ? workflowWithVersion(item) : workflowItem(item)),
      ...lastOutputField(outputs.get(item.id), urls),
    }))
    return { body: { workflows: items, ...fieldsOf(found) } }
  },
})
