import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

/** A server that sends 64 KB and closes, and a reader that comes late: ends Node 24.21 on its own. */
const script = `
import net from 'node:net'
import { setImmediate } from 'node:timers/promises'
const hasSent = Promise.withResolvers()
const server = net.createServer((socket) => {
  socket.on('error', () => {})
  socket.once('finish', hasSent.resolve)
  socket.once('data', () => socket.end('HTTP/1.1 200 OK\\r\\nContent-Length: 65536\\r\\n\\r\\n' + 'x'.repeat(65536)))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const response = await fetch('http://127.0.0.1:' + server.address().port)
await hasSent.promise
// The reader learns of the end while nothing reads.
for (let turn = 0; turn < 100; turn++) await setImmediate()
// Whether the body is still whole is not the point.
await response.arrayBuffer().catch(() => {})
server.close()
process.stdout.write('alive')
`

test('a server that closes while its body is read slowly does not crash the process', () => {
  const dispatcher = new URL('dispatcher.ts', import.meta.url).href
  const child = spawnSync(process.execPath, ['--import', dispatcher, '--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 20_000,
  })
  assert.deepEqual([child.status, child.stdout], [0, 'alive'], child.stderr)
})
