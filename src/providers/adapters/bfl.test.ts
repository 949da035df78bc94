import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpProblem } from '../../net/provider-http.ts'
import { bfl } from './bfl.ts'
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

const id = '9b4c5a9e-0d5b-4a3c-8c0e-1f2a3b4c5d6e'

test('sends a task with the key, and polls the URL of the response', async (t) => {
  const server = await serve(t, (_asked, url) => ({
    json: { id, polling_url: `${url}/eu/get_result?id=${id}`, cost: 3, input_mp: 0, output_mp: 1 },
  }))
  const call = await callOf(bfl, 'flux-2-pro', 'generate', {
    prompt: 'a cat',
    seed: 7,
    size: { width: 1024, height: 768 },
  })
  assert.deepEqual(await bfl.start(call, contextOf(bfl, `${server.url}/v1`)), {
    requestId: id,
    handle: { requestId: id, pollingUrl: `${server.url}/eu/get_result?id=${id}`, credits: 3 },
  })
  const [received] = server.requests
  assert.equal(`${received?.method} ${received?.path}`, 'POST /v1/flux-2-pro')
  assert.equal(received?.headers['x-key'], secret)
  assert.deepEqual(received?.json, { output_format: 'png', prompt: 'a cat', seed: 7, width: 1024, height: 768 })
})

test('numbers images from the second on; fill has an image and a mask', async (t) => {
  const server = await serve(t, (_asked, url) => ({ json: { id, polling_url: `${url}/p` } }))
  const context = contextOf(bfl, `${server.url}/v1`)
  const base64 = image.bytes.toString('base64')
  await bfl.start(await callOf(bfl, 'flux-2-pro', 'edit', { prompt: 'x', images: [image, image, image] }), context)
  await bfl.start(await callOf(bfl, 'flux-pro-1.0-fill', 'inpaint', { prompt: 'x', images: [image], mask }), context)
  const [edit, fill] = server.requests
  assert.deepEqual(edit?.json, {
    output_format: 'png',
    prompt: 'x',
    input_image: base64,
    input_image_2: base64,
    input_image_3: base64,
  })
  assert.deepEqual(fill?.json, {
    output_format: 'png',
    prompt: 'x',
    image: base64,
    mask: Buffer.from('white').toString('base64'),
  })
})

test('returns the image, its seed, and its cost: a credit is a cent', async (t) => {
  const responses: StubResponse[] = [
    { json: { id, status: 'Pending', result: null } },
    { json: { id, status: 'Ready', result: { sample: 'https://delivery.bfl.ai/a.png', seed: 42 } } },
    { json: { id, status: 'Ready', result: { sample: 'https://delivery.bfl.ai/a.png' }, cost: 4.5 } },
    { json: { id, status: 'Ready', result: { sample: '/files/a.png' }, cost: '1.4' } },
  ]
  const server = await serve(t, () => responses.shift())
  const poll = pollOf(server.url)
  assert.deepEqual(await poll(), { pending: {} })
  const images = [{ url: 'https://delivery.bfl.ai/a.png' }]
  assert.deepEqual(await poll(), { done: { images, requestId: id, seed: 42, costMicros: 30_000 } })
  assert.deepEqual(await poll(), { done: { images, requestId: id, costMicros: 45_000 } })
  const files = [{ url: '/files/a.png' }]
  assert.deepEqual(await poll(), { done: { images: files, requestId: id, costMicros: 14_000 } })
  assert.ok(server.requests.every(({ path, headers }) => path === `/p?id=${id}` && headers['x-key'] === secret))
})

