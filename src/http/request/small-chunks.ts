/** Limits the number of chunks of a body with `Transfer-Encoding: chunked`. Each chunk takes as long as some hundred bytes, and is a separate buffer. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { limits } from '../../limits.ts'

/** Bytes of chunks that are joined. */
const joinedBytesMax = 16_384

/**
 * Joins the chunks that arrive in one turn of the event loop. Calls `onTooMany` once there are more than `bodyChunksMax` and they have fewer than
 * `chunkBytesMin` bytes on average, and drops the rest.
 */
export function joinSmallChunks(request: IncomingMessage, response: ServerResponse, onTooMany: () => void): void {
  // With more headers, Node leaves out some of them.
  const hasAllHeaders = request.rawHeaders.length <= 2 * limits.headersMax
  if (hasAllHeaders && request.headers['transfer-encoding'] === undefined) return
  const push = request.push.bind(request)
  let joined: Buffer[] = []
  let joinedBytes = 0
  let chunks = 0
  let bytes = 0
  let isFull = false

  function flush(): void {
    if (joined.length === 0) return
    isFull = !push(joined.length === 1 ? joined[0] : Buffer.concat(joined))
    joined = []
    joinedBytes = 0
  }

  request.push = (chunk: Buffer | null) => {
    if (chunk === null) {
      flush()
      return push(null)
    }
    chunks += 1
    bytes += chunk.length
    if (chunks > limits.bodyChunksMax && bytes < chunks * limits.chunkBytesMin) {
      onTooMany()
      return true
    }
    if (joined.length === 0) setImmediate(flush)
    joined.push(chunk)
    joinedBytes += chunk.length
    if (joinedBytes >= joinedBytesMax) flush()
    return !isFull
  }
  // Otherwise Node drops what remains of a body after the response, without a call of `push`.
  response.prependOnceListener('finish', () => {
    if (request.complete) return
    request.read()
    request.resume()
  })
}
