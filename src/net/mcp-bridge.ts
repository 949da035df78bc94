/** MCP over standard input and output: passes each message to `/mcp` of a running service, and its responses back. */
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { readEvents } from '../../client/src/event-stream.ts'
import { unreachableReason } from './service-client.ts'

type Message = Parameters<NonNullable<StdioServerTransport['onmessage']>>[0]

interface Sent {
  id?: string | number
  method?: string
  params?: { name?: string; uri?: string; requestId?: string | number; _meta?: Record<string, unknown> }
}

interface Received {
  id?: string | number
  result?: { protocolVersion?: string }
}

/** Resolves when the client has closed standard input. */
export async function bridgeMcp({ url, key }: { url: string; key: string }): Promise<void> {
  const endpoint = `${url.replace(/\/+$/, '').replace(/\/v1$/, '')}/mcp`
  const transport = new StdioServerTransport()
  const open = new Map<string | number, AbortController>()
  /** The revision of a client that sent `initialize`. Later ones have it in each message. */
  let agreed: string | undefined

  function headersOf({ method, params }: Sent): Record<string, string> {
    const revision = params?._meta?.['io.modelcontextprotocol/protocolVersion'] ?? agreed
    const name = params?.name ?? params?.uri
    return {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(typeof revision === 'string' && { 'mcp-protocol-version': revision }),
      ...(method !== undefined && { 'mcp-method': method }),
      ...(name !== undefined && { 'mcp-name': encodeURI(name) }),
    }
  }

  async function receive(text: string): Promise<void> {
    const message = JSON.parse(text) as Received
    agreed = message.result?.protocolVersion ?? agreed
    await transport.send(message as Message)
  }

  async function forward(message: Sent): Promise<void> {
    const { id, method, params } = message
    if (method === 'notifications/cancelled') return open.get(params?.requestId ?? '')?.abort()
    const controller = new AbortController()
    if (id !== undefined) open.set(id, controller)
    try {
      const { signal } = controller
      const init = { method: 'POST', headers: headersOf(message), body: JSON.stringify(message), signal }
      const response = await fetch(endpoint, init)
      const type = response.headers.get('content-type') ?? ''
      if (response.body && type.startsWith('text/event-stream')) {
        for await (const { data } of readEvents(response.body)) if (data !== undefined) await receive(data)
      } else if (id !== undefined) await receive(jsonRpcOf(await response.text(), id, response.status))
    } catch (error) {
      if (id !== undefined && !controller.signal.aborted) {
        await receive(
          failed(
            id,
            `${endpoint} can't be reached: ${unreachableReason(error)}. Start the service, or set TINTYPE_URL.`,
          ),
        )
      }
    } finally {
      if (id !== undefined) open.delete(id)
    }
  }

  const closed = new Promise<void>((resolve) => {
    transport.onclose = () => {
      for (const controller of open.values()) controller.abort()
      resolve()
    }
  })
  transport.onmessage = (message) => void forward(message as Sent)
  await transport.start()
  await closed
}

/** The JSON-RPC response, or one with the error of the API. */
function jsonRpcOf(text: string, id: string | number, status: number): string {
  try {
    const body = JSON.parse(text) as { jsonrpc?: string; error?: { message?: string } }
    return body.jsonrpc === undefined
      ? failed(id, body.error?.message ?? `The service responded with ${status}.`)
      : text
  } catch {
    return failed(id, `The service responded with ${status}, and not as Tintype does. Check TINTYPE_URL.`)
  }
}

function failed(id: string | number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message } })
}
