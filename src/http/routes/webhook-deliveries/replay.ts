import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { deliveryRecord } from './present.ts'
import { DeliveryRecord } from './schema.ts'

export const replayWebhookDelivery = defineRoute({
  id: 'webhookDeliveries.replay',
  method: 'POST',
  path: '/webhook-deliveries/{deliveryId}/replay',
  summary: 'Send a webhook delivery again',
  description:
    'Sends the same body with the same `webhook-id`, with a new series of attempts. A delivery that is pending is returned unchanged.',
  tag: 'Webhooks',
  permission: ['webhooks:write'],
  params: Type.Object({ deliveryId: id('The id of the webhook delivery.') }),
  reply: { status: 202, description: 'The delivery is being sent again.', schema: DeliveryRecord },
  errors: ['not_found'],
  async handle({ params, caller, once }, { webhooks }) {
    return { body: deliveryRecord(await webhooks.replay(caller.account.id, params.deliveryId, once)) }
  },
})
