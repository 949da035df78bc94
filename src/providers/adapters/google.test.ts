/** Requests to the Gemini API, and the meaning of its refusals. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ProviderProblem } from '../define.ts'
import { google } from './google.ts'
import {
  callProvider as askProvider,
  pngBytes,
  requestImage,
  respondJson,
  serveProvider,
} from './shared/test-provider.ts'

const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 1120, totalTokenCount: 1129 }
const imageResult = {
  candidates: [
    {
      content: { role: 'model', parts: [{ text: 'Here:' }, inline(5)] },
      finishReason: 'STOP',
    },
  ],
  usageMetadata,
}

async function start(t: TestContext, responseBody: unknown) {
  const { url, requests } = await serveProvider(t, (_, response) => respondJson(response, responseBody))
  const server = { baseUrl: `${url}/v1beta`, settings: { apiKey: 'goog-1' } }
  return { requests, call: askProvider.bind(undefined, google, server) }
}

test('requests an image with its ratio and seed, including 0', async (t) => {
  const { call, requests } = await start(t, imageResult)
  const response = await call('generate', 'gemini-2.5-flash-image', { prompt: 'a bear', aspectRatio: '16:9', seed: 0 })
  assert.deepEqual(response, { images: [pngBytes(5)], seed: 0, used: { inputTokens: 9, outputTokens: 1120 } })
  const [request] = requests
  assert.equal(`${request?.method} ${request?.path}`, 'POST /v1beta/models/gemini-2.5-flash-image:generateContent')
  assert.equal(request?.headers['x-goog-api-key'], 'goog-1')
  assert.deepEqual(request?.json, {
    contents: [{ role: 'user', parts: [{ text: 'a bear' }] }],
    generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '16:9' }, seed: 0 },
  })
})

test('edits images in their order, with the newest models too', async (t) => {
  const { call, requests } = await start(t, imageResult)
  await call('edit', 'gemini-nano-banana-2.1', { prompt: 'merge', images: [requestImage(1), requestImage(2)] })
  assert.deepEqual(requests[0]?.json.contents, [{ role: 'user', parts: [{ text: 'merge' }, inline(1), inline(2)] }])
})

test('describes and judges images, and writes texts by instructions, with a limit and a seed', async (t) => {
  const text = {
    candidates: [{ content: { role: 'model', parts: [{ text: 'A bear.' }] }, finishReason: 'STOP' }],
    usageMetadata,
  }
  const { call, requests } = await start(t, text)
  const response = await call('describe', 'gemini-3.5-flash-lite', { prompt: 'What?', images: [requestImage(1)] })
  assert.equal(response.text, 'A bear.')
  assert.deepEqual(requests[0]?.json.contents, [{ role: 'user', parts: [inline(1), { text: 'What?' }] }])
  await call('write', 'gemini-2.5-flash', { prompt: 'A title', instructions: 'Be short', seed: 7, charsMax: 100 })
  assert.deepEqual(requests[1]?.json, {
    contents: [{ role: 'user', parts: [{ text: 'A title' }] }],
    systemInstruction: { parts: [{ text: 'Be short' }] },
    generationConfig: { maxOutputTokens: 6100, seed: 7 },
  })
})

test('reports every word of Gemini for declined content as refused, before and after the start', async (t) => {
  const reasons = [
    'IMAGE_SAFETY',
    'PROHIBITED_CONTENT',
    'IMAGE_PROHIBITED_CONTENT',
    'SAFETY',
    'BLOCKLIST',
    'IMAGE_RECITATION',
  ]
  const responses = [
    ...reasons.map((finishReason) => ({ candidates: [{ finishReason }], usageMetadata })),
    { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata },
    { promptFeedback: { blockReason: 'OTHER' }, usageMetadata },
  ]
  for (const response of responses) {
    const sent = JSON.stringify(response)
    const { call, requests } = await start(t, response)
    const problem = await failing(() => call('generate', 'gemini-2.5-flash-image', { prompt: 'x' }))
    assert.deepEqual([problem.kind, problem.facts.billed, requests.length], ['refused', 'unknown', 1], sent)
  }
})

test('reports a response without an image as no output, and does not repeat the request', async (t) => {
  const responses = [
    { candidates: [{ content: { parts: [{ text: 'I would rather talk.' }] }, finishReason: 'STOP' }], usageMetadata },
    { candidates: [{ finishReason: 'NO_IMAGE' }], usageMetadata },
    { candidates: [{ finishReason: 'IMAGE_OTHER' }], usageMetadata },
    { candidates: [], usageMetadata },
  ]
  for (const response of responses) {
    const { call, requests } = await start(t, response)
    const problem = await failing(() => call('generate', 'gemini-2.5-flash-image', { prompt: 'x' }))
    assert.deepEqual(
      [problem.kind, problem.facts.billed, requests.length],
      ['no_output', 'yes', 1],
      JSON.stringify(response),
    )
  }
})

test('reports a text that Gemini stops for its content as refused', async (t) => {
  const { call } = await start(t, { candidates: [{ finishReason: 'SAFETY' }], usageMetadata })
  assert.equal((await failing(() => call('write', 'gemini-2.5-flash', { prompt: 'x' }))).kind, 'refused')
  const { call: again } = await start(t, { promptFeedback: { blockReason: 'SAFETY' } })
  assert.equal((await failing(() => again('write', 'gemini-2.5-flash', { prompt: 'x' }))).kind, 'refused')
})

test('does not send a second paid request for a model that would continue', async (t) => {
  const response = {
    candidates: [{ content: { parts: [{ text: 'half' }] }, finishReason: 'CONTINUATION', continuationToken: 'more' }],
    usageMetadata,
  }
  const { call, requests } = await start(t, response)
  const problem = await failing(() => call('write', 'gemini-4-argon', { prompt: 'x' }))
  assert.deepEqual([problem.kind, problem.facts.billed, requests.length], ['bad_output', 'yes', 1])
})

async function failing(call: () => Promise<unknown>): Promise<ProviderProblem> {
  const error = await call().then(
    (response) => assert.fail(`it gave ${JSON.stringify(response)}`),
    (reason) => reason,
  )
  assert.ok(error instanceof ProviderProblem, `${error}`)
  return error
}

function inline(extra: number) {
  return { inlineData: { mimeType: 'image/png', data: pngBytes(extra).toString('base64') } }
}
