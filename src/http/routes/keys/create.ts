import Type from 'typebox'
import { grants } from '../../../domain/accounts/key.ts'
import { nameText } from '../../../domain/name-text.ts'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { keyRecord, noStore } from './present.ts'
import { NewKeyRecord } from './schema.ts'

export const createKey = defineRoute({
  id: 'keys.create',
  method: 'POST',
  path: '/keys',
  summary: 'Create an API key',
  description: `The response is the only one with the full key. An account can have at most ${limits.keysMax} valid keys. A key cannot expire later than the key that creates it.`,
  tag: 'Keys',
  permission: ['all'],
  showsSecret: true,
  body: Type.Object(
    {
      name: Type.Optional(Type.String(nameText)),
      permissions: Type.Optional(
        Type.Array(Type.Enum(grants), {
          minItems: 1,
          maxItems: grants.length,
          description: 'Default: `all`. Duplicates are removed.',
        }),
      ),
      expiresInDays: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: limits.keyDaysMax,
          description: 'Days (24 hours each) until the key expires. Default: never.',
        }),
      ),
    },
    closed,
  ),
  reply: {
    status: 201,
    description: 'The key was created.',
    schema: NewKeyRecord,
    headers: { Location: 'URL of the key.' },
  },
  async handle({ body, caller, once }, { accountKeys, baseUrl }) {
    const { key, text } = await accountKeys.create(caller, body, once)
    const headers = { location: `${baseUrl()}/keys/${key.id}`, ...noStore }
    return { status: 201, headers, body: { ...keyRecord(key, caller), key: text } }
  },
})
