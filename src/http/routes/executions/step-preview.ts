import Type from 'typebox'
import { defineRoute, type RouteResponse } from '../../define-route.ts'
import { cacheDocs } from '../../response/file-response.ts'
import { notModified, respondWithFile } from '../../response/preconditions.ts'
import { id } from '../schema.ts'

export const getStepPreview = defineRoute({
  id: 'executions.stepPreview',
  method: 'GET',
  path: '/workflows/executions/{executionId}/steps/{node}/preview',
  summary: 'Get the preview of a step',
  description:
    'Returns a WebP image of at most 512 x 512 pixels. Available for executions that were started with `previews: true`. Shows the first image of a list and the first frame of an animation. A preview is kept for some days after it was last requested.',
  tag: 'Executions',
  permission: ['workflows:read', 'workflows:execute'],
  params: Type.Object({ executionId: id('The id of the execution.'), node: id('The id of the node.') }),
  reply: {
    status: 200,
    description: 'The preview.',
    mediaType: 'image/webp',
    headers: cacheDocs,
  },
  moreReplies: [{ ...notModified, headers: cacheDocs }],
  errors: ['not_found', 'precondition_failed'],
  async handle({ params, headers, method, caller }, { previews }): Promise<RouteResponse> {
    const { id, bytes, isFinal } = await previews.read(caller.account.id, params.executionId, params.node)
    const common = {
      etag: `"${id}"`,
      // Another attempt of a running execution may replace the preview.
      'cache-control': isFinal ? 'private, max-age=86400, immutable' : 'private, no-cache',
      // The browser must not reuse the response for another account.
      vary: 'authorization, cookie',
      'content-security-policy': "default-src 'none'",
    }
    return respondWithFile({ method, headers }, { headers: common, mediaType: 'image/webp', read: async () => bytes })
  },
})
