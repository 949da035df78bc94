import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plain, sizeOf } from '../../test/harness/pictures.ts'
import type { Capability, ModelRequest, RequestImage } from '../domain/models/model.ts'
import { buildModelTable } from './catalog/table.ts'
import { fakeOf, noHttp } from './fake.ts'
import { providersById } from './index.ts'

const providers = [...providersById.values()]
const table = await buildModelTable({ providers, configs: {}, defaults: {}, local: () => [], isOfTests: true })
const context = { settings: {}, baseUrl: 'test:', http: noHttp, signal: new AbortController().signal }

const picture = async (): Promise<RequestImage> => ({
  bytes: await plain('png', 40, 30),
  mediaType: 'image/png',
  width: 40,
  height: 30,
})

test('every model of the catalog answers for each of its capabilities, without a setting and for nothing', async () => {
  let count = 0
  for (const provider of providers) {
    const fake = fakeOf(provider)
    for (const { name, can } of table.list().find(({ id }) => id === provider.id)?.models ?? []) {
      const model = table.find(`${provider.id}/${name.replace('*', 'x')}`) ?? assert.fail(name)
      assert.deepEqual(
        [model.unavailableReason, model.row.price],
        [undefined, { per: 'call', usd: 0, asOf: '2026-11' }],
      )
      for (const capability of Object.keys(can) as Capability[]) {
        const image = await picture()
        const mask = async () => plain('png', 40, 30, '#ffffff')
        const isText = ['describe', 'write', 'judge'].includes(capability)
        const request: ModelRequest = {
          capability,
          prompt: 'A door',
          images: capability === 'generate' || capability === 'write' ? [] : [image],
          ...(capability === 'inpaint' && { mask: { white: mask, black: mask, transparent: mask } }),
          ...(capability === 'upscale' && { scale: 2 }),
          ...(capability === 'generate' && { size: { width: 96, height: 64 } }),
        }
        const started = await fake.start({ id: 'call_1', capability, model: model.row, request }, context)
        const result = 'done' in started ? started.done : assert.fail('no result')
        if (isText) assert.match(result.text ?? '', new RegExp(`^FAKE ${provider.id} `))
        else {
          const [bytes] = result.images ?? []
          const { width, height } = await sizeOf(bytes as Buffer)
          const expected = { generate: [96, 64], upscale: [80, 60] }[capability as string] ?? [40, 30]
          assert.deepEqual([width, height], expected, `${provider.id}/${name} ${capability}`)
        }
        count += 1
      }
    }
  }
  assert.ok(count > 60, String(count))
})

test('a prompt with #moderated is refused', async () => {
  const [openai] = providers
  const fake = fakeOf(openai ?? assert.fail())
  const request = { capability: 'write' as const, prompt: 'A door #moderated', images: [] }
  const call = { id: 'call_1', capability: 'write' as const, model: { name: 'x', can: {} }, request }
  await assert.rejects(fake.start(call, context), { kind: 'refused' })
})
