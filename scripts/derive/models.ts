import type { Capability, ModelSizes, ModelTraits } from '../../src/domain/models/model.ts'
import { pricesOf, rangeOf } from '../../src/providers/catalog/prices.ts'
import { imagesMaxOf, takesPrompt } from '../../src/providers/catalog/unmet.ts'
import type { ModelRow, Price, Provider } from '../../src/providers/define.ts'
import { providersById } from '../../src/providers/index.ts'
import { code, grouped, pageHead, table } from './markdown.ts'

export function modelsPage(): string {
  return [
    pageHead('Models', 'src/providers'),
    'The models of AI providers: their supported params, and their prices in US dollars, from the price lists of the given month.\nThe order is that of defaults: the first model of the first configured provider that supports the node. `*` stands for the\nrest of a name; such a row is never a default. `MODELS_FILE` adds models and corrects prices\n([how](guide/ai-models.md#prices)). `GET /v1/providers` returns the current values of a service. See also\n[local models](guide/local-models.md) and [the setup of providers](guide/providers.md).\n',
    ...[...providersById.values()].map(section),
  ].join('\n')
}

function section(provider: Provider): string {
  const { id, title, models } = provider
  const head = `## ${title}\n`
  if (typeof models === 'function') return `${head}\n${ownModels(provider)}\n`
  const rows = models.flatMap((row) => rowsOf(id, row))
  return [head, table(['Model', 'Operations', 'Sizes or aspect ratios', 'Also supports', 'Price'], rows)].join('\n')
}

/** The operator declares its models in its settings. */
function ownModels({ id, settings, baseUrl }: Provider): string {
  const names = Object.values(settings).flatMap((setting) => (setting.isSecret ? [] : [...setting.names]))
  const all = names.filter((name) => !baseUrl.default?.includes(`{${keyOf(settings, name)}}`))
  return `${code(`${id}/...`)}: the models in ${all.map(code).join(' and ')}.`
}

function keyOf(settings: Provider['settings'], name: string): string | undefined {
  return Object.entries(settings).find(([, { names }]) => names.includes(name))?.[0]
}

/** Capabilities of the same sizes and price share a row. */
function rowsOf(id: string, row: ModelRow): string[][] {
  const rows = new Map<string, { supported: [Capability, ModelTraits][]; size: string; price: string }>()
  for (const [name, traits] of Object.entries(row.can)) {
    const capability = name as Capability
    const [size, price] = [sizesOf(traits), priceOf(pricesOf(row)?.[capability], traits)]
    const key = JSON.stringify([size, price])
    const same = rows.get(key) ?? { supported: [], size, price }
    same.supported.push([capability, traits])
    rows.set(key, same)
  }
  return [...rows.values()].map(({ supported, size, price }) => [
    code(`${id}/${row.name}`),
    supported.map(([capability]) => code(capability)).join(' '),
    size,
    extraTraits(supported),
    price,
  ])
}

function sizesOf({ sizes, aspectRatios, scales }: ModelTraits): string {
  const parts = [
    ...(sizes ? [sizesText(sizes)] : []),
    ...(aspectRatios ? [aspectRatios.join(' ')] : []),
    ...(scales ? [`${scales.join(', ')} times as large`] : []),
  ]
  return parts.join('; ')
}

function sizesText(sizes: ModelSizes): string {
  if ('listed' in sizes) return sizes.listed.join(' ')
  const { sideMin, sideMax, step = 1, pixelsMax } = sizes.free
  const steps = step === 1 ? '' : ` in steps of ${step}`
  const most = pixelsMax === undefined ? '' : `, ${grouped(pixelsMax)} pixels at most`
  return `sides of ${sideMin} to ${sideMax}${steps}${most}`
}

/** Traits of only some of them have their names. */
function extraTraits(supported: [Capability, ModelTraits][]): string {
  const takers = new Map<string, Capability[]>()
  for (const [capability, traits] of supported) {
    const images = imagesMaxOf(capability, traits)
    const parts = [
      ...(images > 1 ? [`up to ${images} images`] : []),
      ...(traits.seed ? ['seed'] : []),
      ...(traits.transparency ? ['transparency'] : []),
      ...(traits.structuredOutput ? ['structured output'] : []),
      ...(capability === 'describe' && !takesPrompt(capability, traits) ? ['no question'] : []),
    ]
    for (const part of parts) takers.set(part, [...(takers.get(part) ?? []), capability])
  }
  const parts = [...takers].map(([part, names]) =>
    names.length === supported.length ? part : `${part} (${names.map(code).join(' ')})`,
  )
  return parts.join(', ')
}

function priceOf(price: Price | undefined, traits: ModelTraits): string {
  if (price === undefined) return 'not known'
  const most = `at most ${usd(Math.ceil(rangeOf(price, { traits }).maxMicros / 100) / 1e4)} a call`
  return `${priceText(price, most)} (${price.asOf})`
}

function priceText(price: Price, most: string): string {
  switch (price.per) {
    case 'call':
      return `${usd(price.usd)} a call`
    case 'image':
      return `${usd(price.usd)} an image`
    case 'megapixel':
      return `${usd(price.usd)} a megapixel`
    case 'unit':
      return `${usd(price.usd)} a unit that it reports, ${most}`
    case 'second':
      return `${usd(price.usd)} a second, ${most}`
    case 'tokens':
      return `${usd(price.inputUsd)} in, ${usd(price.outputUsd)} out for a million tokens, ${most}`
  }
}

/** Prices have cents, or more digits if necessary. */
function usd(value: number): string {
  const exact = String(Number(value.toFixed(6)))
  return `$${/\.\d\d/.test(exact) ? exact : value.toFixed(2)}`
}
