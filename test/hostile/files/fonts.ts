/** Hostile fonts (OpenType 1.9, WOFF2). */
import { brotliCompressSync } from 'node:zlib'
import { ttf, withOutline } from '../../../src/imaging/vector/test-fonts.ts'
import { type HostileFile, rowsOf, times, u16, u32 } from './hostile-file.ts'

export const fontFiles: HostileFile[] = rowsOf(
  'font',
  ['font'],
  [
    ['an outline of 30,000 crossing points', () => withOutline(30_000)],
    ['a glyph that consists of itself', () => withGlyph(composite([1], 0)), 'either'],
    [
      'glyphs of glyphs, a billion in all',
      () => withGlyphs(Array.from({ length: 60 }, (_, at) => composite(Array(20).fill(at + 2), 0))),
    ],
    ['a program that never ends', () => withTables({ fpgm: endless, prep: endless }), 'either'],
    ['a glyph with a program that never ends', () => withGlyph(withProgram(endless)), 'either'],
    ['a map of all characters that exist', () => withTables({ cmap: allCharacters() }), 'either'],
    ['a map of 60,000 ranges', () => withTables({ cmap: manyRanges(60_000) })],
    ['substitutions that repeat themselves', () => withTables({ GSUB: endlessSubstitutions() }), 'either'],
    ['a name of 4 GB', () => withTables({ name: Buffer.concat([u16(0, 1, 6, 3, 1, 0x409, 1, 65_535, 0)]) }), 'either'],
    [
      '65,535 axes',
      () =>
        withTables({
          fvar: Buffer.concat([
            u16(1, 0, 16, 2, 65_535, 20, 0, 4),
            times(65_535, Buffer.concat([Buffer.from('wght'), u32(1, 2, 3), u16(0, 256)])),
          ]),
        }),
      'either',
    ],
    ['lines of 65,535 units', () => withTables({ hhea: withHeight(tableOf('hhea')) })],
    ['a table beyond its end', () => withTableAt('glyf', 0x7fffffff), 'either'],
    [
      '65,535 tables',
      () =>
        Buffer.concat([
          u32(0x00010000),
          u16(65_535, 0, 0, 0),
          times(65_535, Buffer.concat([Buffer.from('glyf'), u32(0, 12, 12)])),
        ]),
    ],
    ['a WOFF2 that claims 4 GB', () => woff2(0xffffffff, Buffer.alloc(99))],
    ['a WOFF2 that unpacks to 1 GB', () => woff2(30_000_000, Buffer.alloc(1_000_000_000))],
    ['CFF subroutines that call themselves', () => withCff(), 'either'],
    ['drawings in SVG', () => withTables({ 'SVG ': Buffer.from('<svg/>') })],
    ['an archive', () => Buffer.from('504b0304', 'hex')],
  ],
)

/** Jumps back to its first instruction: PUSHW[0] -3, JMPR. */
const endless = Buffer.from('b8fffd1c', 'hex')

interface Table {
  tag: string
  data: Buffer
}

function tables(): Table[] {
  return Array.from({ length: ttf.readUInt16BE(4) }, (_, index) => {
    const at = 12 + index * 16
    const start = ttf.readUInt32BE(at + 8)
    return { tag: ttf.toString('latin1', at, at + 4), data: ttf.subarray(start, start + ttf.readUInt32BE(at + 12)) }
  })
}

function tableOf(tag: string): Buffer {
  const found = tables().find((each) => each.tag === tag)
  if (found === undefined) throw new Error(`The font has no table ${tag}.`)
  return Buffer.from(found.data)
}

function withTables(changes: Record<string, Buffer>): Buffer {
  const kept = tables().filter(({ tag }) => !(tag in changes))
  return fontOf([...kept, ...Object.entries(changes).map(([tag, data]) => ({ tag, data }))])
}

function fontOf(all: Table[], magic = 0x00010000): Buffer {
  const sorted = all.toSorted((a, b) => (a.tag < b.tag ? -1 : 1))
  let end = 12 + 16 * sorted.length
  const records = sorted.map(({ tag, data }) => {
    const record = Buffer.concat([Buffer.from(tag, 'latin1'), u32(0, end, data.length)])
    end += data.length + (-data.length & 3)
    return record
  })
  const data = sorted.map((each) => Buffer.concat([each.data, Buffer.alloc(-each.data.length & 3)]))
  return Buffer.concat([u32(magic), u16(sorted.length, 0, 0, 0), ...records, ...data])
}

function withTableAt(tag: string, at: number): Buffer {
  const copy = Buffer.from(ttf)
  copy.writeUInt32BE(at, copy.indexOf(tag, 12, 'latin1') + 8)
  return copy
}

/** All characters have this glyph. */
function withGlyph(glyph: Buffer): Buffer {
  return withGlyphs([glyph])
}