test('reports moderation and every other final state by its kind', async (t) => {
  let response: StubResponse = {}
  const server = await serve(t, () => response)
  const poll = pollOf(server.url)
  const kinds: [StubResponse, string, string][] = [
    [
      { json: { status: 'Request Moderated', details: { 'Moderation Reasons': ['Protected Content', 'Violence'] } } },
      'refused',
      'no',
    ],
    [{ json: { status: 'Content Moderated', result: null } }, 'refused', 'no'],
    [{ json: { status: 'Task not found', result: null } }, 'expired', 'unknown'],
    [{ status: 404, json: { id, status: 'Task not found' } }, 'expired', 'unknown'],
    [{ status: 404, json: { detail: 'x' } }, 'expired', 'unknown'],
    [{ json: { status: 'Error', result: null, details: { error: 'x' } } }, 'no_output', 'unknown'],
    [{ json: { status: 'Ready', result: null } }, 'bad_output', 'yes'],
    [{ json: { status: 'Ready', result: { sample: 7 } } }, 'bad_output', 'yes'],
    [{ json: { status: 'Juggling' } }, 'bad_output', 'unknown'],
    [{ json: { status: 3 } }, 'bad_output', 'unknown'],
    [{ status: 403, json: { detail: `Not authenticated: ${secret}` } }, 'auth', 'unknown'],
  ]
  for (const [body, kind, billed] of kinds) {
    response = body
    const problem = await problemOf(poll())
    assert.deepEqual([problem.kind, problem.facts.billed], [kind, billed], JSON.stringify(body))
    assert.equal(problem.facts.requestId, id)
  }
  response = kinds[0]?.[0] ?? {}
  assert.match((await problemOf(poll())).message, /Protected Content, Violence/)
  response = { body: '<html>' }
  assert.deepEqual(await poll(), { pending: {} }, 'an unusable response: a billed result is requested again')
  response = { status: 500, body: '' }
  assert.deepEqual(await poll(), { pending: {} })
  response = { status: 429, headers: { 'retry-after': '1' }, json: {} }
  assert.deepEqual(await poll(), { pending: { waitMs: 1000 } })
})

test('the response of a submission decides whether the task was accepted', async (t) => {
  let response: StubResponse | undefined
  const server = await serve(t, () => response)
  const call = await callOf(bfl, 'flux-2-pro', 'generate', { prompt: 'a cat' })
  const start = () => bfl.start(call, contextOf(bfl, `${server.url}/v1`))
  const kinds: [StubResponse, string][] = [
    [{ status: 403, json: { detail: `Not authenticated - ${secret}` } }, 'auth'],
    [{ status: 402, json: { detail: 'Insufficient credits' } }, 'quota'],
    [
      { status: 422, json: { detail: [{ loc: ['body', 'width'], msg: 'must be a multiple of 16' }] } },
      'invalid_request',
    ],
    [{ status: 429, json: { detail: 'Rate limit' } }, 'rate_limited'],
    [{ status: 500, json: { detail: 'oops' } }, 'outcome_unknown'],
    [{ json: {} }, 'outcome_unknown'],
    [{ json: { id: 7, polling_url: 8 } }, 'outcome_unknown'],
    [{ body: 'OK' }, 'outcome_unknown'],
  ]
  for (const [body, kind] of kinds) {
    response = body
    const problem = await problemOf(start())
    assert.equal(problem.kind, kind, JSON.stringify(body))
    if (kind === 'invalid_request') assert.match(problem.message, /: width: must be a multiple of 16$/)
  }
  assert.equal(server.requests.length, kinds.length, 'nothing is sent twice')
  response = undefined
  await assert.rejects(start(), (error) => error instanceof HttpProblem && !error.isUnsent)
})

test('polls a task without a URL at the address from before there were regions', async (t) => {
  const server = await serve(t, () => ({ json: { id } }))
  const started = await bfl.start(
    await callOf(bfl, 'flux-2-pro', 'generate', { prompt: 'x' }),
    contextOf(bfl, `${server.url}/v1`),
  )
  assert.ok('handle' in started)
  assert.equal(started.handle.pollingUrl, `${server.url}/v1/get_result?id=${id}`)
})

function pollOf(url: string) {
  const handle = { requestId: id, pollingUrl: `${url}/p?id=${id}`, credits: 3 }
  return async () =>
    bfl.poll?.(handle, callWith({ name: 'flux-2-pro', can: {} }, 'generate'), contextOf(bfl, `${url}/v1`))
}
