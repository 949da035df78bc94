/** A server whose responses are bytes, so that a test can cut them anywhere. */
import { createServer, type Server, type Socket } from 'node:net'

export interface Received {
  method: string
  path: string
  headers: Record<string, string>
  body: string
}

export interface Wire {
  url: string
  requests: Received[]
  /** The number of open connections. */
  connections(): number
  close(): Promise<void>
}

/** The bytes of a response. `keepOpen`: the connection stays open after them, otherwise it is closed. */
export type Reply = string | Buffer | { bytes: string | Buffer; keepOpen?: boolean; cut?: boolean }

/** `reply` gets each request and its number, from 0. */
export async function startWire(reply: (request: Received, number: number) => Reply | Promise<Reply>): Promise<Wire> {
  const requests: Received[] = []
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    let received = Buffer.alloc(0)
    let isAnswered = false
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      const request = isAnswered ? undefined : complete(received)
      if (request === undefined) return
      isAnswered = true
      requests.push(request)
      void Promise.resolve(reply(request, requests.length - 1)).then((answer) => {
        const {
          bytes,
          keepOpen = false,
          cut = false,
        } = typeof answer === 'object' && 'bytes' in answer ? answer : { bytes: answer }
        if (keepOpen) return socket.write(bytes)
        if (!cut) return socket.end(bytes)
        // After the bytes have left: the client gets them, then a reset.
        return socket.write(bytes, () => socket.resetAndDestroy())
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    connections: () => sockets.size,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function complete(bytes: Buffer): Received | undefined {
  const text = bytes.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const body = text.slice(end + 4)
  const isComplete =
    headers['transfer-encoding'] === 'chunked'
      ? body.endsWith('0\r\n\r\n')
      : body.length >= Number(headers['content-length'] ?? 0)
  const [method = '', path = ''] = first.split(' ')
  return isComplete ? { method, path, headers, body } : undefined
}

/** A complete response with JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): string {
  const text = JSON.stringify(body)
  const fields = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
    ...headers,
  }
  return `HTTP/1.1 ${status} Status\r\n${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${text}`
}

export function failure(
  status: number,
  code: string,
  headers: Record<string, string> = {},
  details: object = {},
): string {
  return json(
    status,
    { error: { code, message: `It is ${code}.`, details: { requestId: 'req_1', ...details } } },
    headers,
  )
}
