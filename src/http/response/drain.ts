import type { IncomingMessage } from 'node:http'
import { limits } from '../../limits.ts'

/** Maximum bytes of a rejected request that are read before its connection is closed. */
const drainBytesMax = 2 * limits.uploadBytesMax

/**
 * Sends the response, then reads the rest of the rejected request before the connection closes. Otherwise a client or proxy
 * that is still sending would lose the response (RFC 9112, 9.6).
 */
export async function* sendThenDrain(response: string, raw: IncomingMessage): AsyncGenerator<Buffer> {
  yield Buffer.from(response)
  raw.unpipe()
  if (raw.destroyed) return
  await new Promise<void>((resolve) => {
    let bytes = 0
    raw.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > drainBytesMax) raw.destroy()
    })
    for (const end of ['end', 'close', 'error']) raw.once(end, () => resolve())
    raw.resume()
  })
}
