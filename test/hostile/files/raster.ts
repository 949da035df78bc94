/** Hostile files of pixels. */
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { jpegSegment } from '../../../src/imaging/raster/read/jpeg-segments.ts'
import { chunk } from '../../../src/imaging/raster/read/png-chunks.ts'
import {
  avifWithHiddenTiles,
  costlyProfile,
  jpegWithExifLoop,
  packedText,
  pngWith,
  progressiveOf,
  u16,
  u32,
  webpOf,
} from '../../../src/imaging/raster/test-costly-files.ts'
import { gifLie, noise, plain, pngBomb } from '../../harness/pictures.ts'
import { psdOf } from '../../harness/psds.ts'
import { filesOf, type HostileFile, hex, images, times } from './hostile-file.ts'

const small = (height: number) => Array<Buffer>(3).fill(Buffer.alloc(height))

export const rasterFiles: HostileFile[] = [
  ...filesOf(
    'JPEG',
    images,
    {
      '5,000 scans': () => progressiveOf(5_000, 2_000),
      'EXIF that refers to itself': () => jpegWithExifLoop(5_000),
    },
    {
      'a header of 9,000 x 9,000 pixels without them': async () => withSize(await plain('jpeg'), 9_000, 9_000),
      'a gain map that is itself, 2,000 times': async () => afterStart(await plain('jpeg'), times(2_000, ownGainMap())),
    },
  ),
  ...filesOf(
    'PNG',
    images,
    {
      'a profile that is a program': () =>
        pngWith([chunk('iCCP', Buffer.from('x\0\0'), deflateSync(costlyProfile(20_000)))], 1_000),
      'texts that unpack to 2.4 GB': () =>
        pngWith(Array<Buffer>(400).fill(packedText('XML:com.adobe.xmp', Buffer.alloc(6_000_000, 'a')))),
      '121 megapixels in 15 KB': () => pngBomb(11_000, 11_000),
    },
    {
      '1,000 frames that overlap': () => animated(1_000, 300),
      'two million empty chunks': () => pngWith([times(2_000_000, chunk('teSt'))]),
      'a palette of one color, and pixels of 255': () => badPalette(),
    },
  ),
  ...filesOf('GIF', images, {
    'a header of 65,535 x 65,535 pixels': () => gifLie(),
    '1,000 frames of 10,000 x 10,000 in a canvas of one pixel': () => largeFrames(1_000),
  }),
  ...filesOf(
    'WebP',
    images,
    {
      '200,000 frames': () => webpOf(200_000),
    },
    {
      'lossless data that is noise': async () =>
        noisyTail(
          await sharp(await noise('png', 2_000, 2_000))
            .webp({ lossless: true, effort: 0 })
            .toBuffer(),
        ),
    },
  ),
  ...filesOf('AVIF', images, {
    '256 hidden tiles of 3 megapixels': () => avifWithHiddenTiles(2_000, 1_500),
    'a tile that is the grid itself': async () => gridOfItself(),
    '10,000 boxes in each other': () => nestedBoxes(10_000),
  }),
  ...filesOf(
    'TIFF',
    images,
    {
      'a directory that points to itself': () => tiff(greyTags(9, 81), { next: 8 }),
      '140,000 tiles that are one JPEG of 300 scans': () => tilesOfJpeg(6_000, 300),
    },
    { 'strips that all unpack the same megabytes': () => sameStrips() },
  ),
  ...filesOf(
    'PSD',
    images,
    {
      '100 megapixels without data': () => psdOf({ width: 10_000, height: 9_999, channels: [Buffer.alloc(9)] }),
      'layers of 4 GB': () => changed(psdOf({ width: 1, height: 2, channels: small(2), layers: 1 }), 34, u32(-1)),
    },
    { '56 channels of 25 megapixels in 3 MB': () => manyChannels() },
  ),
  // Formats that the service names, and doesn't decode.
  ...filesOf(
    'other format',
    images,
    {
      'a JPEG XL of 1 billion x 1 billion pixels': () => hex('ff0affffffffffffffffffffffffffff'),
    },
    {
      'a HEIC with the brands of an AVIF behind it': async () =>
        changed(changed(await plain('avif'), 8, Buffer.from('heic')), 16, Buffer.from('heic')),
    },
  ),
]

function changed(bytes: Buffer, at: number, value: Buffer): Buffer {
  value.copy(bytes, at)
  return bytes
}

const afterStart = (jpeg: Buffer, ...segments: Buffer[]) =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])

/** Height and width of the frame header (SOF0). */
const withSize = (jpeg: Buffer, width: number, height: number) =>
  changed(jpeg, jpeg.indexOf(hex('ffc0')) + 5, u16(height, width))

/** An index of images (CIPA DC-007) whose images all start at the first byte. */
function ownGainMap(): Buffer {
  const entries = times(16, u32(0x20000, 500, 0xffffffff, 0))
  const index = [Buffer.from('MPF\0MM\0*'), u32(8), u16(1, 0xb002, 7), u32(entries.length, 26, 0), entries]
  const gainMap = Buffer.from('urn:iso:std:iso:ts:21496:-1\0\0\0\0\0')
  return Buffer.concat([jpegSegment(0xe2, ...index), jpegSegment(0xe2, gainMap)])
}

