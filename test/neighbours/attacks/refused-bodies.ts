import { type Attack, repeat } from '../load.ts'

/** The service responds before it has read them, and reads the rest before it closes the connection: all that had arrived in one turn of the event loop. */
export const refusedBodies: Attack = {
  name: '300 bodies of 5 MB that are refused before they are read',
  async start({ a }) {
    const body = Buffer.alloc(5_000_000)
    const send = (_: number, signal: AbortSignal) =>
      a.send('POST', '/unknown', { bytes: { type: 'application/octet-stream', body }, signal })
    // Each client sends the next one when it has a response, while the service still reads.
    return repeat(40, send, 300)
  },
}
