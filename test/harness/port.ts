import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Port below the ports that the system uses for outgoing connections, so the port is free again after a restart. */
const first = 12_000
const last = 32_000

/** A free port of 127.0.0.1. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(first, last)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
