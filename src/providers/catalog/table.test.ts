import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Capability, ModelRequirements } from '../../domain/models/model.ts'
import { defineProvider, type ModelRow, type Price } from '../define.ts'
import { readModelsFile } from './models-file.ts'
import { buildModelTable, type LocalModelRow } from './table.ts'

const cents = (usd: number): Price => ({ per: 'image', usd, asOf: '2026-11' })

function provider(id: string, models: ModelRow[]) {
  return defineProvider({
    id,
    title: id,
    summary: 'A provider of tests.',
    docsUrl: 'https://example.com',
    settings: { key: { names: [`${id.toUpperCase()}_KEY`], summary: 'Key.', isSecret: true, isRequired: true } },
    baseUrl: { names: [`${id.toUpperCase()}_BASE_URL`], default: 'https://example.com/v1' },
    models,
    concurrency: 1,
    start: () => Promise.reject(new Error('nothing is asked here')),
  })
}

const openai = provider('openai', [
  {
    name: 'gpt-image-1',
    can: { generate: { sizes: { listed: ['1024x1024', '1536x1024', '1024x1536'] } }, edit: { imagesMax: 3 } },
    price: cents(0.04),
  },
  { name: 'gpt-image-*', can: { generate: { seed: true } }, price: cents(0.2) },
  { name: 'gpt-image-2*', can: { generate: { transparency: true } } },
  { name: 'gpt', can: { describe: {}, write: {} }, price: { write: cents(0.01) } },
])
const fal = provider('fal', [
  {
    name: 'flux/dev',
    can: {
      generate: {
        sizes: { free: { sideMin: 256, sideMax: 2048, step: 8 } },
        aspectRatios: ['1:1', '16:9'],
        seed: true,
      },
    },
    price: { per: 'megapixel', usd: 0.03, asOf: '2026-11' },
  },
  { name: 'esrgan', can: { upscale: { scales: [2, 4] } }, price: cents(0.001) },
])
const local: LocalModelRow[] = [
  { name: 'isnet', can: { 'remove-background': {} } },
  { name: 'selfie', can: { 'remove-background': {} } },
  {
    name: 'esrgan-slim',
    can: { upscale: { scales: [2] } },
    unavailableReason: 'add it with tintype models',
  },
]

interface Options {
  configured?: string[]
  defaults?: Partial<Record<Capability, string[]>>
  file?: string
}

async function open({ configured = ['openai', 'fal'], defaults = {}, file }: Options = {}) {
  const configs = Object.fromEntries(
    ['openai', 'fal'].map((id) => [
      id,
      { settings: configured.includes(id) ? { key: 'k' } : {}, baseUrl: 'https://example.com/v1' },
    ]),
  )
  const changes = file === undefined ? undefined : await readModelsFile(file, 'models.yaml')
  return buildModelTable({ providers: [openai, fal], configs, file: changes, defaults, local: () => local })
}

const generate = (fields: Partial<ModelRequirements> = {}): ModelRequirements => ({
  capability: 'generate',
  requirements: [],
  ...fields,
})
const size = (width: number, height: number) => ({ kind: 'size' as const, path: 'width', value: { width, height } })

test('reports an unsupported feature at the param that requires it, with the supported values', async () => {
  const models = await open()
  const issuesOf = (requirements: ModelRequirements) => models.choose(requirements).issues
  assert.deepEqual(
    issuesOf(
      generate({ model: 'openai/gpt-image-1', requirements: [size(1200, 630), { kind: 'seed', path: 'seed' }] }),
    ),
    [
      {
        path: 'width',
        message: 'must result in the size 1024x1024, 1536x1024 or 1024x1536 for openai/gpt-image-1, not 1200x630',
      },
      { path: 'seed', message: 'is not supported by openai/gpt-image-1. Remove it, or choose another model.' },
    ],
  )
  assert.deepEqual(issuesOf(generate({ model: 'fal/flux/dev', requirements: [size(1201, 630)] })), [
    {
      path: 'width',
      message: 'must result in sides from 256 to 2048 pixels in steps of 8 for fal/flux/dev, not 1201x630',
    },
  ])
  assert.deepEqual(
    issuesOf(generate({ model: 'fal/flux/dev', requirements: [{ kind: 'aspectRatio', path: 'ratio', value: '3:2' }] })),
    [{ path: 'ratio', message: 'must be 1:1 or 16:9 for fal/flux/dev, not 3:2' }],
  )
  const edit: ModelRequirements = {
    capability: 'edit',
    model: 'openai/gpt-image-1',
    requirements: [{ kind: 'images', path: 'images', value: 4 }],
  }
  assert.deepEqual(issuesOf(edit), [
    { path: 'images', message: 'must have at most 3 images for openai/gpt-image-1, not 4' },
  ])
  const larger: ModelRequirements = {
    capability: 'upscale',
    model: 'esrgan-slim',
    requirements: [{ kind: 'scale', path: 'scale', value: 4 }],
  }
  assert.deepEqual(issuesOf(larger), [{ path: 'scale', message: 'must be 2 for esrgan-slim, not 4' }])
})

