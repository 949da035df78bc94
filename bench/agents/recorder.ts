/** A server in front of `/mcp` that records calls and counts tokens, for any client. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Recorded {
  method: string
  /** The name of a tool. */
  name?: string
  arguments?: unknown
  /** The content of the answer; images are left out. */
  answer: unknown
  isError?: true
  /** Upper bound: 3 bytes of text for each token, and 750 pixels, as models count them. */
  tokens: number
}

export interface Recorder {
  url: string
  /** The requests since the last call of `take`. */
  take(): Recorded[]
  close(): Promise<void>
}

export async function startRecorder(service: string): Promise<Recorder> {
  let recorded: Recorded[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      forward(Buffer.concat(chunks)).catch((error: Error) => {
        if (!response.headersSent) response.writeHead(502)
        response.end(error.message)
      })
    })

    async function forward(body: Buffer): Promise<void> {
      const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
      const answer = await fetch(new URL(request.url ?? '/', service), {
        method: request.method ?? 'POST',
        headers: headers as Record<string, string>,
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      })
      const kept = ['content-type', 'mcp-protocol-version', 'mcp-session-id', 'www-authenticate', 'retry-after']
      response.writeHead(
        answer.status,
        Object.fromEntries(
          kept.flatMap((name) => (answer.headers.has(name) ? [[name, answer.headers.get(name) ?? '']] : [])),
        ),
      )
      let text = ''
      const decoder = new TextDecoder()
      for await (const chunk of answer.body ?? []) {
        text += decoder.decode(chunk, { stream: true })
        response.write(chunk)
      }
      record(body.toString(), text)
      response.end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  function record(sent: string, received: string): void {
    const message = json(sent) as
      | { id?: unknown; method?: string; params?: { name?: string; arguments?: unknown } }
      | undefined
    if (message?.method === undefined || message.id === undefined) return
    const events = received.split('\n').flatMap((line) => (line.startsWith('data:') ? [json(line.slice(5))] : []))
    const answers = [json(received), ...events] as ({ id?: unknown; result?: Answered; error?: unknown } | undefined)[]
    const { result, error } = answers.find((answer) => answer?.id === message.id) ?? {}
    recorded.push({
      method: message.method,
      ...(message.params?.name !== undefined && { name: message.params.name, arguments: message.params.arguments }),
      answer: error ?? withoutImages(result),
      ...((result?.isError || error !== undefined) && { isError: true }),
      tokens: tokensOf(result ?? error),
    })
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    take() {
      const taken = recorded
      recorded = []
      return taken
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Block {
  type: string
  text?: string
}

type Answered = Record<string, unknown> & { content?: Block[]; isError?: boolean }

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function withoutImages(result: Answered | undefined): unknown {
  if (result?.content === undefined) return result
  return result.content.map((block) => (block.type === 'image' ? { type: 'image' } : (block.text ?? block)))
}

/** The result as a model reads it: the content of a tool, or all of another answer. */
export function tokensOf(result: unknown): number {
  const { content } = (result ?? {}) as Answered
  if (content === undefined) return textTokens(JSON.stringify(result) ?? '')
  return content.reduce((sum, block) => {
    if (block.type === 'image') return sum + Math.ceil((512 * 512) / 750)
    return sum + textTokens(block.text ?? JSON.stringify(block))
  }, 0)
}

function textTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3)
}
