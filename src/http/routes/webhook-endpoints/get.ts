import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { endpointRecord } from './present.ts'
import { EndpointRecord } from './schema.ts'

export const getWebhookEndpoint = defineRoute({
  id: 'webhookEndpoints.get',
  method: 'GET',
  path: '/webhook-endpoints/{endpointId}',
  summary: 'Get a webhook endpoint',
  tag: 'Webhooks',
  permission: ['webhooks:read'],
  params: Type.Object({ endpointId: id('The id of the webhook endpoint.') }),
  reply: { status: 200, description: 'The endpoint.', schema: EndpointRecord },
  errors: ['not_found'],
  async handle({ params, caller }, { webhooks }) {
    return { body: endpointRecord(await webhooks.find(caller.account.id, params.endpointId)) }
  },
})
