/** Files whose decoders need far more than their headers say, and ordinary files of the same structure. For tests. */
import { deflateSync } from 'node:zlib'
import { jpegSegment } from './read/jpeg-segments.ts'
import { chunk, pngSignature } from './read/png-chunks.ts'
import { loadSharp } from './sharp.ts'

async function plain(width: number, height: number) {
  const sharp = await loadSharp()
  return sharp({ create: { width, height, channels: 3, background: '#8a4' } })
}

/** A PNG of one pixel with these chunks before its image. */
export function pngWith(chunks: Buffer[]): Buffer {
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0])
  return Buffer.concat([
    pngSignature,
    chunk('IHDR', header),
    ...chunks,
    chunk('IDAT', deflateSync(Buffer.alloc(4))),
    chunk('IEND'),
  ])
}

/** A packed text of a PNG. */
export function packedText(keyword: string, text: Buffer): Buffer {
  return keyword.startsWith('XML:')
    ? chunk('iTXt', Buffer.from(`${keyword}\0\x01\0en\0\0`), deflateSync(text))
    : chunk('zTXt', Buffer.from(`${keyword}\0\0`), deflateSync(text))
}

/** A WebP of this many frames of one pixel. */
export async function webpOf(frames: number): Promise<Buffer> {
  const still = (await (await plain(1, 1)).webp({ lossless: true }).toBuffer()).subarray(12)
  const frame = riff('ANMF', Buffer.concat([Buffer.alloc(16), still]))
  const parts = [riff('VP8X', Buffer.from([2, ...Array(9).fill(0)])), riff('ANIM', Buffer.alloc(6))]
  const body = Buffer.concat([Buffer.from('WEBP'), ...parts, Buffer.alloc(frame.length * frames, frame)])
  return riff('RIFF', body)
}

