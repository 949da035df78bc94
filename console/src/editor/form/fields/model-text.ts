/** Models as people read them: a name, the price of one picture, and the features that decide a choice. */
import type { Provider } from '../../../api/types.ts'

type Model = Provider['models'][number]
type Can = NonNullable<Model['can'][string]>

const knownWords: Readonly<Record<string, string>> = {
  ai: 'AI',
  bg: 'background',
  blip: 'BLIP',
  esrgan: 'ESRGAN',
  flux: 'FLUX',
  gpt: 'GPT',
  sr: 'SR',
  ssd: 'SSD',
}

/** The name of `google/gemini-nano-banana-2.1` is "Gemini Nano Banana 2.1". The provider is the heading of its list. */
export function modelName(model: string): string {
  const [, ...path] = model.split('/')
  // Platforms put the owner of a model before its name.
  const own = path.length > 1 ? path.slice(1) : path
  const name = own.join(' ').replace(/^(?:[a-z]+\.)+(?=[a-z])/, '')
  const words = name.replace(/-v\d+:\d+$/, '').split(/[-_ ]+/)
  return words.map((word) => knownWords[word] ?? capitalized(word)).join(' ')
}

function capitalized(word: string): string {
  if (/^(v?\d|o\d)/.test(word)) return word.replace(/^(\d+)b$/, '$1B')
  return /^sd\d/.test(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1)
}

/** Capabilities whose calls make no image. */
const callsOfText = new Set(['describe', 'judge', 'write'])

/** Such as `$0.02 / image`. `paid`: the mean cost of the calls of this account, if it is known. */
export function priceText({ price }: Can, capability: string, paid?: number): string {
  const unit = callsOfText.has(capability) ? 'call' : 'image'
  if (price?.usd === 0) return 'free'
  if (price?.usd !== undefined && (price.per === 'image' || price.per === 'call')) return `$${price.usd} / ${unit}`
  if (paid !== undefined) return `about ${rounded(paid)} / ${unit}`
  if (price === null || price === undefined) return ''
  const { usd = 0, inputUsd = 0, inputMax = 0, outputUsd = 0, outputMax = 0 } = price
  // Most models make images of a megapixel: 1024 pixels at each side.
  if (price.per === 'megapixel') return `about ${rounded(usd)} / ${unit}`
  const maxUsd =
    price.per === 'unit'
      ? usd * (price.unitsMax ?? 0)
      : price.per === 'second'
        ? usd * (price.secondsMax ?? 0)
        : (inputUsd * inputMax + outputUsd * outputMax) / 1e6
  return maxUsd === 0 ? '' : `up to ${rounded(maxUsd)} / ${unit}`
}

function rounded(usd: number): string {
  return `$${Number(usd.toPrecision(2))}`
}

/** Such as `transparent backgrounds, up to 16 images, seed`. */
export function featuresText({
  transparency,
  imagesMax = 1,
  seed,
  sizes,
  aspectRatios,
  scales,
  structuredOutput,
}: Can): string {
  const isFree = sizes !== undefined && 'free' in sizes
  return [
    ...(transparency ? ['transparent backgrounds'] : []),
    ...(imagesMax > 1 ? [`up to ${imagesMax} images`] : []),
    ...(seed ? ['seed'] : []),
    ...(isFree ? ['free sizes'] : aspectRatios !== undefined ? [`${aspectRatios.length} aspect ratios`] : []),
    ...(scales === undefined ? [] : [`enlarges ${scales.join(', ')} times`]),
    ...(structuredOutput ? ['JSON by a schema'] : []),
  ].join(', ')
}
