/** The client on a bad network: each response can be cut, late, unknown or wrong. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import {
  ApiError,
  ConnectionError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  PreconditionFailedError,
  RateLimitedError,
  ServerError,
  TimeoutError,
  Tintype,
  UnauthorizedError,
  WorkflowFailedError,
} from '../../client/src/index.ts'
import { until } from '../harness/wait.ts'
import { failure, json, type Received, type Reply, startWire, type Wire } from './wire.ts'

const wires: Wire[] = []
after(() => Promise.all(wires.map((each) => each.close())))

type ReplyTo = (request: Received, number: number) => Reply | Promise<Reply>

async function clientOf(reply: ReplyTo, options = {}) {
  const wire = await startWire(reply)
  wires.push(wire)
  return { wire, client: new Tintype({ url: `${wire.url}/v1`, key: 'tt_test', ...options }) }
}

/** The next attempt follows immediately. */
const soon = { 'retry-after': '0' }
const completed = { executionId: 'exec_1', status: 'completed', output: { url: 'http://x/y.png' }, duration: 1 }

function eventStream(text: string, isComplete = true): string {
  const chunk = `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n${isComplete ? '0\r\n\r\n' : ''}`
  return `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n${chunk}`
}

const noContent = 'HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n'
const event = (id: number, type: string, data: unknown): string =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
const events = [
  event(1, 'snapshot', { execution: { executionId: 'exec_1', status: 'running' }, steps: [] }),
  event(2, 'step', { node: 'a', status: 'completed' }),
  event(3, 'execution', { executionId: 'exec_1', status: 'completed', output: { url: 'http://x/y.png' } }),
]

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

describe('a connection that is cut', () => {
  for (const cut of [false, true]) {
    test(`at each byte of a response, ${cut ? 'by a reset' : 'at its end'}, is repeated with the same key`, async () => {
      const response = json(200, completed)
      const attempts = new Map<string, string[]>()
      const { client } = await clientOf(({ body, headers }) => {
        const { workflowId } = JSON.parse(body) as { workflowId: string }
        const keys = attempts.get(workflowId) ?? []
        attempts.set(workflowId, [...keys, headers['idempotency-key'] ?? ''])
        return keys.length > 0 ? response : { bytes: response.slice(0, Number(workflowId)), cut }
      })
      const positions = Array.from({ length: response.length }, (_, at) => String(at))
      const results = await Promise.all(positions.map((at) => client.run(at)))
      for (const result of results) assert.deepEqual(result, completed)
      for (const keys of attempts.values()) assert.deepEqual([keys.length, new Set(keys).size], [2, 1])
      assert.equal(new Set([...attempts.values()].flat()).size, response.length)
    })

    test(`at each byte of a body without a length, ${cut ? 'by a reset' : 'at its end'}, is repeated`, async () => {
      const body = JSON.stringify(completed)
      const start = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n'
      const seen = new Set<string>()
      const { client } = await clientOf((request) => {
        const { workflowId } = JSON.parse(request.body) as { workflowId: string }
        if (seen.has(workflowId)) return start + body
        seen.add(workflowId)
        return { bytes: start + body.slice(0, Number(workflowId)), cut }
      })
      const positions = Array.from({ length: body.length }, (_, at) => String(at))
      for (const result of await Promise.all(positions.map((at) => client.run(at)))) assert.deepEqual(result, completed)
      assert.equal(seen.size, body.length)
    })
  }

  test('is a ConnectionError after the last attempt', async () => {
    const { wire, client } = await clientOf(() => ({ bytes: '', cut: true }), { maxRetries: 1 })
    await assert.rejects(client.run('card'), ConnectionError)
    assert.equal(wire.requests.length, 2)
  })

  test('is not repeated if the first attempt can have changed something that the second would change again', async () => {
    const { wire, client } = await clientOf(() => ({ bytes: '', cut: true }))
    await assert.rejects(client.batches.update('batch_1', { name: 'New' }), ConnectionError)
    await assert.rejects(
      client.workflows.replace('wf_1', { name: 'New', nodes: {}, output: { node: 'a' } }, { ifMatch: '"1"' }),
      ConnectionError,
    )
    assert.equal(wire.requests.length, 2)
  })

  test('after a deletion: the repetition finds nothing to delete, and succeeds', async () => {
    const { wire, client } = await clientOf((_, number) =>
      number === 0 ? { bytes: 'HTTP/1.1 200', cut: true } : failure(404, 'not_found'),
    )
    assert.deepEqual(await client.images.delete('img_1'), { deleted: true })
    assert.equal(wire.requests.length, 2)
    await assert.rejects(client.images.delete('img_1'), NotFoundError)
  })
})

