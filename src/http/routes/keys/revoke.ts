import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { keyRecord } from './present.ts'
import { KeyRecord } from './schema.ts'

export const revokeKey = defineRoute({
  id: 'keys.revoke',
  method: 'DELETE',
  path: '/keys/{keyId}',
  summary: 'Revoke a key, at once and for good',
  description:
    'Again, it answers the same. A key may revoke itself: this is its last answer. An account without a key that has `all` gets another one from the operator only.',
  tag: 'Keys',
  permission: ['all'],
  params: Type.Object({ keyId: id('The id of the key, not its text.') }),
  reply: { status: 200, description: 'The key, which holds no more.', schema: KeyRecord },
  errors: ['not_found'],
  async handle({ params, caller }, { ownKeys }) {
    return { body: keyRecord(await ownKeys.revoke(caller.account.id, params.keyId), caller) }
  },
})
