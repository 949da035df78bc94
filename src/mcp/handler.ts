/**
 * The endpoint `/mcp`: streamable HTTP of the revision 2026-07-28, and of the revisions with `initialize` before it. Nothing is kept between two
 * requests, so each can come to another process.
 */
import { createMcpHandler } from '@modelcontextprotocol/server'
import { type CallApi, createApi } from './api.ts'
import { createMcpServer } from './server.ts'
import type { Session } from './tool.ts'

export interface McpRequest {
  headers: Record<string, string | undefined>
  url: string
  body: unknown
  session: Omit<Session, 'api'>
  callApi: CallApi
}

const acceptBoth: [string, string] = ['accept', 'application/json, text/event-stream']

/** True without the header: such a client accepts any type (RFC 9110, 12.5.1). The library requires the header. */
function isAnything(accept: string | undefined): boolean {
  return accept === undefined || accept.trim() === '*/*'
}

const handler = createMcpHandler(({ authInfo }) => createMcpServer(authInfo?.extra?.session as Session), {
  keepAliveMs: 15_000,
})

export function respond({ headers, url, body, session, callApi }: McpRequest): Promise<Response> {
  const { caller, services, signal } = session
  const given = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  // The credentials stay out of the library.
  const safe = given.filter(
    ([name]) =>
      !['authorization', 'cookie', 'content-length', ...(isAnything(headers.accept) ? ['accept'] : [])].includes(name),
  )
  const request = new Request(new URL(url, services.serviceUrl()), {
    method: 'POST',
    headers: [...safe, ...(isAnything(headers.accept) ? [acceptBoth] : [])],
    body: JSON.stringify(body ?? null),
    signal,
  })
  const authInfo = {
    token: '',
    clientId: caller.key.id ?? '',
    scopes: caller.key.permissions,
    extra: { session: { ...session, api: createApi(callApi) } },
  }
  return handler.fetch(request, { parsedBody: body, authInfo })
}
