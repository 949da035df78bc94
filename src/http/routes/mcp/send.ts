import Type from 'typebox'
import { Fault } from '../../../errors.ts'
import { defineRoute, type RouteResponse } from '../../define-route.ts'
import { eventStreamHeaders } from '../../response/event-stream.ts'

export const sendMcp = defineRoute({
  id: 'mcp.send',
  method: 'POST',
  path: '/mcp',
  root: 'also',
  summary: 'Model Context Protocol: tools for agents',
  description:
    'The endpoint of an MCP server (streamable HTTP, revision 2026-07-28 and the revisions with `initialize` before it, without sessions). The body is a JSON-RPC message. Requires an API key as a bearer token. A call of a tool has the permissions of the key, and counts as one request. The guide has the tools and the settings of clients.',
  tag: 'Agents',
  permission: [],
  ignoresIdempotencyKey: true,
  body: Type.Unsafe<unknown>({ description: 'A JSON-RPC 2.0 message.', type: 'object', required: ['jsonrpc'] }),
  reply: {
    status: 200,
    description: 'The JSON-RPC response, or a stream of events with it at the end.',
    mediaType: ['application/json', 'text/event-stream'],
  },
  moreReplies: [{ status: 202, description: 'The message was a notification.' }],
  async handle({ body, headers, url, caller, callApi, onError, signal }, services): Promise<RouteResponse> {
    const serviceUrl = services.baseUrl().replace(/\/v1$/, '')
    assertAllowedOrigin(headers.origin, serviceUrl)
    // Loaded for the first client: most services have none.
    const { respond } = await import('../../../mcp/handler.ts')
    const facts = { ...services, serviceUrl: () => serviceUrl }
    const response = await respond({
      headers,
      url,
      body,
      callApi,
      session: { caller, signal, onError, services: facts },
    })
    const type = response.headers.get('content-type')
    const isStream = type?.startsWith('text/event-stream') === true
    return {
      status: response.status,
      headers: { ...Object.fromEntries(response.headers), ...(isStream && eventStreamHeaders) },
      body: response.body === null ? null : isStream ? response.body : await response.text(),
    }
  },
})

/** A page of another site could have a name that resolves to this service (DNS rebinding). The protocol requires this check. */
function assertAllowedOrigin(origin: string | undefined, serviceUrl: string): void {
  if (origin === undefined || origin.toLowerCase() === new URL(serviceUrl).origin) return
  throw new Fault('forbidden', 'The request comes from a page of another origin. Use a client that is not a page.')
}
