import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { lastOutputField } from '../executions/present.ts'
import { countedPageOf, PageQuery, paging } from '../pages.ts'
import { id, includeField, searchField } from '../schema.ts'
import { draftItem } from './present.ts'
import { DraftItem } from './schema.ts'

export const listDrafts = defineRoute({
  id: 'drafts.list',
  method: 'GET',
  path: '/workflows/drafts',
  summary: 'List drafts, newest first',
  description: 'Lists drafts of published and unpublished workflows.',
  tag: 'Drafts',
  permission: ['workflows:read'],
  query: Type.Object(
    {
      ...PageQuery,
      workflowId: Type.Optional(id('Return only the draft of this workflow.')),
      projectId: Type.Optional(id('Return only drafts of this project.')),
      search: Type.Optional(searchField),
      include: Type.Optional(includeField),
    },
    closed,
  ),
  reply: {
    status: 200,
    description: 'A page of drafts.',
    schema: countedPageOf('DraftPage', { drafts: Type.Array(DraftItem) }),
  },
  async handle(request, { drafts, executions, images }) {
    const { account } = request.caller
    const { page, filter, fieldsOf } = paging(request)
    const { include, ...selection } = filter
    const found = await drafts.list(account.id, page, selection)
    const ids = include === undefined ? [] : found.items.map(({ workflowId }) => workflowId)
    const outputs = await executions.lastOutputs(account.id, ids)
    const urls = images.urlsOf(account)
    const items = found.items.map((item) => ({
      ...draftItem(item),
      ...lastOutputField(outputs.get(item.workflowId), urls),
    }))
    return { body: { drafts: items, ...fieldsOf(found) } }
  },
})
