import Type from 'typebox'
import { hasMore } from '../../../domain/page.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { id, PageQuery, pageOf } from '../schema.ts'
import { imageItem } from './present.ts'
import { ImageListItem } from './schema.ts'

export const listImages = defineRoute({
  id: 'images.list',
  method: 'GET',
  path: '/storage/images',
  summary: 'List images, newest first',
  tag: 'Storage',
  permission: ['storage:read'],
  query: Type.Object({ ...PageQuery, projectId: Type.Optional(id('Return only images of this project.')) }, closed),
  reply: {
    status: 200,
    description: 'A page of images.',
    schema: pageOf('ImagePage', { images: Type.Array(ImageListItem) }),
  },
  async handle({ query: { projectId, ...page }, caller }, { images }) {
    const found = await images.list(caller.account.id, page, projectId === undefined ? {} : { projectId })
    const urls = images.urlsOf(caller.account)
    const items = found.items.map((image) => imageItem(image, urls))
    return { body: { images: items, total: found.total, hasMore: hasMore(found, page) } }
  },
})
