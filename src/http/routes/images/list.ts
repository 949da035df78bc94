import Type from 'typebox'
import { imageOrders } from '../../../domain/images/image.ts'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { countedPageOf, PageQuery, paging } from '../pages.ts'
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
      sort: Type.Enum([...imageOrders], {
        default: 'newest',
        description: 'The order: by age, by size of the file, or by name (A to Z, without regard to case).',
      }),
    },
    closed,
  ),
  reply: {
    status: 200,
    description: 'A page of images.',
    schema: countedPageOf(
      'ImagePage',
      { images: Type.Array(ImageListItem) },
      `Total number of matching images. With \`source\`, \`search\`, \`createdAfter\` or \`createdBefore\`, at most ${limits.imagesCountedMax}: more images are not counted.`,
    ),
  },
  async handle(request, { images }) {
    const { account } = request.caller
    const { page, filter, fieldsOf } = paging(request)
    const { sort, ...query } = filter
    const found = await images.list(account.id, page, imageFilterOf(query), sort)
    const urls = images.urlsOf(account)
    const items = found.items.map((image) => imageItem(image, urls))
    return { body: { images: items, ...fieldsOf(found) } }
  },
})
