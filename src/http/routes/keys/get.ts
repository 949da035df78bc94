import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { keyRecord } from './present.ts'
import { KeyRecord } from './schema.ts'

export const getKey = defineRoute({
  id: 'keys.get',
  method: 'GET',
  path: '/keys/{keyId}',
  summary: 'Get an API key',
  description: 'Also a revoked or expired key. The full key is not stored.',
  tag: 'Keys',
  permission: ['all'],
  params: Type.Object({ keyId: id('The id of the key, not the key itself.') }),
  reply: { status: 200, description: 'The key.', schema: KeyRecord },
  errors: ['not_found'],
  async handle({ params, caller }, { accountKeys }) {
    return { body: keyRecord(await accountKeys.find(caller.account.id, params.keyId), caller) }
  },
})
