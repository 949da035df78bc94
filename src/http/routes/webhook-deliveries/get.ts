import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { deliveryDetails } from './present.ts'
import { DeliveryDetailsRecord } from './schema.ts'

export const getWebhookDelivery = defineRoute({
  id: 'webhookDeliveries.get',
  method: 'GET',
  path: '/webhook-deliveries/{deliveryId}',
  summary: 'Get a webhook delivery, with its body and attempts',
  tag: 'Webhooks',
  permission: ['webhooks:read'],
  params: Type.Object({ deliveryId: id('The id of the webhook delivery.') }),
  reply: { status: 200, description: 'The delivery.', schema: DeliveryDetailsRecord },
  errors: ['not_found'],
  async handle({ params, caller }, { webhooks }) {
    return { body: deliveryDetails(await webhooks.findDelivery(caller.account.id, params.deliveryId)) }
  },
})
