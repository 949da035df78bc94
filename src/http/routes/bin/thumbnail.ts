import Type from 'typebox'
import { limits } from '../../../limits.ts'
import { defineRoute, type RouteResponse } from '../../define-route.ts'
import { id } from '../schema.ts'

export const getBinThumbnail = defineRoute({
  id: 'bin.thumbnail',
  method: 'GET',
  path: '/storage/bin/{imageId}/thumbnail',
  summary: 'Get the thumbnail of an image in the bin',
  description: `Returns a WebP image of at most ${limits.previewSidePixels} x ${limits.previewSidePixels} pixels.`,
  tag: 'Storage',
  permission: ['storage:read'],
  params: Type.Object({ imageId: id('The id of the image.') }),
  reply: { status: 200, description: 'The thumbnail.', mediaType: 'image/webp' },
  errors: ['not_found'],
  async handle({ params, caller, signal }, { bin, thumbnails }): Promise<RouteResponse> {
    const image = await bin.find(caller.account.id, params.imageId)
    const headers = { 'content-type': 'image/webp', 'cache-control': 'private, max-age=3600' }
    return { headers, body: await thumbnails.read(image, signal) }
  },
})
