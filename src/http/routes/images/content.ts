import Type from 'typebox'
import { imageFormats } from '../../../domain/images/image.ts'
import { defineRoute, type RouteResponse } from '../../define-route.ts'
import { crossOriginHeaders } from '../../response/cross-origin.ts'
import { downloadDocs, fileHeaders, imageDocs } from '../../response/file-response.ts'
import { notModified, respondWithFile } from '../../response/preconditions.ts'
import { signedQuery } from '../signed-query.ts'

const validators = {
  ...imageDocs,
  ...downloadDocs,
  'Accept-Ranges': '`bytes`: a request can have a `Range`.',
}

export const getImageContent = defineRoute({
  id: 'images.content',
  method: 'GET',
  path: '/images/{file}',
  root: 'only',
  summary: 'Download an image',
  description:
    'Anyone who has the URL can download the image. The id cannot be guessed. The URL of a private image requires a signature, as responses of the API have it.',
  tag: 'Storage',
  permission: 'public',
  params: Type.Object({ file: Type.String({ description: '`<id>.<extension>`' }) }),
  query: signedQuery(),
  reply: {
    status: 200,
    description: 'The bytes.',
    mediaType: ['image/*', 'application/pdf'],
    headers: validators,
  },
  moreReplies: [
    {
      status: 206,
      description: 'The requested range.',
      mediaType: ['image/*', 'application/pdf'],
      headers: { ...validators, 'Content-Range': 'The range.' },
    },
    { ...notModified, headers: validators },
    {
      status: 416,
      description: 'The range is outside of the image.',
      headers: { ...validators, 'Content-Range': 'The size of the image.' },
    },
  ],
  errorHeaders: { ...crossOriginHeaders, 'cache-control': 'no-store' },
  errors: ['not_found', 'forbidden', 'precondition_failed'],
  async handle({ params, headers, method, url }, { images, deliveries }): Promise<RouteResponse> {
    const image = await images.findPublic(params.file)
    const secondsLeft = image.requiresSignature ? await deliveries.authorize(url, image) : undefined
    return respondWithFile(
      { method, headers },
      {
        headers: fileHeaders(image, secondsLeft),
        mediaType: imageFormats[image.format].mediaType,
        modifiedAt: image.createdAt,
        size: image.size,
        hasRanges: true,
        read: (range) => images.open(image, range),
      },
    )
  },
})
