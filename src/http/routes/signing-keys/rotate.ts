import Type from 'typebox'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { noStore } from '../keys/present.ts'
import { overlapSecondsDefault } from '../keys/rotate.ts'
import { signingKeyRecord } from './present.ts'
import { RotatedSigningKeyRecord, SigningKeyParams } from './schema.ts'

export const rotateSigningKey = defineRoute({
  id: 'signingKeys.rotate',
  method: 'POST',
  path: '/signing-keys/{keyId}/rotate',
  summary: 'Rotate a signing key',
  description:
    'Creates a key with the same settings and expiry. Both keys share one budget. The response has the new secret. URLs with the old key are rejected after `overlapSeconds`. Files that exist are used for URLs of both keys, so caches stay warm.',
  tag: 'Signing keys',
  permission: ['all'],
  showsSecret: true,
  params: SigningKeyParams,
  body: Type.Object(
    {
      overlapSeconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: limits.keyOverlapSecondsMax,
          description: `Seconds until URLs with the old key are rejected. Default: ${overlapSecondsDefault} (one day).`,
        }),
      ),
    },
    closed,
  ),
  reply: {
    status: 201,
    description: 'The new key, and the old key in `replaced`.',
    schema: RotatedSigningKeyRecord,
    headers: { Location: 'URL of the new key.' },
  },
  errors: ['not_found'],
  async handle({ params, body, caller, once }, { signingKeys, baseUrl }) {
    const { overlapSeconds = overlapSecondsDefault } = body
    const { key, replaced } = await signingKeys.rotate(caller.account.id, params.keyId, overlapSeconds, once)
    const records = [await signingKeyRecord(key, signingKeys), await signingKeyRecord(replaced, signingKeys)] as const
    const headers = { location: `${baseUrl()}/signing-keys/${key.id}`, ...noStore }
    return { status: 201, headers, body: { ...records[0], secret: key.secret, replaced: records[1] } }
  },
})
