import Type from 'typebox'
import { imageOrders } from '../../../domain/images/image.ts'
import { hasMore } from '../../../domain/page.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { PageQuery, pageOf } from '../schema.ts'
import { imageFilterOf, imageFilterQuery } from './filter.ts'
import { imageItem } from './present.ts'
import { ImageListItem } from './schema.ts'

export const listImages = defineRoute({
  id: 'images.list',
  method: 'GET',
  path: '/storage/images',
  summary: 'List images, newest first',
  description:
    'Returns uploads and outputs of executions. Use `source`, `search` and the other filters to select images, and `sort` for another order.',
  tag: 'Storage',
  permission: ['storage:read'],
  query: Type.Object(
    {
      ...PageQuery,
      ...imageFilterQuery,
      sort: Type.Optional(
        Type.Enum([...imageOrders], { description: 'The order, by age or by size of the file. Default: `newest`.' }),
      ),
    },
    closed,
  ),
  reply: {
    status: 200,
    description: 'A page of images.',
    schema: pageOf('ImagePage', { images: Type.Array(ImageListItem) }),
  },
  async handle({ query: { limit, offset, sort, ...query }, caller }, { images }) {
    const page = { limit, offset }
    const found = await images.list(caller.account.id, page, imageFilterOf(query), sort)
    const urls = images.urlsOf(caller.account)
    const items = found.items.map((image) => imageItem(image, urls))
    return { body: { images: items, total: found.total, hasMore: hasMore(found, page) } }
  },
})
