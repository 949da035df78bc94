/** What calls cost by the price table. Whole micro-dollars, rounded up. */
import type { Capability, CostRange, Micros, ModelTraits } from '../domain/model.ts'
import type { ModelRow, Price, ProviderAnswer } from './define.ts'

/** What is known of a picture that is to be made, or was. */
export interface Size {
  width: number
  height: number
}

/** What the cost of a request goes by, as far as it is known before it is sent. */
export interface Priced {
  size?: Size | undefined
  /** Of the image that it is given, where what is made is as large, or `scale` times as large. */
  imageSize?: Size | undefined
  scale?: number | undefined
  traits: ModelTraits
}

/** Megapixels that a picture is taken to have at most where nothing bounds it, before it is made larger. */
const megapixelsAssumed = 16

/** The prices of a model's row, by capability; undefined where it has none. */
export function pricesOf(row: ModelRow): Partial<Record<Capability, Price>> | undefined {
  if (row.price === undefined) return undefined
  if (!isPrice(row.price)) return row.price
  const price = row.price
  return Object.fromEntries(Object.keys(row.can).map((capability) => [capability, price]))
}

export function isPrice(price: NonNullable<ModelRow['price']>): price is Price {
  return 'per' in price && typeof price.per === 'string'
}

/** What one answer costs at least and at most. */
export function rangeOf(price: Price, priced: Priced): CostRange {
  switch (price.per) {
    case 'call':
    case 'image':
      return { minMicros: micros(price.usd), maxMicros: micros(price.usd) }
    case 'megapixel': {
      const known = pixelsOf(priced)
      if (known !== undefined) return same(micros(price.usd * (known / 1e6)))
      const { min, max } = pixelBounds(priced)
      return { minMicros: micros(price.usd * (min / 1e6)), maxMicros: micros(price.usd * (max / 1e6)) }
    }
    case 'unit':
      return { minMicros: 0, maxMicros: micros(price.usd * price.unitsMax) }
    case 'second':
      return { minMicros: 0, maxMicros: micros(price.usd * price.secondsMax) }
    case 'tokens':
      return { minMicros: 0, maxMicros: ofTokens(price, price.inputMax, price.outputMax) }
  }
}

/** What an answer costs; undefined where what it goes by was not told, or cannot be true. */
export function computeCost(price: Price, told: ProviderAnswer['used'], pictures: readonly Size[]): Micros | undefined {
  const [units, seconds] = [plausible(told?.units), plausible(told?.seconds)]
  const [inputTokens, outputTokens] = [plausible(told?.inputTokens), plausible(told?.outputTokens)]
  switch (price.per) {
    case 'call':
      return micros(price.usd)
    case 'image':
      return micros(price.usd * pictures.length)
    case 'megapixel':
      return micros(price.usd * (pictures.reduce((sum, { width, height }) => sum + width * height, 0) / 1e6))
    case 'unit':
      return units === undefined ? undefined : micros(price.usd * units)
    case 'second':
      return seconds === undefined ? undefined : micros(price.usd * seconds)
    case 'tokens':
      if (inputTokens === undefined || outputTokens === undefined) return undefined
      return ofTokens(price, inputTokens, outputTokens)
  }
}

function ofTokens(price: Extract<Price, { per: 'tokens' }>, input: number, output: number): Micros {
  return micros((price.inputUsd * input + price.outputUsd * output) / 1e6)
}

function pixelsOf({ size, imageSize, ...enlarged }: Priced): number | undefined {
  if (size) return size.width * size.height
  return imageSize && imageSize.width * imageSize.height * timesOf(enlarged) ** 2
}

/** By the most that it can do where none is told. */
function timesOf({ scale, traits }: Pick<Priced, 'scale' | 'traits'>): number {
  return scale ?? Math.max(1, ...(traits.scales ?? []))
}

function pixelBounds(priced: Priced): { min: number; max: number } {
  const { sizes } = priced.traits
  if (sizes === undefined) return { min: 0, max: megapixelsAssumed * 1e6 * timesOf(priced) ** 2 }
  if ('free' in sizes) {
    const { sideMin, sideMax, pixelsMax } = sizes.free
    return { min: sideMin ** 2, max: Math.min(sideMax ** 2, pixelsMax ?? Number.POSITIVE_INFINITY) }
  }
  const pixels = sizes.listed.map((each) => each.split('x').reduce((product, side) => product * Number(side), 1))
  return { min: Math.min(...pixels), max: Math.max(...pixels) }
}

function same(value: Micros): CostRange {
  return { minMicros: value, maxMicros: value }
}

/** Up to the next whole one; what floating point adds to a whole one does not count. */
function micros(usd: number): Micros {
  return Math.min(costMicrosMax, Math.max(0, Math.ceil(usd * 1e6 - 1e-4)))
}

/** No answer costs more than a million dollars; sums of these stay exact. */
const costMicrosMax = 1e12

/** What a provider says that something cost or used; undefined where that is no amount, but a slip or a lie. */
export function plausible(amount: number | undefined): number | undefined {
  return amount !== undefined && amount >= 0 && amount <= costMicrosMax ? amount : undefined
}

/** From the cheapest to the dearest. */
export function spanOf(ranges: readonly CostRange[]): CostRange {
  return {
    minMicros: Math.min(...ranges.map(({ minMicros }) => minMicros)),
    maxMicros: Math.max(...ranges.map(({ maxMicros }) => maxMicros)),
  }
}
