import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { noStore } from '../keys/present.ts'
import { id } from '../schema.ts'
import { secretRecord } from './present.ts'
import { SecretRecord } from './schema.ts'

export const getEndpointSecret = defineRoute({
  id: 'webhookEndpoints.getSecret',
  method: 'GET',
  path: '/webhook-endpoints/{endpointId}/secret',
  summary: 'Get the secret of a webhook endpoint',
  tag: 'Webhooks',
  permission: ['webhooks:write'],
  params: Type.Object({ endpointId: id('The id of the webhook endpoint.') }),
  reply: { status: 200, description: 'The secret.', schema: SecretRecord },
  errors: ['not_found'],
  async handle({ params, caller }, { webhooks }) {
    return { headers: noStore, body: secretRecord(await webhooks.find(caller.account.id, params.endpointId)) }
  },
})
