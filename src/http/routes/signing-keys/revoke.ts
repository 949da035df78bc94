import { defineRoute } from '../../define-route.ts'
import { signingKeyRecord } from './present.ts'
import { SigningKeyParams, SigningKeyRecord } from './schema.ts'

export const revokeSigningKey = defineRoute({
  id: 'signingKeys.revoke',
  method: 'DELETE',
  path: '/signing-keys/{keyId}',
  summary: 'Revoke a signing key',
  description:
    'All URLs with the key are rejected immediately. Copies in browsers and CDNs stay until they expire. Cannot be undone. Repeated requests return the same response.',
  tag: 'Signing keys',
  permission: ['all'],
  params: SigningKeyParams,
  reply: { status: 200, description: 'The revoked key.', schema: SigningKeyRecord },
  errors: ['not_found'],
  async handle({ params, caller }, { signingKeys }) {
    return { body: await signingKeyRecord(await signingKeys.revoke(caller.account.id, params.keyId), signingKeys) }
  },
})
