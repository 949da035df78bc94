import type { IncomingMessage } from 'node:http'

type Socket = IncomingMessage['socket']

/** Bytes of a connection that are parsed before its limits are checked again. */
const sliceBytes = 8_192

/**
 * Passes the bytes of a connection to Node's HTTP parser in slices, until `isEnded`. Node parses all 64 KB of a read without a way to stop, also after
 * the connection is destroyed: 2,000 short requests, or 10,900 chunks of 1 byte, which take some 25 ms.
 */
export function parseInSlices(socket: Socket, isEnded: (socket: Socket) => boolean): void {
  const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[]
  if (parse === undefined) return
  socket.removeListener('data', parse)
  // Node's parser reads from the socket itself, until the socket has another listener.
  socket.on('data', (bytes: Buffer) => {
    for (let at = 0; at < bytes.length && !isEnded(socket); at += sliceBytes)
      parse.call(socket, bytes.subarray(at, at + sliceBytes))
  })
}
