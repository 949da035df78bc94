import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpProblem } from '../../net/provider-http.ts'
import { fal } from './fal.ts'
import {
  callOf,
  callWith,
  contextOf,
  image,
  mask,
  problemOf,
  type StubResponse,
  secret,
  serve,
} from './shared/test-server.ts'

const id = '80e732af-660e-45cd-bd63-580e4f2a94cc'
const queued = (url: string) => ({
  status: 'IN_QUEUE',
  request_id: id,
  status_url: `${url}/elsewhere/${id}/status`,
  response_url: `${url}/elsewhere/${id}`,
  cancel_url: `${url}/elsewhere/${id}/cancel`,
  queue_position: 0,
})

test('sends a job once, without retries of fal, with the key', async (t) => {
  const server = await serve(t, (_asked, url) => ({ json: queued(url) }))
  const call = await callOf(fal, 'fal-ai/flux/schnell', 'generate', {
    prompt: 'a cat',
    size: { width: 512, height: 768 },
    seed: 7,
  })
  const started = await fal.start(call, contextOf(fal, server.url, { secondsLeft: () => 12.3 }))
  assert.deepEqual(started, {
    requestId: id,
    handle: {
      requestId: id,
      statusUrl: `${server.url}/elsewhere/${id}/status`,
      responseUrl: `${server.url}/elsewhere/${id}`,
      cancelUrl: `${server.url}/elsewhere/${id}/cancel`,
    },
  })
  const [received] = server.requests
  assert.equal(server.requests.length, 1)
  assert.equal(`${received?.method} ${received?.path}`, 'POST /fal-ai/flux/schnell')
  assert.equal(received?.headers.authorization, `Key ${secret}`)
  assert.equal(received?.headers['x-fal-no-retry'], '1')
  assert.equal(received?.headers['x-fal-request-timeout'], '13')
  assert.deepEqual(received?.json, {
    num_images: 1,
    output_format: 'png',
    prompt: 'a cat',
    seed: 7,
    image_size: { width: 512, height: 768 },
  })
})

test('sends images and masks as data URIs in the fields of the row', async (t) => {
  const server = await serve(t, (_asked, url) => ({ json: queued(url) }))
  const context = contextOf(fal, server.url)
  const uri = `data:image/png;base64,${image.bytes.toString('base64')}`
  await fal.start(
    await callOf(fal, 'fal-ai/flux-pro/v1/fill', 'inpaint', { prompt: 'x', images: [image], mask }),
    context,
  )
  await fal.start(
    await callOf(fal, 'fal-ai/nano-banana/edit', 'edit', { prompt: 'x', images: [image, image] }),
    context,
  )
  await fal.start(await callOf(fal, 'fal-ai/esrgan', 'upscale', { images: [image], scale: 4 }), context)
  const [fill, edit, enlarge] = server.requests
  assert.equal(fill?.json.image_url, uri)
  assert.equal(fill?.json.mask_url, `data:image/png;base64,${Buffer.from('white').toString('base64')}`)
  assert.deepEqual(edit?.json.image_urls, [uri, uri])
  assert.equal(edit?.json.image_url, undefined)
  assert.deepEqual([enlarge?.json.scale, enlarge?.json.upscale_factor], [4, undefined])
})

test('rejects several images for a model without a field for them', async (t) => {
  const server = await serve(t, () => ({}))
  const call = await callOf(fal, 'fal-ai/flux-pro/kontext', 'edit', { prompt: 'x', images: [image, image] })
  const problem = await problemOf(fal.start(call, contextOf(fal, server.url)))
  assert.equal(problem.kind, 'unsupported')
  assert.equal(server.requests.length, 0)
})

test('a name cannot escape from its place in the path', async (t) => {
  const server = await serve(t, () => ({}))
  for (const name of ['fal-ai/../admin', 'fal-ai//x', '..']) {
    const problem = await problemOf(fal.start(callWith({ name, can: {} }, 'generate'), contextOf(fal, server.url)))
    assert.equal(problem.kind, 'unsupported')
  }
  assert.equal(server.requests.length, 0)
})

