import Type from 'typebox'
import { defineRoute, type RouteResponse } from '../../define-route.ts'
import { isNotModified } from '../../response/file-response.ts'
import { id } from '../schema.ts'

export const getStepPreview = defineRoute({
  id: 'executions.stepPreview',
  method: 'GET',
  path: '/workflows/executions/{executionId}/steps/{node}/preview',
  summary: 'Read a small picture of what a step gave',
  description:
    'Of an execution that was begun with `previews` true: WebP of at most 512 x 512 pixels, of a list the first image, of an animation the first frame. It is kept for some days after it was shown last.',
  tag: 'Executions',
  permission: ['workflows:read', 'workflows:execute'],
  params: Type.Object({ executionId: id('An execution.'), node: id('A node of it.') }),
  reply: { status: 200, description: 'The picture.', mediaType: 'image/webp' },
  moreReplies: [{ status: 304, description: 'Unchanged since the `ETag` in `If-None-Match`.' }],
  errors: ['not_found'],
  async handle({ params, headers, method, caller }, { previews }): Promise<RouteResponse> {
    const { id, bytes, isFinal } = await previews.read(caller.account.id, params.executionId, params.node)
    const common = {
      etag: `"${id}"`,
      // Until the execution has ended, another attempt may show another.
      'cache-control': isFinal ? 'private, max-age=86400, immutable' : 'private, no-cache',
      // Another caller in the same browser is answered anew.
      vary: 'authorization, cookie',
      'content-security-policy': "default-src 'none'",
    }
    if (isNotModified(headers, common.etag)) return { status: 304, headers: common, body: null }
    const length = { 'content-type': 'image/webp', 'content-length': String(bytes.length) }
    return { headers: { ...common, ...length }, body: method === 'HEAD' ? null : bytes }
  },
})