describe('a temporary error', () => {
  for (const [status, code] of [
    [503, 'unavailable'],
    [429, 'rate_limited'],
    [500, 'internal_error'],
    [502, 'bad_gateway'],
  ] as const)
    test(`${status} ${code} is repeated with the same key`, async () => {
      const { wire, client } = await clientOf((_, number) =>
        number < 2 ? failure(status, code, soon) : json(200, completed),
      )
      assert.deepEqual(await client.run('card'), completed)
      assert.equal(wire.requests.length, 3)
      assert.equal(new Set(wire.requests.map(({ headers }) => headers['idempotency-key'])).size, 1)
    })

  test('is repeated even for a change without a key, if the service processed nothing', async () => {
    const { wire, client } = await clientOf((_, number) =>
      number === 0 ? failure(503, 'unavailable', soon) : json(200, { id: 'batch_1' }),
    )
    await client.batches.update('batch_1', { name: 'New' })
    assert.equal(wire.requests.length, 2)
  })

  test('is an error with its facts after the last attempt', async () => {
    const { client } = await clientOf(() => failure(429, 'rate_limited', soon, { limit: 60 }), { maxRetries: 1 })
    await assert.rejects(client.run('card'), (error: unknown) => {
      assert.ok(error instanceof RateLimitedError)
      const { code, status, requestId, retryAfter, details } = error
      assert.deepEqual([code, status, requestId, retryAfter, details.limit], ['rate_limited', 429, 'req_1', 0, 60])
      return true
    })
  })

  test('with a long Retry-After is an error for the caller, who can wait', async () => {
    const { wire, client } = await clientOf(() => failure(503, 'unavailable', { 'retry-after': '3600' }))
    await assert.rejects(client.run('card'), ({ retryAfter }: ApiError) => retryAfter === 3600)
    assert.equal(wire.requests.length, 1)
  })

  test('with a date is relative to the clock of the service, also if the clock here is wrong', async () => {
    const date = 'Tue, 01 Jan 2030 00:00:00 GMT'
    for (const [retryAfter, seconds] of [
      ['Tue, 01 Jan 2030 01:00:00 GMT', 3600],
      ['Mon, 31 Dec 2029 23:00:00 GMT', 0],
    ] as const) {
      const { client } = await clientOf(() => failure(503, 'unavailable', { date, 'retry-after': retryAfter }), {
        maxRetries: 0,
      })
      await assert.rejects(client.run('card'), (error: ApiError) => error.retryAfter === seconds)
    }
  })

  test('has the seconds of its body if the header is missing', async () => {
    const body = { code: 'rate_limited', message: 'Slower.', retryAfter: 3600, details: {} }
    const { client } = await clientOf(() => json(429, { error: body }))
    await assert.rejects(client.run('card'), (error: ApiError) => error.retryAfter === 3600)
  })

  test('with an unreadable Retry-After is repeated after a time of the client', async () => {
    const { wire, client } = await clientOf((_, number) =>
      number === 0 ? failure(503, 'unavailable', { 'retry-after': 'soon' }) : json(200, completed),
    )
    await client.run('card')
    assert.equal(wire.requests.length, 2)
  })
})

