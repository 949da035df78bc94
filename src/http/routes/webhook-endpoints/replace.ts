import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { endpointRecord } from './present.ts'
import { EndpointBody, EndpointRecord } from './schema.ts'

export const replaceWebhookEndpoint = defineRoute({
  id: 'webhookEndpoints.replace',
  method: 'PUT',
  path: '/webhook-endpoints/{endpointId}',
  summary: 'Update a webhook endpoint',
  description:
    'Replaces all settings: a field that is omitted gets its default. Deliveries that wait are sent to the new URL. An endpoint that is disabled gets no events, and its waiting deliveries fail.',
  tag: 'Webhooks',
  permission: ['webhooks:write'],
  params: Type.Object({ endpointId: id('The id of the webhook endpoint.') }),
  body: EndpointBody,
  reply: { status: 200, description: 'The endpoint was saved.', schema: EndpointRecord },
  errors: ['not_found'],
  async handle({ params, body, caller }, { webhooks }) {
    return { body: endpointRecord(await webhooks.replace(caller.account.id, params.endpointId, body)) }
  },
})
