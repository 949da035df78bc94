/** Serializes step results for storage: facts in JSON, and ranges of raw bytes. */
import type { Frame } from '../../../shared/frames.ts'
import type { MadeFrom } from '../../domain/credentials/made-from.ts'
import { combinedOrigin, type Origin } from '../../domain/images/origin.ts'
import type { GainMap, ImageMetadata, ImageValue, PdfPage } from '../../imaging/types.ts'
import type { List } from '../plan/resolve-step.ts'
import { listResult, type ResultWarning, type StepResult } from '../plan/step-result.ts'

export interface PackedResult {
  facts: ResultFacts
  /** The byte ranges in order, with padding. */
  parts: Buffer[]
  bytes: number
}

export interface ResultFacts {
  skipped: boolean
  values: Record<string, unknown>
  image?: PackedImage
  /** Set for a list. */
  items?: Omit<ResultFacts, 'items' | 'frames'>[]
  frames?: readonly Frame[]
  warnings?: readonly ResultWarning[]
  /** The id of a random result: `Variation`. */
  variation?: string
}

interface PackedImage {
  width: number
  height: number
  hasAlpha: boolean
  format: ImageValue['format']
  isRgb8?: boolean
  isIndirect?: boolean
  origin?: Origin
  madeFrom?: MadeFrom
  encoded?: Stretch
  pdfPage?: PdfPage
  pixels?: { at: Stretch; channels: 3 | 4 }
  animation?: { delaysMs: number[]; loops: number; encoded?: Stretch; frames?: PackedImage[] }
  gainMap?: Omit<GainMap, 'jpeg'> & { jpeg: Stretch }
  metadata?: { density?: number } & { [Name in Exclude<keyof ImageMetadata, 'density'>]?: Stretch }
}

/** Offset and length. */
type Stretch = [start: number, length: number]

/** Readers access pixels as words, which must be aligned. */
const alignment = 16

/** Undefined if an image has unfinished pipeline stages. */
export function pack(result: StepResult): PackedResult | undefined {
  const parts: Buffer[] = []
  const known = new Map<Buffer, Stretch>()
  let bytes = 0
  const put = (part: Buffer): Stretch => {
    const before = known.get(part)
    if (before) return before
    const stretch: Stretch = [bytes, part.length]
    known.set(part, stretch)
    const gap = -part.length & (alignment - 1)
    parts.push(part, Buffer.alloc(gap))
    bytes += part.length + gap
    return stretch
  }
  try {
    const { list, ...single } = result
    const facts = packOne(single, put)
    return {
      facts: list ? { ...facts, items: list.results.map(({ frames: _, ...item }) => packOne(item, put)) } : facts,
      parts,
      bytes,
    }
  } catch (error) {
    if (error instanceof Unfinished) return undefined
    throw error
  }
}

/** The facts without images: for templates and records. */
export function valuesOf({ skipped, values, frames, warnings }: ResultFacts): Omit<ResultFacts, 'items' | 'image'> {
  return { skipped, values, ...(frames && { frames }), ...(warnings && { warnings }) }
}

/** Undefined if the text is not of this form. */
export function readFacts(text: string): ResultFacts | undefined {
  try {
    const facts: Partial<ResultFacts> | null = JSON.parse(text)
    const isWhole = typeof facts?.skipped === 'boolean' && typeof facts.values === 'object' && facts.values !== null
    return isWhole ? (facts as ResultFacts) : undefined
  } catch {
    return undefined
  }
}

/** Undefined if the bytes don't match the facts, or the facts have another form. */
export function unpack(facts: ResultFacts, bytes: Buffer, list: List | undefined): StepResult | undefined {
  try {
    return unpackAll(facts, bytes, list)
  } catch {
    return undefined
  }
}

function unpackAll({ items, ...facts }: ResultFacts, bytes: Buffer, list: List | undefined): StepResult {
  const single = unpackOne(facts, bytes)
  if (list?.items.length !== items?.length) throw new Error('it has another length')
  if (list === undefined || items === undefined) return single
  const results = items.map((item) => unpackOne(item, bytes))
  return { ...listResult({ ...list, results }, []), ...single, image: undefined }
}

/** Unpacks, as `unpack`, without images. */
export function unpackValues(
  { items, values, skipped, frames, warnings }: ResultFacts,
  list: List | undefined,
): StepResult {
  const single = { image: undefined, values, skipped, ...(frames && { frames }), ...(warnings && { warnings }) }
  if (list === undefined || items === undefined) return single
  const results = items.map((item) => ({ image: undefined, values: item.values, skipped: item.skipped }))
  return { ...single, list: { ...list, results } }
}

