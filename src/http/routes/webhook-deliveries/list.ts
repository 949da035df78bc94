import Type from 'typebox'
import { deliveryStatuses } from '../../../domain/webhooks/webhook.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { CursorQuery, cursorFields, id, parseCursor, uncountedPageOf } from '../schema.ts'
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
      ...CursorQuery,
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
    schema: uncountedPageOf('WebhookDeliveryPage', { deliveries: Type.Array(DeliveryRecord) }),
  },
  async handle({ query: { limit, offset, cursor, ...filter }, caller }, { webhooks }) {
    const page = { limit, offset, after: parseCursor(cursor) }
    const found = await webhooks.listDeliveries(caller.account.id, page, filter)
    const deliveries = found.items.map(deliveryRecord)
    return { body: { deliveries, ...cursorFields(found) } }
  },
})
