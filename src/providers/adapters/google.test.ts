/** What is sent to the Gemini API, and what its ways of saying no mean. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ProviderProblem } from '../define.ts'
import { google } from './google.ts'
import { answerJson, ask as askProvider, pngBytes, requestImage, serveProvider } from './shared/test-provider.ts'

const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 1120, totalTokenCount: 1129 }
const made = {
  candidates: [
    {
      content: { role: 'model', parts: [{ text: 'Here:' }, inline(5)] },
      finishReason: 'STOP',
    },
  ],
  usageMetadata,
}

async function start(t: TestContext, answer: unknown) {
  const { url, requests } = await serveProvider(t, (_, response) => answerJson(response, answer))
  const server = { baseUrl: `${url}/v1beta`, settings: { apiKey: 'goog-1' } }
  return { requests, ask: askProvider.bind(undefined, google, server) }
}

test('an image is asked for with its ratio and seed, 0 as well', async (t) => {
  const { ask, requests } = await start(t, made)
  const answer = await ask('generate', 'gemini-2.5-flash-image', { prompt: 'a bear', aspectRatio: '16:9', seed: 0 })
  assert.deepEqual(answer, { images: [pngBytes(5)], seed: 0, used: { inputTokens: 9, outputTokens: 1120 } })
  const [request] = requests
  assert.equal(`${request?.method} ${request?.path}`, 'POST /v1beta/models/gemini-2.5-flash-image:generateContent')
  assert.equal(request?.headers['x-goog-api-key'], 'goog-1')
  assert.deepEqual(request?.json, {
    contents: [{ role: 'user', parts: [{ text: 'a bear' }] }],
    generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '16:9' }, seed: 0 },
  })
})

test('images are edited in their order, the newest models included', async (t) => {
  const { ask, requests } = await start(t, made)
  await ask('edit', 'gemini-nano-banana-2.1', { prompt: 'merge', images: [requestImage(1), requestImage(2)] })
  assert.deepEqual(requests[0]?.json.contents, [{ role: 'user', parts: [{ text: 'merge' }, inline(1), inline(2)] }])
})

test('images are described and judged, and texts written by instructions, within a bound and with a seed', async (t) => {
  const text = {
    candidates: [{ content: { role: 'model', parts: [{ text: 'A bear.' }] }, finishReason: 'STOP' }],
    usageMetadata,
  }
  const { ask, requests } = await start(t, text)
  const answer = await ask('describe', 'gemini-3.5-flash-lite', { prompt: 'What?', images: [requestImage(1)] })
  assert.equal(answer.text, 'A bear.')
  assert.deepEqual(requests[0]?.json.contents, [{ role: 'user', parts: [inline(1), { text: 'What?' }] }])
  await ask('write', 'gemini-2.5-flash', { prompt: 'A title', instructions: 'Be short', seed: 7, charsMax: 100 })
  assert.deepEqual(requests[1]?.json, {
    contents: [{ role: 'user', parts: [{ text: 'A title' }] }],
    systemInstruction: { parts: [{ text: 'Be short' }] },
    generationConfig: { maxOutputTokens: 6100, seed: 7 },
  })
})

test('every word of Gemini for content that it declines is refused, before and after it began', async (t) => {
  const reasons = [
    'IMAGE_SAFETY',
    'PROHIBITED_CONTENT',
    'IMAGE_PROHIBITED_CONTENT',
    'SAFETY',
    'BLOCKLIST',
    'IMAGE_RECITATION',
  ]
  const answers = [
    ...reasons.map((finishReason) => ({ candidates: [{ finishReason }], usageMetadata })),
    { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata },
    { promptFeedback: { blockReason: 'OTHER' }, usageMetadata },
  ]
  for (const answer of answers) {
    const what = JSON.stringify(answer)
    const { ask, requests } = await start(t, answer)
    const problem = await failing(() => ask('generate', 'gemini-2.5-flash-image', { prompt: 'x' }))
    assert.deepEqual([problem.kind, problem.facts.billed, requests.length], ['refused', 'unknown', 1], what)
  }
})

test('an answer without an image is no output, and is not asked for again', async (t) => {
  const answers = [
    { candidates: [{ content: { parts: [{ text: 'I would rather talk.' }] }, finishReason: 'STOP' }], usageMetadata },
    { candidates: [{ finishReason: 'NO_IMAGE' }], usageMetadata },
    { candidates: [{ finishReason: 'IMAGE_OTHER' }], usageMetadata },
    { candidates: [], usageMetadata },
  ]
  for (const answer of answers) {
    const { ask, requests } = await start(t, answer)
    const problem = await failing(() => ask('generate', 'gemini-2.5-flash-image', { prompt: 'x' }))
    assert.deepEqual(
      [problem.kind, problem.facts.billed, requests.length],
      ['no_output', 'yes', 1],
      JSON.stringify(answer),
    )
  }
})

test('a text that Gemini stops for its content is refused', async (t) => {
  const { ask } = await start(t, { candidates: [{ finishReason: 'SAFETY' }], usageMetadata })
  assert.equal((await failing(() => ask('write', 'gemini-2.5-flash', { prompt: 'x' }))).kind, 'refused')
  const { ask: again } = await start(t, { promptFeedback: { blockReason: 'SAFETY' } })
  assert.equal((await failing(() => again('write', 'gemini-2.5-flash', { prompt: 'x' }))).kind, 'refused')
})

test('a model that would go on in a second paid request is not asked again', async (t) => {
  const answer = {
    candidates: [{ content: { parts: [{ text: 'half' }] }, finishReason: 'CONTINUATION', continuationToken: 'more' }],
    usageMetadata,
  }
  const { ask, requests } = await start(t, answer)
  const problem = await failing(() => ask('write', 'gemini-4-argon', { prompt: 'x' }))
  assert.deepEqual([problem.kind, problem.facts.billed, requests.length], ['bad_output', 'yes', 1])
})

async function failing(call: () => Promise<unknown>): Promise<ProviderProblem> {
  const error = await call().then(
    (answer) => assert.fail(`it gave ${JSON.stringify(answer)}`),
    (reason) => reason,
  )
  assert.ok(error instanceof ProviderProblem, `${error}`)
  return error
}

function inline(extra: number) {
  return { inlineData: { mimeType: 'image/png', data: pngBytes(extra).toString('base64') } }
}
