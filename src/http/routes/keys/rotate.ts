import Type from 'typebox'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { keyRecord, noStore, secretFields } from './present.ts'
import { RotatedKeyRecord } from './schema.ts'

/** Same default as the command `tintype keys rotate`: time to distribute the new key. */
export const overlapSecondsDefault = 86_400

export const rotateKey = defineRoute({
  id: 'keys.rotate',
  method: 'POST',
  path: '/keys/{keyId}/rotate',
  summary: 'Rotate an API key',
  description:
    'Creates a key with the same name, permissions, expiry and budgets. Both keys count in the same budgets. The response is the only one with the full key. The old key is revoked after `overlapSeconds`. Rejected if the new key would expire later than the key of the request, or if the key of the request has a budget.',
  tag: 'Keys',
  permission: ['all'],
  showsSecret: true,
  params: Type.Object({ keyId: id('The id of an active key, not the key itself.') }),
  body: Type.Object(
    {
      overlapSeconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: limits.keyOverlapSecondsMax,
          description: `Seconds until the old key is revoked. Default: ${overlapSecondsDefault} (one day).`,
        }),
      ),
    },
    closed,
  ),
  reply: {
    status: 201,
    description: 'The new key, and the old key in `replaced`.',
    schema: RotatedKeyRecord,
    headers: { Location: 'URL of the new key.' },
  },
  errors: ['not_found'],
  async handle({ params, body, caller, once }, services) {
    const { accountKeys, baseUrl } = services
    const { overlapSeconds = overlapSecondsDefault } = body
    const { key, text, replaced } = await accountKeys.rotate(caller, params.keyId, overlapSeconds, once)
    const headers = { location: `${baseUrl()}/keys/${key.id}`, ...noStore }
    const records = await Promise.all([key, replaced].map((each) => keyRecord(each, caller, accountKeys)))
    return {
      status: 201,
      headers,
      body: { ...records[0], ...secretFields(key, text, services), replaced: records[1] },
    }
  },
})
