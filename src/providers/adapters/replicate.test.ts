import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpProblem } from '../../net/provider-http.ts'
import { replicate } from './replicate.ts'
import { fieldsOf } from './shared/responses.ts'
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

const id = 'gm3qorzdhgbfurvjtvhg6dckhu'

test('calls an official model by its name, without waiting, with its deadline', async (t) => {
  const server = await serve(t, () => ({
    status: 201,
    json: { id, status: 'starting', urls: { get: 'https://r.example/get', cancel: 'https://r.example/cancel' } },
  }))
  const call = await callOf(replicate, 'black-forest-labs/flux-schnell', 'generate', {
    prompt: 'a cat',
    aspectRatio: '16:9',
    seed: 7,
  })
  const context = contextOf(replicate, `${server.url}/v1`, { secondsLeft: () => 90 })
  assert.deepEqual(await replicate.start(call, context), {
    requestId: id,
    handle: { id, getUrl: 'https://r.example/get', cancelUrl: 'https://r.example/cancel' },
  })
  const [received] = server.requests
  assert.equal(received?.path, '/v1/models/black-forest-labs/flux-schnell/predictions')
  assert.equal(received?.headers.authorization, `Bearer ${secret}`)
  assert.equal(received?.headers['cancel-after'], '90s')
  assert.equal(received?.headers.prefer, undefined)
  assert.deepEqual(received?.json, {
    input: { num_outputs: 1, output_format: 'png', prompt: 'a cat', aspect_ratio: '16:9', seed: 7 },
  })
})

test('calls another model by its version, of its row or of its name', async (t) => {
  const server = await serve(t, () => ({ status: 201, json: { id, status: 'starting' } }))
  const context = contextOf(replicate, `${server.url}/v1`)
  await replicate.start(
    await callOf(replicate, 'nightmareai/real-esrgan', 'upscale', { images: [image], scale: 2 }),
    context,
  )
  const row = { name: 'someone/thing:abc123', can: {} }
  await replicate.start(callWith(row, 'inpaint', { images: [image], mask, prompt: 'x' }), context)
  const [known, named] = server.requests
  assert.equal(known?.path, '/v1/predictions')
  assert.match(String(known?.json.version), /^[0-9a-f]{64}$/)
  const uri = `data:image/png;base64,${image.bytes.toString('base64')}`
  assert.deepEqual(known?.json.input, { image: uri, scale: 2 })
  assert.deepEqual(named?.json, {
    version: 'abc123',
    input: { prompt: 'x', image: uri, mask: `data:image/png;base64,${Buffer.from('white').toString('base64')}` },
  })
})

test('writes a scale in the notation of the model', async (t) => {
  const server = await serve(t, () => ({ status: 201, json: { id } }))
  const call = await callOf(replicate, 'google/upscaler', 'upscale', { images: [image], scale: 4 })
  await replicate.start(call, contextOf(replicate, server.url))
  assert.equal(fieldsOf(server.requests[0]?.json.input)?.upscale_factor, 'x4')
})

test('accepts images as a URL, a list of URLs or a data URI, and texts as a string or a list of strings', async (t) => {
  let output: unknown
  const server = await serve(t, () => ({ json: { id, status: 'succeeded', output, metrics: { predict_time: 1.5 } } }))
  const done = async (capability: 'generate' | 'describe') => {
    const polled = await pollOf(server.url, capability)()
    assert.ok(polled && 'done' in polled)
    return polled.done
  }
  output = 'https://replicate.delivery/a.png'
  assert.deepEqual(await done('generate'), { images: [{ url: output }], requestId: id, used: { seconds: 1.5 } })
  output = ['https://replicate.delivery/a.png', 'https://replicate.delivery/b.png']
  assert.deepEqual(
    (await done('generate')).images,
    (output as string[]).map((url) => ({ url })),
  )
  output = `data:image/png;base64,${image.bytes.toString('base64')}`
  assert.deepEqual((await done('generate')).images, [image.bytes])
  output = 'Caption: a cat'
  assert.equal((await done('describe')).text, 'a cat')
  output = ['A ', 'cat', '.']
  assert.equal((await done('describe')).text, 'A cat.')
})

