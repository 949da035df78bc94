import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { noStore } from '../keys/present.ts'
import { id } from '../schema.ts'
import { secretRecord } from './present.ts'
import { overlapSecondsDefault, RotateBody, SecretRecord } from './schema.ts'

export const rotateEndpointSecret = defineRoute({
  id: 'webhookEndpoints.rotateSecret',
  method: 'POST',
  path: '/webhook-endpoints/{endpointId}/secret/rotate',
  summary: 'Rotate the secret of a webhook endpoint',
  description:
    'For `overlapSeconds`, webhooks have signatures of both secrets, so that the receiver can change its secret at any time.',
  tag: 'Webhooks',
  permission: ['webhooks:write'],
  params: Type.Object({ endpointId: id('The id of the webhook endpoint.') }),
  showsSecret: 'again',
  body: RotateBody,
  reply: { status: 200, description: 'The new secret.', schema: SecretRecord },
  errors: ['not_found'],
  async handle({ params, body, caller, once }, { webhooks }) {
    const { overlapSeconds = overlapSecondsDefault } = body
    const endpoint = await webhooks.rotate(caller.account.id, params.endpointId, overlapSeconds, once)
    return { headers: noStore, body: secretRecord(endpoint) }
  },
})
