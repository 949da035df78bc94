import Type from 'typebox'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { DeletedImages, idsQuery, parseIds } from '../images/delete-some.ts'

export const emptyBin = defineRoute({
  id: 'bin.delete',
  method: 'DELETE',
  path: '/storage/bin',
  summary: 'Empty the bin',
  description: `Deletes images of the bin for good: those with the given \`ids\`, or without \`ids\`, all of them, the oldest first, at most ${limits.imagesDeletedMax} in one request.`,
  tag: 'Storage',
  permission: ['storage:write'],
  query: Type.Object(idsQuery, closed),
  reply: { status: 200, description: 'The images were deleted.', schema: DeletedImages },
  async handle({ query: { ids }, caller }, { bin }) {
    return {
      body: { deleted: true, ...(await bin.remove(caller.account.id, ids === undefined ? ids : parseIds(ids))) },
    }
  },
})
