import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createPace, type Pace } from './pace.ts'

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
    pace.follow(raw, 'a')
    pace.follow(raw, 'a')
  })
  assert.deepEqual(received, Array(clients).fill(bodyBytes))
  const most = Math.max(...turns)
  assert.ok(most <= 262_144 + clients * 131_072, `${most} bytes in one turn`)
})

/** The bodies of one turn after another. */
async function readInTurns(bodies: PassThrough[], turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await nextTurn()
  for (const body of bodies) body.destroy()
}

const longChunk = Buffer.alloc(65_536)

/** Creates a body that has arrived. It consists of this many equal chunks. */
function arrived(pace: Pace, accountId: string | undefined, chunk: Buffer, chunks: number) {
  const body = new PassThrough({ highWaterMark: chunk.length * chunks + 1 })
  for (let i = 0; i < chunks; i++) body.write(chunk)
  const read = { bytes: 0 }
  body.on('data', (chunk: Buffer) => {
    read.bytes += chunk.length
  })
  pace.follow(body as unknown as IncomingMessage, accountId)
  return { body, read }
}

test('a body of another account is read next to many bodies of one', async () => {
  const pace = createPace()
  const ofA = Array.from({ length: 200 }, () => arrived(pace, undefined, longChunk, 40))
  await nextTurn()
  const { body, read } = arrived(pace, 'b', longChunk, 16)
  await readInTurns([body, ...ofA.map((each) => each.body)], 30)
  assert.equal(read.bytes, 16 * 65_536)
})

test('a body of short chunks is read as fast as one of long chunks', async () => {
  const pace = createPace()
  const ofA = Array.from({ length: 20 }, () => arrived(pace, undefined, longChunk, 40))
  await nextTurn()
  const { body, read } = arrived(pace, 'b', Buffer.alloc(100), 5_000)
  await readInTurns([body, ...ofA.map((each) => each.body)], 30)
  assert.equal(read.bytes, 500_000)
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
