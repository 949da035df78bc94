import type { IncomingMessage } from 'node:http'
import { limits } from '../../limits.ts'

/** Bytes of a refused request that are still read before its connection is closed. */
const drainBytesMax = 2 * limits.uploadBytesMax

/**
 * Sends the entire response, and reads the rest of the refused request before it ends: a client or proxy that is still sending
 * would lose the response if the connection were closed (RFC 9112, 9.6).
 */
export async function* sendThenDrain(answer: string, raw: IncomingMessage): AsyncGenerator<Buffer> {
  yield Buffer.from(answer)
  raw.unpipe()
  if (raw.destroyed) return
  await new Promise<void>((settle) => {
    let bytes = 0
    raw.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > drainBytesMax) raw.destroy()
    })
    for (const end of ['end', 'close', 'error']) raw.once(end, () => settle())
    raw.resume()
  })
}