/** The first glyph is the one of number 1; all others after the last are the first one. */
function withGlyphs(glyphs: Buffer[]): Buffer {
  const count = tableOf('maxp').readUInt16BE(4)
  const padded = glyphs.map((glyph) => Buffer.concat([glyph, Buffer.alloc(-glyph.length & 3)]))
  const loca = Buffer.alloc((count + 1) * 4)
  let end = 0
  for (let index = 1; index <= count; index += 1) {
    loca.writeUInt32BE(end, index * 4)
    end += (padded[index - 1] as Buffer | undefined)?.length ?? 0
  }
  loca.writeUInt32BE(end, count * 4)
  const head = tableOf('head')
  head.writeInt16BE(1, 50)
  const maxp = tableOf('maxp')
  // Contours, points and components that a glyph can have.
  for (let at = 6; at < maxp.length; at += 2) maxp.writeUInt16BE(60_000, at)
  return withTables({ glyf: Buffer.concat(padded), loca, head, maxp })
}

/** A composite glyph: words as offsets, and more components except for the last. */
function composite(components: number[], offset: number): Buffer {
  const parts = components.map((glyph, at) => u16(at === components.length - 1 ? 3 : 0x23, glyph, offset, offset))
  return Buffer.concat([u16(-1, 0, 0, 700, 700), ...parts])
}

/** A square with instructions. */
function withProgram(program: Buffer): Buffer {
  const points = Buffer.concat([Buffer.from([1, 1, 1, 1]), u16(0, 0, 700, 0), u16(0, 700, 0, -700)])
  return Buffer.concat([u16(1, 0, 0, 700, 700, 3), u16(program.length), program, points])
}

/** Format 12: groups of characters, one for all of them. */
function allCharacters(): Buffer {
  return Buffer.concat([u16(0, 1, 3, 10), u32(12), u16(12, 0), u32(28, 0, 1, 0, 0x10ffff, 1)])
}

function manyRanges(count: number): Buffer {
  const groups = Array.from({ length: count }, (_, at) => u32(at * 16, at * 16, 1))
  return Buffer.concat([u16(0, 1, 3, 10), u32(12), u16(12, 0), u32(16 + count * 12, 0, count), ...groups])
}

/** A context lookup that applies itself to the glyph that it has found, for all scripts. */
function endlessSubstitutions(): Buffer {
  const lookup = Buffer.concat([u16(5, 0, 1, 8), u16(3, 1, 1, 14, 0, 0), u16(0, 0), u16(2, 1, 0, 65_534, 0)])
  const scripts = Buffer.concat([u16(1), Buffer.from('DFLT'), u16(8), u16(4, 0), u16(0, 0xffff, 1, 0)])
  const features = Buffer.concat([u16(1), Buffer.from('liga'), u16(8), u16(0, 1, 0)])
  const lookups = Buffer.concat([u16(1, 4), lookup])
  return Buffer.concat([
    u32(0x00010000),
    u16(10, 10 + scripts.length, 10 + scripts.length + features.length),
    scripts,
    features,
    lookups,
  ])
}

function withHeight(hhea: Buffer): Buffer {
  hhea.writeInt16BE(32_767, 4)
  hhea.writeInt16BE(-32_768, 6)
  return hhea
}

/** One table, as its known tag 10 (`glyf`) without a transform. */
function woff2(claimed: number, data: Buffer): Buffer {
  const packed = brotliCompressSync(data)
  const entry = Buffer.from([0xca, 0x8f, 0xff, 0xff, 0xff, 0x7f])
  const head = Buffer.concat([
    Buffer.from('wOF2'),
    u32(0x00010000, 48 + entry.length + packed.length),
    u16(1, 0),
    u32(claimed, packed.length),
    u16(1, 0),
    u32(0, 0, 0, 0, 0),
  ])
  return Buffer.concat([head, entry, packed])
}

/** CFF (Adobe Technical Note 5176): a global subroutine that calls itself, and a glyph that calls it. */
function withCff(): Buffer {
  const index = (...items: Buffer[]) => {
    if (items.length === 0) return u16(0)
    const offsets = [1]
    for (const item of items) offsets.push((offsets.at(-1) ?? 1) + item.length)
    return Buffer.concat([u16(items.length), Buffer.from([2]), u16(...offsets), ...items])
  }
  // Number -107, callgsubr: the first one.
  const call = Buffer.from([32, 29])
  const names = index(Buffer.from('A'))
  const top = (charStrings: number) => index(Buffer.concat([Buffer.from([29]), u32(charStrings), Buffer.from([17])]))
  const head = Buffer.from([1, 0, 4, 2])
  const parts = (charStrings: number) =>
    Buffer.concat([head, names, top(charStrings), index(), index(Buffer.concat([call, call, Buffer.from([11])]))])
  const glyphs = index(
    ...Array.from({ length: tableOf('maxp').readUInt16BE(4) }, () => Buffer.concat([call, Buffer.from([14])])),
  )
  const cff = Buffer.concat([parts(parts(0).length), glyphs])
  const kept = tables().filter(({ tag }) => !['glyf', 'loca', 'fpgm', 'prep', 'cvt '].includes(tag))
  return fontOf([...kept, { tag: 'CFF ', data: cff }], 0x4f54544f)
}
