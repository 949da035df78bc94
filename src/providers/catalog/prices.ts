/** Costs of calls by the price table, in whole micro-dollars, rounded up. */
import type { Capability, CostRange, Micros, ModelTraits } from '../../domain/models/model.ts'
import type { ModelRow, Price, ProviderResult } from '../define.ts'

/** The size of an image that a model will create or has created. */
export interface Size {
  width: number
  height: number
}

/** The facts that decide the cost of a request, as far as they are known before it is sent. */
export interface Priced {
  size?: Size | undefined
  /** Size of the input image, if the output has the same size or `scale` times that size. */
  imageSize?: Size | undefined
  scale?: number | undefined
  traits: ModelTraits
}

/** Assumed maximum of an output whose size has no bound, before upscaling. */
const megapixelsAssumed = 16

/** The prices of a model by capability; undefined if it has none. */
export function pricesOf(row: ModelRow): Partial<Record<Capability, Price>> | undefined {
  if (row.price === undefined) return undefined
  if (!isPrice(row.price)) return row.price
  const price = row.price
  return Object.fromEntries(Object.keys(row.can).map((capability) => [capability, price]))
}

export function isPrice(price: NonNullable<ModelRow['price']>): price is Price {
  return 'per' in price && typeof price.per === 'string'
}

/** The minimum and maximum cost of one call. */
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

/** The cost of a result; undefined if the provider didn't report its usage, or reported an implausible one. */
export function computeCost(price: Price, used: ProviderResult['used'], images: readonly Size[]): Micros | undefined {
  const [units, seconds] = [plausible(used?.units), plausible(used?.seconds)]
  const [inputTokens, outputTokens] = [plausible(used?.inputTokens), plausible(used?.outputTokens)]
  switch (price.per) {
    case 'call':
      return micros(price.usd)
    case 'image':
      return micros(price.usd * images.length)
    case 'megapixel':
      return micros(price.usd * (images.reduce((sum, { width, height }) => sum + width * height, 0) / 1e6))
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
  return imageSize && imageSize.width * imageSize.height * scaleOf(enlarged) ** 2
}

/** The largest scale of the model if the request has none. */
function scaleOf({ scale, traits }: Pick<Priced, 'scale' | 'traits'>): number {
  return scale ?? Math.max(1, ...(traits.scales ?? []))
}

function pixelBounds(priced: Priced): { min: number; max: number } {
  const { sizes } = priced.traits
  if (sizes === undefined) return { min: 0, max: megapixelsAssumed * 1e6 * scaleOf(priced) ** 2 }
  if ('free' in sizes) {
    const { sideMin, sideMax, pixelsMax } = sizes.free
    return { min: sideMin ** 2, max: Math.min(sideMax ** 2, pixelsMax ?? Number.POSITIVE_INFINITY) }
  }
  const pixels = sizes.listed.map((size) => size.split('x').reduce((product, side) => product * Number(side), 1))
  return { min: Math.min(...pixels), max: Math.max(...pixels) }
}

function same(value: Micros): CostRange {
  return { minMicros: value, maxMicros: value }
}

/** Rounds up, except for errors of floating point arithmetic. */
function micros(usd: number): Micros {
  return Math.min(costMicrosMax, Math.max(0, Math.ceil(usd * 1e6 - 1e-4)))
}

/** No call costs more than a million dollars. Sums of such costs stay exact. */
const costMicrosMax = 1e12

/** A cost or usage as the provider reports it; undefined if it can't be true. */
export function plausible(amount: number | undefined): number | undefined {
  return amount !== undefined && amount >= 0 && amount <= costMicrosMax ? amount : undefined
}

/** Range from the lowest minimum to the highest maximum. */
export function spanOf(ranges: readonly CostRange[]): CostRange {
  return {
    minMicros: Math.min(...ranges.map(({ minMicros }) => minMicros)),
    maxMicros: Math.max(...ranges.map(({ maxMicros }) => maxMicros)),
  }
}
