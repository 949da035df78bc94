/**
 * Properties of the primary item of an AVIF that its decoder ignores (ISO 14496-12; HEIF, ISO 23008-12; MIAF, ISO 23000-22). Reads a few
 * boxes at the start of the file.
 */
import { failure } from '../../../errors.ts'
import type { CodePoints } from './code-points.ts'

export interface AvifFacts {
  /** The code points of its colours (`colr` of the type `nclx`), and whether it has a profile, which goes before them. */
  nclx?: CodePoints & { isFullRange: boolean }
  hasProfile: boolean
  /** Whether it has luma only. */
  isMonochrome: boolean
  /** Whether its colours are multiplied with its alpha (MIAF 7.3.5.2). */
  isPremultiplied: boolean
}

/** Undefined if a box that it needs is missing or damaged. */
export function avifFacts(avif: Buffer): AvifFacts | undefined {
  const meta = contentOf(boxesIn(avif), 'meta')
  if (meta === undefined) return undefined
  const boxes = [...boxesIn(meta.subarray(fullBytes))]
  const primary = contentOf(boxes, 'pitm')
  const properties = contentOf(boxes, 'iprp')
  if (primary === undefined || properties === undefined) return undefined
  const item = numberAt(primary, fullBytes, versionOf(primary) === 0 ? 2 : 4)
  const facts: AvifFacts = {
    hasProfile: false,
    isMonochrome: false,
    isPremultiplied: isPremultiplied(contentOf(boxes, 'iref'), item),
  }
  for (const { type, content } of propertiesOf(properties, item)) {
    if (type === 'colr') addColor(facts, content)
    // A count of channels, and their bits.
    if (type === 'pixi') facts.isMonochrome = content[fullBytes] === 1
  }
  return facts
}

/** Whether it is an animation, which a decoder of still images reads the cover of. */
export function isAvifSequence(avif: Buffer): boolean {
  return brandsOf(avif).includes('avis')
}

/**
 * The file with the major brand that libvips knows it by: readers must look for it among the compatible brands, too (ISO 14496-12, 4.3).
 * Throws for an animation without a still image.
 */
export function readableAvif(avif: Buffer): Buffer {
  if (isAvifSequence(avif) && avifFacts(avif) === undefined) {
    throw failure(
      'input_invalid',
      'The AVIF is an animation without a still image, which is not supported. Export a frame as AVIF, or the animation as WebP or GIF.',
    )
  }
  if (avif.toString('latin1', 8, 12) === 'avif') return avif
  const readable = Buffer.from(avif)
  readable.write('avif', 8, 'latin1')
  return readable
}

/** The major brand of an ISO media file, and its compatible brands; none for other files. */
export function brandsOf(file: Buffer): string[] {
  if (file.toString('latin1', 4, 8) !== 'ftyp') return []
  const end = Math.min(file.readUInt32BE(0), file.length, 256)
  const found: string[] = []
  for (let at = 8; at + 4 <= end; at += 4) if (at !== 12) found.push(file.toString('latin1', at, at + 4))
  return found
}

function addColor(facts: AvifFacts, content: Buffer): void {
  const type = content.toString('latin1', 0, 4)
  if (type === 'prof' || type === 'rICC') facts.hasProfile = true
  if (type !== 'nclx' || content.length < 11) return
  const [primaries, transfer] = [content.readUInt16BE(4), content.readUInt16BE(6)]
  facts.nclx = { primaries, transfer, isFullRange: (numberAt(content, 10, 1) & 0x80) !== 0 }
}

/** Whether the item refers to another one as the alpha that it is multiplied with. */
function isPremultiplied(references: Buffer | undefined, item: number): boolean {
  if (references === undefined) return false
  const idBytes = versionOf(references) === 0 ? 2 : 4
  for (const { type, content } of boxesIn(references.subarray(fullBytes))) {
    if (type === 'prem' && numberAt(content, 0, idBytes) === item) return true
  }
  return false
}

/** The properties that `ipma` assigns to the item, by their numbers in `ipco`. */
function* propertiesOf(iprp: Buffer, item: number): Generator<Box> {
  const boxes = [...boxesIn(iprp)]
  const all = [...boxesIn(contentOf(boxes, 'ipco') ?? Buffer.alloc(0))]
  for (const { type, content } of boxes) {
    if (type !== 'ipma') continue
    const idBytes = versionOf(content) === 0 ? 2 : 4
    const numberBytes = numberAt(content, 3, 1) & 1 ? 2 : 1
    let at = 8
    for (let left = numberAt(content, 4, 4); left > 0 && at < content.length; left -= 1) {
      const isItem = numberAt(content, at, idBytes) === item
      const count = numberAt(content, at + idBytes, 1)
      at += idBytes + 1
      for (let index = 0; index < count; index += 1, at += numberBytes) {
        // The first bit says that readers must know the property.
        const property = all[(numberAt(content, at, numberBytes) & (numberBytes === 2 ? 0x7fff : 0x7f)) - 1]
        if (isItem && property) yield property
      }
    }
  }
}

interface Box {
  type: string
  content: Buffer
}

const headBytes = 8
/** Version and flags at the start of the content of most boxes. */
const fullBytes = 4

/** Boxes until one has a wrong size. */
function* boxesIn(bytes: Buffer): Generator<Box> {
  for (let at = 0; at + headBytes <= bytes.length; ) {
    const size = bytes.readUInt32BE(at)
    const isLong = size === 1 && at + 16 <= bytes.length
    const end = at + (isLong ? Number(bytes.readBigUInt64BE(at + 8)) : size || bytes.length - at)
    const start = at + (isLong ? 16 : headBytes)
    if (end < start || end > bytes.length) return
    yield { type: bytes.toString('latin1', at + 4, at + headBytes), content: bytes.subarray(start, end) }
    at = end
  }
}

function contentOf(boxes: Iterable<Box>, wanted: string): Buffer | undefined {
  for (const { type, content } of boxes) if (type === wanted) return content
  return undefined
}

function versionOf(content: Buffer): number {
  return numberAt(content, 0, 1)
}

/** 0 after the end of the content. */
function numberAt(content: Buffer, at: number, bytes: number): number {
  return at + bytes <= content.length ? content.readUIntBE(at, bytes) : 0
}
