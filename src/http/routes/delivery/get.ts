import Type from 'typebox'
import { imageFormats } from '../../../domain/images/image.ts'
import { limits } from '../../../limits.ts'
import { defineRoute, type RouteResponse } from '../../define-route.ts'
import { crossOriginHeaders } from '../../response/cross-origin.ts'
import { deliveryHeaders } from '../../response/delivery-headers.ts'
import { cacheDocs } from '../../response/file-response.ts'
import { notModified, respondWithFile } from '../../response/preconditions.ts'
import { signedQuery } from '../signed-query.ts'

const cacheHeaders = {
  ...cacheDocs,
  'Cache-Tag': 'For purging caches: the id of the workflow, and the id with its version; or the id of the image.',
}

const optionalHeaders = {
  'CDN-Cache-Control': 'How long CDNs can cache the response, if it is public.',
  Vary: '`Accept`, if the extension is `auto`.',
  'Tintype-Status': 'Why the response is the fallback image: `pending`, `failed`, `busy` or `invalid`.',
}

export const deliver = defineRoute({
  id: 'delivery.get',
  method: 'GET',
  path: '/i/{file}',
  root: 'only',
  summary: 'Get the output of a workflow, or another size of an image, by a signed URL',
  description: `For \`<img src>\` and CDNs. \`{file}\` is \`<slug>.<ext>\`, \`<slug>@<version>.<ext>\` or \`<slug>@<channel>.<ext>\` of a workflow whose document allows it with \`delivery\`, or \`<image id>.<ext>\`. The extension is the format: png, jpg, webp, avif, gif or tiff, or \`auto\` for the best format that the client accepts. The query has the parameters of the workflow, or \`w\`, \`h\`, \`fit\`, \`dpr\` and \`q\` of an image, and \`exp\` (Unix seconds), \`kid\` (the id of a signing key) and \`sig\` (an HMAC-SHA-256). \`/guide/delivery-urls\` has the form that is signed, and signers in several languages. The first request executes the workflow, and all later ones get the stored file. At most ${limits.deliveryUrlCharsMax} characters.`,
  tag: 'Delivery URLs',
  permission: 'public',
  params: Type.Object({
    file: Type.String({ description: '`<slug>[@<version or channel>].<ext>`, or `<image id>.<ext>`' }),
  }),
  query: signedQuery({
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'The parameters of the workflow by name, or `w`, `h`, `fit`, `dpr` and `q` of an image.',
      }),
    ),
  }),
  reply: {
    status: 200,
    description:
      'The image. With the header `Tintype-Status`, it is the fallback image of the workflow: the execution is `pending`, has `failed`, was not started (`busy`), or the parameters are `invalid`.',
    mediaType: 'image/*',
    headers: cacheHeaders,
    optionalHeaders,
  },
  moreReplies: [
    {
      status: 302,
      description:
        'The URL of the image below `IMAGES_URL`, if that is set: of other sizes of stored images, and of workflows with `redirect` in their `delivery`.',
      headers: { ...cacheHeaders, Location: 'The URL of the file.' },
      optionalHeaders,
    },
    { ...notModified, headers: cacheHeaders, optionalHeaders },
  ],
  errorHeaders: { ...crossOriginHeaders, 'cache-control': 'no-store' },
  errors: ['forbidden', 'invalid_request', 'precondition_failed'],
  async handle({ url, headers, method, signal }, { deliveries }): Promise<RouteResponse> {
    const delivered = await deliveries.find({ url, accept: headers.accept ?? '', signal })
    const { image } = delivered
    const location = deliveries.location(delivered)
    const common = deliveryHeaders(delivered, { isRedirect: location !== undefined })
    if (location !== undefined) return { status: 302, headers: { ...common, location }, body: null }
    return respondWithFile(
      { method, headers },
      {
        headers: common,
        mediaType: imageFormats[image.format].mediaType,
        size: image.size,
        read: () => deliveries.read(delivered),
      },
    )
  },
})
