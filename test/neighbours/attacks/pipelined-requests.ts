import type { Attack } from '../load.ts'
import { writeWithoutPause } from './raw-connections.ts'

/** Node emits all requests of a connection that arrive together. The proxy sends one after the other. */
export const pipelinedRequests: Attack = {
  name: '20 connections that send requests without waiting for responses, behind the proxy of deploy/',
  behindProxy: true,
  start: ({ service }) =>
    writeWithoutPause(service, 20, {
      head: '',
      repeated: 'GET /v1/projects HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_500),
    }),
}
