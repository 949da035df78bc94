import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { countedPageOf, PageQuery, paging } from '../pages.ts'
import { fontRecord } from './present.ts'
import { FontRecord } from './schema.ts'

export const listFonts = defineRoute({
  id: 'fonts.list',
  method: 'GET',
  path: '/fonts',
  summary: 'List fonts, newest first',
  tag: 'Fonts',
  permission: ['storage:read'],
  query: Type.Object(PageQuery, closed),
  reply: {
    status: 200,
    description: 'A page of fonts.',
    schema: countedPageOf('FontPage', { fonts: Type.Array(FontRecord) }),
  },
  async handle(request, { fonts }) {
    const { page, fieldsOf } = paging(request)
    const found = await fonts.list(request.caller.account.id, page)
    return { body: { fonts: found.items.map(fontRecord), ...fieldsOf(found) } }
  },
})
