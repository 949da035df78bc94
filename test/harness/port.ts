import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below those that the system gives to outgoing connections, so that it is free again after a restart. */
const first = 12_000
const last = 32_000

/** A port of 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(first, last)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const server = createServer().once('error', () => settle(false))
    server.listen(port, '127.0.0.1', () => server.close(() => settle(true)))
  })
}
