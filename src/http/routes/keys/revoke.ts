import { defineRoute } from '../../define-route.ts'
import { keyRecord } from './present.ts'
import { KeyParams, KeyRecord } from './schema.ts'

export const revokeKey = defineRoute({
  id: 'keys.revoke',
  method: 'DELETE',
  path: '/keys/{keyId}',
  summary: 'Revoke an API key',
  description:
    'Takes effect immediately and cannot be undone. Repeated requests return the same response. A key can revoke itself. If no key with the permission `all` is left, only the operator can create one.',
  tag: 'Keys',
  permission: ['all'],
  params: KeyParams,
  reply: { status: 200, description: 'The revoked key.', schema: KeyRecord },
  errors: ['not_found'],
  async handle({ params, caller }, { accountKeys }) {
    return { body: await keyRecord(await accountKeys.revoke(caller.account.id, params.keyId), caller, accountKeys) }
  },
})
