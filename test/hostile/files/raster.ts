/** Hostile files of pixels. */
import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { jpegSegment } from '../../../src/imaging/raster/read/jpeg-segments.ts'
import { chunk } from '../../../src/imaging/raster/read/png-chunks.ts'
import {
  avifWithHiddenTiles,
  costlyProfile,
  hollowGif,
  jpegWithExifLoop,
  packedText,
  pngWith,
  progressiveOf,
  tiffOf,
  webpOf,
} from '../../../src/imaging/raster/test-costly-files.ts'
import { gifLie, noise, plain, pngBomb, pngInterlaced, pngLie } from '../../harness/pictures.ts'
import { psdOf } from '../../harness/psds.ts'
import { type HostileFile, images, rowsOf, times, u16, u32 } from './hostile-file.ts'

const profileOf = (repetitions: number) => chunk('iCCP', Buffer.from('x\0\0'), deflateSync(costlyProfile(repetitions)))

const jpegs = rowsOf('JPEG', images, [
  ['5,000 scans', () => progressiveOf(5_000, 2_000)],
  ['EXIF that refers to itself', () => jpegWithExifLoop(5_000)],
  ['a header of 65,500 x 65,500 pixels', async () => withSize(await plain('jpeg'), 65_500, 65_500)],
  ['a header of 9,000 x 9,000 pixels without them', async () => withSize(await plain('jpeg'), 9_000, 9_000), 'either'],
  ['a segment of length 0', async () => afterStart(await plain('jpeg'), Buffer.from('ffe10000', 'hex')), 'either'],
  ['no Huffman tables', async () => withoutTables(await plain('jpeg')), 'either'],
  [
    'a profile of 16 MB in 255 segments',
    async () => afterStart(await plain('jpeg'), ...Array.from({ length: 255 }, (_, at) => profilePart(at + 1, 255))),
    'either',
  ],
  [
    'a profile that is a program, on 10 megapixels',
    async () => {
      const { data } = await sharp(await plain('jpeg', 4_000, 2_500)).toBuffer({ resolveWithObject: true })
      const profile = costlyProfile(6_000)
      return afterStart(data, jpegSegment(0xe2, Buffer.from('ICC_PROFILE\0\x01\x01'), profile))
    },
  ],
  [
    'a gain map that is itself, 2,000 times',
    async () => afterStart(await plain('jpeg'), times(2_000, ownGainMap())),
    'either',
  ],
  ['30 MB of comments', async () => afterStart(await plain('jpeg'), times(460, comment(65_533))), 'either'],
  ['a restart after each block, without data', async () => restartsOnly(await plain('jpeg', 4_000, 4_000)), 'either'],
])

const pngs = rowsOf('PNG', images, [
  ['a profile that is a program', () => pngWith([profileOf(20_000)], 1_000)],
  ['a profile that is a program, on 16 megapixels', () => pngWith([profileOf(3_000)], 4_000), 'either'],
  [
    'texts that unpack to 2.4 GB',
    () => pngWith(Array<Buffer>(400).fill(packedText('XML:com.adobe.xmp', Buffer.alloc(6_000_000, 'a')))),
  ],
  [
    'a profile that unpacks to 1 GB',
    () => pngWith([chunk('iCCP', Buffer.from('x\0\0'), deflateSync(Buffer.alloc(1_000_000_000), { level: 9 }))]),
    'either',
  ],
  ['121 megapixels in 15 KB', () => pngBomb(11_000, 11_000)],
  ['98 megapixels of 16 bits, interlaced', () => pngInterlaced(9_900, 9_900), 'either'],
  ['a header of 2 billion x 2 billion pixels', () => pngLie(0x7fffffff, 0x7fffffff)],
  ['two million empty chunks', () => pngWith([times(2_000_000, chunk('teSt'))]), 'either'],
  ['pixels in a million chunks of one byte', () => inSmallChunks(600), 'either'],
  ['a palette of one color, and pixels of 255', () => badPalette(), 'either'],
  ['1,000 frames that overlap', () => animated(1_000, 300)],
  ['100,000 declared frames, and none', () => pngWith([chunk('acTL', u32(100_000, 0))])],
])