/** The pixels that reading it puts in memory; none for an image that stays encoded. */
export function packedPixels({ image, items = [] }: ResultFacts): number {
  const { width = 0, height = 0, pixels, animation } = image ?? {}
  const ownPixels = pixels || animation?.frames ? width * height * (animation?.delaysMs?.length ?? 1) : 0
  return items.reduce((sum, item) => sum + packedPixels(item), ownPixels)
}

/** The size of the first image. */
export function packedSize({ image, items, values }: ResultFacts): { width: number | null; height: number | null } {
  const first = image ?? items?.find((item) => item.image)?.image ?? values
  const { width, height } = first
  return { width: typeof width === 'number' ? width : null, height: typeof height === 'number' ? height : null }
}

/** The origin of its images together. */
export function packedOrigin({ image, items = [] }: ResultFacts): Origin | undefined {
  return combinedOrigin(
    [image, ...items.map((item) => item.image)].flatMap((packedImage) => (packedImage ? [packedImage.origin] : [])),
  )
}

class Unfinished extends Error {}

type Put = (part: Buffer) => Stretch

function packOne({ image, values, skipped, frames, warnings }: StepResult, put: Put): ResultFacts {
  return {
    skipped,
    values,
    ...(image ? { image: packImage(image, put) } : {}),
    ...(frames && { frames }),
    ...(warnings && { warnings }),
  }
}

function packImage(image: ImageValue, put: Put): PackedImage {
  const { width, height, hasAlpha, format, isRgb8, isIndirect, origin, madeFrom } = image
  const { encoded, pdfPage, pixels, animation, gainMap, metadata } = image
  // Encoded bytes come before pixels: readers may decode them only as far as needed.
  const packed: PackedImage = {
    width,
    height,
    hasAlpha,
    format,
    ...(isRgb8 === undefined ? {} : { isRgb8 }),
    ...(isIndirect && { isIndirect }),
    ...(origin && { origin }),
    ...(madeFrom && { madeFrom }),
    ...(pdfPage && { pdfPage }),
  }
  if (encoded) packed.encoded = put(encoded)
  else if (pixels) packed.pixels = { at: put(pixels.data), channels: pixels.channels }
  else throw new Unfinished()
  if (animation) {
    const { delaysMs, loops } = animation
    packed.animation = { delaysMs, loops }
    if (animation.encoded) packed.animation.encoded = put(animation.encoded)
    else if (animation.frames) packed.animation.frames = animation.frames.map((frame) => packImage(frame, put))
    else throw new Unfinished()
  }
  if (gainMap) packed.gainMap = { ...gainMap, jpeg: put(gainMap.jpeg) }
  if (metadata) {
    const { density, ...files } = metadata
    const stretches = Object.entries(files).flatMap(([name, file]) => (file ? [[name, put(file)]] : []))
    packed.metadata = { ...(density === undefined ? {} : { density }), ...Object.fromEntries(stretches) }
  }
  return packed
}

function unpackOne({ image, values, skipped, frames, warnings }: ResultFacts, bytes: Buffer): StepResult {
  return {
    image: image && unpackImage(image, bytes),
    values,
    skipped,
    ...(frames && { frames }),
    ...(warnings && { warnings }),
  }
}

function unpackImage(packed: PackedImage, bytes: Buffer): ImageValue {
  const { encoded, pixels, animation, gainMap, metadata, ...facts } = packed
  const get = ([start, length]: Stretch) => {
    if (start + length > bytes.length) throw new Error('there are fewer bytes')
    return bytes.subarray(start, start + length)
  }
  const image: ImageValue = facts
  const { width, height } = facts
  if (encoded) image.encoded = get(encoded)
  if (pixels) image.pixels = { data: get(pixels.at), width, height, channels: pixels.channels }
  if (animation) {
    const { delaysMs, loops } = animation
    image.animation = { delaysMs, loops }
    if (animation.encoded) image.animation.encoded = get(animation.encoded)
    if (animation.frames) image.animation.frames = animation.frames.map((frame) => unpackImage(frame, bytes))
  }
  if (gainMap) image.gainMap = { ...gainMap, jpeg: get(gainMap.jpeg) }
  if (metadata) {
    const { density, ...files } = metadata
    const parts = Object.entries(files).flatMap(([name, stretch]) => (stretch ? [[name, get(stretch)]] : []))
    image.metadata = {
      ...(density === undefined ? {} : { density }),
      ...(Object.fromEntries(parts) as ImageMetadata),
    }
  }
  return image
}