test('reports every status of a prediction by its kind', async (t) => {
  let response: StubResponse = {}
  const server = await serve(t, () => response)
  const poll = pollOf(server.url, 'generate')
  for (const status of ['starting', 'processing', 'Processing', 'queued']) {
    response = { json: { id, status, output: null } }
    assert.deepEqual(await poll(), { pending: {} })
  }
  const kinds: [StubResponse, string, string][] = [
    [{ json: { status: 'failed', error: 'NSFW content detected. Try running it again.' } }, 'refused', 'unknown'],
    [{ json: { status: 'failed', error: 'The input was flagged as sensitive. (E005)' } }, 'refused', 'unknown'],
    [{ json: { status: 'failed', error: `CUDA out of memory ${secret}` } }, 'no_output', 'unknown'],
    [{ json: { status: 'failed', error: { odd: true } } }, 'no_output', 'unknown'],
    [{ json: { status: 'canceled' } }, 'timeout', 'yes'],
    [{ json: { status: 'aborted' } }, 'timeout', 'no'],
    [{ json: { status: 'succeeded', output: null } }, 'no_output', 'yes'],
    [{ json: { status: 'succeeded', output: [] } }, 'no_output', 'yes'],
    [{ json: { status: 'succeeded', output: { x: 1 } } }, 'bad_output', 'yes'],
    [{ json: { status: 'succeeded', output: ['not a url'] } }, 'bad_output', 'yes'],
    [{ json: { status: 'dancing' } }, 'bad_output', 'unknown'],
    [{ json: {} }, 'bad_output', 'unknown'],
    [{ status: 404, json: { detail: 'The requested resource could not be found.' } }, 'expired', 'unknown'],
    [{ status: 401, json: { detail: secret } }, 'auth', 'unknown'],
  ]
  for (const [body, kind, billed] of kinds) {
    response = body
    const problem = await problemOf(poll())
    assert.deepEqual([problem.kind, problem.facts.billed], [kind, billed], JSON.stringify(body))
  }
  response = { body: '<html>' }
  assert.deepEqual(await poll(), { pending: {} }, 'an unusable response: a billed result is requested again')
  response = { status: 500, body: '' }
  assert.deepEqual(await poll(), { pending: {} })
})

test('the response of a submission decides whether the prediction was accepted', async (t) => {
  let response: StubResponse | undefined
  const server = await serve(t, () => response)
  const call = await callOf(replicate, 'black-forest-labs/flux-schnell', 'generate', { prompt: 'a cat' })
  const start = () => replicate.start(call, contextOf(replicate, server.url))
  const kinds: [StubResponse, string][] = [
    [{ status: 401, json: { title: 'Unauthenticated', detail: `token ${secret} is not valid` } }, 'auth'],
    [{ status: 402, json: { title: 'Insufficient credit' } }, 'quota'],
    [{ status: 404, json: { detail: 'not found' } }, 'unsupported'],
    [{ status: 422, json: { title: 'Input validation failed', detail: 'prompt is required' } }, 'invalid_request'],
    [{ status: 429, json: { detail: 'Request was throttled.', retry_after: 30 } }, 'rate_limited'],
    [{ status: 503, body: '' }, 'down'],
    [{ status: 500, body: '' }, 'outcome_unknown'],
    [{ status: 201, json: { status: 'starting' } }, 'outcome_unknown'],
    [{ status: 201, body: '<html>' }, 'outcome_unknown'],
  ]
  for (const [body, kind] of kinds) {
    response = body
    const problem = await problemOf(start())
    assert.equal(problem.kind, kind, JSON.stringify(body))
    if (kind === 'invalid_request') assert.match(problem.message, /prompt is required/)
    if (kind === 'rate_limited') assert.equal(problem.facts.retryAfterMs, 30_000)
  }
  assert.equal(server.requests.length, kinds.length, 'nothing is sent twice')
  response = undefined
  await assert.rejects(start(), (error) => error instanceof HttpProblem && !error.isUnsent)
})

test('cancels at the URL of the response', async (t) => {
  const server = await serve(t, () => ({ json: { status: 'canceled' } }))
  await replicate.cancel?.({ id, cancelUrl: `${server.url}/c` }, contextOf(replicate, server.url))
  assert.deepEqual(
    server.requests.map(({ method, path, headers }) => [method, path, headers.authorization]),
    [['POST', '/c', `Bearer ${secret}`]],
  )
})

function pollOf(url: string, capability: 'generate' | 'describe') {
  const handle = { id, getUrl: `${url}/g`, cancelUrl: `${url}/c` }
  const call = callWith({ name: 'owner/name', can: {} }, capability)
  return async () => replicate.poll?.(handle, call, contextOf(replicate, url))
}