function riff(type: string, data: Buffer): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`)
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

/** A progressive JPEG whose last scan is repeated; this many scans in all. */
export async function progressiveOf(scans: number): Promise<Buffer> {
  const jpeg = await (await plain(64, 64)).jpeg({ progressive: true }).toBuffer()
  const marker = Buffer.from([0xff, 0xda])
  let count = 0
  for (let at = jpeg.indexOf(marker); at >= 0; at = jpeg.indexOf(marker, at + 1)) count += 1
  const [last, end] = [jpeg.subarray(jpeg.lastIndexOf(marker), -2), jpeg.subarray(-2)]
  return Buffer.concat([jpeg.subarray(0, -2), Buffer.alloc(last.length * (scans - count), last), end])
}

/** A JPEG with bytes that look like scans, but that a decoder skips: in a segment, and after the end of the image. */
export async function jpegWithFalseScans(isProgressive: boolean): Promise<Buffer> {
  const jpeg = await (await plain(64, 64)).jpeg({ progressive: isProgressive }).toBuffer()
  const scans = Buffer.alloc(60_000, Buffer.from([0xff, 0xda, 0xff, 0xd9]))
  return Buffer.concat([jpeg.subarray(0, 2), jpegSegment(0xe5, scans), jpeg.subarray(2), scans])
}

/** A GIF of this many frames without pixels. */
export function hollowGif(frames: number): Buffer {
  const head = Buffer.from('47494638396101000100800000000000ffffff', 'hex')
  const frame = Buffer.from('2c00000000010001000002' + '00', 'hex')
  return Buffer.concat([head, Buffer.alloc(frame.length * frames, frame), Buffer.from([0x3b])])
}

export interface TiffOptions {
  pages?: number
  /** Of each page, with numbers that no program knows. */
  unknownEntries?: number
  isBig?: boolean
  /** Bytes of an entry of each page. All of them are the same data. */
  sharedBytes?: number
}

/** A TIFF of pages of 8 x 8 grey pixels. */
export function tiffOf({ pages = 1, unknownEntries = 0, isBig = false, sharedBytes = 0 }: TiffOptions): Buffer {
  const long = (value: number) => {
    const bytes = Buffer.alloc(isBig ? 8 : 4)
    bytes.writeUInt32LE(value)
    return bytes
  }
  const entry = (tag: number, type: number, count: number, value: number) => {
    const head = Buffer.alloc(4)
    head.writeUInt16LE(tag)
    head.writeUInt16LE(type, 2)
    return Buffer.concat([head, long(count), long(value)])
  }
  const [short, longs, bytes] = [3, 4, 1]
  const head = Buffer.from(isBig ? [0x49, 0x49, 43, 0, 8, 0, 0, 0] : [0x49, 0x49, 42, 0])
  const dataAt = head.length + long(0).length
  const data = Buffer.alloc(Math.max(64, sharedBytes))
  const entries = Buffer.concat([
    ...[256, 257].map((tag) => entry(tag, longs, 1, 8)),
    entry(258, short, 1, 8),
    entry(259, short, 1, 1),
    entry(262, short, 1, 1),
    entry(273, longs, 1, dataAt),
    entry(277, short, 1, 1),
    entry(278, longs, 1, 8),
    entry(279, longs, 1, 64),
    ...(sharedBytes > 0 ? [entry(700, bytes, sharedBytes, dataAt)] : []),
    ...Array.from({ length: unknownEntries }, (_, at) => entry(50_000 + at, bytes, 1, 0)),
  ])
  const count = Buffer.alloc(isBig ? 8 : 2)
  count.writeUInt16LE(entries.length / (isBig ? 20 : 12))
  const directory = Buffer.concat([count, entries])
  const first = dataAt + data.length
  const pageBytes = directory.length + long(0).length
  const directories = Array.from({ length: pages }, (_, page) =>
    Buffer.concat([directory, long(page === pages - 1 ? 0 : first + (page + 1) * pageBytes)]),
  )
  return Buffer.concat([head, long(first), data, ...directories])
}

export interface AvifOptions {
  tile: { width: number; height: number }
  /** Without it, the image is one tile. */
  made?: { type: string; columns: number; rows: number; width: number; height: number }
  /** Width and height of the part that is shown. */
  crop?: number
  /** Copies of the data of a tile, which the decoder decodes one after the other. */
  copies?: number
  hasAlpha?: boolean
  /** The type of the tiles: `av01` for images that are stored. */
  tileType?: string
  /** Bytes after the frames of a tile, which the decoder skips: at most 2 MiB. */
  padding?: number
  /** Texts with the data of the whole file. */
  texts?: number
}

/** An AVIF of items 1 (the tile), 2 (what is made of it), 3 and 4 (the same for alpha), and texts from 10. */
export async function avifOf(options: AvifOptions): Promise<Buffer> {
  const { tile, made, crop, copies = 1, hasAlpha, tileType = 'av01', padding = 0, texts = 0 } = options
  const encoded = await (await plain(tile.width, tile.height)).avif({ effort: 0, quality: 30 }).toBuffer()
  const one = encoded.subarray(encoded.indexOf('mdat') + 4)
  const config = encoded.indexOf('av1C') - 4
  const data = Buffer.concat([Buffer.alloc(one.length * copies, one), ...(padding > 0 ? [paddingOf(padding)] : [])])
  const count = made ? made.columns * made.rows : 0
  const grid = made
    ? Buffer.concat([Buffer.from([0, 0, made.rows - 1, made.columns - 1]), u16(made.width), u16(made.height)])
    : Buffer.alloc(0)
  const ids = [1, ...(made ? [2] : []), ...(hasAlpha ? [3, ...(made ? [4] : [])] : [])]
  const infos = ids.map((id) => info(id, id % 2 === 1 ? tileType : (made?.type ?? '')))
  const textIds = Array.from({ length: texts }, (_, at) => 10 + at)
  const properties = Buffer.concat([
    encoded.subarray(config, config + encoded.readUInt32BE(config)),
    full('ispe', u32(tile.width), u32(tile.height)),
    full('pixi', Buffer.from([3, 8, 8, 8])),
    full('ispe', u32(made?.width ?? 1), u32(made?.height ?? 1)),
    box('clap', ...[crop ?? 1, 1, crop ?? 1, 1, 0, 1, 0, 1].map(u32)),
    full('auxC', Buffer.from('urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0')),
  ])
  const assigned = ids.map((id) => {
    const numbers = [
      ...(id % 2 === 1 ? [0x81, 2, 3] : [4, 3]),
      ...(crop && id < 3 ? [0x85] : []),
      ...(id > 2 ? [6] : []),
    ]
    return Buffer.concat([u16(id), Buffer.from([numbers.length, ...numbers])])
  })
  const parts = (from: number, to: number) => box('dimg', u16(from), u16(count), Buffer.alloc(2 * count, u16(to)))
  const references = [
    ...(made ? [parts(2, 1)] : []),
    ...(made && hasAlpha ? [parts(4, 3)] : []),
    ...(hasAlpha ? [box('auxl', u16(made ? 4 : 3), u16(1), u16(made ? 2 : 1))] : []),
    ...textIds.map((id) => box('cdsc', u16(id), u16(1), u16(made ? 2 : 1))),
  ]
  const meta = (start: number, end: number) => {
    const places = [
      ...ids.map((id) => (id % 2 === 1 ? place(id, 0, start, data.length) : place(id, 1, 0, grid.length))),
      ...textIds.map((id) => place(id, 0, 0, end)),
    ]
    return full(
      'meta',
      full('hdlr', u32(0), Buffer.from('pict'), Buffer.alloc(13)),
      full('pitm', u16(made ? 2 : 1)),
      box('iloc', u32(0x01_00_00_00), Buffer.from([0x44, 0]), u16(places.length), ...places),
      full('iinf', u16(ids.length + texts), ...infos, ...textIds.map((id) => info(id, 'mime', 'application/rdf+xml'))),
      ...(references.length > 0 ? [full('iref', ...references)] : []),
      box('iprp', box('ipco', properties), full('ipma', u32(ids.length), ...assigned)),
      box('idat', grid),
    )
  }
  const type = box('ftyp', Buffer.from('avif'), u32(0), Buffer.from('avifmif1miaf'))
  const start = type.length + meta(0, 0).length + 8
  return Buffer.concat([type, meta(start, start + data.length), box('mdat', data)])
}

/** An AVIF whose table has this many entries. An entry of `iloc` has no bytes. */
export function avifWithTable(type: 'iloc' | 'ipma' | 'iref', entries: number): Buffer {
  const tables = {
    iloc: full('iloc', Buffer.from([0, 0]), u16(1), u16(9), u16(0), u16(entries)),
    ipma: box('iprp', full('ipma', u32(entries), Buffer.alloc(3 * entries))),
    iref: full('iref', box('auxl', u16(1), u16(entries), Buffer.alloc(2 * entries))),
  }
  return Buffer.concat([
    box('ftyp', Buffer.from('avif'), u32(0), Buffer.from('avifmif1miaf')),
    full('meta', full('pitm', u16(1)), full('iinf', u16(1), info(1, 'av01')), tables[type]),
  ])
}

/** A small AVIF that says 28,000 times that a grid of 1,024 tiles without a size is its alpha. */
export function avifWithOneAlpha(): Buffer {
  const [tiles, times] = [1_024, 28_000]
  const places = [place(1, 0, 0x7f_ff_ff_ff, 1), place(2, 1, 0, 8)]
  return Buffer.concat([
    box('ftyp', Buffer.from('avif'), u32(0), Buffer.from('avifmif1miaf')),
    full(
      'meta',
      full('pitm', u16(1)),
      full('iinf', u16(2), info(1, 'av01'), info(2, 'grid')),
      full(
        'iref',
        box('dimg', u16(2), u16(tiles), Buffer.alloc(2 * tiles, u16(1))),
        box('auxl', u16(2), u16(times), Buffer.alloc(2 * times, u16(1))),
      ),
      box('iloc', u32(0x01_00_00_00), Buffer.from([0x44, 0]), u16(2), ...places),
      box('idat', Buffer.from([0, 0, 31, 31, 0, 8, 0, 8])),
    ),
  ])
}

/** A unit of AV1 without a meaning, with its length in three parts of seven bits. */
function paddingOf(bytes: number): Buffer {
  const length = [(bytes & 0x7f) | 0x80, ((bytes >> 7) & 0x7f) | 0x80, bytes >> 14]
  return Buffer.concat([Buffer.from([0x7a, ...length]), Buffer.alloc(bytes)])
}

/** Method 0: in the file. Method 1: in the box `idat`. */
function place(id: number, method: number, at: number, length: number): Buffer {
  return Buffer.concat([u16(id), u16(method), u16(0), u16(1), u32(at), u32(length)])
}

function info(id: number, type: string, content?: string): Buffer {
  const text = `${type}\0${content === undefined ? '' : `${content}\0`}`
  return box('infe', u32(0x02_00_00_00), u16(id), u16(0), Buffer.from(text, 'latin1'))
}

function full(type: string, ...data: Buffer[]): Buffer {
  return box(type, u32(0), ...data)
}

function box(type: string, ...data: Buffer[]): Buffer {
  const content = Buffer.concat(data)
  return Buffer.concat([u32(content.length + 8), Buffer.from(type, 'latin1'), content])
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
