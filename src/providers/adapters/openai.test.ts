/** Requests to OpenAI and compatible servers, byte for byte if it matters. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Provider } from '../define.ts'
import { azure } from './azure.ts'
import { openai } from './openai.ts'
import { openaiCompatible } from './openai-compatible.ts'
import {
  callProvider,
  pngBytes,
  requestImage,
  requestMask,
  respondJson,
  serveProvider,
} from './shared/test-provider.ts'

const image = { data: [{ b64_json: pngBytes(5).toString('base64') }], usage: { input_tokens: 9, output_tokens: 4160 } }
const text = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'A bear.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
}
const size = { width: 1536, height: 1024 }

const cases: { provider: Provider; settings: Record<string, string>; path: string; auth: [string, string] }[] = [
  {
    provider: openai,
    settings: { apiKey: 'sk-1', organization: 'org-1' },
    path: '/v1',
    auth: ['authorization', 'Bearer sk-1'],
  },
  { provider: openaiCompatible, settings: { apiKey: 'sk-1' }, path: '/v1', auth: ['authorization', 'Bearer sk-1'] },
  { provider: azure, settings: { apiKey: 'sk-1' }, path: '/openai/v1', auth: ['api-key', 'sk-1'] },
]

async function start(t: TestContext, { provider, settings, path }: (typeof cases)[number]) {
  const { url, requests } = await serveProvider(t, ({ path: received }, response) =>
    respondJson(response, received.includes('/images/') ? image : text, 200, { 'x-request-id': 'req_1' }),
  )
  const server = { baseUrl: `${url}${path}`, settings }
  return { requests, call: callProvider.bind(undefined, provider, server) }
}

for (const variant of cases) {
  const { id } = variant.provider

  test(`${id} generates with the size, and without params that GPT Image rejects`, async (t) => {
    const { call, requests } = await start(t, variant)
    const response = await call('generate', 'my-image', { prompt: 'http://a.test is a text', size })
    assert.deepEqual(response, {
      images: [pngBytes(5)],
      used: { inputTokens: 9, outputTokens: 4160 },
      requestId: 'req_1',
    })
    const [request] = requests
    assert.equal(`${request?.method} ${request?.path}`, `POST ${variant.path}/images/generations`)
    assert.equal(request?.headers[variant.auth[0]], variant.auth[1])
    const expected = { model: 'my-image', prompt: 'http://a.test is a text', n: 1, size: '1536x1024' }
    // Only OpenAI's own models are known not to be of GPT Image by their name.
    assert.deepEqual(request?.json, id === 'openai' ? { ...expected, response_format: 'b64_json' } : expected)
  })

  test(`${id} requests a transparent background`, async (t) => {
    const { call, requests } = await start(t, variant)
    await call('generate', 'gpt-image-1.5', { prompt: 'x', transparency: true })
    assert.equal(requests[0]?.json.background, 'transparent')
    assert.equal(requests[0]?.json.response_format, undefined)
  })

  test(`${id} edits several images, in their order`, async (t) => {
    const { call, requests } = await start(t, variant)
    await call('edit', 'gpt-image-2', { prompt: 'merge', images: [requestImage(1), requestImage(2)], size })
    assert.equal(requests[0]?.path, `${variant.path}/images/edits`)
    assert.deepEqual(
      requests[0]?.form.filter(([name]) => name.startsWith('image')),
      [
        ['image[]', pngBytes(1)],
        ['image[]', pngBytes(2)],
      ],
    )
    const fields = Object.fromEntries(requests[0]?.form ?? [])
    assert.deepEqual([fields.model, fields.prompt, fields.n, fields.size], ['gpt-image-2', 'merge', '1', '1536x1024'])
  })

  test(`${id} inpaints where its mask is transparent`, async (t) => {
    const { call, requests } = await start(t, variant)
    await call('inpaint', 'gpt-image-2', { prompt: 'a hat', images: [requestImage(1)], mask: requestMask })
    const fields = Object.fromEntries(requests[0]?.form ?? [])
    assert.deepEqual(fields.image, pngBytes(1))
    assert.deepEqual(fields.mask, await requestMask.transparent())
  })

  test(`${id} describes and judges images in their order`, async (t) => {
    const { call, requests } = await start(t, variant)
    const images = [requestImage(1), requestImage(2)]
    const response = await call('judge', 'gpt-6-luna', { prompt: 'Which?', images, charsMax: 100 })
    assert.deepEqual(response, { text: 'A bear.', used: { inputTokens: 12, outputTokens: 3 }, requestId: 'req_1' })
    const [request] = requests
    assert.equal(request?.path, `${variant.path}/chat/completions`)
    const messages = request?.json.messages as { role: string; content: Record<string, unknown>[] }[]
    const url = (extra: number) => `data:image/png;base64,${pngBytes(extra).toString('base64')}`
    assert.deepEqual(
      messages.map(({ role, content }) => [
        role,
        content.map((part) => (part.image_url as { url: string })?.url ?? part.text),
      ]),
      [['user', [url(1), url(2), 'Which?']]],
    )
  })

  test(`${id} writes by its instructions, with a limit`, async (t) => {
    const { call, requests } = await start(t, variant)
    await call('write', 'gpt-6-luna', { prompt: 'A title', instructions: 'Be short', charsMax: 100 })
    const { messages, max_tokens: tokens, max_completion_tokens: completion, stream, store } = requests[0]?.json ?? {}
    const [system, user] = messages as { role: string; content: unknown }[]
    assert.match(String(system?.role), /^(system|developer)$/)
    assert.deepEqual([system?.content, user?.role, user?.content], ['Be short', 'user', 'A title'])
    // Models that reason refuse the older name; servers of others may know only that one.
    assert.deepEqual([tokens, completion], id === 'openai-compatible' ? [6100, undefined] : [undefined, 6100])
    assert.deepEqual([stream ?? false, store ?? false], [false, false])
  })
}

test('sends OpenAI our id of the call and the organization, and disables reasoning if the row says so', async (t) => {
  const [variant] = cases
  if (variant === undefined) throw new Error('there is a first case')
  const { call, requests } = await start(t, variant)
  await call('write', 'gpt-6-luna', { prompt: 'x', row: { 'x-reasoning': 'none' } })
  assert.equal(requests[0]?.headers['x-client-request-id'], 'call_0001')
  assert.equal(requests[0]?.headers['openai-organization'], 'org-1')
  assert.equal(requests[0]?.json.reasoning_effort, 'none')
  assert.equal(requests[0]?.json.max_completion_tokens, 10_000)
})

test('sends a seed to text models that accept one', async (t) => {
  for (const variant of cases.slice(0, 2)) {
    const { call, requests } = await start(t, variant)
    const response = await call('write', 'gpt-4.1-mini', { prompt: 'x', seed: 0 })
    assert.deepEqual([requests[0]?.json.seed, response.seed], [0, 0], variant.provider.id)
  }
})

test('fetches an image that a compatible server returns as a URL, without the key', async (t) => {
  let gone = 1
  const { url, requests } = await serveProvider(t, ({ method }, response) => {
    if (method === 'POST') respondJson(response, { data: [{ url: `${url}/files/1.png` }] })
    else if (gone-- > 0) response.writeHead(502).end()
    else response.end(pngBytes(7))
  })
  const server = { baseUrl: `${url}/v1`, settings: { apiKey: 'sk-1' } }
  const { images } = await callProvider(openaiCompatible, server, 'generate', 'sd', { prompt: 'x' })
  assert.deepEqual(images, [pngBytes(7)])
  assert.deepEqual(
    requests.map(({ method }) => method),
    ['POST', 'GET', 'GET'],
  )
  for (const { headers } of requests.slice(1)) assert.doesNotMatch(JSON.stringify(headers), /sk-1/)
})

test('a compatible server needs no key, and has the models that its operator configures', async (t) => {
  const { url, requests } = await serveProvider(t, (_, response) => respondJson(response, text))
  await callProvider(openaiCompatible, { baseUrl: `${url}/v1`, settings: {} }, 'write', 'llama', { prompt: 'x' })
  assert.equal(requests[0]?.headers.authorization, undefined)
  const { models } = openaiCompatible
  assert.ok(typeof models === 'function')
  const rows = await models({ textModels: 'llava, qwen3-vl:8b,', imageModels: 'sd-turbo' })
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['sd-turbo', 'llava', 'qwen3-vl:8b'],
  )
})

test("uses the path without a version at Azure's own host", async () => {
  assert.equal(azure.baseUrl.default, 'https://{resource}.openai.azure.com/openai/v1')
  const { createAzure } = await import('@ai-sdk/azure')
  let received = ''
  const baseURL = 'https://mine.openai.azure.com/openai/v1'
  const model = createAzure({
    baseURL,
    apiKey: 'x',
    fetch: async (url) => {
      received = String(url)
      throw new Error('enough')
    },
  }).chat('words')
  await assert.rejects(async () =>
    model.doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] }),
  )
  assert.equal(received, `${baseURL}/chat/completions`)
})
