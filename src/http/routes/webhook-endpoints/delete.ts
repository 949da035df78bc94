import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { Deleted, id } from '../schema.ts'

export const deleteWebhookEndpoint = defineRoute({
  id: 'webhookEndpoints.delete',
  method: 'DELETE',
  path: '/webhook-endpoints/{endpointId}',
  summary: 'Delete a webhook endpoint',
  description: 'Its waiting deliveries fail. Its deliveries stay in the log for some days.',
  tag: 'Webhooks',
  permission: ['webhooks:write'],
  params: Type.Object({ endpointId: id('The id of the webhook endpoint.') }),
  reply: { status: 200, description: 'The endpoint was deleted.', schema: Deleted },
  errors: ['not_found'],
  async handle({ params, caller }, { webhooks }) {
    await webhooks.remove(caller.account.id, params.endpointId)
    return { body: { deleted: true } }
  },
})
