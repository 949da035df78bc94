import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { countedPageOf, PageQuery, paging } from '../pages.ts'
import { endpointRecord } from './present.ts'
import { EndpointRecord } from './schema.ts'

export const listWebhookEndpoints = defineRoute({
  id: 'webhookEndpoints.list',
  method: 'GET',
  path: '/webhook-endpoints',
  summary: 'List webhook endpoints, newest first',
  tag: 'Webhooks',
  permission: ['webhooks:read'],
  query: Type.Object(PageQuery, closed),
  reply: {
    status: 200,
    description: 'A page of endpoints.',
    schema: countedPageOf('WebhookEndpointPage', { endpoints: Type.Array(EndpointRecord) }),
  },
  async handle(request, { webhooks }) {
    const { page, fieldsOf } = paging(request)
    const found = await webhooks.list(request.caller.account.id, page)
    const endpoints = found.items.map(endpointRecord)
    return { body: { endpoints, ...fieldsOf(found) } }
  },
})
