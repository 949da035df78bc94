import Type from 'typebox'
import { imageFormats } from '../../../domain/image.ts'
import { defineRoute, type RouteResponse } from '../../define-route.ts'
import { crossOriginHeaders } from '../../response/cross-origin.ts'
import {
  downloadDocs,
  etagOf,
  fileHeaders,
  imageDocs,
  isNotModified,
  requestedRange,
} from '../../response/file-response.ts'
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
    { status: 304, description: 'Not modified: the `ETag` matches `If-None-Match`.', headers: validators },
    {
      status: 416,
      description: 'The range is outside of the image.',
      headers: { ...validators, 'Content-Range': 'The size of the image.' },
    },
  ],
  errorHeaders: { ...crossOriginHeaders, 'cache-control': 'no-store' },
  errors: ['not_found', 'forbidden'],
  async handle({ params, headers, method, url }, { images, deliveries }): Promise<RouteResponse> {
    const image = await images.findPublic(params.file)
    const secondsLeft = image.requiresSignature ? await deliveries.authorize(url, image) : undefined
    const common = fileHeaders(image, secondsLeft)
    if (isNotModified(headers, etagOf(image))) return { status: 304, headers: common, body: null }
    const range = requestedRange(headers, image)
    if (range === 'unsatisfiable')
      return { status: 416, headers: { ...common, 'content-range': `bytes */${image.size}` }, body: null }
    const bytes = range ?? { start: 0, end: image.size - 1 }
    const length = {
      'content-type': imageFormats[image.format].mediaType,
      'content-length': String(bytes.end - bytes.start + 1),
    }
    const body = method === 'HEAD' ? null : await images.open(image, range)
    if (range === undefined) return { headers: { ...common, ...length }, body }
    return {
      status: 206,
      headers: { ...common, ...length, 'content-range': `bytes ${range.start}-${range.end}/${image.size}` },
      body,
    }
  },
})
