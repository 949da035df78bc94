import Type from 'typebox'
import { limits } from '../../../limits.ts'
import { defineRoute, type RouteResponse } from '../../define-route.ts'
import { crossOriginHeaders } from '../../response/cross-origin.ts'
import { imageDocs, thumbnailHeaders } from '../../response/file-response.ts'
import { notModified, respondWithFile } from '../../response/preconditions.ts'
import { signedQuery } from '../signed-query.ts'

const side = limits.previewSidePixels

export const getThumbnail = defineRoute({
  id: 'images.thumbnail',
  method: 'GET',
  path: '/images/{imageId}/thumbnail',
  root: 'only',
  summary: 'Get the thumbnail of an image',
  description: `Returns a WebP image of at most ${side} x ${side} pixels for lists and galleries, for every format: an SVG is drawn, an animation shows its first frame. Other images that are smaller keep their size. Public like the image: anyone who has the id can request it. For a private image, use its \`thumbnailUrl\`. The first request renders the thumbnail, and it is stored for some days after the last one.`,
  tag: 'Storage',
  permission: 'public',
  params: Type.Object({ imageId: Type.String({ description: 'The id of the image.' }) }),
  query: signedQuery(),
  reply: {
    status: 200,
    description: 'The thumbnail.',
    mediaType: 'image/webp',
    headers: imageDocs,
  },
  moreReplies: [{ ...notModified, headers: imageDocs }],
  errorHeaders: { ...crossOriginHeaders, 'cache-control': 'no-store' },
  errors: ['not_found', 'forbidden', 'precondition_failed'],
  async handle({ params, headers, method, url, signal }, { thumbnails, deliveries }): Promise<RouteResponse> {
    const image = await thumbnails.find(params.imageId)
    const secondsLeft = image.requiresSignature ? await deliveries.authorize(url, image) : undefined
    return respondWithFile(
      { method, headers },
      {
        headers: thumbnailHeaders(image, secondsLeft),
        mediaType: 'image/webp',
        modifiedAt: image.createdAt,
        read: () => thumbnails.read(image, signal),
      },
    )
  },
})
