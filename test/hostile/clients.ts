/** Clients that disconnect, or that try to inject into headers and logs. */
import assert from 'node:assert/strict'
import net from 'node:net'
import { afterEach, before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, ok, refused } from '../harness/client.ts'
import { boundary, field, file } from '../harness/multipart.ts'
import { noise, plain } from '../harness/pictures.ts'
import { closedService, firstAccount } from '../harness/shared.ts'
import type { Images, Project } from '../harness/types.ts'
import { assertAlive } from './survival.ts'

area('hostile clients', { isSlow: true }, () => {
  let api: Client
  before(async () => {
    api = await firstAccount(await closedService())
  })
  afterEach(() => assertAlive(api.service))
  const connect = (): Promise<net.Socket> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(api.service.origin)
      const socket = net.connect(Number(port), hostname, () => resolve(socket))
      socket.on('error', reject)
    })
  const head = (length: number): string =>
    `POST /v1/storage/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.key}\r\n` +
    `Content-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: ${length}\r\n\r\n` +
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`

  test('an upload whose client disconnects is not stored', async () => {
    const { id: projectId } = ok(await api.post<Project>('/projects', { name: 'Left' }), 201)
    const partHead = `Content-Disposition: form-data; name="projectId"\r\n\r\n${projectId}\r\n--${boundary}\r\n`
    const socket = await connect()
    const start = head(20_000).replace(`--${boundary}\r\n`, `--${boundary}\r\n${partHead}`)
    socket.write(Buffer.concat([Buffer.from(start), (await noise('png', 64, 64)).subarray(0, 5000)]))
    socket.destroy()
    ok(await api.upload([field('projectId', projectId), file(await plain('png'))]), 201)
    assert.equal(ok(await api.get<Images>('/storage/images', { projectId })).total, 1)
  })

  test('names from a client cannot add a header to a response', async () => {
    for (const filename of [
      'a\r\nX-Evil: 1\r\n.png',
      'a\nX-Evil: 1.png',
      'a%0d%0aX-Evil: 1.png',
      'a\u2028X-Evil: 1.png',
    ]) {
      const reply = await api.upload([file(await plain('png'), filename)])
      assert.equal(reply.headers['x-evil'], undefined)
      if (reply.status !== 201) {
        refused(reply, 'invalid_request')
        continue
      }
      const served = await api.root('GET', new URL(reply.body.url).pathname)
      assert.deepEqual([served.status, served.headers['x-evil']], [200, undefined])
    }
  })

  test('a request id of the client is ignored if it could harm a log or a header', async () => {
    for (const id of ['x'.repeat(5000), '"},{"level":"fatal"', '../../etc/passwd', '<script>']) {
      const reply = await api.call('GET', '/workflows/none', { headers: { 'x-request-id': id, 'request-id': id } })
      assert.notEqual(refused(reply, 'not_found').requestId, id)
    }
  })

  test('the Host header of a client never appears in the URLs of images', async () => {
    const reply = await api.call('POST', '/storage/upload', {
      parts: [file(await plain('png'))],
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    })
    assert.doesNotMatch(reply.text, /evil\.example/)
    ok(reply, 201)
  })

  test('a key in the wrong place of a request never appears in the log', async () => {
    const stray = `tt_live_${'stray'.repeat(8)}`
    await api.get('/projects', { key: stray })
    await api.get(`/workflows/${stray}`)
    await api.as(stray).get('/projects')
    await api.post('/projects', { name: stray, key: stray })
    await api.root('GET', `/${stray}`, { headers: { authorization: `Bearer ${stray}` } })
    await api.call('GET', '/projects', { headers: { 'user-agent': stray, referer: stray, 'x-api-key': stray } })
    await api.post('/projects', { name: 'x' }, { 'idempotency-key': stray })
    assert.ok(api.service.lines.length > 0, 'there is a log to look at')
    assert.ok(!api.service.lines.some((line) => line.includes(stray)))
  })
})
