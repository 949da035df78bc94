import Type from 'typebox'
import { fileName } from '../../../domain/image.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { imageDetail } from './present.ts'
import { ImageDetail } from './schema.ts'

export const uploadImage = defineRoute({
  id: 'images.upload',
  method: 'POST',
  path: '/storage/upload',
  summary: 'Upload an image',
  description: 'PNG, JPEG, WebP, AVIF, GIF, TIFF or SVG, told by its bytes. It is decoded whole before it is accepted.',
  tag: 'Storage',
  permission: ['storage:write'],
  upload: true,
  body: Type.Object(
    {
      projectId: Type.Optional(id('The project in which to store it.')),
      name: Type.Optional(Type.String({ ...fileName, description: 'Custom file name.' })),
    },
    closed,
  ),
  reply: { status: 201, description: 'Stored; `Location` is where it is read.', schema: ImageDetail },
  errors: ['not_found'],
  async handle({ body, file, caller, once, signal }, { images, baseUrl }) {
    const image = await images.store(caller.account.id, file, { fileName: file.fileName, ...body, once, signal })
    return {
      status: 201,
      headers: { location: `${baseUrl()}/storage/images/${image.id}` },
      body: imageDetail(image, images),
    }
  },
})
