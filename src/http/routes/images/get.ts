import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { imageDetail } from './present.ts'
import { ImageDetail } from './schema.ts'

export const getImage = defineRoute({
  id: 'images.get',
  method: 'GET',
  path: '/storage/images/{imageId}',
  summary: 'Get an image',
  tag: 'Storage',
  permission: ['storage:read'],
  params: Type.Object({ imageId: id('The id of the image.') }),
  reply: { status: 200, description: 'The image.', schema: ImageDetail },
  errors: ['not_found'],
  async handle({ params, caller }, { images }) {
    return { body: imageDetail(await images.find(caller.account.id, params.imageId), images.urlsOf(caller.account)) }
  },
})
