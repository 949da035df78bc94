/** The `tintype` command with a service that is wrong, away or restarted, and Ctrl+C. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Ran, tintype } from './harness/cli.ts'
import { createClient, ok } from './harness/client.ts'
import { runAny } from './harness/commands.ts'
import { scale } from './harness/documents.ts'
import { inherited, startProcess } from './harness/process.ts'
import { startWithoutExamples } from './harness/service.ts'
import { startSourceHost } from './harness/source-host.ts'
import type { Execution, Workflow } from './harness/types.ts'

const place = { dataDir: mkdtempSync(join(tmpdir(), 'tintype-test-')), environment: {} }
after(() => rmSync(place.dataDir, { recursive: true }))

const usage = (url: string, key = 'tt_live_wrong'): Promise<Ran> => runAny(place, 'usage', '--url', url, '--key', key)

async function listen(handler: http.RequestListener): Promise<{ url: string; close(): void }> {
  const server = http.createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** One line, and not a stack. */
function assertSentence({ stdout, stderr }: Ran, pattern: RegExp): void {
  assert.match(stderr, pattern)
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr)
  assert.equal(stdout, '')
}

test('an address where nothing listens, another protocol, a page and a redirect are one sentence and exit code 3', async (t) => {
  const { url, close } = await listen((request, response) => {
    if (request.url?.startsWith('/moved')) response.writeHead(301, { location: 'https://images.test/' }).end()
    else response.writeHead(request.url?.startsWith('/page') ? 200 : 404, { 'content-type': 'text/html' }).end('<html>')
  })
  t.after(close)
  const away = await listen(() => {})
  away.close()
  for (const [address, sentence] of [
    [away.url, /^Error: http:\S+ can't be reached: nothing listens there \(ECONNREFUSED\)/],
    ['http://tintype.invalid', /can't be reached: the host name is unknown|can't be reached/],
    [url.replace('http:', 'https:'), /can't be reached: it does not speak HTTPS, so use http:/],
    [`${url}/page`, /responded with 200, and not as Tintype does/],
    [url, /responded with 404, and not as Tintype does/],
    [`${url}/moved`, /redirects to https:\/\/images\.test\/\. Use the address of the service/],
  ] as const) {
    const ran = await usage(address)
    assert.equal(ran.code, 3, address)
    assertSentence(ran, sentence)
  }
})

test('a connection that is cut while a response arrives is repeated, and then an error with exit code 3', async (t) => {
  let requests = 0
  const { url, close } = await listen((_request, response) => {
    requests += 1
    if (requests > 2) return response.writeHead(400, { 'content-type': 'application/json' }).end(refusal)
    return response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
      .write('{"from":', () => response.destroy())
  })
  t.after(close)
  const refusal = JSON.stringify({ error: { code: 'invalid_request', message: 'Enough.', details: {} } })
  const ran = await usage(url)
  assert.deepEqual([ran.code, requests], [1, 3])
  assertSentence(ran, /^Error: Enough\.$/m)
})

test('with --json, an error is one JSON value on standard output', async () => {
  const { code, stdout, stderr } = await runAny(place, 'usage', '--url', 'http://127.0.0.1:9', '--key', 'k', '--json')
  assert.deepEqual([code, stderr], [3, ''])
  assert.equal((JSON.parse(stdout) as { error: { code: string } }).error.code, 'unavailable')
})

test('an address that is none, a missing key and an unknown option are errors of the command line or of the key', async () => {
  assert.deepEqual(
    [(await usage('images.test')).code, (await runAny(place, 'usage', '--url', 'http://a.test')).code],
    [1, 4],
  )
  assert.equal((await runAny(place, 'usage', '--uri', 'http://a.test')).code, 2)
  assert.equal((await runAny(place, 'batch', 'rows.csv', '--workflow', 'w')).code, 1)
})

test('a service: login, Ctrl+C and a restart', async (t) => {
  const host = await startSourceHost()
  t.after(() => host.close())
  let service = await startWithoutExamples({ FETCH_ALLOW: 'localhost' })
  t.after(() => service.remove())
  const config = join(place.dataDir, 'config')
  const env = { ...inherited(), XDG_CONFIG_HOME: config, DATA_DIR: join(place.dataDir, 'none') }
  const start = (...args: string[]) => startProcess(args, { cwd: place.dataDir, env }, [])
  const login = (key: string) =>
    tintype(
      { dataDir: place.dataDir, environment: { XDG_CONFIG_HOME: config } },
      'login',
      '--url',
      `${service.origin}/v1/`,
      '--key',
      key,
    )
  const loggedIn = (...args: string[]) =>
    tintype({ dataDir: place.dataDir, environment: { XDG_CONFIG_HOME: config } }, ...args)

  await t.test('a wrong key is refused with exit code 4, and not stored', async () => {
    assert.equal((await usage(service.origin)).code, 4)
    const refused = await login('tt_live_wrong')
    assert.equal(refused.code, 4)
    assert.match(refused.stderr, /The API key is unknown, expired or revoked/)
    assert.throws(() => statSync(join(config, 'tintype/login.json')))
  })

  await t.test('a login is stored for its owner alone, and commands use it until the logout', async () => {
    const done = await login(service.key)
    assert.equal(done.code, 0, done.stderr)
    assert.ok(!done.stdout.includes(service.key))
    const file = join(config, 'tintype/login.json')
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { url: service.origin, key: service.key })
    if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal((await loggedIn('projects', 'list')).code, 0)
    const local = await loggedIn('projects', 'list', '--local')
    assert.equal(local.code, 2)
    assert.match(local.stderr, /DATA_DIR must be the folder of a service/)
    assert.equal((await loggedIn('usage', '--url', 'http://127.0.0.1:9')).code, 4, 'the key is for its own address')
    writeFileSync(file, '{"url":')
    assert.match((await loggedIn('projects', 'list')).stderr, /login\.json.*is damaged\. Run "tintype login" again/)
    assert.equal((await loggedIn('logout')).code, 1)
    assert.equal((await login(service.key)).code, 0)
  })

  const api = await createClient(service, service.key)
  const { id } = ok(await api.post<Workflow>('/workflows', scale()), 201)

  await t.test('Ctrl+C ends the command, and the execution continues', async () => {
    const hold = host.hold()
    const command = start('workflows', 'run', id, '--param', `source=${hold.url}`, '--follow')
    await hold.waiting()
    await command.waitForOutput(/load \(image\): running/)
    command.signal('SIGINT')
    assert.equal(await command.ended(), 130)
    const sentence = command.printed().join('\n')
    assert.match(
      sentence,
      /Interrupted\. Execution exec_\w+ continues\. Follow it with "tintype executions show exec_\w+ --follow"/,
    )
    hold.release()
    const [, executionId = ''] = /Execution (exec_\w+)/.exec(sentence) ?? []
    assert.equal((await api.ended(executionId)).status, 'completed')
  })

  await t.test('a followed execution continues after a crash of the service', async () => {
    const hold = host.hold()
    const command = start('workflows', 'run', id, '--param', `source=${hold.url}`, '--follow')
    await hold.waiting()
    await command.waitForOutput(/load \(image\): running/)
    await service.kill()
    hold.release()
    service = await service.restart()
    assert.equal(await command.ended(), 0, command.printed().join('\n'))
    const { executions } = ok(await api.get<{ executions: Execution[] }>('/workflows/executions', { limit: 1 }))
    assert.match(command.printed().join('\n'), new RegExp(`${executions[0]?.executionId}[^]*completed`))
  })

  await t.test(
    'after the logout, nothing is stored, and a service that is stopped is an error with exit code 3',
    async () => {
      const logout = await loggedIn('logout', '--json')
      assert.deepEqual(JSON.parse(logout.stdout), { url: service.origin, loggedOut: true })
      assert.throws(() => statSync(join(config, 'tintype/login.json')))
      await service.stop()
      assert.equal((await usage(service.origin)).code, 3)
    },
  )
})