describe('errors', () => {
  test('have the class of their code, or of their status if the code is unknown', async () => {
    const cases = [
      [400, 'invalid_request', InvalidRequestError],
      [401, 'unauthorized', UnauthorizedError],
      [403, 'forbidden', ForbiddenError],
      [404, 'not_found', NotFoundError],
      [405, 'method_not_allowed', ApiError],
      [412, 'precondition_failed', PreconditionFailedError],
      [429, 'rate_limited', RateLimitedError],
      [500, 'workflow_failed', WorkflowFailedError],
      [500, 'internal_error', ServerError],
      [503, 'unavailable', ServerError],
      [404, 'gone_fishing', NotFoundError],
      [418, 'constructor', ApiError],
      [599, 'no_idea', ServerError],
    ] as const
    for (const [status, code, expected] of cases) {
      const { client } = await clientOf(() => failure(status, code), { maxRetries: 0 })
      await assert.rejects(client.projects.list(), (error: ApiError) => {
        assert.equal(Object.getPrototypeOf(error).constructor, expected, code)
        assert.deepEqual([error.code, error.status, error.message], [code, status, `It is ${code}.`])
        return true
      })
    }
  })

  test('of a proxy, and a page in place of JSON, have a code that says so', async () => {
    const html = (status: number) =>
      `HTTP/1.1 ${status} X\r\ncontent-type: text/html\r\ncontent-length: 14\r\nconnection: close\r\n\r\n<html>hi</html>`.slice(
        0,
        -1,
      )
    for (const status of [200, 404, 502, 504]) {
      const { client } = await clientOf(() => html(status), { maxRetries: 0 })
      await assert.rejects(client.projects.list(), ({ code, message }: ApiError) => {
        assert.equal(code, 'unexpected_response')
        return /check the URL/.test(message) && message.includes('<html>')
      })
    }
  })

  test('with an unusual body keep their status', async () => {
    for (const body of [
      'null',
      '[]',
      '{"error":null}',
      '{"error":{"code":1,"message":2}}',
      '{"error":{"code":"x","message":"y"}}',
    ]) {
      const { client } = await clientOf(() => json(404, JSON.parse(body)))
      await assert.rejects(
        client.projects.list(),
        (error: ApiError) => error instanceof NotFoundError && error.requestId === undefined,
      )
    }
  })

  test('a failed execution has its id, reason and node', async () => {
    const details = { executionId: 'exec_1', reason: 'input_not_found', node: 'photo' }
    const { wire, client } = await clientOf(() => failure(500, 'workflow_failed', {}, details))
    await assert.rejects(client.run('card'), ({ executionId, reason, node }: WorkflowFailedError) => {
      assert.deepEqual({ executionId, reason, node }, details)
      return true
    })
    assert.equal(wire.requests.length, 1)
  })
})

describe('unknown fields', () => {
  test('of responses are passed to the caller', async () => {
    const { client } = await clientOf(() => json(200, { ...completed, novelty: { a: [1] } }))
    assert.deepEqual(await client.run('card'), { ...completed, novelty: { a: [1] } })
  })

  test('and unknown types of events are passed to the caller', async () => {
    const text = `: comment\nnovelty: x\n${event(7, 'novelty', { a: 1 })}${events[2]}`
    const { client } = await clientOf(() => eventStream(text))
    const types = (await all(client.events('exec_1'))).map(({ type }) => String(type))
    assert.deepEqual(types, ['novelty', 'execution'])
  })
})

