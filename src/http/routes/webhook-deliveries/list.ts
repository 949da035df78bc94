import Type from 'typebox'
import { deliveryStatuses } from '../../../domain/webhooks/webhook.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { PageQuery, pageOf, paging } from '../pages.ts'
import { id } from '../schema.ts'
import { deliveryRecord } from './present.ts'
import { DeliveryRecord } from './schema.ts'

export const listWebhookDeliveries = defineRoute({
  id: 'webhookDeliveries.list',
  method: 'GET',
  path: '/webhook-deliveries',
  summary: 'List webhook deliveries, newest first',
  description: 'Ended deliveries stay in the log for some days.',
  tag: 'Webhooks',
  permission: ['webhooks:read'],
  query: Type.Object(
    {
      ...PageQuery,
      endpointId: Type.Optional(id('Return only deliveries to this endpoint.')),
      status: Type.Optional(
        Type.Enum([...deliveryStatuses], { description: 'Return only deliveries with this status.' }),
      ),
    },
    closed,
  ),
  reply: {
    status: 200,
    description: 'A page of deliveries.',
    schema: pageOf('WebhookDeliveryPage', { deliveries: Type.Array(DeliveryRecord) }),
  },
  async handle(request, { webhooks }) {
    const { page, filter, fieldsOf } = paging(request)
    const found = await webhooks.listDeliveries(request.caller.account.id, page, filter)
    const deliveries = found.items.map(deliveryRecord)
    return { body: { deliveries, ...fieldsOf(found) } }
  },
})
