import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { imageDetail } from './present.ts'
import { ImageDetail } from './schema.ts'

export const updateImage = defineRoute({
  id: 'images.update',
  method: 'PUT',
  path: '/storage/images/{imageId}',
  summary: 'Make an image private or public',
  description:
    'The URLs of a private image require a signature that expires. Responses of the API have such URLs, and a signing key makes others. Takes effect immediately. Copies in browsers and CDNs stay until they expire. An image of a private project stays private.',
  tag: 'Storage',
  permission: ['storage:write'],
  params: Type.Object({ imageId: id('The id of the image.') }),
  body: Type.Object(
    { private: Type.Boolean({ description: 'Whether the URLs of the image require a signature.' }) },
    closed,
  ),
  reply: { status: 200, description: 'The image was changed.', schema: ImageDetail },
  errors: ['not_found'],
  async handle({ params, body, caller }, { images }) {
    const image = await images.setPrivate(caller.account.id, params.imageId, body.private)
    const urls = images.urlsOf(body.private ? { ...caller.account, hasPrivateImages: true } : caller.account)
    return { body: imageDetail(image, urls) }
  },
})
