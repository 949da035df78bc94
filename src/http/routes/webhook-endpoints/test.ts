import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { deliveryRecord } from '../webhook-deliveries/present.ts'
import { DeliveryRecord } from '../webhook-deliveries/schema.ts'

export const testWebhookEndpoint = defineRoute({
  id: 'webhookEndpoints.test',
  method: 'POST',
  path: '/webhook-endpoints/{endpointId}/test',
  summary: 'Send a test event to a webhook endpoint',
  description:
    'Sends an event of the type `webhook.test`. `GET /webhook-deliveries/{deliveryId}` has the response of the receiver.',
  tag: 'Webhooks',
  permission: ['webhooks:write'],
  params: Type.Object({ endpointId: id('The id of the webhook endpoint.') }),
  reply: { status: 202, description: 'The event is being sent.', schema: DeliveryRecord },
  errors: ['not_found'],
  async handle({ params, caller, once }, { webhooks }) {
    return { body: deliveryRecord(await webhooks.test(caller.account.id, params.endpointId, once)) }
  },
})
