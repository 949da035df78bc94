import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpProblem } from '../../net/provider-http.ts'
import {
  callOf,
  callWith,
  contextOf,
  fileText,
  image,
  mask,
  problemOf,
  type StubResponse,
  secret,
  serve,
} from './shared/test-server.ts'
import { stability } from './stability.ts'

const base64 = image.bytes.toString('base64')

test('sends everything as a form, and reads the image as base64', async (t) => {
  const server = await serve(t, () => ({ json: { image: base64, finish_reason: 'SUCCESS', seed: 42 } }))
  const context = contextOf(stability, server.url)
  const generated = await stability.start(
    await callOf(stability, 'sd3.5-large', 'generate', { prompt: 'a cat', seed: 7, aspectRatio: '16:9' }),
    context,
  )
  assert.deepEqual(generated, { done: { images: [image.bytes], seed: 42 } })
  await stability.start(await callOf(stability, 'inpaint', 'inpaint', { prompt: 'x', images: [image], mask }), context)
  const [generate, inpaint] = server.requests
  assert.equal(generate?.path, '/v2beta/stable-image/generate/sd3')
  assert.equal(generate?.headers.authorization, `Bearer ${secret}`)
  assert.equal(generate?.headers.accept, 'application/json')
  assert.deepEqual(Object.fromEntries((await generate?.form()) ?? []), {
    prompt: 'a cat',
    seed: '7',
    aspect_ratio: '16:9',
    model: 'sd3.5-large',
    output_format: 'png',
  })
  assert.equal(inpaint?.path, '/v2beta/stable-image/edit/inpaint')
  assert.equal(await fileText(inpaint, 'image'), image.bytes.toString())
  assert.equal(await fileText(inpaint, 'mask'), 'white')
})

test('every capability has its path', async (t) => {
  const server = await serve(t, () => ({ json: { image: base64, finish_reason: 'SUCCESS' } }))
  const context = contextOf(stability, server.url)
  await stability.start(await callOf(stability, 'core', 'generate', { prompt: 'x' }), context)
  await stability.start(await callOf(stability, 'ultra', 'generate', { prompt: 'x' }), context)
  await stability.start(await callOf(stability, 'remove-background', 'remove-background', { images: [image] }), context)
  await stability.start(await callOf(stability, 'upscale-fast', 'upscale', { images: [image], scale: 4 }), context)
  await stability.start(await callOf(stability, 'upscale-conservative', 'upscale', { images: [image] }), context)
  assert.deepEqual(
    server.requests.map(({ path }) => path.replace('/v2beta/stable-image/', '')),
    ['generate/core', 'generate/ultra', 'edit/remove-background', 'upscale/fast', 'upscale/conservative'],
  )
  const last = await server.requests.at(-1)?.form()
  assert.ok(String(last?.get('prompt')).length > 0, 'it wants words')
})

test('polls the creative upscaler until the result exists', async (t) => {
  const responses: StubResponse[] = [
    { json: { id: 'abc123' } },
    { status: 202, json: { id: 'abc123', status: 'in-progress' } },
    { json: { image: base64, finish_reason: 'SUCCESS', seed: 3 } },
  ]
  const server = await serve(t, () => responses.shift())
  const context = contextOf(stability, server.url)
  const call = await callOf(stability, 'upscale-creative', 'upscale', { images: [image] })
  assert.deepEqual(await stability.start(call, context), {
    handle: { id: 'abc123' },
    requestId: 'abc123',
    waitMs: 10_000,
  })
  assert.deepEqual(await stability.poll?.({ id: 'abc123' }, call, context), { pending: { waitMs: 10_000 } })
  assert.deepEqual(await stability.poll?.({ id: 'abc123' }, call, context), {
    done: { images: [image.bytes], seed: 3, requestId: 'abc123' },
  })
  assert.equal(server.requests[2]?.path, '/v2beta/results/abc123')
  assert.equal(server.requests[2]?.headers.authorization, `Bearer ${secret}`)
})