const gifs = rowsOf('GIF', images, [
  ['2 million frames', () => hollowGif(2_000_000)],
  ['a header of 65,535 x 65,535 pixels', () => gifLie()],
  ['a comment of 30 MB', async () => withGifComment(await plain('gif'), 118_000), 'either'],
  ['1,000 frames of 10,000 x 10,000 in a canvas of one pixel', () => largeFrames(1_000)],
  ['a block without an end', async () => (await plain('gif', 300, 300)).subarray(0, -20)],
])

const webps = rowsOf('WebP', images, [
  ['200,000 frames', () => webpOf(200_000)],
  ['lengths of 4 GB', async () => withLength(await plain('webp'), 16, 0xfffffff0)],
  ['a header of 16,383 x 16,383 pixels without them', async () => losslessLie()],
  [
    'lossless data that is noise',
    async () =>
      noisyTail(
        await sharp(await noise('png', 2_000, 2_000))
          .webp({ lossless: true, effort: 0 })
          .toBuffer(),
      ),
    'either',
  ],
  ['a canvas of 16 million x 16 million pixels', () => hugeCanvas()],
])

const avifs = rowsOf('AVIF', images, [
  ['256 hidden tiles of 3 megapixels', () => avifWithHiddenTiles(2_000, 1_500)],
  ['a tile that is the grid itself', async () => gridOfItself()],
  ['10,000 boxes in each other', () => nestedBoxes(10_000)],
  ['a header of 65,535 x 65,535 pixels', async () => withIspe(await plain('avif'), 65_535, 65_535)],
  [
    'a list of 4 billion items',
    async () => replaced(await plain('avif'), 'iinf', u32(0x01_00_00_00, 0xffffffff)),
    'either',
  ],
  ['a box of length 1 without a length', async () => replaced(await plain('avif'), 'meta', Buffer.alloc(0), 1)],
])

const tiffs = rowsOf('TIFF', images, [
  ['200,000 pages', () => tiffOf(200_000)],
  ['a directory that points to itself', () => tiff([], { next: 8 })],
  ['a header of 4 billion x 4 billion pixels', () => tiff([[256, 4, 1, 0xffffffff], [257, 4, 1, 0xffffffff], ...grey])],
  ['65,535 samples for each pixel', () => tiff([[256, 4, 1, 99], [257, 4, 1, 99], [277, 3, 1, 65_535], ...grey])],
  ['140,000 tiles that are one JPEG of 300 scans', () => tilesOfJpeg(6_000, 300)],
  ['a tag with 4 billion values', () => tiff([[256, 4, 1, 9], [257, 4, 1, 9], [273, 4, 0xffffffff, 8], ...grey])],
  ['strips that all unpack the same megabytes', () => sameStrips(), 'either'],
  [
    'directories of directories below each other',
    () => tiff([[256, 4, 1, 9], [257, 4, 1, 9], [330, 4, 1, 8], ...grey]),
  ],
])

const psds = rowsOf('PSD', images, [
  ['a header of 300,000 x 300,000 pixels', () => psdOf({ width: 300_000, height: 300_000, channels: [] })],
  ['100 megapixels without data', () => psdOf({ width: 10_000, height: 9_999, channels: [Buffer.alloc(9)] })],
  ['rows whose lengths are wrong', () => rowsLie()],
  ['a resource of 4 GB', () => resourceLie(), 'either'],
  ['layers of 4 GB', () => layersLie()],
  ['56 channels of 25 megapixels in 3 MB', () => manyChannels(), 'either'],
])

/** Formats that the service names, and doesn't decode. */
const others = rowsOf('other format', images, [
  ['a BMP of 2 billion x 2 billion pixels', () => bmpLie()],
  [
    'an ICO that contains itself',
    () => Buffer.concat([Buffer.from('000001000100', 'hex'), icoEntry(), Buffer.alloc(64)]),
  ],
  ['a JPEG 2000 of 4 billion tiles', () => jpeg2000Lie()],
  ['a JPEG XL of 1 billion x 1 billion pixels', () => Buffer.from('ff0affffffffffffffffffffffffffff', 'hex')],
  ['a HEIC with the brands of an AVIF behind it', async () => asHeic(await plain('avif')), 'either'],
  ['an empty file', () => Buffer.alloc(0)],
  ['32 MB of zeros', () => Buffer.alloc(32_000_000)],
  ['an MP4', () => Buffer.from('00000018667479706d703432000000006d7034326d703431', 'hex')],
])

