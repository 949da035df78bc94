/** Failures behind the AI SDK, tested with OpenAI: one request each, and an error of ours without the text of the SDK. */
import assert from 'node:assert/strict'
import type http from 'node:http'
import { type TestContext, test } from 'node:test'
import { inspect } from 'node:util'
import type { Capability } from '../../../domain/models/model.ts'
import { HttpProblem } from '../../../net/provider-http.ts'
import { ProviderProblem } from '../../define.ts'
import { google } from '../google.ts'
import { openai } from '../openai.ts'
import {
  type CallFields,
  callProvider,
  pngBytes,
  type Respond,
  requestImage,
  respondJson,
  serveProvider,
} from './test-provider.ts'

const settings = { apiKey: 'sk-very-secret-key' }
const prompt = 'a bear nobody may read of'
const image = { data: [{ b64_json: pngBytes().toString('base64') }], usage: { input_tokens: 9, output_tokens: 4160 } }

test('reports a 401 as auth, without text of the provider, which echoes the key', async (t) => {
  const message = 'Incorrect API key provided: sk-very-secret-key.'
  const error = await problem(t, status(401, { error: { message, code: 'invalid_api_key' } }))
  assertProblem(error, { kind: 'auth', status: 401, code: 'invalid_api_key', billed: 'no' })
})

test('reports an invalid key of Google, which arrives as 400, as auth', async (t) => {
  const body = {
    error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' },
  }
  assertProblem(await problem(t, status(400, body), { provider: 'google' }), { kind: 'auth', status: 400 })
})

test('reports an account without credit as quota, in every wording', async (t) => {
  const spent = { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } }
  assertProblem(await problem(t, status(429, spent)), { kind: 'quota', code: 'insufficient_quota' })
  const limit = { error: { message: 'Billing hard limit has been reached', code: 'billing_hard_limit_reached' } }
  assertProblem(await problem(t, status(400, limit)), { kind: 'quota' })
  assertProblem(await problem(t, status(402, {})), { kind: 'quota' })
  const azure = { error: { code: '403', message: 'Out of call volume quota. Quota will be replenished in 10:00:00.' } }
  assertProblem(await problem(t, status(403, azure)), { kind: 'quota' })
})

test('does not retry a daily quota of Google like a quota per minute', async (t) => {
  const exceeded = (quotaId: string) => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId }] }]
    const message = 'You exceeded your current quota, please check your plan and billing details.'
    return status(429, { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message, details } })
  }
  const kind = async (quotaId: string) => (await problem(t, exceeded(quotaId), { provider: 'google' })).kind
  assert.equal(await kind('GenerateRequestsPerDayPerProjectPerModel-FreeTier'), 'quota')
  assert.equal(await kind('GenerateRequestsPerMinutePerProjectPerModel'), 'rate_limited')
})

test('reads the wait of a 429 in each notation', async (t) => {
  assertProblem(await problem(t, status(429, {}, { 'retry-after': '7' })), { kind: 'rate_limited', retryAfterMs: 7000 })
  assertProblem(await problem(t, status(429, {}, { 'retry-after-ms': '250' })), {
    kind: 'rate_limited',
    retryAfterMs: 250,
  })
  assertProblem(await problem(t, status(429, {})), { kind: 'rate_limited', retryAfterMs: undefined })
  const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }]
  const exhausted = { error: { code: 429, message: 'Quota exceeded', status: 'RESOURCE_EXHAUSTED', details } }
  assertProblem(await problem(t, status(429, exhausted), { provider: 'google' }), {
    kind: 'rate_limited',
    retryAfterMs: 34_500,
  })
})

test('a 503 was not carried out; the outcome of every other 5xx, and of 408, is unknown', async (t) => {
  assertProblem(await problem(t, status(503, {}, { 'retry-after': '3' })), {
    kind: 'down',
    retryAfterMs: 3000,
    billed: 'no',
  })
  for (const code of [500, 502, 504, 520, 408])
    assertProblem(await problem(t, status(code, {})), { kind: 'outcome_unknown', status: code, billed: 'unknown' })
})

