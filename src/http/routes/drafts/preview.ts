import Type from 'typebox'
import { limits } from '../../../limits.ts'
import { previewQualities } from '../../../services/workflows/draft-previews.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { Variations } from '../executions/schema.ts'
import { id } from '../schema.ts'
import { DraftPreview } from './schema.ts'

export const previewDraft = defineRoute({
  id: 'drafts.preview',
  method: 'POST',
  path: '/workflows/{workflowId}/draft/preview',
  summary: 'Preview a node of a draft',
  description: `Returns the image of a node as it would be in an execution, for editors that show each change. Saves no draft, records no execution, stores no image and calls no AI model: a step that calls one has its cached result, or the response is 409 \`execution_required\` with the nodes in \`details.nodes\`. Also 409 if the preview takes more than ${limits.draftPreviewSeconds} seconds. Only the nodes that \`node\` needs are validated and executed. If \`node\` fails, for example because a rectangle is outside of its image, \`details.frames\` of the 400 response has its areas in the inputs. Previews of an account are made one after the other, with at most ${limits.draftPreviewsPerAccountMax} requests in progress, and are counted separately from other requests: at most ${limits.draftPreviewsPerMinuteMax} in a minute. Abort a request if you don't need its response any more: its work stops.`,
  tag: 'Drafts',
  permission: ['workflows:execute'],
  rate: { name: 'previews', perMinute: limits.draftPreviewsPerMinuteMax },
  params: Type.Object({
    workflowId: id('The id of the workflow. Also an id that is reserved for an unpublished workflow.'),
  }),
  body: Type.Object(
    {
      document: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'The document that is being edited. Default: the stored draft, or the newest version.',
        }),
      ),
      node: Type.Optional(id('The node whose image is returned. Default: the node of the output.')),
      parameters: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'Values by parameter name. `data:` URLs are rejected, because nothing is stored.',
        }),
      ),
      variations: Type.Optional(Variations),
      maxSide: Type.Optional(
        Type.Integer({
          minimum: limits.draftPreviewSidePixelsMin,
          maximum: limits.sidePixelsMax,
          description:
            'Pixels of the longer side, at most. Default: the size of the image. A smaller image keeps its size.',
        }),
      ),
      quality: Type.Optional(
        Type.Enum([...previewQualities], {
          default: 'exact',
          description:
            '`exact` returns the pixels of an execution as PNG, or as lossless WebP for an animation. `fast` returns JPEG, or WebP if the image can be transparent, and only the first frame of an animation: for the time while a value changes.',
        }),
      ),
      carets: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            'Whether frames of texts have `text`: the characters of each line and their positions, for editors that edit a text on the image.',
        }),
      ),
    },
    closed,
  ),
  // A preview creates nothing.
  ignoresIdempotencyKey: true,
  reply: { status: 200, description: 'The image.', schema: DraftPreview },
  errors: ['not_found', 'execution_required'],
  async handle({ params, body, caller, signal }, { draftPreviews }) {
    const { maxSide: sideMax, quality = 'exact', ...request } = body
    const preview = await draftPreviews.render(
      caller.account.id,
      params.workflowId,
      { ...request, sideMax, quality },
      signal,
    )
    const { node, frames, bytes, format, width, height, imageWidth, imageHeight } = preview
    const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
    return {
      body: {
        node,
        width: imageWidth,
        height: imageHeight,
        image: { data, format, width, height },
        ...(frames && { frames }),
      },
    }
  },
})
