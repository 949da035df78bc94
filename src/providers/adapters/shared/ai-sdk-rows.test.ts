/** The AI SDK sends every setting that the tables of models declare: it warns of a setting that it drops. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Capability, ModelTraits } from '../../../domain/models/model.ts'
import type { ModelRow, Provider } from '../../define.ts'
import { azure } from '../azure.ts'
import { bedrock } from '../bedrock.ts'
import { google } from '../google.ts'
import { openai } from '../openai.ts'
import { openaiCompatible } from '../openai-compatible.ts'
import { xai } from '../xai.ts'
import {
  type CallFields,
  callProvider,
  pngBytes,
  requestImage,
  requestMask,
  respondJson,
  serveProvider,
} from './test-provider.ts'

const warnings: string[] = []
const all = { textModels: 'words', imageModels: 'images', textDeployments: 'words', imageDeployments: 'images' }
const keys = { apiKey: 'k', bearerToken: 'k', endpointRegion: 'us-east-1' }

before(async () => {
  // The adapters silence the warnings when they load it.
  await callProvider(openai, { baseUrl: 'http://127.0.0.1:1', settings: keys }, 'write', 'x', { prompt: 'x' }).catch(
    () => {},
  )
  globalThis.AI_SDK_LOG_WARNINGS = (logged) => {
    for (const warning of logged.warnings) warnings.push(`${logged.model}: ${JSON.stringify(warning)}`)
  }
})
after(() => {
  globalThis.AI_SDK_LOG_WARNINGS = false
})

for (const provider of [openai, openaiCompatible, azure, google, xai, bedrock] satisfies Provider[]) {
  test(`every model of ${provider.id} accepts the params of its table, and drops none`, async (t) => {
    const { url, requests } = await serveProvider(t, ({ path }, response) => respondJson(response, responseTo(path)))
    const rows = typeof provider.models === 'function' ? await provider.models(all) : provider.models
    assert.ok(rows.length > 0)
    for (const row of rows)
      for (const [capability, traits] of Object.entries(row.can) as [Capability, ModelTraits][])
        for (const received of requestsFor(capability, traits, row)) {
          const name = row.name.replace('*', 'x')
          const response = await callProvider(
            provider,
            { baseUrl: url, settings: { ...keys, ...all } },
            capability,
            name,
            received,
          )
          const label = `${name} ${capability} ${JSON.stringify(Object.keys(received))}`
          assert.ok(response.text !== undefined || response.images?.length === 1, label)
          const sent = requests.at(-1)?.body.toString('latin1') ?? ''
          if (received.seed !== undefined) assert.match(sent, /12345/, label)
          if (received.transparency) assert.match(sent, /transparent/, label)
          if (received.aspectRatio) assert.ok(sent.includes(`"${received.aspectRatio}"`), label)
          if (received.size)
            assert.match(sent, new RegExp(`${received.size.width}\\D{1,12}${received.size.height}`), label)
        }
    assert.deepEqual(warnings, [])
  })
}

function* requestsFor(capability: Capability, traits: ModelTraits, row: ModelRow): Generator<CallFields> {
  const adapterFields = Object.fromEntries(Object.entries(row).filter(([name]) => name.startsWith('x-')))
  const takesNone = capability === 'generate' || capability === 'write'
  const count = traits.imagesMax ?? (takesNone ? 0 : 1)
  const plain: CallFields = {
    prompt: 'a bear',
    images: Array.from({ length: count }, (_, index) => requestImage(index)),
    ...(capability === 'inpaint' && { mask: requestMask }),
    ...(capability === 'write' && { instructions: 'Be short' }),
    row: adapterFields,
  }
  yield { ...plain, ...(traits.seed && { seed: 12345 }), ...(traits.transparency && { transparency: true }) }
  for (const aspectRatio of traits.aspectRatios ?? []) yield { ...plain, aspectRatio }
  if (traits.sizes === undefined) return
  const sizes =
    'listed' in traits.sizes ? traits.sizes.listed : [`${traits.sizes.free.sideMin}x${traits.sizes.free.sideMax}`]
  for (const size of sizes) {
    const [width = 0, height = 0] = size.split('x').map(Number)
    yield { ...plain, size: { width, height } }
  }
}

function responseTo(path: string): unknown {
  const image = pngBytes().toString('base64')
  if (path.includes('/images/')) return { data: [{ b64_json: image }] }
  if (path.includes('/chat/completions'))
    return { choices: [{ index: 0, message: { role: 'assistant', content: 'words' }, finish_reason: 'stop' }] }
  if (path.endsWith('/invoke')) return { images: [image] }
  if (path.endsWith('/converse'))
    return {
      output: { message: { role: 'assistant', content: [{ text: 'words' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    }
  const parts = [{ text: 'words' }, { inlineData: { mimeType: 'image/png', data: image } }]
  return { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] }
}