export const rasterFiles: HostileFile[] = [...jpegs, ...pngs, ...gifs, ...webps, ...avifs, ...tiffs, ...psds, ...others]

function afterStart(jpeg: Buffer, ...segments: Buffer[]): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])
}

/** Precision, height and width of the frame header (SOF0). */
function withSize(jpeg: Buffer, width: number, height: number): Buffer {
  const at = jpeg.indexOf(Buffer.from('ffc0', 'hex'))
  jpeg.writeUInt16BE(height, at + 5)
  jpeg.writeUInt16BE(width, at + 7)
  return jpeg
}

function withoutTables(jpeg: Buffer): Buffer {
  for (let at = jpeg.indexOf(Buffer.from('ffc4', 'hex')); at >= 0; at = jpeg.indexOf(Buffer.from('ffc4', 'hex')))
    jpeg[at + 1] = 0xfe
  return jpeg
}

function profilePart(number: number, count: number): Buffer {
  return jpegSegment(0xe2, Buffer.from(`ICC_PROFILE\0`), Buffer.from([number, count]), Buffer.alloc(65_000, number))
}

function comment(length: number): Buffer {
  return jpegSegment(0xfe, Buffer.alloc(length, 'c'))
}

/** An index of images (CIPA DC-007) whose images all start at the first byte. */
function ownGainMap(): Buffer {
  const entries = times(16, u32(0x20000, 500, 0xffffffff, 0))
  const index = Buffer.concat([
    Buffer.from('MPF\0MM\0*'),
    u32(8),
    u16(1, 0xb002, 7),
    u32(entries.length, 26, 0),
    entries,
  ])
  return Buffer.concat([
    jpegSegment(0xe2, index),
    jpegSegment(0xe2, Buffer.from('urn:iso:std:iso:ts:21496:-1\0\0\0\0\0')),
  ])
}

function restartsOnly(jpeg: Buffer): Buffer {
  const scan = jpeg.lastIndexOf(Buffer.from('ffda', 'hex'))
  const markers = Buffer.concat(Array.from({ length: 8 }, (_, at) => Buffer.from([0xff, 0xd0 + at])))
  const head = jpeg.subarray(2, scan + 2 + jpeg.readUInt16BE(scan + 2))
  return Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.from('ffdd00040001', 'hex'),
    head,
    times(30_000, markers),
    jpeg.subarray(-2),
  ])
}

function inSmallChunks(side: number): Buffer {
  const data = deflateSync(randomBytes((side * 3 + 1) * side).map((byte, at) => (at % (side * 3 + 1) === 0 ? 0 : byte)))
  return pngOf(side, side, [8, 2, 0, 0, 0], Buffer.concat([...data].map((byte) => chunk('IDAT', Buffer.from([byte])))))
}

function pngOf(width: number, height: number, kind: number[], ...chunks: Buffer[]): Buffer {
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', u32(width, height), Buffer.from(kind)), ...chunks, chunk('IEND')])
}

function badPalette(): Buffer {
  const rows = Buffer.concat(Array.from({ length: 99 }, () => Buffer.from([0, ...Array(99).fill(255)])))
  return pngOf(
    99,
    99,
    [8, 3, 0, 0, 0],
    chunk('PLTE', Buffer.from([1, 2, 3])),
    chunk('tRNS', Buffer.alloc(256)),
    chunk('IDAT', deflateSync(rows)),
  )
}

/** Each frame covers the entire canvas, and is drawn over the frame before the last. */
function animated(frames: number, side: number): Buffer {
  const data = deflateSync(Buffer.alloc((side * 4 + 1) * side), { level: 9 })
  let number = 0
  const control = () => chunk('fcTL', u32(number++, side, side, 0, 0), u16(1, 0), Buffer.from([2, 1]))
  const parts = [chunk('acTL', u32(frames, 0)), control(), chunk('IDAT', data)]
  for (let at = 1; at < frames; at += 1) parts.push(control(), chunk('fdAT', u32(number++), data))
  return pngOf(side, side, [8, 6, 0, 0, 0], ...parts, chunk('IDAT', Buffer.alloc(0)))
}

