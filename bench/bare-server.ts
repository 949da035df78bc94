/**
 * The server for comparison: `node:http`, a hand-written image, a file, and JSON with its URL. Usage: node
 * bench/bare-server.ts FOLDER; prints its port. POST /execute with a `BareRequest`.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { configureHeap } from '../src/app/memory.ts'
import { type BareRequest, renderers } from './bare-pictures.ts'

const [folder = '.'] = process.argv.slice(2)
// As in src/app/serve.ts: pixels count towards the heap of both, and the comparison is of the work.
configureHeap()

const server = createServer((request, response) => {
  const handled = request.method === 'POST' ? execute(request, response) : send(request, response)
  handled.catch((error) => response.writeHead(500).end(String(error)))
})

async function execute(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { example, photo, parameters } = JSON.parse(Buffer.concat(chunks).toString()) as BareRequest
  const bytes = await renderers[example]?.(photo, parameters)
  if (bytes === undefined) throw new Error(`there is no picture ${example}`)
  const name = randomUUID()
  await writeFile(join(folder, name), bytes)
  const output = { url: `http://${request.headers.host}/${name}` }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ output }))
}

async function send(request: IncomingMessage, response: ServerResponse): Promise<void> {
  createReadStream(join(folder, basename(request.url ?? ''))).pipe(response)
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`)
})
