import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { isFault } from '../imaging/raster/test-faults.ts'
import { download } from './download.ts'

async function serve(t: TestContext, respond: RequestListener): Promise<string> {
  const server = createServer(respond).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function bytesOf(url: string, bytesMax = 1_000): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of download(url, bytesMax)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

test('returns the bytes, also after a redirect', async (t) => {
  const url = await serve(t, ({ url }, response) => {
    if (url === '/old') response.writeHead(302, { location: '/new' }).end()
    else response.end('the file')
  })
  assert.equal(await bytesOf(`${url}/old`), 'the file')
})

test('ends at the maximum, whatever the server announces', async (t) => {
  const url = await serve(t, (_, response) => {
    const more = () => response.write(Buffer.alloc(600), () => setImmediate(more))
    more()
  })
  await assert.rejects(bytesOf(url), isFault('limit_exceeded', /sent more than 1000 bytes/))
})

test('names the host and what to do if there is no file, or no complete one', async (t) => {
  const missing = await serve(t, (_, response) => response.writeHead(404).end())
  await assert.rejects(bytesOf(missing), isFault('input_not_found', /responded with 404.*--file/))
  const broken = await serve(t, (_, response) => response.writeHead(503).end())
  await assert.rejects(bytesOf(broken), isFault('provider_unavailable', /responded with 503/))
  const partial = await serve(t, (_, response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write('half', () => response.destroy())
  })
  await assert.rejects(bytesOf(partial), isFault('provider_unavailable', /broke the connection/))
  await assert.rejects(bytesOf('http://127.0.0.1:1'), isFault('provider_unavailable', /can't be reached/))
})