function withGifComment(gif: Buffer, blocks: number): Buffer {
  const block = Buffer.concat([Buffer.from([255]), Buffer.alloc(255, 'c')])
  return Buffer.concat([
    gif.subarray(0, -1),
    Buffer.from('21fe', 'hex'),
    times(blocks, block),
    Buffer.from('003b', 'hex'),
  ])
}

function largeFrames(frames: number): Buffer {
  const head = Buffer.from('47494638396101000100800000000000ffffff', 'hex')
  const frame = Buffer.from('2c0000000010271027000202440100', 'hex')
  return Buffer.concat([head, times(frames, frame), Buffer.from([0x3b])])
}

function withLength(bytes: Buffer, at: number, value: number): Buffer {
  bytes.writeUInt32LE(value, at)
  return bytes
}

/** VP8L: 14 bits for the width and for the height, less 1. */
function losslessLie(): Buffer {
  const data = Buffer.concat([Buffer.from([0x2f, 0xfe, 0xff, 0xff, 0x0f]), Buffer.alloc(59)])
  const size = Buffer.alloc(4)
  size.writeUInt32LE(data.length)
  const body = Buffer.concat([Buffer.from('WEBPVP8L'), size, data])
  const all = Buffer.alloc(4)
  all.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from('RIFF'), all, body])
}

function noisyTail(bytes: Buffer): Buffer {
  // A known sequence, so that a failure can be repeated.
  for (let at = 1_000; at < bytes.length; at += 1) bytes[at] = (at * 2_654_435_761) >>> 24
  return bytes
}