describe('a stream of events', () => {
  const text = `retry: 1\n${events.join('')}`
  const expected = ['snapshot', 'step', 'execution']

  /** The service, which sends the events after the last one that arrived. */
  const resumed = ({ headers }: Received): string => {
    const after = Number(headers['last-event-id'] ?? 0)
    return after === 3 ? noContent : eventStream(`retry: 1\n${events.slice(after).join('')}`)
  }

  test('that ends at each byte continues after the last event that arrived: each event once', async () => {
    for (const isComplete of [true, false])
      await Promise.all(
        Array.from({ length: text.length + 1 }, async (_, at) => {
          const { client } = await clientOf((request, number) =>
            number === 0 ? eventStream(text.slice(0, at), isComplete) : resumed(request),
          )
          const types = (await all(client.events('exec_1'))).map(({ type }) => type)
          assert.deepEqual(types, expected, `cut at ${at}`)
        }),
      )
  })

  test('is read in chunks of any size, with each kind of line end', async () => {
    for (const end of ['\n', '\r\n', '\r'])
      for (const size of [1, 2, 3, 7]) {
        const stream = Buffer.from(`\uFEFF${text.replaceAll('\n', end)}`)
        const chunks = Array.from({ length: Math.ceil(stream.length / size) }, (_, i) =>
          stream.subarray(i * size, (i + 1) * size),
        )
        const start = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
        const bytes = chunks.flatMap((chunk) => [
          Buffer.from(`${chunk.length.toString(16)}\r\n`),
          chunk,
          Buffer.from('\r\n'),
        ])
        const { client } = await clientOf((_, number) =>
          number === 0 ? Buffer.concat([Buffer.from(start), ...bytes, Buffer.from('0\r\n\r\n')]) : noContent,
        )
        assert.deepEqual(
          (await all(client.events('exec_1'))).map(({ type }) => type),
          expected,
          JSON.stringify(end),
        )
      }
  })

  test('that never has an event is an error after the last attempt', async () => {
    const { wire, client } = await clientOf(() => eventStream('retry: 1\n\n'), { maxRetries: 2 })
    await assert.rejects(all(client.events('exec_1')), ConnectionError)
    assert.equal(wire.requests.length, 3)
  })

  test('that is refused makes wait poll', async () => {
    for (const refusal of [
      failure(429, 'rate_limited', { 'retry-after': '3600' }),
      failure(503, 'unavailable', { 'retry-after': '3600' }),
    ]) {
      let polls = 0
      const { client } = await clientOf(({ path }) => {
        if (path.endsWith('/events')) return refusal
        polls++
        return json(200, polls < 3 ? { executionId: 'exec_1', status: 'running' } : completed)
      })
      assert.deepEqual(await client.wait('exec_1'), completed)
      assert.equal(polls, 3)
    }
  })

  test('that is refused makes wait ask the service to wait, or poll a service that cannot', async () => {
    for (const canWait of [true, false]) {
      const queries: string[] = []
      const { client } = await clientOf(({ path }) => {
        if (path.includes('/events'))
          return failure(404, 'unexpected', { 'content-type': 'text/html' }).replace('{', '')
        const query = path.split('?')[1] ?? ''
        queries.push(query)
        if (query !== '' && !canWait) return failure(400, 'invalid_request')
        const isEnded = canWait ? queries.length === 2 : queries.length === 4
        return json(200, isEnded ? completed : { executionId: 'exec_1', status: 'running' })
      })
      assert.deepEqual(await client.wait('exec_1'), completed)
      assert.deepEqual(queries, canWait ? ['', 'wait=20'] : ['', 'wait=20', '', ''])
    }
  })

  test('that a proxy cuts makes wait poll', async () => {
    const { client } = await clientOf(({ path }) =>
      path.endsWith('/events') ? eventStream('retry: 1\n\n') : json(200, completed),
    )
    assert.deepEqual(await client.wait('exec_1'), completed)
  })

  test('of a failed execution makes wait throw its error', async () => {
    const error = { code: 'workflow_failed', message: 'No.', details: { reason: 'timeout', node: 'a' } }
    const { client } = await clientOf(({ path }) =>
      path.endsWith('/events')
        ? eventStream(event(1, 'execution', { status: 'failed', error }))
        : json(200, { executionId: 'exec_1', status: 'failed', error }),
    )
    await assert.rejects(client.wait('exec_1'), (thrown: WorkflowFailedError) => {
      assert.ok(thrown instanceof WorkflowFailedError)
      assert.deepEqual(
        [thrown.reason, thrown.node, thrown.executionId, thrown.message],
        ['timeout', 'a', 'exec_1', 'No.'],
      )
      return true
    })
  })

  test('of an unknown execution is an error, not polled', async () => {
    const { wire, client } = await clientOf(() => failure(404, 'not_found'))
    await assert.rejects(client.wait('exec_1'), NotFoundError)
    assert.equal(wire.requests.length, 1)
  })
})

describe('a synchronous execution that takes longer than the service waits', () => {
  test('is waited for', async () => {
    const { client } = await clientOf(({ method, path }) => {
      if (method === 'POST') return json(202, { executionId: 'exec_1', status: 'running' })
      return path.endsWith('/events') ? eventStream(events.join('')) : json(200, completed)
    })
    assert.deepEqual(await client.run('card'), completed)
  })
})

