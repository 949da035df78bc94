import Type from 'typebox'
import { fileName } from '../../../domain/images/image.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { imageDetail } from './present.ts'
import { ImageDetail } from './schema.ts'

export const updateImage = defineRoute({
  id: 'images.update',
  method: 'PUT',
  path: '/storage/images/{imageId}',
  summary: 'Rename or move an image, or make it private',
  description:
    'Changes the given fields. The id and the URLs of the image stay the same. The URLs of a private image require a signature that expires. Responses of the API have such URLs, and a signing key makes others. Takes effect immediately. Copies in browsers and CDNs stay until they expire. An image of a private project stays private there; to move it to another project, set `private` too.',
  tag: 'Storage',
  permission: ['storage:write'],
  params: Type.Object({ imageId: id('The id of the image.') }),
  body: Type.Object(
    {
      name: Type.Optional(Type.String({ ...fileName, description: 'File name.' })),
      projectId: Type.Optional(
        Type.Union([id('Id of the project.'), Type.Null()], {
          description: 'The project of the image. Null for none.',
        }),
      ),
      private: Type.Optional(Type.Boolean({ description: 'Whether the URLs of the image require a signature.' })),
    },
    { ...closed, minProperties: 1 },
  ),
  reply: { status: 200, description: 'The image was changed.', schema: ImageDetail },
  errors: ['not_found'],
  async handle({ params, body, caller }, { images }) {
    const { private: isPrivate, ...others } = body
    const image = await images.update(caller.account.id, params.imageId, { ...others, isPrivate })
    const urls = images.urlsOf(image.requiresSignature ? { ...caller.account, hasPrivateImages: true } : caller.account)
    return { body: imageDetail(image, urls) }
  },
})
