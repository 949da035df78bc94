import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { countedPageOf, PageQuery, paging } from '../pages.ts'
import { binnedItem } from './present.ts'
import { BinnedImageItem, binDays } from './schema.ts'

export const listBin = defineRoute({
  id: 'bin.list',
  method: 'GET',
  path: '/storage/bin',
  summary: 'List the bin',
  description: `Returns images that were moved to the bin with \`bin=true\`, the latest first. They stay for ${binDays} days. They still count as stored images and bytes, but their URLs return 404, and no other request finds them.`,
  tag: 'Storage',
  permission: ['storage:read'],
  query: Type.Object(PageQuery, closed),
  reply: {
    status: 200,
    description: 'A page of images.',
    schema: countedPageOf('BinPage', { images: Type.Array(BinnedImageItem) }),
  },
  async handle(request, { bin }) {
    const { page, fieldsOf } = paging(request)
    const found = await bin.list(request.caller.account.id, page)
    return { body: { images: found.items.map(binnedItem), ...fieldsOf(found) } }
  },
})
