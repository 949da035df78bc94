import { defineRoute } from '../../define-route.ts'
import { keyRecord } from './present.ts'
import { KeyParams, KeyRecord } from './schema.ts'

export const getKey = defineRoute({
  id: 'keys.get',
  method: 'GET',
  path: '/keys/{keyId}',
  summary: 'Get an API key',
  description: 'Also a revoked or expired key. The full key is not stored.',
  tag: 'Keys',
  permission: ['all'],
  params: KeyParams,
  reply: { status: 200, description: 'The key.', schema: KeyRecord },
  errors: ['not_found'],
  async handle({ params, caller }, { accountKeys }) {
    return { body: await keyRecord(await accountKeys.find(caller.account.id, params.keyId), caller, accountKeys) }
  },
})