function hugeCanvas(): Buffer {
  const data = Buffer.concat([Buffer.from([2, 0, 0, 0]), Buffer.alloc(6, 255)])
  const body = Buffer.concat([Buffer.from('WEBPVP8X\x0a\0\0\0', 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from('RIFF'), length, body])
}

async function gridOfItself(): Promise<Buffer> {
  const avif = await avifWithHiddenTiles(64, 64)
  // The references of the grid (item 2) to its tiles (item 1).
  const at = avif.indexOf('dimg') + 4
  for (let index = 0; index < 256; index += 1) avif.writeUInt16BE(2, at + 4 + index * 2)
  return avif
}

function nestedBoxes(depth: number): Buffer {
  const type = Buffer.concat([u32(20), Buffer.from('ftypavif'), u32(0), Buffer.from('avif')])
  const boxes = Array.from({ length: depth }, (_, at) =>
    Buffer.concat([u32((depth - at) * 12), Buffer.from('meta'), u32(0)]),
  )
  return Buffer.concat([type, ...boxes])
}

function withIspe(avif: Buffer, width: number, height: number): Buffer {
  const at = avif.indexOf('ispe') + 8
  u32(width, height).copy(avif, at)
  return avif
}

/** Overwrites the start of a box, and its length. */
function replaced(avif: Buffer, type: string, start: Buffer, length?: number): Buffer {
  const at = avif.indexOf(type)
  start.copy(avif, at + 4)
  if (length !== undefined) avif.writeUInt32BE(length, at - 4)
  return avif
}

type Tag = [tag: number, type: 3 | 4, count: number, value: number]

/** 8 bits of grey, uncompressed, in one strip. */
const grey: Tag[] = [
  [258, 3, 1, 8],
  [259, 3, 1, 1],
  [262, 3, 1, 1],
  [278, 4, 1, 9],
  [279, 4, 1, 81],
]

/** A TIFF with one directory at byte 8, and data behind it. */
function tiff(tags: Tag[], { next = 0, data = Buffer.alloc(128) }: { next?: number; data?: Buffer } = {}): Buffer {
  const sorted = tags.toSorted(([a], [b]) => a - b)
  const bytes = Buffer.alloc(14 + sorted.length * 12)
  bytes.write('II*\0', 'latin1')
  bytes.writeUInt32LE(8, 4)
  bytes.writeUInt16LE(sorted.length, 8)
  for (const [index, [tag, type, count, value]] of sorted.entries()) {
    const at = 10 + index * 12
    bytes.writeUInt16LE(tag, at)
    bytes.writeUInt16LE(type, at + 2)
    bytes.writeUInt32LE(count, at + 4)
    bytes.writeUInt32LE(value, at + 8)
  }
  bytes.writeUInt32LE(next, 10 + sorted.length * 12)
  return Buffer.concat([bytes, data])
}

function littleEndian(...values: number[]): Buffer {
  return u32(...values).swap32()
}

/** Tiles of 16 x 16 pixels in JPEG, all in the same place: each is decoded with all of its scans. */
async function tilesOfJpeg(side: number, scans: number): Promise<Buffer> {
  const count = Math.ceil(side / 16) ** 2
  const jpeg = await progressiveOf(scans, 16)
  const head = 14 + 11 * 12
  const tags: Tag[] = [
    [256, 4, 1, side],
    [257, 4, 1, side],
    [258, 3, 1, 8],
    [259, 3, 1, 7],
    [262, 3, 1, 6],
    [277, 3, 1, 3],
    [284, 3, 1, 1],
    [322, 4, 1, 16],
    [323, 4, 1, 16],
    [324, 4, count, head],
    [325, 4, count, head + count * 4],
  ]
  const places = times(count, littleEndian(head + count * 8))
  const lengths = times(count, littleEndian(jpeg.length))
  return tiff(tags, { data: Buffer.concat([places, lengths, jpeg]) })
}

/** 9,000 strips of one row, each of which unpacks 20 MB for its 9,000 pixels. */
function sameStrips(): Buffer {
  const side = 9_000
  const packed = deflateSync(Buffer.alloc(20_000_000), { level: 9 })
  const head = 14 + 9 * 12
  const tags: Tag[] = [
    [256, 4, 1, side],
    [257, 4, 1, side],
    [258, 3, 1, 8],
    [259, 3, 1, 8],
    [262, 3, 1, 1],
    [277, 3, 1, 1],
    [273, 4, side, head],
    [278, 4, 1, 1],
    [279, 4, side, head + side * 4],
  ]
  return tiff(tags, {
    data: Buffer.concat([times(side, littleEndian(head + side * 8)), times(side, littleEndian(packed.length)), packed]),
  })
}

function rowsLie(): Buffer {
  const bytes = psdOf({ width: 200, height: 200, compression: 1, channels: Array(3).fill(Buffer.alloc(40_000)) })
  const start = bytes.length - 600 * 4 - 1_200
  bytes.fill(255, start, start + 1_200)
  return bytes
}

function resourceLie(): Buffer {
  const bytes = psdOf({
    width: 1,
    height: 2,
    channels: Array(3).fill(Buffer.alloc(2)),
    resources: { 1039: Buffer.alloc(9) },
  })
  bytes.writeUInt32BE(0xffffffff, bytes.indexOf('8BIM') + 8)
  return bytes
}

function layersLie(): Buffer {
  const bytes = psdOf({ width: 1, height: 2, channels: Array(3).fill(Buffer.alloc(2)), layers: 1 })
  bytes.writeUInt32BE(0xffffffff, 26 + 4 + 4)
  return bytes
}

/** PackBits rows of repeated bytes. */
function manyChannels(): Buffer {
  const [side, channels] = [5_000, 56]
  const row = times(Math.ceil(side / 128), Buffer.from([129, 7]))
  const head = Buffer.concat([
    Buffer.from('8BPS'),
    u16(1),
    Buffer.alloc(6),
    u16(channels),
    u32(side, side),
    u16(8, 3),
    u32(0, 0, 0),
  ])
  return Buffer.concat([head, u16(1), times(side * channels, u16(row.length)), times(side * channels, row)])
}

function bmpLie(): Buffer {
  const bytes = Buffer.alloc(64)
  bytes.write('BM', 'latin1')
  bytes.writeUInt32LE(54, 10)
  bytes.writeUInt32LE(40, 14)
  bytes.writeUInt32LE(0x7fffffff, 18)
  bytes.writeUInt32LE(0x7fffffff, 22)
  return bytes
}

function icoEntry(): Buffer {
  const entry = Buffer.alloc(16)
  entry.writeUInt32LE(0xffffffff, 8)
  return entry
}

function jpeg2000Lie(): Buffer {
  const size = Buffer.concat([Buffer.from('ff51', 'hex'), u16(41, 0), u32(0xffffffff, 0xffffffff, 0, 0, 1, 1, 0, 0)])
  return Buffer.concat([Buffer.from('ff4f', 'hex'), size, u16(1), Buffer.from([7, 1, 1])])
}

function asHeic(avif: Buffer): Buffer {
  avif.write('heic', 8, 'latin1')
  avif.write('heic', 16, 'latin1')
  return avif
}