function pngOf(side: number, kind: number[], ...chunks: Buffer[]): Buffer {
  const head = chunk('IHDR', u32(side, side), Buffer.from([8, ...kind, 0, 0, 0]))
  return Buffer.concat([hex('89504e470d0a1a0a'), head, ...chunks, chunk('IEND')])
}

function badPalette(): Buffer {
  const rows = times(99, Buffer.from([0, ...Array(99).fill(255)]))
  const palette = [chunk('PLTE', Buffer.from([1, 2, 3])), chunk('tRNS', Buffer.alloc(256))]
  return pngOf(99, [3], ...palette, chunk('IDAT', deflateSync(rows)))
}

/** Each frame covers the entire canvas, and is drawn over the frame before the last. */
function animated(frames: number, side: number): Buffer {
  const data = deflateSync(Buffer.alloc((side * 4 + 1) * side), { level: 9 })
  let number = 0
  const control = () => chunk('fcTL', u32(number++, side, side, 0, 0), u16(1, 0), Buffer.from([2, 1]))
  const parts = [chunk('acTL', u32(frames, 0)), control(), chunk('IDAT', data)]
  for (let at = 1; at < frames; at += 1) parts.push(control(), chunk('fdAT', u32(number++), data))
  return pngOf(side, [6], ...parts)
}

function largeFrames(frames: number): Buffer {
  const frame = hex('2c0000000010271027000202440100')
  return Buffer.concat([hex('47494638396101000100800000000000ffffff'), times(frames, frame), hex('3b')])
}

/** A known sequence, so that a failure can be repeated. */
function noisyTail(bytes: Buffer): Buffer {
  for (let at = 1_000; at < bytes.length; at += 1) bytes[at] = (at * 2_654_435_761) >>> 24
  return bytes
}

/** The references of the grid (item 2) to its tiles (item 1) are references to the grid. */
async function gridOfItself(): Promise<Buffer> {
  const avif = await avifWithHiddenTiles(64, 64)
  return changed(avif, avif.indexOf('dimg') + 8, times(256, u16(2)))
}

function nestedBoxes(depth: number): Buffer {
  const type = Buffer.concat([u32(20), Buffer.from('ftypavif'), u32(0), Buffer.from('avif')])
  const boxes = Array.from({ length: depth }, (_, at) => [u32((depth - at) * 12), Buffer.from('meta'), u32(0)])
  return Buffer.concat([type, ...boxes.flat()])
}

/** The values of each tag: how many there are, and the value or its place. */
type Tags = Record<number, [count: number, value: number]>

/** 8 bits of grey in strips. */
const greyTags = (side: number, stripBytes: number): Tags => ({
  ...{ 256: [1, side], 257: [1, side], 258: [1, 8], 259: [1, 1], 262: [1, 1], 278: [1, 9], 279: [1, stripBytes] },
})

const u32le = (...values: number[]) => u32(...values).swap32()

/** A TIFF with one directory at byte 8, and data behind it. */
function tiff(tags: Tags, { next = 0, data = Buffer.alloc(128) }: { next?: number; data?: Buffer } = {}): Buffer {
  const entries = Object.entries(tags).map(([tag, [count, value]]) =>
    Buffer.concat([u16(Number(tag), 4).swap16(), u32le(count, value)]),
  )
  return Buffer.concat([Buffer.from('II*\0'), u32le(8), u16(entries.length).swap16(), ...entries, u32le(next), data])
}

/** Places and lengths of pieces that are all the same, and the piece. `head`: the bytes before them. */
function pieces(head: number, count: number, piece: Buffer): Buffer {
  return Buffer.concat([times(count, u32le(head + count * 8)), times(count, u32le(piece.length)), piece])
}

/** Tiles of 16 x 16 pixels in JPEG, all in the same place: each is decoded with all of its scans. */
async function tilesOfJpeg(side: number, scans: number): Promise<Buffer> {
  const [count, head] = [Math.ceil(side / 16) ** 2, 14 + 11 * 12]
  const tags: Tags = {
    ...{ 256: [1, side], 257: [1, side], 258: [1, 8], 259: [1, 7], 262: [1, 6], 277: [1, 3], 284: [1, 1] },
    ...{ 322: [1, 16], 323: [1, 16], 324: [count, head], 325: [count, head + count * 4] },
  }
  return tiff(tags, { data: pieces(head, count, await progressiveOf(scans, 16)) })
}

/** 9,000 strips of one row, each of which unpacks 20 MB for its 9,000 pixels. */
function sameStrips(): Buffer {
  const [side, head] = [9_000, 14 + 8 * 12]
  const strips: Tags = { 259: [1, 8], 273: [side, head], 278: [1, 1], 279: [side, head + side * 4] }
  const packed = deflateSync(Buffer.alloc(20_000_000), { level: 9 })
  return tiff({ ...greyTags(side, 0), ...strips }, { data: pieces(head, side, packed) })
}

/** PackBits rows of repeated bytes. */
function manyChannels(): Buffer {
  const [side, channels] = [5_000, 56]
  const row = times(Math.ceil(side / 128), Buffer.from([129, 7]))
  const head = [Buffer.from('8BPS'), u16(1), Buffer.alloc(6), u16(channels), u32(side, side), u16(8, 3), u32(0, 0, 0)]
  return Buffer.concat([...head, u16(1), times(side * channels, u16(row.length)), times(side * channels, row)])
}
