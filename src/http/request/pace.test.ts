import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createPace } from './pace.ts'

const clients = 20
const bodyBytes = 4_000_000

test('few bytes of all bodies are read in a turn of the event loop, and all of them arrive', async (t) => {
  const pace = createPace()
  const turns: number[] = []
  let turnBytes = 0
  const received = await receive(t, (raw) => {
    raw.on('data', (chunk: Buffer) => {
      if (turnBytes === 0)
        setImmediate(() => {
          turns.push(turnBytes)
          turnBytes = 0
        })
      turnBytes += chunk.length
    })
    pace.follow(raw)
    pace.follow(raw)
  })
  assert.deepEqual(received, Array(clients).fill(bodyBytes))
  const most = Math.max(...turns)
  assert.ok(most <= 524_288 + clients * 131_072, `${most} bytes in one turn`)
})

/** Sends this body to a server at the same time from all clients, and returns the number of bytes that arrived of each. */
async function receive(t: TestContext, follow: (raw: IncomingMessage) => void): Promise<number[]> {
  const received: number[] = []
  const server = createServer((raw, response) => {
    follow(raw)
    let bytes = 0
    raw.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    raw.once('end', () => {
      received.push(bytes)
      response.end()
    })
  })
  t.after(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const send = () =>
    new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', method: 'POST', agent: false }, (response) =>
        response.resume().once('end', resolve),
      )
      sent.once('error', reject)
      sent.end(Buffer.alloc(bodyBytes))
    })
  await Promise.all(Array.from({ length: clients }, send))
  return received
}
