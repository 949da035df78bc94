import type { Attack } from '../load.ts'
import { writeWithoutPause } from './raw-connections.ts'

/** Node emits an event for each chunk. The proxy sends the service whole requests. */
export const shortChunks: Attack = {
  name: '20 bodies in chunks of 1 byte, behind the proxy of deploy/',
  behindProxy: true,
  start: ({ service, a }) =>
    writeWithoutPause(service, 20, {
      head: [
        'POST /v1/workflows/execute HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${a.key}`,
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
        '\r\n7\r\n{"a":"\r\n',
      ].join('\r\n'),
      repeated: '1\r\nx\r\n'.repeat(10_000),
    }),
}
