import Type from 'typebox'
import { grants } from '../../../domain/accounts/key.ts'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { keyRecord, noStore, settingsOf } from './present.ts'
import { NewKeyRecord, settingFields } from './schema.ts'

export const createKey = defineRoute({
  id: 'keys.create',
  method: 'POST',
  path: '/keys',
  summary: 'Create an API key',
  description: `The response is the only one with the full key. An account can have at most ${limits.keysMax} valid keys. A key cannot expire later than the key that creates it. A key with a budget can't create keys.`,
  tag: 'Keys',
  permission: ['all'],
  showsSecret: true,
  body: Type.Object(
    {
      ...settingFields,
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
      test: Type.Optional(
        Type.Boolean({
          description:
            'Create a test key, `tt_test_...`, whose executions are free and call no AI provider. Default: false.',
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
    const { permissions, expiresInDays, test: isTest = false } = body
    const about = {
      ...settingsOf(body),
      isTest,
      ...(permissions && { permissions }),
      ...(expiresInDays && { expiresInDays }),
    }
    const { key, text } = await accountKeys.create(caller, about, once)
    const headers = { location: `${baseUrl()}/keys/${key.id}`, ...noStore }
    return { status: 201, headers, body: { ...(await keyRecord(key, caller, accountKeys)), key: text } }
  },
})