test('rejects a value that is not known yet only if no value could be right', async () => {
  const models = await open()
  const unknown = { kind: 'size' as const, path: 'width', value: undefined }
  assert.deepEqual(models.choose(generate({ model: 'fal/flux/dev', requirements: [unknown] })).issues, [])
  assert.equal(models.choose(generate({ model: 'openai/gpt-image-3', requirements: [unknown] })).issues.length, 1)
})

test('reports an unknown model with the available ones, and how to add one', async () => {
  const models = await open()
  const at = (requirements: ModelRequirements) =>
    models.choose(requirements).issues.map(({ path, message }) => `${path}: ${message}`)
  assert.deepEqual(at(generate({ model: 'nobody/x' })), [
    'model: names the provider "nobody", which doesn\'t exist. Providers: local, openai, fal.',
  ])
  assert.match(
    at(generate({ model: 'fal/flux/pro' }))[0] ?? '',
    /^model: names the model "flux\/pro" of fal, which doesn't exist. /,
  )
  assert.match(
    at(generate({ fallback: ['fal/flux/dev', 'fal/esrgan'] }))[0] ?? '',
    /^fallback\.1: names "fal\/esrgan", which doesn't support generate/,
  )
  assert.match(
    at({ capability: 'remove-background', model: 'esrgan-slim', requirements: [] })[0] ?? '',
    /that do: isnet, selfie\.$/,
  )
  assert.deepEqual(at(generate({ model: 'isnett' })), [
    'model: names the local model "isnett", which doesn\'t exist. It has no model for generate. Write models of providers as provider/model.',
  ])
})

test('reports a model without its provider, with the full name', async () => {
  const models = await open()
  const messageOf = (model: string) => models.choose(generate({ model })).issues[0]?.message
  assert.equal(
    messageOf('gpt-image-1'),
    'names the local model "gpt-image-1", which doesn\'t exist. Did you mean "openai/gpt-image-1"?',
  )
  assert.equal(messageOf('flux/dev'), 'names the provider "flux", which doesn\'t exist. Did you mean "fal/flux/dev"?')
})

test('the most specific name wins, and a provider that is not configured is still known', async () => {
  const models = await open({ configured: [] })
  assert.deepEqual(Object.keys(models.find('openai/gpt-image-1')?.row.can ?? {}), ['generate', 'edit'])
  assert.deepEqual(models.find('openai/gpt-image-25')?.row.can, { generate: { transparency: true } })
  assert.equal(models.find('openai/gpt-image-3')?.row.name, 'gpt-image-3')
  assert.equal(models.find('openai/gpt-image-*'), undefined)
  assert.equal(models.find('openai/gpt-image-1')?.unavailableReason, 'set OPENAI_KEY')
  assert.deepEqual(models.choose(generate({ model: 'openai/gpt-image-1' })), {
    chain: ['openai/gpt-image-1'],
    issues: [],
  })
})

test('without a model: the default of the operator, else the local one of the operation, else the first with the capability', async () => {
  const chain = async (requirements: ModelRequirements, options: Options = {}) =>
    (await open(options)).choose(requirements).chain
  assert.deepEqual(await chain(generate()), ['openai/gpt-image-1'])
  assert.deepEqual(await chain(generate({ requirements: [size(1200, 632)] })), ['fal/flux/dev'])
  assert.deepEqual(await chain(generate(), { configured: ['fal'] }), ['fal/flux/dev'])
  assert.deepEqual(await chain(generate(), { configured: [] }), [])
  assert.deepEqual(await chain({ capability: 'remove-background', requirements: [] }), ['local/isnet'])
  const larger: ModelRequirements = {
    capability: 'upscale',
    requirements: [{ kind: 'scale', path: 'scale', value: 4 }],
  }
  assert.deepEqual(await chain(larger), ['fal/esrgan'])
  const defaults = { generate: ['openai/gpt-image-1', 'fal/flux/dev'] }
  assert.deepEqual(await chain(generate(), { defaults }), defaults.generate)
  assert.deepEqual(await chain(generate({ requirements: [size(1200, 632)] }), { defaults }), ['fal/flux/dev'])
  assert.deepEqual(await chain(generate({ fallback: ['openai/gpt-image-3'] }), { defaults }), [
    ...defaults.generate,
    'openai/gpt-image-3',
  ])
})

test('a default that no node could use prevents the start and names its variable', async () => {
  await assert.rejects(
    open({ defaults: { 'remove-background': ['openai/gpt'] } }),
    /^Error: REMOVE_BACKGROUND_MODEL names /,
  )
})

test('names the variables that would enable a capability', async () => {
  const models = await open({ configured: [] })
  assert.equal(
    models.howToEnable('generate'),
    'No configured provider supports generate. The operator can enable openai (set OPENAI_KEY) or fal (set FAL_KEY).',
  )
})

