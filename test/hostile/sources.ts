/** Source URLs with internal addresses: in any notation, the service never connects to this machine. */
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok, refused } from '../harness/client.ts'
import { scale } from '../harness/documents.ts'
import { closedService, firstAccount } from '../harness/shared.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { ErrorBody, Execution } from '../harness/types.ts'
import { save } from '../harness/workflows.ts'
import { assertAlive } from './survival.ts'

/**
 * Checks that the execution is rejected for this param, or fails at the loading node because of the source. Returns the
 * message.
 */
async function refuseSource(api: Client, workflowId: string, source: string): Promise<string> {
  const reply = await api.post<ErrorBody>('/workflows/execute', { workflowId, parameters: { source } })
  if (reply.status === 400) {
    assert.deepEqual(issuePaths(reply), ['nodes.load.params.source'])
    return reply.body.error.message
  }
  const details = refused(reply, 'workflow_failed')
  assert.deepEqual([details.node, details.operation], ['load', 'image'])
  assert.ok(
    ['input_invalid', 'input_not_found', 'limit_exceeded', 'provider_unavailable'].includes(details.reason ?? ''),
    reply.text,
  )
  return reply.body.error.message
}

const words = (text: string) => text.trim().split(/\s+/)

area('sources with internal addresses', { concurrency: 4 }, () => {
  let api: Client
  let inside: SourceHost
  let workflowId: string
  before(async () => {
    api = await firstAccount(await closedService())
    inside = await startSourceHost()
    workflowId = (await save(api, scale())).id
  })
  after(() => inside.close())
  afterEach(() => assertAlive(api.service))

  const hosts = words(`
    127.0.0.1 localhost LOCALHOST localhost. 127.0.0.1. ip6-localhost 127.1 127.0.1 127.255.255.254 2130706433
    0x7f000001 0x7f.0.0.1 0177.0.0.1 017700000001 0.0.0.0 0 [::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1]
    [::ffff:7f00:1] [::127.0.0.1] [::ffff:0:127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::]
    [::1%25lo] 127。0。0。1 １２７.０.０.１ ①②⑦.⓪.⓪.① loc%61lhost user:password@127.0.0.1 example.com@127.0.0.1
  `)
  const spellings: ((port: number) => string)[] = [
    ...hosts.map((host) => (port: number) => `http://${host}:${port}/i.png`),
    (port) => `http://127.0.0.1:${port}\\@example.com/i.png`,
    (port) => `http:\\\\127.0.0.1:${port}\\i.png`,
    (port) => `http:127.0.0.1:${port}/i.png`,
    (port) => `http:/127.0.0.1:${port}/i.png`,
    (port) => ` http://127.0.0.1:${port}/i.png`,
    (port) => `ht\ntp://127.0.0.1:${port}/i.png`,
    (port) => `HTTP://127.0.0.1:${port}/i.png`,
    (port) => `https://127.0.0.1:${port}/i.png`,
    (port) => `//127.0.0.1:${port}/i.png`,
    (port) => `ftp://127.0.0.1:${port}/i.png`,
    (port) => `gopher://127.0.0.1:${port}/_GET`,
    (port) => `ws://127.0.0.1:${port}/i.png`,
    (port) => `blob:http://127.0.0.1:${port}/x`,
    (port) => `view-source:http://127.0.0.1:${port}/i.png`,
  ]
  for (const spell of spellings) {
    test(`${JSON.stringify(spell(80))} is rejected without a connection`, async () => {
      await refuseSource(api, workflowId, spell(inside.port))
      assert.deepEqual([inside.connections, inside.requested], [0, []])
    })
  }

  for (const address of words(`
    10.0.0.1 172.16.0.1 172.31.255.255 192.168.0.1 169.254.169.254 100.64.0.1 100.100.100.200 192.0.0.1
    192.0.2.1 198.18.0.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 [fe80::1] [fc00::1] [fd00:ec2::254]
    [ff02::1] [::ffff:10.0.0.1] [::ffff:169.254.169.254] [64:ff9b::a9fe:a9fe] [2002:a9fe:a9fe::] [fec0::1]
    [2001:db8::1]
  `)) {
    test(`http://${address}/ is rejected`, async () => {
      await refuseSource(api, workflowId, `http://${address}/latest/meta-data/`)
    })
  }

  for (const source of [
    'file:///etc/passwd',
    'file:/etc/passwd',
    '/etc/passwd',
    '../../../../etc/passwd',
    'C:\\windows\\win.ini',
    'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
    'javascript:alert(1)',
    'img_../../../../etc/passwd',
    'img_%2e%2e%2f',
    'http://',
    'http://:80/',
    'http://[',
    'http://a b/',
    'http://exa\u0000mple.com/',
    '\u0000',
    '',
    ' ',
    `http://example.com/${'a'.repeat(50_000)}`,
  ]) {
    test(`the source ${JSON.stringify(source.slice(0, 60))} is rejected, and the error reveals nothing about the machine`, async () => {
      const message = await refuseSource(api, workflowId, source)
      assert.doesNotMatch(message, /root:|ENOENT|EACCES/)
    })
  }

  test('the API of the service itself cannot be a source', async () => {
    await refuseSource(api, workflowId, `${api.service.origin}/v1/openapi.json`)
    await refuseSource(api, workflowId, `${api.service.origin}/health/ready`)
  })

  test('the message about a rejected address does not depend on whether a server listens there', async () => {
    const bare = (text: string): string => text.replaceAll(/:\d+/g, '')
    const [open, closed] = [
      await refuseSource(api, workflowId, inside.url('/')),
      await refuseSource(api, workflowId, 'http://localhost:1/'),
    ]
    assert.equal(bare(open), bare(closed))
  })
})

