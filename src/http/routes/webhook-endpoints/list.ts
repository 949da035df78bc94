import Type from 'typebox'
import { hasMore } from '../../../domain/page.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { PageQuery, pageOf } from '../schema.ts'
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
    schema: pageOf('WebhookEndpointPage', { endpoints: Type.Array(EndpointRecord) }),
  },
  async handle({ query, caller }, { webhooks }) {
    const found = await webhooks.list(caller.account.id, query)
    const endpoints = found.items.map(endpointRecord)
    return { body: { endpoints, total: found.total, hasMore: hasMore(found, query) } }
  },
})
