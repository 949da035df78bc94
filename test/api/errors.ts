/** Every error has the envelope with a request id, and the service keeps running. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { assertEnvelope, type Client, issuePaths, ok, refused } from '../harness/client.ts'
import { sendRaw } from '../harness/http.ts'
import { plain } from '../harness/pictures.ts'
import { firstAccount } from '../harness/shared.ts'
import type { ErrorBody, Projects } from '../harness/types.ts'
import { bodyOf, otherRoutes, routes } from './routes.ts'

area('errors', { concurrency: 4 }, () => {
  let api: Client
  before(async () => {
    api = await firstAccount()
  })
  const json = (body: string, headers: Record<string, string> = {}) =>
    api.call('POST', '/projects', { body, headers: { 'content-type': 'application/json', ...headers } })

  test('no two errors have the same request id', async () => {
    const ids = await Promise.all(
      Array.from({ length: 10 }, async () => refused(await api.get('/workflows/x'), 'not_found').requestId),
    )
    assert.equal(new Set(ids).size, 10)
  })

  test('an error has a link to its code in the documentation', async () => {
    const { docs = '' } = refused(await api.get('/workflows/x'), 'not_found')
    assert.match(docs, /^https?:\/\/[^/]+\/guide\/errors#not_found$/)
  })

  for (const path of [
    '/',
    '/nothing',
    '/workflow',
    '/workflows//',
    '/Workflows',
    '//workflows',
    '/workflows/a/b',
    '/storage',
    '/storage/upload/x',
    '/v1/workflows',
    '/executions',
  ]) {
    test(`/v1${path} is not_found`, async () => {
      refused(await api.call('GET', path), 'not_found')
    })
  }

  for (const path of [
    '/v2/workflows',
    '/v1',
    '/V1/workflows',
    '/workflows',
    '/.env',
    '/package.json',
    '/health/x',
    '/favicon.ico/x',
    '/admin',
  ]) {
    test(`${path} is not_found`, async () => {
      refused(await api.root('GET', path, { headers: { authorization: `Bearer ${api.key}` } }), 'not_found')
    })
  }

  const wrongMethods: [method: string, path: string, allow: string][] = [
    ['PUT', '/workflows', 'GET, HEAD, POST'],
    ['PATCH', '/workflows', 'GET, HEAD, POST'],
    ['DELETE', '/workflows/', 'GET, HEAD, POST'],
    ['POST', '/workflows/wf_00000000000000000000', 'DELETE, GET, HEAD, PUT'],
    ['POST', '/storage/images', 'DELETE, GET, HEAD'],
    ['PUT', '/storage/upload', 'POST'],
    ['GET', '/storage/upload', 'POST'],
    ['HEAD', '/storage/upload', 'POST'],
    ['OPTIONS', '/storage/upload', 'POST'],
    ['DELETE', '/projects', 'GET, HEAD, POST'],
    ['PATCH', '/storage/images/img_00000000000000000000', 'DELETE, GET, HEAD, PUT'],
    ['GET', '/workflows/execute', 'POST'],
    ['DELETE', '/workflows/execute', 'POST'],
    ['PUT', '/workflows/executions', 'GET, HEAD'],
    ['PUT', '/session', 'DELETE, GET, HEAD, POST'],
    ['PROPFIND', '/projects', 'GET, HEAD, POST'],
    ['TRACE', '/projects', 'GET, HEAD, POST'],
  ]
  for (const [method, path, allow] of wrongMethods) {
    test(`${method} ${path} is method_not_allowed, with the allowed methods`, async () => {
      const reply = await api.call(method, path)
      assert.equal(reply.headers.allow, allow)
      if (method === 'HEAD') assert.equal(reply.status, 405)
      else assert.deepEqual(refused(reply, 'method_not_allowed').allow, allow.split(', '))
      const unauthorized = await api.as(undefined).call(method, path)
      assert.deepEqual([unauthorized.status, unauthorized.headers.allow], [401, undefined])
    })
  }

  test('a wrong method outside of the API is method_not_allowed, too', async () => {
    for (const path of ['/docs', '/openapi.json', '/health/live', '/images/img_00000000000000000000.png', '/']) {
      const reply = await api.as(undefined).root('POST', path)
      assert.deepEqual(refused(reply, 'method_not_allowed').allow, ['GET', 'HEAD'], path)
    }
  })

  test('a wrong method or path is rejected without reading the body and without a key', async () => {
    for (const path of ['/workflows/executions', '/nothing']) {
      const broken = { body: '{'.repeat(5_000_000), headers: { 'content-type': 'application/json' }, keepAlive: false }
      const code = path === '/nothing' ? 'not_found' : 'method_not_allowed'
      refused(await api.call('POST', path, broken), code)
      refused(await api.as(undefined).call('POST', path, broken), 'unauthorized')
    }
  })

  test('a trailing slash is ignored', async () => {
    assert.deepEqual(ok(await api.get('/session/')), ok(await api.get('/session')))
    const { id } = ok(await api.post<{ id: string }>('/projects/', { name: 'Slash' }), 201)
    assert.match(id, /^proj_/)
    refused(await api.get('/storage/images/img_00000000000000000000/'), 'not_found')
    for (const path of ['/health/live/', '/docs/', '/openapi.json/']) ok(await api.as(undefined).root('GET', path))
  })

  test('an Idempotency-Key is the same for a path with and without a trailing slash', async () => {
    const headers = { 'idempotency-key': 'with-and-without-a-slash' }
    const first = ok(await api.post<{ id: string }>('/projects', { name: 'Once' }, headers), 201)
    assert.equal(ok(await api.post<{ id: string }>('/projects/', { name: 'Once' }, headers), 201).id, first.id)
  })

  test('null for an optional field means that the field is absent', async () => {
    const { description = '' } = ok(
      await api.post<{ description?: string }>('/projects', { name: 'Null', description: null }),
      201,
    )
    assert.equal(description, '')
    const nodes = { a: { type: 'canvas', params: { width: 1, height: 1 }, when: null, inputs: null } }
    const document = {
      name: 'Null',
      description: null,
      parameters: null,
      projectId: null,
      nodes,
      output: { node: 'a' },
    }
    const { id } = ok(await api.post<{ id: string }>('/workflows', document), 201)
    ok(await api.post('/workflows/execute', { workflowId: id, parameters: null, async: null, previews: null }))
    ok(await api.post('/workflows/validate', { document, parameters: null }))
    assert.deepEqual(issuePaths(await api.post('/projects', { name: null, description: null })), ['name'])
  })

  const bodies: [what: string, body: string][] = [
    ['nothing', ''],
    ['an open brace', '{'],
    ['text', 'name=x'],
    ['a comma too many', '{"name":"x",}'],
    ['two values', '{"name":"x"}{"name":"y"}'],
    ['single quotes', "{'name':'x'}"],
    ['NaN', '{"name":NaN}'],
    ['a byte that is no UTF-8', '{"name":"\xff"}'],
    ['spaces', '   '],
    ['a list', '[]'],
    ['a string', '"x"'],
    ['null', 'null'],
    ['__proto__', '{"name":"x","__proto__":{"admin":true}}'],
    ['constructor.prototype', '{"name":"x","constructor":{"prototype":{"admin":true}}}'],
    ['10,000 lists in each other', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['10,000 objects in each other', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['10,000 lists under a known field', `{"name":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    [
      '10,000 unknown fields',
      JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`f${i}`, 1]))),
    ],
    ['a string of 5 MB', JSON.stringify({ name: 'x'.repeat(5_000_000) })],
    ['a number of 10,000 digits', `{"name":${'9'.repeat(10_000)}}`],
  ]
  for (const [label, body] of bodies) {
    test(`a body that is ${label} is invalid_request`, async () => {
      const reply = await api.call('POST', '/projects', {
        body: Buffer.from(body, label.includes('UTF-8') ? 'latin1' : 'utf8'),
        headers: { 'content-type': 'application/json' },
        keepAlive: false,
      })
      const { issues } = refused(reply, 'invalid_request')
      assert.ok(Array.isArray(issues) && issues.length > 0 && issues.length <= 1000)
      assert.ok(reply.text.length < 100_000, `a response of ${reply.text.length} characters`)
    })
  }

  test('a field with the name of a prototype property is rejected like any unknown field', async () => {
    for (const name of ['toString', 'hasOwnProperty', 'constructor', 'valueOf']) {
      const reply = await json(`{"name":"x","${name}":"y"}`)
      refused(reply, 'invalid_request')
    }
  })

  for (const type of [
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'nonsense',
    'application/json; charset=utf-16',
    '',
  ]) {
    test(`a JSON body with the content type ${type || 'nothing'} is invalid_request`, async () => {
      refused(await json('{"name":"x"}', { 'content-type': type }), 'invalid_request')
    })
  }

  test('the error of a wrong content type names it, and the types of the path', async () => {
    const types: [method: string, path: string, sent: string, expected: string][] = [
      ['POST', '/projects', 'text/plain', 'application/json'],
      ['POST', '/storage/upload', 'image/png', 'multipart/form-data'],
      ['POST', '/storage/upload', 'application/json', 'multipart/form-data'],
      ['PUT', '/batches/batch_0/items', 'application/xml', 'application/json, text/csv or application/x-ndjson'],
    ]
    for (const [method, path, sent, expected] of types) {
      const reply = await api.call(method, path, { body: '{}', headers: { 'content-type': sent } })
      const [issue] = refused(reply, 'invalid_request').issues ?? []
      assert.deepEqual(issue, { path: 'Content-Type', message: `must be ${expected}, not "${sent}"` })
    }
  })

  test('a JSON body can have a charset', async () => {
    ok(await json('{"name":"x"}', { 'content-type': 'application/json; charset=utf-8' }), 201)
  })

  test('a compressed body is rejected instead of being read as uncompressed', async () => {
    refused(await json('{"name":"x"}', { 'content-encoding': 'gzip' }), 'invalid_request')
  })

  for (const path of [
    '/workflows/%',
    '/workflows/%ZZ',
    '/workflows/%c0%af',
    '/storage/images/%ff',
    '/workflows/executions/%',
  ]) {
    test(`a path with an invalid escape, ${path}, is an error in the envelope`, async () => {
      const reply = await api.call('GET', path)
      assert.ok([400, 404].includes(reply.status), `answered ${reply.status}`)
    })
  }

  for (const path of ['/images/%ZZ.png', '/images/%ZZ/thumbnail', '/docs/%ZZ']) {
    test(`a path with an invalid escape, ${path}, is invalid_request`, async () => {
      refused(await api.root('GET', path), 'invalid_request')
    })
  }

  test('an invalid escape in the query is invalid_request', async () => {
    refused(await api.call('GET', '/projects?limit=%ZZ'), 'invalid_request')
    refused(await api.call('GET', '/projects?%E0%A4%A=1'), 'invalid_request')
  })

  test('query parameters with names of prototype properties are rejected like any unknown one', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'limit[]', 'limit[a]']) {
      assert.deepEqual(issuePaths(await api.call('GET', `/projects?${encodeURIComponent(name)}=1`)), [name])
    }
  })

  for (const route of [...routes, ...otherRoutes]) {
    test(`an unknown query parameter of ${route.method} ${route.path} is rejected with its path`, async () => {
      const body = bodyOf(route, await plain('png'))
      const reply = await api.call(route.method, route.path, { ...body, query: { ...body.query, nope: 1 } })
      assert.deepEqual(issuePaths(reply), ['nope'])
    })
  }

  for (const path of ['/openapi.json', '/v1/openapi.json', '/health', '/health/live', '/health/ready']) {
    test(`an unknown query parameter of ${path} is rejected with its path`, async () => {
      assert.deepEqual(issuePaths(await api.as(undefined).root('GET', path, { query: { nope: 1 } })), ['nope'])
    })
  }

  test('a thousand query parameters are rejected', async () => {
    const query = Array.from({ length: 1000 }, (_, i) => `a${i}=1`).join('&')
    refused(await api.call('GET', `/projects?${query}`), 'invalid_request')
  })

  test('the body of a GET is rejected or ignored, and never parsed as the next request', async () => {
    const reply = await api.call('GET', '/projects', {
      body: 'GET /v1/workflows HTTP/1.1\r\n\r\n',
      headers: { 'content-type': 'text/plain' },
    })
    assert.ok([200, 400].includes(reply.status))
    ok(await api.get<Projects>('/projects'))
  })

  const host = 'localhost'
  const get = (line = '', path = '/v1/projects', head = `Host: ${host}\r\n`) =>
    `GET ${path} HTTP/1.1\r\n${head}${line === '' ? '' : `${line}\r\n`}\r\n`
  const post = (lines: string, body: string) => `POST /v1/projects HTTP/1.1\r\nHost: ${host}\r\n${lines}\r\n\r\n${body}`
  const malformed: Record<string, string> = {
    'bytes that are not HTTP': 'GARBAGE\r\n\r\n',
    'a method that does not exist': get().replace('GET', 'FLY'),
    'a wrong version': get().replace('1.1', '9.9'),
    'a header without a colon': get('nonsense'),
    'a control character in a header': get('X-A: a\u0001b'),
    'a header of 100,000 characters': get(`X-A: ${'a'.repeat(100_000)}`),
    'a path of 100,000 characters': get('', `/v1/${'a'.repeat(100_000)}`),
    'a length that is not a number': post('Content-Length: abc', ''),
    'two lengths': post('Content-Length: 1\r\nContent-Length: 2', 'ab'),
    'a length and chunks': post('Content-Length: 5\r\nTransfer-Encoding: chunked', '0\r\n\r\n'),
    'a space in the path': get('', '/v1/pro jects'),
    'two Hosts': get(`Host: ${host}`),
    'two Hosts of HTTP/1.0': 'GET /v1/projects HTTP/1.0\r\nhost: a\r\nHOST: b\r\n\r\n',
    'an invalid Host': get('', '/v1/projects', 'Host: a/b@c\r\n'),
    '101 headers': get(Array(100).fill('X-A: b').join('\r\n')),
    '201 query parameters': get('', `/docs?${'a&'.repeat(200)}`),
    'no Host': get('', '/v1/projects', ''),
    TLS: '\u0016\u0003\u0001\u0000\u00a5\u0001\u0000\u0000\u00a1\u0003\u0003',
  }
  for (const [label, bytes] of Object.entries(malformed)) {
    test(`a request with ${label} is a 400 in the envelope`, async () => {
      const response = await sendRaw(api.service.origin, Buffer.from(bytes, 'latin1'))
      assert.ok(response, 'the connection was closed without a response')
      assert.equal(response.status, 400, response.bytes.toString('latin1'))
      assertEnvelope(response, label)
      assert.equal((JSON.parse(response.bytes.toString()) as ErrorBody).error.code, 'invalid_request')
    })
  }

  for (const [label, chunks] of [['a chunk with an invalid length', 'ZZ\r\n{}\r\n0\r\n\r\n']] as const)
    test(`a body with ${label} is a 400 in the envelope`, async () => {
      const { host } = new URL(api.service.origin)
      const head = `POST /v1/projects HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${api.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
      const response = await sendRaw(api.service.origin, head + chunks)
      assert.ok(response)
      assert.equal(response.status, 400)
      assertEnvelope(response, label)
    })

  test('the message of an invalid_request names the problem', async () => {
    const { body } = await api.post<ErrorBody>('/projects', { name: 'x', colour: 'red' })
    assert.match(body.error.message, /colour/)
  })
})