test('polls at the URLs of fal until the response exists', async (t) => {
  const responses: StubResponse[] = [
    { status: 202, json: { status: 'IN_QUEUE', queue_position: 2 } },
    { status: 202, json: { status: 'IN_PROGRESS' } },
    { json: { status: 'COMPLETED' } },
    {
      headers: { 'x-fal-billable-units': '1.05' },
      json: { images: [{ url: 'https://v3.fal.media/a.png' }], seed: 9, has_nsfw_concepts: [false] },
    },
  ]
  const server = await serve(t, () => responses.shift())
  const { poll } = await polling(server.url)
  assert.deepEqual(await poll(), { pending: {} })
  assert.deepEqual(await poll(), { pending: {} })
  assert.deepEqual(await poll(), {
    done: {
      images: [{ url: 'https://v3.fal.media/a.png' }],
      seed: 9,
      requestId: id,
      used: { units: 1.05 },
    },
  })
  assert.deepEqual(
    server.requests.map(({ method, path }) => `${method} ${path}`),
    ['GET /s', 'GET /s', 'GET /s', 'GET /r'],
  )
  assert.ok(server.requests.every(({ headers }) => headers.authorization === `Key ${secret}`))
})

test('accepts a single image, data URIs, and captions as text', async (t) => {
  let response: StubResponse = {}
  const server = await serve(t, ({ path }) => (path === '/s' ? { json: { status: 'COMPLETED' } } : response))
  const { poll } = await polling(server.url)
  response = { json: { image: { url: `data:image/png;base64,${image.bytes.toString('base64')}` } } }
  assert.deepEqual(await poll(), { done: { images: [image.bytes], requestId: id } })
  const describe = await polling(server.url, 'fal-ai/florence-2-large/more-detailed-caption', 'describe')
  response = { json: { results: 'A cat.' } }
  assert.deepEqual(await describe.poll(), { done: { text: 'A cat.', requestId: id } })
  response = { json: { results: { bboxes: [] } } }
  assert.equal((await problemOf(describe.poll())).kind, 'bad_output')
})

test('reports a failed job by its kind, and whether it was billed', async (t) => {
  let response: StubResponse = {}
  const server = await serve(t, ({ path }) => (path === '/s' ? { json: { status: 'COMPLETED' } } : response))
  const { poll } = await polling(server.url)
  const kinds: [StubResponse, string, string][] = [
    [{ json: { images: [{ url: 'https://a.example/x.png' }], has_nsfw_concepts: [true] } }, 'refused', 'yes'],
    [
      {
        status: 422,
        json: { detail: [{ type: 'content_policy_violation', msg: 'flagged', loc: ['body', 'prompt'] }] },
      },
      'refused',
      'unknown',
    ],
    [
      { status: 422, json: { detail: [{ type: 'missing', msg: 'Field required', loc: ['body'] }] } },
      'invalid_request',
      'unknown',
    ],
    [{ status: 422, json: { detail: [{ type: 'no_media_generated', msg: 'none' }] } }, 'no_output', 'unknown'],
    [{ status: 500, json: { detail: [{ type: 'internal_server_error', msg: 'oops' }] } }, 'no_output', 'no'],
    [{ status: 503, json: { detail: 'gone', error_type: 'runner_disconnected' } }, 'down', 'no'],
    [{ status: 504, json: { detail: 'late', error_type: 'request_timeout' } }, 'timeout', 'no'],
    [{ status: 404, json: { detail: 'Request not found' } }, 'expired', 'unknown'],
    [{ json: { images: [] } }, 'no_output', 'unknown'],
    [{ json: { images: [{ url: 'ftp://a.example/x' }] } }, 'bad_output', 'unknown'],
    [{ json: { images: 'x' } }, 'bad_output', 'unknown'],
    [{ json: [1] }, 'bad_output', 'unknown'],
  ]
  for (const [body, kind, billed] of kinds) {
    response = body
    const problem = await problemOf(poll())
    assert.deepEqual([problem.kind, problem.facts.billed], [kind, billed], JSON.stringify(body))
    assert.equal(problem.facts.requestId, id)
  }
})

test('requests a response that does not exist yet again', async (t) => {
  let response: StubResponse = { status: 400, json: { detail: 'Request is still in progress' } }
  const server = await serve(t, ({ path }) => (path === '/s' ? { json: { status: 'COMPLETED' } } : response))
  const { poll } = await polling(server.url)
  assert.deepEqual(await poll(), { pending: {} })
  response = { body: '<html>' }
  assert.deepEqual(await poll(), { pending: {} })
})

test('a temporary failure of a poll does not end the job', async (t) => {
  let response: StubResponse | undefined
  const server = await serve(t, () => response)
  const { poll } = await polling(server.url)
  response = { status: 502, body: 'Bad gateway' }
  assert.deepEqual(await poll(), { pending: {} })
  response = { status: 429, headers: { 'retry-after': '3' }, json: {} }
  assert.deepEqual(await poll(), { pending: { waitMs: 3000 } })
  response = undefined
  await assert.rejects(poll(), HttpProblem)
  response = { body: '<html>' }
  assert.deepEqual(await poll(), { pending: {} }, 'an unusable response: a billed result is requested again')
  response = { json: { status: 'in_progress' } }
  assert.deepEqual(await poll(), { pending: {} })
  response = { status: 401, json: { detail: `no key ${secret}` } }
  assert.equal((await problemOf(poll())).kind, 'auth')
})