test('the available models of a chain are ready; if none is available, the entire chain stays', async () => {
  const chain = ['openai/gpt-image-1', 'fal/esrgan', 'local/isnet', 'local/esrgan-slim']
  const ready = async (options: Options, names = chain) => (await open(options)).ready(names).map(({ model }) => model)
  assert.deepEqual(await ready({}), ['openai/gpt-image-1', 'fal/esrgan', 'local/isnet'])
  assert.deepEqual(await ready({ configured: ['fal'] }), ['fal/esrgan', 'local/isnet'])
  assert.deepEqual(await ready({ configured: [] }, ['openai/gpt-image-1', 'fal/esrgan']), chain.slice(0, 2))
})

test('a model with another interface is a different one, and a model with another price is not', async () => {
  const recipeIn = async (file?: string) => (await open(file ? { file } : {})).ready(['fal/flux/dev'])[0]?.recipe
  const steps = (count: number) => recipeIn(`models: { fal/flux/dev: { x-steps: ${count}, x-more: a } }`)
  assert.equal(await recipeIn(), undefined)
  assert.notEqual(await steps(1), undefined)
  assert.notEqual(await steps(1), await steps(2))
  assert.equal(await steps(1), await recipeIn('models: { fal/flux/dev: { x-more: a, x-steps: 1 } }'))
  const price = 'price: { per: image, usd: 1, asOf: "2026-11" }'
  assert.equal(await recipeIn(`models: { fal/flux/dev: { ${price} } }`), undefined)
})

test('the cost of a chain goes from its cheapest to its most expensive model, and is unknown if one price is', async () => {
  const models = await open()
  const costOf = (chain: string[], requirements = generate()) => models.costOf(chain, requirements)
  assert.deepEqual(costOf(['openai/gpt-image-1', 'openai/gpt-image-3']), { minMicros: 40_000, maxMicros: 200_000 })
  assert.deepEqual(costOf(['fal/flux/dev'], generate({ requirements: [size(1000, 1000)] })), {
    minMicros: 30_000,
    maxMicros: 30_000,
  })
  assert.equal(costOf(['openai/gpt-image-1', 'openai/gpt-image-22']), undefined)
  assert.deepEqual(costOf(['local/isnet'], { capability: 'remove-background', requirements: [] }), {
    minMicros: 0,
    maxMicros: 0,
  })
  assert.equal(costOf([]), undefined)
})

test('the models file adds models, and overrides the fields that it names', async () => {
  const models = await open({
    file: `models:
  openai/gpt-image-1: { price: { per: image, usd: 0.5, asOf: 2026-10 } }
  fal/owner/new:
    can: { generate: { seed: true } }
    price: { generate: { per: call, usd: 1, asOf: 2026-10 } }
    x-fields: { prompt: text }
`,
  })
  assert.deepEqual(models.costOf(['openai/gpt-image-1'], generate()), { minMicros: 500_000, maxMicros: 500_000 })
  assert.ok(models.find('openai/gpt-image-1')?.row.can.edit)
  assert.deepEqual(models.find('fal/owner/new')?.row['x-fields'], { prompt: 'text' })
  assert.deepEqual(models.choose(generate()).chain, ['openai/gpt-image-1'], 'what is added is no default')
  await assert.rejects(
    open({ file: 'models: { nobody/x: {} }' }),
    /MODELS_FILE: the provider of the model "nobody\/x" doesn't exist/,
  )
})

test('reports every problem of a models file with its position', async () => {
  const text = `models:
  fal: {}
  fal/a: { can: { generate: { sedd: true } }, price: { per: imag, usd: 1 } }
  fal/b: { price: { generate: { per: call } }, prise: 3 }
`
  const problem = await readModelsFile(text, '/etc/models.yaml').then(
    () => assert.fail('it was taken'),
    (error: Error) => error.message,
  )
  for (const part of [
    '/etc/models.yaml',
    'models.fal:',
    'models.fal/a.can.generate.sedd',
    'models.fal/a.price.per',
    'models.fal/b.price.generate.usd',
    'models.fal/b.prise',
  ]) {
    assert.ok(problem.includes(part), `${part} in ${problem}`)
  }
  await assert.rejects(readModelsFile('a: [', 'm.json'), /MODELS_FILE: m\.json is not valid YAML/)
})

test('the list shows configured models, missing settings, and the defaults', async () => {
  const list = (await open({ configured: ['fal'] })).list()
  assert.deepEqual(
    list.map(({ id, isConfigured, unavailableReason }) => [id, isConfigured, unavailableReason]),
    [
      ['local', true, undefined],
      ['openai', false, 'set OPENAI_KEY'],
      ['fal', true, undefined],
    ],
  )
  const defaults = list.flatMap(({ id, models }) =>
    models.flatMap(({ name, defaultFor }) => defaultFor.map((each) => `${each}: ${id}/${name}`)),
  )
  assert.deepEqual(defaults, ['remove-background: local/isnet', 'upscale: local/esrgan-slim', 'generate: fal/flux/dev'])
  assert.equal(list[0]?.models[2]?.unavailableReason, 'add it with tintype models')
})