test('reports moderation, and every other response without an image, by its kind', async (t) => {
  let response: StubResponse | undefined
  const server = await serve(t, () => response)
  const call = await callOf(stability, 'core', 'generate', { prompt: 'x' })
  const start = () => stability.start(call, contextOf(stability, server.url))
  const kinds: [StubResponse, string, string][] = [
    [{ json: { image: base64, finish_reason: 'CONTENT_FILTERED', seed: 1 } }, 'refused', 'unknown'],
    [
      { status: 403, json: { id: 'a', name: 'content_moderation', errors: ['Your request was flagged'] } },
      'refused',
      'no',
    ],
    [{ status: 401, json: { name: 'unauthorized', errors: [`no key ${secret}`] } }, 'auth', 'no'],
    [{ status: 403, json: { name: 'permission_denied', errors: [`the key ${secret} may not`] } }, 'auth', 'no'],
    [{ status: 402, json: { name: 'payment_required', errors: ['You lack sufficient credits'] } }, 'quota', 'no'],
    [{ status: 400, json: { name: 'bad_request', errors: ['image: is too small'] } }, 'invalid_request', 'no'],
    [{ status: 413, json: { name: 'payload_too_large', errors: ['x'] } }, 'invalid_request', 'no'],
    [{ status: 429, json: { name: 'rate_limit_exceeded', errors: ['x'] } }, 'rate_limited', 'no'],
    [{ status: 500, json: { name: 'internal_error', errors: ['x'] } }, 'outcome_unknown', 'unknown'],
    [{ json: { finish_reason: 'SUCCESS' } }, 'no_output', 'unknown'],
    [{ json: { image: 7 } }, 'no_output', 'unknown'],
    [{ json: { image: '<html>' } }, 'bad_output', 'unknown'],
    [{ body: '<html>' }, 'outcome_unknown', 'unknown'],
    [{ body: '' }, 'outcome_unknown', 'unknown'],
  ]
  for (const [body, kind, billed] of kinds) {
    response = body
    const problem = await problemOf(start())
    assert.deepEqual([problem.kind, problem.facts.billed], [kind, billed], JSON.stringify(body))
    if (kind === 'invalid_request' && problem.facts.status === 400) assert.match(problem.message, /is too small/)
  }
  assert.equal(server.requests.length, kinds.length, 'nothing is sent twice')
  response = undefined
  await assert.rejects(start(), (error) => error instanceof HttpProblem && !error.isUnsent)
})

test('looks for a result at the path of earlier versions too', async (t) => {
  const server = await serve(t, ({ path }) =>
    path === '/v2beta/stable-image/upscale/creative/result/a'
      ? { json: { image: base64, finish_reason: 'SUCCESS' } }
      : { status: 404, json: { name: 'not_found', errors: ['x'] } },
  )
  const call = await callOf(stability, 'upscale-creative', 'upscale')
  const polled = await stability.poll?.({ id: 'a' }, call, contextOf(stability, server.url))
  assert.deepEqual(polled, { done: { images: [image.bytes], requestId: 'a' } })
})

test('a missing result has expired, and a declined one is refused', async (t) => {
  let response: StubResponse = {}
  const server = await serve(t, () => response)
  const call = callWith({ name: 'upscale-creative', can: {}, 'x-path': 'upscale/creative' }, 'upscale')
  const poll = async () => stability.poll?.({ id: 'a' }, call, contextOf(stability, server.url))
  response = { status: 404, json: { name: 'not_found', errors: ['x'] } }
  assert.equal((await problemOf(poll())).kind, 'expired')
  response = { status: 403, json: { name: 'content_moderation', errors: ['x'] } }
  assert.equal((await problemOf(poll())).kind, 'refused')
  response = { status: 500, body: '' }
  assert.deepEqual(await poll(), { pending: {} })
})
