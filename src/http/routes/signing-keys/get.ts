import { defineRoute } from '../../define-route.ts'
import { signingKeyRecord } from './present.ts'
import { SigningKeyParams, SigningKeyRecord } from './schema.ts'

export const getSigningKey = defineRoute({
  id: 'signingKeys.get',
  method: 'GET',
  path: '/signing-keys/{keyId}',
  summary: 'Get a signing key',
  description: 'Without the secret. Also a revoked or expired key.',
  tag: 'Signing keys',
  permission: ['all'],
  params: SigningKeyParams,
  reply: { status: 200, description: 'The key.', schema: SigningKeyRecord },
  errors: ['not_found'],
  async handle({ params, caller }, { signingKeys }) {
    return { body: await signingKeyRecord(await signingKeys.find(caller.account.id, params.keyId), signingKeys) }
  },
})
