import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { Deleted, id } from '../schema.ts'
import { binField } from './delete-some.ts'

export const deleteImage = defineRoute({
  id: 'images.delete',
  method: 'DELETE',
  path: '/storage/images/{imageId}',
  summary: 'Delete an image',
  description:
    'Its sizes and formats, cached results and files of delivery URLs that were made from it are deleted with it; images that executions made stay. The URL of the image returns 404 afterwards, and executions of workflows that use it fail. `GET /storage/images/{imageId}/uses` lists these workflows, and the brands that use it.',
  tag: 'Storage',
  permission: ['storage:write'],
  params: Type.Object({ imageId: id('The id of the image.') }),
  query: Type.Object({ bin: binField }, closed),
  reply: { status: 200, description: 'The image was deleted.', schema: Deleted },
  errors: ['not_found'],
  async handle({ params, query: { bin }, caller }, { images }) {
    if (bin === 'true') await images.moveToBin(caller.account.id, params.imageId)
    else await images.remove(caller.account.id, params.imageId)
    return { body: { deleted: true } }
  },
})
