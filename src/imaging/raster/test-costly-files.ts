/** Files whose decoders need far more than their headers say. For tests. */
import { deflateSync } from 'node:zlib'
import { jpegSegment } from './read/jpeg-segments.ts'
import { chunk } from './read/png-chunks.ts'
import { loadSharp } from './sharp.ts'

async function plain(width: number, height: number) {
  const sharp = await loadSharp()
  return sharp({ create: { width, height, channels: 3, background: '#8a4' } })
}

/** A PNG with these chunks before its image. */
export async function pngWith(chunks: Buffer[], side = 1): Promise<Buffer> {
  const png = await (await plain(side, side)).png().toBuffer()
  return Buffer.concat([png.subarray(0, headBytes), ...chunks, png.subarray(headBytes)])
}

/** The signature, and IHDR. */
const headBytes = 33

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

/** A progressive JPEG whose last scan is repeated this many times. */
export async function progressiveOf(scans: number, side: number): Promise<Buffer> {
  const jpeg = await (await plain(side, side)).jpeg({ progressive: true }).toBuffer()
  const last = jpeg.subarray(jpeg.lastIndexOf(Buffer.from([0xff, 0xda])), -2)
  return Buffer.concat([jpeg.subarray(0, -2), Buffer.alloc(last.length * scans, last), jpeg.subarray(-2)])
}

/** A JPEG with EXIF whose directory refers to itself as the one of the camera, of the place and of interoperability. */
export async function jpegWithExifLoop(references: number): Promise<Buffer> {
  const exif = Buffer.alloc(14 + references * 12)
  exif.write('MM\0*\0\0\0\x08', 'latin1')
  exif.writeUInt16BE(references, 8)
  for (let entry = 0; entry < references; entry += 1) {
    const at = 10 + entry * 12
    exif.writeUInt16BE([0x8769, 0x8825, 0xa005][entry % 3] as number, at)
    exif.writeUInt16BE(4, at + 2)
    exif.writeUInt32BE(1, at + 4)
    exif.writeUInt32BE(8, at + 8)
  }
  const jpeg = await (await plain(8, 8)).jpeg().toBuffer()
  return Buffer.concat([jpeg.subarray(0, 2), jpegSegment(0xe1, Buffer.from('Exif\0\0'), exif), jpeg.subarray(2)])
}

/** An AVIF of 16 x 16 pixels that are the corner of a grid of 16 x 16 tiles of this size. */
export async function avifWithHiddenTiles(width: number, height: number): Promise<Buffer> {
  const encoded = await (await plain(width, height)).avif({ effort: 0, quality: 30 }).toBuffer()
  const data = encoded.subarray(encoded.indexOf('mdat') + 4)
  const config = encoded.indexOf('av1C') - 4
  const grid = Buffer.concat([Buffer.from([0, 0, 15, 15]), u16(16, 16)])
  const properties = Buffer.concat([
    encoded.subarray(config, config + encoded.readUInt32BE(config)),
    full('ispe', u32(width), u32(height)),
    full('pixi', Buffer.from([3, 8, 8, 8])),
    full('ispe', u32(16), u32(16)),
  ])
  const assigned = [Buffer.from([0, 1, 3, 0x81, 2, 3]), Buffer.from([0, 2, 2, 4, 3])]
  const meta = (start: number) =>
    full(
      'meta',
      full('hdlr', u32(0), Buffer.from('pict'), Buffer.alloc(13)),
      full('pitm', u16(2)),
      box(
        'iloc',
        u32(0x01_00_00_00),
        Buffer.from([0x44, 0]),
        u16(2),
        place(1, 0, start, data.length),
        place(2, 1, 0, grid.length),
      ),
      full('iinf', u16(2), info(1, 'av01'), info(2, 'grid')),
      full('iref', box('dimg', u16(2), u16(256), Buffer.alloc(512, u16(1)))),
      box('iprp', box('ipco', properties), full('ipma', u32(2), ...assigned)),
      box('idat', grid),
    )
  const type = box('ftyp', Buffer.from('avif'), u32(0), Buffer.from('avifmif1miaf'))
  return Buffer.concat([type, meta(type.length + meta(0).length + 8), box('mdat', data)])
}

/** A colour profile of an RGB display that looks each pixel up in the same table this many times. */
export function costlyProfile(times: number): Buffer {
  const table = Buffer.concat([
    Buffer.from('clut\0\0\0\0'),
    u16(3),
    u16(3),
    Buffer.alloc(3, 2),
    Buffer.alloc(13),
    Buffer.alloc(8 * 12, Buffer.from([0x3f, 0, 0, 0])),
  ])
  const place = Buffer.concat([u32(16 + 8 * times), u32(table.length)])
  const chain = Buffer.concat([
    Buffer.from('mpet\0\0\0\0'),
    u16(3),
    u16(3),
    u32(times),
    Buffer.alloc(8 * times, place),
    table,
  ])
  const xyz = (...values: number[]) =>
    Buffer.concat([Buffer.from('XYZ \0\0\0\0'), ...values.map((value) => u32(Math.round(value * 65_536)))])
  const curve = Buffer.concat([Buffer.from('curv\0\0\0\0'), u32(1), u16(0x0233), u16(0)])
  const tags: [string, Buffer][] = [
    ['wtpt', xyz(0.9642, 1, 0.8249)],
    ['rXYZ', xyz(0.436, 0.2225, 0.0139)],
    ['gXYZ', xyz(0.3851, 0.7169, 0.0971)],
    ['bXYZ', xyz(0.1431, 0.0606, 0.7141)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
    ['D2B0', chain],
  ]
  let end = 132 + 12 * tags.length
  const entries = tags.map(([name, { length }]) => {
    end += length
    return Buffer.concat([Buffer.from(name), u32(end - length), u32(length)])
  })
  const header = Buffer.alloc(128)
  header.writeUInt32BE(end, 0)
  header.writeUInt32BE(0x04_30_00_00, 8)
  header.write('mntrRGB XYZ ', 12, 'latin1')
  header.write('acsp', 36, 'latin1')
  xyz(0.9642, 1, 0.8249).copy(header, 68, 8)
  return Buffer.concat([header, u32(tags.length), ...entries, ...tags.map(([, data]) => data)])
}

/** Method 0: in the file. Method 1: in the box `idat`. */
function place(id: number, method: number, at: number, length: number): Buffer {
  return Buffer.concat([u16(id), u16(method), u16(0), u16(1), u32(at), u32(length)])
}

function info(id: number, type: string): Buffer {
  return box('infe', u32(0x02_00_00_00), u16(id), u16(0), Buffer.from(`${type}\0`, 'latin1'))
}

function full(type: string, ...data: Buffer[]): Buffer {
  return box(type, u32(0), ...data)
}

function box(type: string, ...data: Buffer[]): Buffer {
  const content = Buffer.concat(data)
  return Buffer.concat([u32(content.length + 8), Buffer.from(type, 'latin1'), content])
}

export function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, at * 2)
  return bytes
}

export function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, at * 4)
  return bytes
}
