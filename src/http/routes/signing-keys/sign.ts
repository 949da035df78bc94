import Type from 'typebox'
import { named } from '../../../domain/named-schema.ts'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { Timestamp } from '../schema.ts'
import { SigningKeyParams } from './schema.ts'

export const signDeliveryUrl = defineRoute({
  id: 'signingKeys.sign',
  method: 'POST',
  path: '/signing-keys/{keyId}/urls',
  summary: 'Sign a delivery URL',
  description:
    'For trying delivery URLs, and for clients without the secret. A URL that would be rejected is not signed: the response says why, which a response to the URL itself does not. It executes nothing. `/guide/delivery-urls` has signers for several languages, which need no request.',
  tag: 'Signing keys',
  permission: ['all'],
  params: SigningKeyParams,
  body: Type.Object(
    {
      file: Type.String({
        maxLength: limits.deliveryUrlCharsMax,
        description: 'The last part of the path: `card.webp`, `card@3.webp`, `card@live.auto` or `<image id>.webp`.',
      }),
      parameters: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description:
            'The parameters of the workflow, or `w`, `h`, `fit`, `dpr` and `q` of an image. A text stays as it is; other values become JSON.',
        }),
      ),
      expiresInSeconds: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: limits.deliveryUrlSecondsMax,
          description: `Default: ${limits.deliveryUrlSeconds} (30 days).`,
        }),
      ),
    },
    closed,
  ),
  reply: {
    status: 200,
    description: 'The URL.',
    schema: Type.Object({ url: Type.String({ format: 'uri' }), expiresAt: Timestamp }, named('SignedUrl')),
  },
  errors: ['not_found'],
  async handle({ params, body, caller }, { urlSigner }) {
    const { parameters = {}, ...request } = body
    return { body: await urlSigner.sign(caller.account.id, params.keyId, { ...request, parameters }) }
  },
})