area('sources of an allowed host', { concurrency: 4 }, () => {
  let api: Client
  let allowed: SourceHost
  let secret: SourceHost
  let workflowId: string
  before(async () => {
    api = await firstAccount()
    allowed = await startSourceHost()
    secret = await startSourceHost()
    workflowId = (await save(api, scale())).id
  })
  after(async () => {
    await allowed.close()
    await secret.close()
  })
  afterEach(() => assertAlive(api.service))
  const redirect = (name: string, location: string, status = 302): string =>
    allowed.serve(`/${name}`, (_request, response) => response.writeHead(status, { location }).end())

  test('are fetched because FETCH_ALLOW names the host', async () => {
    const reply = await api.post<Execution>('/workflows/execute', {
      workflowId,
      parameters: { source: allowed.url('/fine.png') },
    })
    assert.equal(ok(reply).output?.width, 20)
    assert.ok(allowed.requested.includes('/fine.png'))
  })

  test('may redirect to an allowed address', async () => {
    const source = redirect('moved', allowed.url('/here.png'))
    ok(await api.post('/workflows/execute', { workflowId, parameters: { source } }))
  })

  test('do not allow the address of the name: 127.0.0.1 is not localhost', async () => {
    await refuseSource(api, workflowId, `http://127.0.0.1:${secret.port}/`)
    await refuseSource(api, workflowId, `http://[::1]:${secret.port}/`)
    assert.equal(secret.connections, 0)
  })

  for (const status of [301, 302, 303, 307, 308]) {
    test(`cannot redirect to an internal address with ${status}`, async () => {
      await refuseSource(
        api,
        workflowId,
        redirect(`to-inside-${status}`, `http://127.0.0.1:${secret.port}/secret`, status),
      )
      assert.equal(secret.connections, 0)
    })
  }

  test('cannot redirect to an internal address with three redirects', async () => {
    redirect('hop-2', redirect('hop-3', `http://[::ffff:127.0.0.1]:${secret.port}/secret`))
    await refuseSource(api, workflowId, redirect('hop-1', allowed.url('/hop-2')))
    assert.equal(secret.connections, 0)
  })

  for (const location of [
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'ftp://localhost/',
    'javascript:1',
    '',
    'http://',
  ]) {
    test(`cannot redirect to ${location || 'nothing'}`, async () => {
      await refuseSource(
        api,
        workflowId,
        redirect(`to-${encodeURIComponent(location || 'nowhere')}`.replaceAll('%', '_'), location),
      )
    })
  }

  test('never get a key or a cookie', async () => {
    let headers = ''
    const source = allowed.serve('/headers', (request, response) => {
      headers = JSON.stringify(request.headers)
      response.writeHead(404).end()
    })
    await refuseSource(api, workflowId, source)
    assert.match(headers, /"host"/)
    assert.doesNotMatch(headers, /tt_live_|"authorization"|"cookie"/)
  })

  test('that never stop sending are cut off', async () => {
    let sent = 0
    const source = allowed.serve('/endless', (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' })
      const piece = Buffer.alloc(1_000_000)
      const more = (): void => {
        while (!response.destroyed && sent < 2_000_000_000 && response.write(piece)) sent += piece.length
      }
      response.on('drain', more)
      more()
    })
    await refuseSource(api, workflowId, source)
    assert.ok(sent < 500_000_000, `${sent} bytes were taken in`)
  })

  test('with a gigabyte compressed into a megabyte are cut off', async () => {
    const member = gzipSync(Buffer.alloc(10_000_000))
    const source = allowed.serve('/packed', (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-encoding': 'gzip' })
      response.end(Buffer.concat(Array.from({ length: 100 }, () => member)))
    })
    await refuseSource(api, workflowId, source)
  })
})