describe('an abort', () => {
  const silent = { bytes: '', keepOpen: true }
  const reason = new Error('Changed my mind')
  const running = { executionId: 'exec_1', status: 'running' }
  const refusedEvents = failure(429, 'rate_limited', { 'retry-after': '3600' })

  /** `at`: the abort follows when the service has this request, or the client the start of its response. */
  const stages: [stage: string, at: ['request' | 'response', RegExp], reply: ReplyTo][] = [
    ['before the response', ['request', /execute/], () => silent],
    ['in the header', ['request', /execute/], () => ({ bytes: 'HTTP/1.1 200 OK\r\ncontent-ty', keepOpen: true })],
    ['in the body', ['response', /execute/], () => ({ bytes: json(200, completed).slice(0, -5), keepOpen: true })],
    [
      'in the body of an error',
      ['response', /execute/],
      () => ({ bytes: failure(500, 'internal_error').slice(0, -5), keepOpen: true }),
    ],
    ['between attempts', ['response', /execute/], () => failure(503, 'unavailable', { 'retry-after': '60' })],
    [
      'in the events of an execution',
      ['response', /events/],
      ({ method }) =>
        method === 'POST' ? json(202, running) : { bytes: eventStream(events[0] ?? '', false), keepOpen: true },
    ],
    [
      'between polls',
      ['response', /executions\/exec_1$/],
      ({ method, path }) => {
        if (method === 'POST') return json(202, running)
        return path.endsWith('/events') ? refusedEvents : json(200, running)
      },
    ],
  ]
  for (const [stage, [side, pattern], reply] of stages)
    test(`${stage} throws the reason of the signal, and sends nothing more`, async () => {
      const controller = new AbortController()
      const abort = () => setImmediate(() => controller.abort(reason))
      const { wire, client } = await clientOf(
        (request, number) => {
          if (side === 'request') abort()
          return reply(request, number)
        },
        {
          fetch: async (url: string, init: RequestInit) => {
            const response = await fetch(url, init)
            if (side === 'response' && pattern.test(url)) abort()
            return response
          },
        },
      )
      await assert.rejects(client.run('card', {}, { signal: controller.signal }), (error) => error === reason)
      assert.ok(pattern.test(wire.requests.at(-1)?.path ?? ''))
    })

  test('before the request sends nothing', async () => {
    const { wire, client } = await clientOf(() => json(200, completed))
    await assert.rejects(client.run('card', {}, { signal: AbortSignal.abort(reason) }), (error) => error === reason)
    assert.equal(wire.requests.length, 0)
  })

  test('of an upload, a list and a batch throws the reason, too', async () => {
    const signal = () => AbortSignal.timeout(20)
    const { client } = await clientOf(() => silent)
    const isTimeout = { name: 'TimeoutError', code: DOMException.TIMEOUT_ERR }
    await assert.rejects(client.upload(new Blob(['x']), { signal: signal() }), isTimeout)
    await assert.rejects(client.upload(new Blob(['x']), { signal: signal(), onProgress: () => undefined }), isTimeout)
    await assert.rejects(all(client.images.list({}, { signal: signal() })), isTimeout)
    await assert.rejects(client.batch('card', [{}], { signal: signal() }), isTimeout)
    await assert.rejects(all(client.batchResults('batch_1', { signal: signal() })), isTimeout)
  })

  test('by the caller of an iteration that stops closes the connection', async () => {
    const { wire, client } = await clientOf(() => ({ bytes: eventStream(events[0] ?? '', false), keepOpen: true }))
    for await (const { type } of client.events('exec_1')) {
      assert.equal(type, 'snapshot')
      break
    }
    await until('the connection is closed', async () => wire.connections() === 0 || undefined)
  })
})

describe('a redirect', () => {
  test('of a proxy is an error that names the address, and is not followed as a GET without the key', async () => {
    const { wire, client } = await clientOf(
      () => 'HTTP/1.1 301 Moved\r\nlocation: /v1/other\r\ncontent-length: 0\r\n\r\n',
    )
    const isMoved = (error: ApiError) => {
      assert.deepEqual([error.code, error.status], ['unexpected_response', 301])
      assert.match(error.message, /redirects to \/v1\/other\. Use the address of the service\./)
      return true
    }
    const calls = [
      () => client.run('card'),
      () => client.images.get('img_1'),
      () => client.wait('exec_1'),
      () => all(client.events('exec_1')),
    ]
    for (const call of calls) await assert.rejects(call, isMoved)
    assert.ok(wire.requests.every(({ path }) => path !== '/v1/other'))
  })

  test('of a file is followed', async () => {
    const { client } = await clientOf(({ path }) =>
      path === '/file'
        ? 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfile'
        : 'HTTP/1.1 302 Found\r\nlocation: /file\r\ncontent-length: 0\r\n\r\n',
    )
    assert.equal(await (await client.images.content('img_1.png')).text(), 'file')
  })
})

describe('a timeout', () => {
  test('is repeated, and then a TimeoutError', async () => {
    // A request of a busy machine can time out before it arrives.
    let requests = 0
    const fetch: typeof globalThis.fetch = (input, init) => {
      requests += 1
      return globalThis.fetch(input, init)
    }
    const { client } = await clientOf(() => ({ bytes: '', keepOpen: true }), { timeout: 20, maxRetries: 1, fetch })
    await assert.rejects(
      client.run('card'),
      (error) => error instanceof TimeoutError && error instanceof ConnectionError,
    )
    assert.equal(requests, 2)
  })

  test('covers the body', async () => {
    const { client } = await clientOf(() => ({ bytes: json(200, completed).slice(0, -5), keepOpen: true }), {
      timeout: 100,
      maxRetries: 0,
    })
    await assert.rejects(client.run('card'), TimeoutError)
  })
})