test('reports moderation as refused, even if the word is nested', async (t) => {
  const openAi = { error: { message: 'Your request was rejected by the safety system.', code: 'moderation_blocked' } }
  assertProblem(await problem(t, status(400, openAi)), { kind: 'refused', code: 'moderation_blocked', billed: 'no' })
  const azure = {
    error: { code: 'contentFilter', message: 'x', innererror: { code: 'ResponsibleAIPolicyViolation' } },
  }
  assertProblem(await problem(t, status(400, azure)), { kind: 'refused' })
})

test('reports an invalid request in the words of the provider', async (t) => {
  const error = await problem(t, status(400, { error: { message: 'Invalid size.', code: 'invalid_value' } }))
  assertProblem(error, { kind: 'invalid_request', code: 'invalid_value', billed: 'no' })
  assert.equal(error.message, 'OpenAI rejected the request: Invalid size.')
  assertProblem(await problem(t, status(404, { error: { message: 'The model does not exist' } })), {
    kind: 'unsupported',
  })
})

test('does not follow a redirect, and nothing was carried out', async (t) => {
  assertProblem(await problem(t, status(302, {}, { location: 'http://127.0.0.1:1/' })), { kind: 'down', billed: 'no' })
})

test('the outcome of a success with an unexpected body is unknown', async (t) => {
  const ways: Record<string, Respond> = {
    'no JSON': (_, response) => void response.end('<html>'),
    'half of the JSON': (_, response) => void response.end('{"data":[{"b64_js'),
    nothing: (_, response) => void response.end(),
  }
  for (const [fault, respond] of Object.entries(ways)) {
    const error = await problem(t, respond)
    assert.deepEqual([error.kind, error.facts.billed], ['outcome_unknown', 'unknown'], fault)
  }
})

test('a response that cannot be used was billed', async (t) => {
  const ways: Record<string, Respond> = {
    'another shape': (_, response) => respondJson(response, { data: 'x' }),
    'an address instead of an image': (_, response) => respondJson(response, { data: [{ url: 'http://x.test/a' }] }),
    'no base64': (_, response) => respondJson(response, { data: [{ b64_json: '%%%' }] }),
  }
  for (const [fault, respond] of Object.entries(ways)) {
    const error = await problem(t, respond)
    assert.deepEqual([error.kind, error.facts.billed], ['bad_output', 'yes'], fault)
  }
  assertProblem(await problem(t, (_, response) => respondJson(response, { data: [] })), {
    kind: 'no_output',
    billed: 'yes',
  })
})

test('a connection error is reported by the HTTP client, which knows whether anything was sent', async (t) => {
  const reset = await failing(t, (_, response) => void response.socket?.resetAndDestroy())
  assert.ok(reset instanceof HttpProblem)
  assert.deepEqual([reset.kind, reset.isUnsent], ['broken', false])
  const truncated = await failing(t, (_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"data"', () => response.socket?.destroy())
  })
  assert.ok(truncated instanceof HttpProblem)
  assert.deepEqual([truncated.kind, truncated.isUnsent], ['broken', false])
  const huge = await failing(
    t,
    (_, response) => void response.writeHead(200, { 'content-length': '900000000' }).write('x'),
  )
  assert.ok(huge instanceof HttpProblem)
  assert.equal(huge.kind, 'too_large')
  const closed = { baseUrl: 'http://127.0.0.1:1/v1', settings }
  const unsent = await callProvider(openai, closed, 'generate', 'gpt-image-2', { prompt }).catch((reason) => reason)
  assert.ok(unsent instanceof HttpProblem)
  assert.deepEqual([unsent.kind, unsent.isUnsent], ['unreachable', true])
})

test('an aborted call throws the reason of its signal', async (t) => {
  const controller = new AbortController()
  const reason = new Error('cancelled by somebody')
  for (const capability of ['generate', 'describe'] as const) {
    const { url } = await serveProvider(t, () => controller.abort(reason))
    const received: CallFields = {
      prompt,
      signal: controller.signal,
      images: capability === 'describe' ? [requestImage()] : [],
    }
    await assert.rejects(
      callProvider(openai, { baseUrl: `${url}/v1`, settings }, capability, 'gpt-6-luna', received),
      reason,
    )
  }
})

