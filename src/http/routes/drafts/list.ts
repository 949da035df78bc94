import Type from 'typebox'
import { hasMore } from '../../../domain/page.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { lastOutputField } from '../executions/present.ts'
import { id, includeField, PageQuery, pageOf, searchField } from '../schema.ts'
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
    schema: pageOf('DraftPage', { drafts: Type.Array(DraftItem) }),
  },
  async handle({ query: { include, limit, offset, ...filter }, caller: { account } }, { drafts, executions, images }) {
    const page = { limit, offset }
    const found = await drafts.list(account.id, page, filter)
    const ids = include === undefined ? [] : found.items.map(({ workflowId }) => workflowId)
    const outputs = await executions.lastOutputs(account.id, ids)
    const urls = images.urlsOf(account)
    const items = found.items.map((item) => ({
      ...draftItem(item),
      ...lastOutputField(outputs.get(item.workflowId), urls),
    }))
    return { body: { drafts: items, total: found.total, hasMore: hasMore(found, page) } }
  },
})
