import Type from 'typebox'
import { refuseWithBudget } from '../../../services/accounts/account-keys.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { settingsOf, signingKeyRecord } from './present.ts'
import { SigningKeyParams, SigningKeyRecord, settingFields } from './schema.ts'

export const updateSigningKey = defineRoute({
  id: 'signingKeys.update',
  method: 'PUT',
  path: '/signing-keys/{keyId}',
  summary: 'Update a signing key',
  description:
    'Replaces all settings: a setting that the request omits gets its default. The secret, the expiry and signed URLs stay as they are. Takes effect immediately.',
  tag: 'Signing keys',
  permission: ['all'],
  params: SigningKeyParams,
  body: Type.Object(settingFields, closed),
  reply: { status: 200, description: 'The updated key.', schema: SigningKeyRecord },
  errors: ['not_found'],
  async handle({ params, body, caller }, { signingKeys }) {
    if (body.monthlyBudgetUsd) refuseWithBudget(caller)
    const key = await signingKeys.update(caller.account.id, params.keyId, settingsOf(body))
    return { body: await signingKeyRecord(key, signingKeys) }
  },
})