test('rejects params that the package would drop before sending', async (t) => {
  const { url, requests } = await serveProvider(t, (_, response) => respondJson(response, image))
  const refused = async (provider: typeof openai, capability: Capability, received: CallFields) => {
    const model = provider === google ? 'gemini-2.5-flash-image' : 'gpt-image-2'
    const error = await callProvider(provider, { baseUrl: url, settings }, capability, model, received).catch(
      (reason) => reason,
    )
    assert.ok(error instanceof ProviderProblem, `${error}`)
    assert.deepEqual([error.kind, error.facts.billed ?? 'no'], ['unsupported', 'no'])
  }
  await refused(openai, 'generate', { prompt, seed: 1 })
  await refused(openai, 'generate', { prompt, aspectRatio: '16:9' })
  await refused(google, 'generate', { prompt, size: { width: 1024, height: 1024 } })
  const mask = { white: async () => pngBytes(), black: async () => pngBytes(), transparent: async () => pngBytes() }
  await refused(google, 'inpaint', { prompt, images: [requestImage()], mask })
  await refused(google, 'generate', { prompt, transparency: true })
  await refused(openai, 'upscale', { images: [requestImage()], scale: 2 })
  await refused(openai, 'remove-background', { images: [requestImage()] })
  await refused(google, 'remove-background', { images: [requestImage()] })
  assert.equal(requests.length, 0)
})

test('no error contains the key, the prompt, or an image', async (t) => {
  const long = 'x'.repeat(5000)
  const echo = { error: { message: `You sent ${settings.apiKey} data:image/png;base64,${long} ${long}`, code: 'bad' } }
  const kinds: string[] = []
  for (const respond of [status(400, echo), status(500, echo), status(401, echo), status(200, echo)]) {
    const error = await problem(t, respond, { images: [requestImage(2000)] })
    kinds.push(error.kind)
    const everything = `${inspect(error, { depth: 12, showHidden: true })} ${error.stack} ${JSON.stringify(error)}`
    assert.doesNotMatch(everything, /very-secret|nobody may read|iVBORw0|x{200}/)
    assert.equal(error.cause, undefined)
    assert.ok(error.message.length <= 600, error.message)
  }
  assert.deepEqual(kinds, ['invalid_request', 'outcome_unknown', 'auth', 'bad_output'])
})

test('declined or missing text is an error', async (t) => {
  const chat = (message: object, finish = 'stop') =>
    status(200, { choices: [{ index: 0, message, finish_reason: finish }] })
  const of = (respond: Respond) => problem(t, respond, { capability: 'write' })
  assertProblem(await of(chat({ role: 'assistant', content: null }, 'content_filter')), {
    kind: 'refused',
    billed: 'unknown',
  })
  assertProblem(await of(chat({ role: 'assistant', content: null, refusal: 'I cannot help' })), { kind: 'refused' })
  assertProblem(await of(chat({ role: 'assistant', content: ' \n' })), { kind: 'no_output', billed: 'yes' })
  assertProblem(await of(chat({ role: 'assistant', content: '' }, 'length')), { kind: 'no_output' })
})

interface Tried extends CallFields {
  provider?: 'openai' | 'google'
  capability?: Capability
}

/** The error of a call to a server with this response; fails if the server received more than one request. */
async function failing(t: TestContext, respond: Respond, tried: Tried = {}): Promise<unknown> {
  const { provider: id = 'openai', images = [], capability = images.length > 0 ? 'edit' : 'generate' } = tried
  const { url, requests } = await serveProvider(t, respond)
  const [provider, model] =
    id === 'google'
      ? [google, 'gemini-2.5-flash-image']
      : [openai, capability === 'write' ? 'gpt-6-luna' : 'gpt-image-2']
  const server = { baseUrl: `${url}/v1`, settings }
  const error = await callProvider(provider, server, capability, model, { prompt, images }).then(
    () => assert.fail('it did not fail'),
    (reason) => reason,
  )
  assert.equal(requests.length, 1)
  return error
}

async function problem(t: TestContext, respond: Respond, tried: Tried = {}): Promise<ProviderProblem> {
  const error = await failing(t, respond, tried)
  assert.ok(error instanceof ProviderProblem, inspect(error))
  return error
}

function assertProblem({ kind, facts }: ProviderProblem, expected: Record<string, unknown>): void {
  const all: Record<string, unknown> = { kind, ...facts }
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, all[name]])), expected)
}

function status(code: number, body: unknown, headers: Record<string, string> = {}): Respond {
  return (_, response: http.ServerResponse) => respondJson(response, body, code, headers)
}
