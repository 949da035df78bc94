import Type from 'typebox'
import { fileName } from '../../../domain/images/image.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { expiresInField, id } from '../schema.ts'
import { imageDetail } from './present.ts'
import { ImageDetail } from './schema.ts'

export const uploadImage = defineRoute({
  id: 'images.upload',
  method: 'POST',
  path: '/storage/upload',
  summary: 'Upload an image',
  description:
    'Accepts PNG, JPEG, WebP, AVIF, GIF, TIFF, SVG, PDF and PSD (also PSB). The format is detected from the content. The image is fully decoded to validate it; of a PDF, the first page.',
  tag: 'Storage',
  permission: ['storage:write'],
  upload: ['file'],
  body: Type.Object(
    {
      projectId: Type.Optional(id('The project of the image.')),
      name: Type.Optional(
        Type.String({ ...fileName, description: 'File name. Default: the name of the uploaded file.' }),
      ),
      expiresIn: Type.Optional(
        expiresInField(
          'Seconds after which the image is removed. Default: the time of its project or plan, if there is one.',
        ),
      ),
      private: Type.Optional(
        Type.Enum(['true', 'false'], {
          description:
            'Whether the URLs of the image require a signature that expires, as responses of the API have it. Default: false.',
        }),
      ),
    },
    closed,
  ),
  reply: {
    status: 201,
    description: 'The image was stored.',
    schema: ImageDetail,
    headers: { Location: 'URL of the image in the API.' },
  },
  errors: ['not_found'],
  async handle({ body, file, caller, once, signal }, { images, baseUrl }) {
    const { private: isPrivate, ...about } = body
    const options = { fileName: file.fileName, ...about, isPrivate: isPrivate === 'true', once, signal }
    const image = await images.store(caller.account.id, file, options)
    return {
      status: 201,
      headers: { location: `${baseUrl()}/storage/images/${image.id}` },
      body: imageDetail(image, images.urlsOf(caller.account)),
    }
  },
})
