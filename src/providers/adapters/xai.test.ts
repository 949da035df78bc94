/** Requests to xAI. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ProviderProblem } from '../define.ts'
import {
  callProvider as askProvider,
  pngBytes,
  requestImage,
  respondJson,
  serveProvider,
} from './shared/test-provider.ts'
import { xai } from './xai.ts'

const b64 = pngBytes(5).toString('base64')

async function start(t: TestContext, body: unknown, status = 200) {
  const { url, requests } = await serveProvider(t, (_, response) => respondJson(response, body, status))
  const server = { baseUrl: `${url}/v1`, settings: { apiKey: 'xai-1' } }
  return { requests, call: askProvider.bind(undefined, xai, server) }
}

test('requests an image with its ratio, and reads its cost from the response', async (t) => {
  const { call, requests } = await start(t, { data: [{ b64_json: b64 }], usage: { cost_in_usd_ticks: 200_000_001 } })
  const response = await call('generate', 'grok-imagine-image', { prompt: 'a bear', aspectRatio: '19.5:9' })
  assert.deepEqual(response, { images: [pngBytes(5)], costMicros: 20_001 })
  assert.equal(requests[0]?.path, '/v1/images/generations')
  assert.equal(requests[0]?.headers.authorization, 'Bearer xai-1')
  assert.deepEqual(requests[0]?.json, {
    model: 'grok-imagine-image',
    prompt: 'a bear',
    n: 1,
    response_format: 'b64_json',
    aspect_ratio: '19.5:9',
  })
})

test('edits one image with one field, several with another, in their order', async (t) => {
  const { call, requests } = await start(t, { data: [{ b64_json: b64 }] })
  const part = (extra: number) => ({
    url: `data:image/png;base64,${pngBytes(extra).toString('base64')}`,
    type: 'image_url',
  })
  await call('edit', 'grok-imagine-image', { prompt: 'x', images: [requestImage(1)] })
  await call('edit', 'grok-imagine-image', { prompt: 'x', images: [requestImage(1), requestImage(2)] })
  assert.deepEqual(
    requests.map(({ path }) => path),
    ['/v1/images/edits', '/v1/images/edits'],
  )
  assert.deepEqual([requests[0]?.json.image, requests[1]?.json.images], [part(1), [part(1), part(2)]])
})

test('requests text by chat', async (t) => {
  const choices = [{ index: 0, message: { role: 'assistant', content: 'A bear.' }, finish_reason: 'stop' }]
  const { call, requests } = await start(t, { choices, usage: { prompt_tokens: 4, completion_tokens: 2 } })
  const response = await call('describe', 'grok-4.6', { prompt: 'What?', images: [requestImage(1)] })
  assert.deepEqual(response, { text: 'A bear.', used: { inputTokens: 4, outputTokens: 2 } })
  assert.equal(requests[0]?.path, '/v1/chat/completions')
  assert.equal(requests[0]?.headers.authorization, 'Bearer xai-1')
})

test('reports declined content as refused, in a success and in a 400', async (t) => {
  const kindOf = async (response: unknown, status: number) => {
    const { call, requests } = await start(t, response, status)
    const error = await call('generate', 'grok-imagine-image', { prompt: 'x' }).catch((reason) => reason)
    assert.ok(error instanceof ProviderProblem, `${error}`)
    assert.equal(requests.length, 1)
    return [error.kind, error.facts.billed]
  }
  const blocked = { data: [{ b64_json: b64, respect_moderation: false }] }
  assert.deepEqual(await kindOf(blocked, 200), ['refused', 'unknown'])
  const words = {
    code: 'Client specified an invalid argument',
    error: 'Generated image rejected by content moderation.',
  }
  assert.deepEqual(await kindOf(words, 400), ['refused', 'no'])
  // So too for words, with a status that elsewhere is about the key.
  const guidelines = {
    code: 'The caller does not have permission to execute the specified operation',
    error: 'Content violates usage guidelines. Team: t, API key ID: k, Model: m, Failed check: SAFETY_CHECK_TYPE_BIO',
  }
  assert.deepEqual(await kindOf(guidelines, 403), ['refused', 'no'])
  assert.deepEqual(await kindOf({ code: 'x', error: 'Incorrect API key provided: xa***1.' }, 400), ['auth', 'no'])
  assert.deepEqual(await kindOf({ code: 'x', error: 'Argument not supported: size' }, 400), ['invalid_request', 'no'])
})
