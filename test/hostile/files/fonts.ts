/** Hostile fonts (OpenType 1.9, WOFF2). */
import { brotliCompressSync } from 'node:zlib'
import { u16, u32 } from '../../../src/imaging/raster/test-costly-files.ts'
import { ttf, withOutline } from '../../../src/imaging/vector/test-fonts.ts'
import { filesOf, type HostileFile, hex, times } from './hostile-file.ts'

export const fontFiles: HostileFile[] = filesOf(
  'font',
  ['font'],
  {
    'an outline of 30,000 crossing points': () => withOutline(30_000),
    'glyphs of glyphs, a billion in all': () =>
      withGlyphs(Array.from({ length: 60 }, (_, at) => composite(Array(20).fill(at + 2)))),
    '65,535 tables': () =>
      Buffer.concat([
        hex('00010000ffff000000000000'),
        times(65_535, Buffer.concat([Buffer.from('glyf'), u32(0, 12, 12)])),
      ]),
    'a WOFF2 that claims 4 GB': () => woff2(0xffffffff, Buffer.alloc(99)),
    'a WOFF2 that unpacks to 1 GB': () => woff2(30_000_000, Buffer.alloc(1_000_000_000)),
  },
  {
    'programs that never end': () => withTables({ fpgm: endless, prep: endless }),
    'substitutions that repeat themselves': () => withTables({ GSUB: endlessSubstitutions() }),
    '65,535 axes': () =>
      withTables({
        fvar: Buffer.concat([
          u16(1, 0, 16, 2, 65_535, 20, 0, 4),
          times(65_535, hex('7767687400000001000000020000000300000100')),
        ]),
      }),
    'CFF subroutines that call themselves': () => withCff(),
  },
)

/** Jumps back to its first instruction: PUSHW[0] -3, JMPR. */
const endless = hex('b8fffd1c')

type Tables = Record<string, Buffer>

function tables(): Tables {
  const records = Array.from({ length: ttf.readUInt16BE(4) }, (_, index) => {
    const at = 12 + index * 16
    const start = ttf.readUInt32BE(at + 8)
    return [ttf.toString('latin1', at, at + 4), Buffer.from(ttf.subarray(start, start + ttf.readUInt32BE(at + 12)))]
  })
  return Object.fromEntries(records)
}

function tableOf(tag: string): Buffer {
  const found = tables()[tag]
  if (found === undefined) throw new Error(`The font has no table ${tag}.`)
  return found
}

const withTables = (changes: Tables) => fontOf({ ...tables(), ...changes })

function fontOf(all: Tables, magic = 0x00010000): Buffer {
  const sorted = Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1))
  let end = 12 + 16 * sorted.length
  const records = sorted.map(([tag, { length }]) => {
    const start = end
    end += length + (-length & 3)
    return Buffer.concat([Buffer.from(tag, 'latin1'), u32(0, start, length)])
  })
  const data = sorted.map(([, each]) => Buffer.concat([each, Buffer.alloc(-each.length & 3)]))
  return Buffer.concat([u32(magic), u16(sorted.length, 0, 0, 0), ...records, ...data])
}

/** The first glyph is the one of number 1; all others after the last are the first one. */
function withGlyphs(glyphs: Buffer[]): Buffer {
  const padded = glyphs.map((glyph) => Buffer.concat([glyph, Buffer.alloc(-glyph.length & 3)]))
  const [head, maxp] = [tableOf('head'), tableOf('maxp')]
  let end = 0
  const ends = Array.from({ length: maxp.readUInt16BE(4) }, (_, index) => {
    const start = end
    end += padded[index]?.length ?? 0
    return start
  })
  head.writeInt16BE(1, 50)
  // Contours, points and components that a glyph can have.
  for (let at = 6; at < maxp.length; at += 2) maxp.writeUInt16BE(60_000, at)
  return withTables({ glyf: Buffer.concat(padded), loca: u32(0, ...ends.slice(1), end, end), head, maxp })
}

/** A composite glyph: words as offsets, and more components except for the last. */
function composite(components: number[]): Buffer {
  const parts = components.map((glyph, at) => u16(at === components.length - 1 ? 3 : 0x23, glyph, 0, 0))
  return Buffer.concat([u16(-1, 0, 0, 700, 700), ...parts])
}

/** A context lookup that applies itself to the glyph that it has found, for all scripts. */
function endlessSubstitutions(): Buffer {
  const lookup = Buffer.concat([u16(5, 0, 1, 8), u16(3, 1, 1, 14, 0, 0), u16(0, 0), u16(2, 1, 0, 65_534, 0)])
  const scripts = Buffer.concat([u16(1), Buffer.from('DFLT'), u16(8), u16(4, 0), u16(0, 0xffff, 1, 0)])
  const features = Buffer.concat([u16(1), Buffer.from('liga'), u16(8), u16(0, 1, 0)])
  const places = u16(10, 10 + scripts.length, 10 + scripts.length + features.length)
  return Buffer.concat([u32(0x00010000), places, scripts, features, u16(1, 4), lookup])
}

/** One table, as its known tag 10 (`glyf`) without a transform. */
function woff2(claimed: number, data: Buffer): Buffer {
  const packed = brotliCompressSync(data)
  const entry = hex('ca8fffffff7f')
  const lengths = [u32(0x00010000, 48 + entry.length + packed.length), u16(1, 0), u32(claimed, packed.length)]
  return Buffer.concat([Buffer.from('wOF2'), ...lengths, u16(1, 0), u32(0, 0, 0, 0, 0), entry, packed])
}

/** CFF (Adobe Technical Note 5176): a global subroutine that calls itself, and glyphs that call it. */
function withCff(): Buffer {
  const index = (...items: Buffer[]) => {
    if (items.length === 0) return u16(0)
    const offsets = [1]
    for (const item of items) offsets.push((offsets.at(-1) ?? 1) + item.length)
    return Buffer.concat([u16(items.length), hex('02'), u16(...offsets), ...items])
  }
  // Number -107, callgsubr: the first one.
  const call = hex('201d')
  const top = (charStrings: number) => index(Buffer.concat([hex('1d'), u32(charStrings), hex('11')]))
  const parts = (charStrings: number) =>
    Buffer.concat([hex('01000402'), index(Buffer.from('A')), top(charStrings), index(), index(times(2, call))])
  const glyph = Buffer.concat([call, hex('0e')])
  const glyphs = index(...Array<Buffer>(tableOf('maxp').readUInt16BE(4)).fill(glyph))
  const { glyf, loca, fpgm, prep, 'cvt ': _, ...kept } = tables()
  return fontOf({ ...kept, 'CFF ': Buffer.concat([parts(parts(0).length), glyphs]) }, 0x4f54544f)
}