test('the response of a submission decides whether the job was accepted', async (t) => {
  let response: StubResponse | undefined
  const server = await serve(t, () => response)
  const call = await callOf(fal, 'fal-ai/flux/schnell', 'generate', { prompt: 'a cat' })
  const start = () => fal.start(call, contextOf(fal, server.url))
  const kinds: [StubResponse, string, string][] = [
    [{ status: 401, json: { detail: `Cannot access with ${secret}` } }, 'auth', 'no'],
    [{ status: 403, json: { detail: 'User is locked. Reason: Exhausted balance.' } }, 'quota', 'no'],
    [{ status: 402, json: {} }, 'quota', 'no'],
    [{ status: 404, json: { detail: 'Application not found' } }, 'unsupported', 'no'],
    [{ status: 422, json: { detail: [{ type: 'missing', msg: 'Field required' }] } }, 'invalid_request', 'no'],
    [{ status: 429, headers: { 'retry-after': '2' }, json: { detail: 'slow down' } }, 'rate_limited', 'no'],
    [{ status: 503, body: 'busy' }, 'down', 'no'],
    [{ status: 302, headers: { location: 'https://a.example' } }, 'down', 'no'],
    [{ status: 500, body: 'oops' }, 'outcome_unknown', 'unknown'],
    [{ status: 504, body: '' }, 'outcome_unknown', 'unknown'],
    [{ body: '<html>hello</html>' }, 'outcome_unknown', 'unknown'],
    [{ body: '' }, 'outcome_unknown', 'unknown'],
    [{ json: { status: 'IN_QUEUE' } }, 'outcome_unknown', 'unknown'],
    [{ json: { request_id: 7 } }, 'outcome_unknown', 'unknown'],
    [{ json: { request_id: '../../../x' } }, 'outcome_unknown', 'unknown'],
  ]
  for (const [body, kind, billed] of kinds) {
    response = body
    const problem = await problemOf(start())
    assert.deepEqual([problem.kind, problem.facts.billed], [kind, billed], JSON.stringify(body))
    if (kind === 'rate_limited') assert.equal(problem.facts.retryAfterMs, 2000)
  }
  assert.equal(server.requests.length, kinds.length, 'nothing is sent twice')
  response = undefined
  await assert.rejects(start(), (error) => error instanceof HttpProblem && !error.isUnsent)
})

test('finds a job without URLs where fal documents it', async (t) => {
  const server = await serve(t, () => ({ json: { request_id: id } }))
  const call = await callOf(fal, 'fal-ai/flux/schnell', 'generate', { prompt: 'a cat' })
  const started = await fal.start(call, contextOf(fal, server.url))
  assert.ok('handle' in started)
  assert.equal(started.handle.statusUrl, `${server.url}/fal-ai/flux/requests/${id}/status`)
})

test('cancels by PUT', async (t) => {
  const server = await serve(t, () => ({ status: 202, json: { status: 'CANCELLATION_REQUESTED' } }))
  await fal.cancel?.({ requestId: id, cancelUrl: `${server.url}/c` }, contextOf(fal, server.url))
  assert.deepEqual(
    server.requests.map(({ method, path, headers }) => [method, path, headers.authorization]),
    [['PUT', '/c', `Key ${secret}`]],
  )
})

test('sends the key to no other origin, whatever URL a response contains', async (t) => {
  const other = await serve(t, () => ({ json: { status: 'IN_QUEUE' } }))
  const server = await serve(t, () => ({}))
  const context = contextOf(fal, server.url)
  const call = await callOf(fal, 'fal-ai/flux/schnell', 'generate')
  const handle = {
    requestId: id,
    statusUrl: `${other.url}/s`,
    responseUrl: `${other.url}/r`,
    cancelUrl: `${other.url}/c`,
  }
  await assert.rejects(async () => fal.poll?.(handle, call, context), HttpProblem)
  await assert.rejects(async () => fal.cancel?.(handle, context), HttpProblem)
  assert.equal(other.requests.length, 0)
})

async function polling(url: string, name = 'fal-ai/flux/schnell', capability: 'generate' | 'describe' = 'generate') {
  const call = await callOf(fal, name, capability)
  const context = contextOf(fal, url)
  const handle = { requestId: id, statusUrl: `${url}/s`, responseUrl: `${url}/r`, cancelUrl: `${url}/c` }
  return { poll: async () => fal.poll?.(handle, call, context) }
}
