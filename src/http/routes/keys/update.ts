import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { expiryInDays } from '../schema.ts'
import { keyRecord, settingsOf } from './present.ts'
import { KeyParams, KeyRecord, settingFields } from './schema.ts'

export const updateKey = defineRoute({
  id: 'keys.update',
  method: 'PUT',
  path: '/keys/{keyId}',
  summary: 'Update an API key',
  description:
    "Replaces the name, the budgets, and the rate and the example image of a run link: a setting that the request omits gets its default. The key, its permissions and its expiry stay as they are, and only a run link can get another expiry. Budgets take effect at the next call of a model. A key with a budget can't change keys.",
  tag: 'Keys',
  permission: ['all'],
  params: KeyParams,
  body: Type.Object(
    {
      ...settingFields,
      expiresInDays: expiryInDays(
        'Only for a run link that is still valid: days (24 hours each) from now until it expires. Default: its expiry stays.',
      ),
    },
    closed,
  ),
  reply: { status: 200, description: 'The updated key.', schema: KeyRecord },
  errors: ['not_found'],
  async handle({ params, body, caller }, { accountKeys }) {
    const change = { ...settingsOf(body), expiresInDays: body.expiresInDays }
    const key = await accountKeys.update(caller, params.keyId, change)
    return { body: await keyRecord(key, caller, accountKeys) }
  },
})
