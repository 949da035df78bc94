import Type from 'typebox'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { keyRecord, noStore } from './present.ts'
import { RotatedKeyRecord } from './schema.ts'

/** As the command's: long enough to hand the new one out. */
const overlapSecondsDefault = 86_400

export const rotateKey = defineRoute({
  id: 'keys.rotate',
  method: 'POST',
  path: '/keys/{keyId}/rotate',
  summary: 'Put a new key in the place of another',
  description:
    'The new key has the same name, permissions and expiry; its text is shown this once. The old one goes on for `overlapSeconds`, and is then revoked. Refused where the new key would hold longer than the key of the request.',
  tag: 'Keys',
  permission: ['all'],
  showsSecret: true,
  params: Type.Object({ keyId: id('The id of a key that holds, not its text.') }),
  body: Type.Object(
    {
      overlapSeconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: limits.keyOverlapSecondsMax,
          description: `Default: ${overlapSecondsDefault}, a day.`,
        }),
      ),
    },
    closed,
  ),
  reply: { status: 201, description: 'The new key, and the one that it replaces.', schema: RotatedKeyRecord },
  errors: ['not_found'],
  async handle({ params, body, caller, once }, { ownKeys, baseUrl }) {
    const { overlapSeconds = overlapSecondsDefault } = body
    const { key, text, replaced } = await ownKeys.rotate(caller, params.keyId, overlapSeconds, once)
    const headers = { location: `${baseUrl()}/keys`, ...noStore }
    return {
      status: 201,
      headers,
      body: { ...keyRecord(key, caller), key: text, replaced: keyRecord(replaced, caller) },
    }
  },
})
