/**
 * Adapts the emoji font to the shaper of the canvas. Skia ignores variation selectors when it looks up a glyph (`skhb_glyph` in
 * SkShaper_harfbuzz.cpp), and HarfBuzz then takes U+FE0F as a part of the character before it. So a ligature with U+FE0F never
 * matches: ❤️‍🔥 is drawn as ❤ and 🔥. The copy of the font has these ligatures without U+FE0F, and is otherwise the same.
 */
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

const variationSelector = 0xfe0f

/** The characters before and after a joiner that Skia shapes separately, because only the second is an emoji by itself. */
const split = /([\u2764\u{1f3f3}])\ufe0f?\u200d([\u{1f525}\u{1fa79}\u{1f308}])/gu

/** Text for the adapted font: the parts of ❤️‍🔥, ❤️‍🩹 and 🏳️‍🌈 in reverse order, in which Skia keeps them together. */
export function unsplit(text: string): string {
  return text.replaceAll(split, '$2\u200d$1')
}

/** A WOFF2 file whose ligatures don't contain U+FE0F. */
export async function withoutSelectors(woff2: Buffer): Promise<Buffer> {
  const { tables, start, length } = directoryOf(woff2)
  const unpacked = await decompress(woff2.subarray(start, start + length))
  const sliceOf = (tag: number) => {
    const table = tables.find((table) => table.tag === tag)
    if (table === undefined) throw new Error(`the font has no table ${tag}`)
    return unpacked.subarray(table.start, table.start + table.length)
  }
  const gsub = sliceOf(tags.GSUB)
  const selector = glyphOf(sliceOf(tags.cmap), variationSelector)
  const [subtable, ...more] = ligatureSubtables(gsub)
  if (subtable === undefined || more.length > 0 || selector === 0)
    throw new Error('the ligatures of the emoji font have another structure')
  write(gsub, subtable, adapted(ligaturesOf(gsub, subtable), selector))
  // Quality 1 is fast. The copy is only read once, by the canvas.
  const packed = await compress(unpacked, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
  return rebuilt(woff2.subarray(0, start), packed)
}

/** Indices of the known tags of WOFF2, 4.1. */
const tags = { cmap: 0, glyf: 10, loca: 11, GSUB: 28 }
const anyTag = 63

interface Table {
  tag: number
  start: number
  length: number
}

/** WOFF2, 4: the tables follow each other in one compressed stream, `start` to `start + length` of the file. */
function directoryOf(woff2: Buffer): { tables: Table[]; start: number; length: number } {
  const count = woff2.readUInt16BE(12)
  const tables: Table[] = []
  let at = 48
  let end = 0
  const readLength = () => {
    // UIntBase128: seven bits per byte, and the highest bit is set if another byte follows.
    for (let value = 0; ; ) {
      const byte = woff2.readUInt8(at++)
      value = value * 128 + (byte & 127)
      if (byte < 128) return value
    }
  }
  for (let index = 0; index < count; index += 1) {
    const flags = woff2.readUInt8(at++)
    const tag = flags & anyTag
    if (tag === anyTag) at += 4
    let length = readLength()
    const isOutlines = tag === tags.glyf || tag === tags.loca
    const isTransformed = isOutlines ? flags >> 6 !== 3 : flags >> 6 !== 0
    if (isTransformed) length = readLength()
    tables.push({ tag, start: end, length })
    end += length
  }
  return { tables, start: at, length: woff2.readUInt32BE(20) }
}

/** The head of a WOFF2 file, and its tables compressed in another way. */
function rebuilt(head: Buffer, packed: Buffer): Buffer {
  const padding = -(head.length + packed.length) & 3
  const file = Buffer.concat([head, packed, Buffer.alloc(padding)])
  file.writeUInt32BE(file.length, 8)
  file.writeUInt32BE(packed.length, 20)
  // Without metadata and private data.
  file.fill(0, 28, 48)
  return file
}

/** OpenType 1.9, "cmap", format 4: the characters of the Basic Multilingual Plane. 0 for a missing one. */
function glyphOf(cmap: Buffer, codePoint: number): number {
  for (let index = 0; index < cmap.readUInt16BE(2); index += 1) {
    const table = cmap.subarray(cmap.readUInt32BE(8 + 8 * index))
    if (table.readUInt16BE(0) !== 4) continue
    const bytes = table.readUInt16BE(6)
    const [ends, starts, deltas, offsets] = [14, 16 + bytes, 16 + 2 * bytes, 16 + 3 * bytes]
    for (let segment = 0; segment < bytes; segment += 2) {
      const from = table.readUInt16BE(starts + segment)
      if (codePoint < from || codePoint > table.readUInt16BE(ends + segment)) continue
      const delta = table.readUInt16BE(deltas + segment)
      const offset = table.readUInt16BE(offsets + segment)
      if (offset === 0) return (codePoint + delta) & 0xffff
      const glyph = table.readUInt16BE(offsets + segment + offset + 2 * (codePoint - from))
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff
    }
  }
  return 0
}

const ligatureLookup = 4

/** Positions of the subtables "LigatureSubstFormat1". */
function ligatureSubtables(gsub: Buffer): number[] {
  return offsetsAt(gsub, gsub.readUInt16BE(8), 0).flatMap((lookup) =>
    gsub.readUInt16BE(lookup) === ligatureLookup ? offsetsAt(gsub, lookup, 4) : [],
  )
}

/** A count, followed by offsets from the start of their table. */
function offsetsAt(gsub: Buffer, table: number, at: number): number[] {
  const count = gsub.readUInt16BE(table + at)
  return Array.from({ length: count }, (_, index) => table + gsub.readUInt16BE(table + at + 2 + 2 * index))
}

interface Ligature {
  glyph: number
  components: number[]
}

function ligaturesOf(gsub: Buffer, subtable: number): Ligature[] {
  const firsts = coveredBy(gsub, subtable + gsub.readUInt16BE(subtable + 2))
  return offsetsAt(gsub, subtable, 4).flatMap((set, index) =>
    offsetsAt(gsub, set, 0).map((at) => {
      const listed = gsub.readUInt16BE(at + 2) - 1
      const others = Array.from({ length: listed }, (_, component) => gsub.readUInt16BE(at + 4 + 2 * component))
      return { glyph: gsub.readUInt16BE(at), components: [firsts[index] ?? 0, ...others] }
    }),
  )
}

/** OpenType 1.9, "Coverage Table". */
function coveredBy(gsub: Buffer, coverage: number): number[] {
  const count = gsub.readUInt16BE(coverage + 2)
  const isList = gsub.readUInt16BE(coverage) === 1
  return Array.from({ length: count }, (_, index) => {
    if (isList) return [gsub.readUInt16BE(coverage + 4 + 2 * index)]
    const from = gsub.readUInt16BE(coverage + 4 + 6 * index)
    const to = gsub.readUInt16BE(coverage + 6 + 6 * index)
    return Array.from({ length: to - from + 1 }, (_, glyph) => from + glyph)
  }).flat()
}

/**
 * Ligatures without the selector. One that has only one component left is not needed: the character itself has the glyph.
 * In addition the reversed forms of `swapped`.
 */
function adapted(ligatures: Ligature[], selector: number): Ligature[] {
  return ligatures.flatMap(({ glyph, components }) => {
    const kept = components.filter((component) => component !== selector)
    if (kept.length < 2) return []
    const isSwapped = components.length === 4 && components.indexOf(selector) === 1
    return [{ glyph, components: kept }, ...(isSwapped ? [{ glyph, components: kept.toReversed() }] : [])]
  })
}

/** Overwrites the part of the table from the subtable on, which is the last one of the font. */
function write(gsub: Buffer, subtable: number, ligatures: Ligature[]): void {
  const sets = Map.groupBy(ligatures, ({ components }) => components[0] ?? 0)
  const firsts = [...sets.keys()].sort((a, b) => a - b)
  const words = [1, 0, firsts.length, ...firsts.map(() => 0)]
  for (const [index, first] of firsts.entries()) {
    const start = words.length
    words[3 + index] = start * 2
    // The first match is used, so the longest comes first.
    const own = (sets.get(first) ?? []).sort((a, b) => b.components.length - a.components.length)
    words.push(own.length, ...own.map(() => 0))
    for (const [position, { glyph, components }] of own.entries()) {
      words[start + 1 + position] = (words.length - start) * 2
      words.push(glyph, components.length, ...components.slice(1))
    }
  }
  words[1] = words.length * 2
  words.push(1, firsts.length, ...firsts)
  if (subtable + words.length * 2 > gsub.length) throw new Error('the ligatures of the emoji font need more space')
  for (const [index, word] of words.entries()) gsub.writeUInt16BE(word, subtable + 2 * index)
}
