import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { keyRecord } from './present.ts'
import { KeyRecord } from './schema.ts'

export const revokeKey = defineRoute({
  id: 'keys.revoke',
  method: 'DELETE',
  path: '/keys/{keyId}',
  summary: 'Revoke an API key',
  description:
    'Takes effect immediately and cannot be undone. Repeated requests return the same response. A key can revoke itself. If no key with the permission `all` is left, only the operator can create one.',
  tag: 'Keys',
  permission: ['all'],
  params: Type.Object({ keyId: id('The id of the key, not the key itself.') }),
  reply: { status: 200, description: 'The revoked key.', schema: KeyRecord },
  errors: ['not_found'],
  async handle({ params, caller }, { accountKeys }) {
    return { body: keyRecord(await accountKeys.revoke(caller.account.id, params.keyId), caller) }
  },
})
