import { limits } from '../../../limits.ts'
import { defineRoute } from '../../define-route.ts'
import { noStore } from '../keys/present.ts'
import { endpointRecord, secretRecord } from './present.ts'
import { EndpointBody, NewEndpointRecord } from './schema.ts'

export const createWebhookEndpoint = defineRoute({
  id: 'webhookEndpoints.create',
  method: 'POST',
  path: '/webhook-endpoints',
  summary: 'Create a webhook endpoint',
  description: `Events of the account are sent to the URL as signed POST requests (Standard Webhooks 1.0). An account can have ${limits.webhookEndpointsMax} endpoints.`,
  tag: 'Webhooks',
  permission: ['webhooks:write'],
  showsSecret: 'again',
  body: EndpointBody,
  reply: {
    status: 201,
    description: 'The endpoint was created.',
    schema: NewEndpointRecord,
    headers: { Location: 'URL of the endpoint.' },
  },
  async handle({ body, caller, once }, { webhooks, baseUrl }) {
    const endpoint = await webhooks.create(caller.account.id, body, once)
    const headers = { location: `${baseUrl()}/webhook-endpoints/${endpoint.id}`, ...noStore }
    return { status: 201, headers, body: { ...endpointRecord(endpoint), ...secretRecord(endpoint) } }
  },
})
