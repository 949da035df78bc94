import Type from 'typebox'
import { hasMore } from '../../../domain/page.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { PageQuery, pageOf } from '../schema.ts'
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
    schema: pageOf('FontPage', { fonts: Type.Array(FontRecord) }),
  },
  async handle({ query, caller }, { fonts }) {
    const found = await fonts.list(caller.account.id, query)
    return { body: { fonts: found.items.map(fontRecord), total: found.total, hasMore: hasMore(found, query) } }
  },
})
