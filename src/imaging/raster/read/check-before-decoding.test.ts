import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { imageFromBytes, pixelsOf } from '../image.ts'
import { loadSharp } from '../sharp.ts'
import {
  type AvifOptions,
  avifOf,
  avifWithOneAlpha,
  avifWithTable,
  hollowGif,
  jpegWithFalseScans,
  packedText,
  pngWith,
  progressiveOf,
  tiffOf,
  webpOf,
} from '../test-costly-files.ts'
import { isFault } from '../test-faults.ts'
import { hdrPhoto } from '../test-hdr.ts'
import { contextFor, noise, withFile } from '../test-images.ts'
import { countTurns } from '../test-turns.ts'
import { checkBeforeDecoding } from './check-before-decoding.ts'
import { inspect } from './inspect.ts'
import { jpegSegment } from './jpeg-segments.ts'
import { chunk } from './png-chunks.ts'

const context = contextFor()
const bounds = { pixelsMax: 100_000_000 }
const tile = { width: 64, height: 64 }
const large = { width: 2_000, height: 1_500 }

const text = (keyword: string, bytes = 1_000) => packedText(keyword, Buffer.alloc(bytes, 'a'))
const xmp = 'XML:com.adobe.xmp'

function grid(columns: number, rows: number, width: number, height: number) {
  return { type: 'grid', columns, rows, width, height }
}

const costly: [string, () => Buffer | Promise<Buffer>, RegExp][] = [
  [
    'an AVIF with a grid larger than its image',
    () => avifOf({ tile: large, made: grid(16, 16, 16, 16) }),
    /grid of 16 x 16 tiles of 2000 x 1500 pixels is larger than the image, 16 x 16/,
  ],
  ['an AVIF with one tile row too many', () => avifOf({ tile, made: grid(2, 3, 128, 120) }), /larger than the image/],
  [
    'an AVIF of images in layers',
    () => avifOf({ tile, made: { ...grid(2, 2, 128, 128), type: 'iovl' } }),
    /type "iovl".* Export it/,
  ],
  [
    'an AVIF of tiles that are grids',
    () => avifOf({ tile, made: grid(2, 2, 128, 128), tileType: 'grid' }),
    /made of other images/,
  ],
  [
    'an AVIF with 20 frames in its data',
    () => avifOf({ tile: large, copies: 20 }),
    /decodes 60000000 pixels.* maximum is 50000000/,
  ],
  [
    'an AVIF of more tiles than allowed',
    () => avifOf({ tile, made: grid(33, 32, 2_112, 2_048) }),
    /1056 tiles; the maximum is 1024/,
  ],
  ...(['iloc', 'ipma', 'iref'] as const).map((type): [string, () => Buffer, RegExp] => [
    `an AVIF with too many entries in the table ${type}`,
    () => avifWithTable(type, 60_000),
    /more than 30000 parts/,
  ]),
  ['an AVIF with 900 texts of the same data', () => avifOf({ tile, padding: 60_000, texts: 900 }), /use the same data/],
  ['a PNG with many packed texts', () => pngWith(Array(17).fill(text('Comment'))), /more than 16 compressed texts/],
  [
    'a PNG with many XMP packets',
    () => pngWith(Array(17).fill(text(xmp))),
    /more than 16 compressed texts and XMP packets/,
  ],
  [
    'a PNG with many XMP packets that are not packed',
    () => pngWith(Array(17).fill(chunk('iTXt', Buffer.from(`${xmp}\0\0\0\0\0<x/>`)))),
    /more than 16 compressed texts and XMP packets/,
  ],
  [
    'a PNG with texts that unpack to megabytes',
    () => pngWith(Array(3).fill(text(xmp, 6_000_000))),
    /more than 16777216 bytes.* without its metadata/,
  ],
  ['a WebP with many frames', () => webpOf(limits.framesMax + 1), /at least 1001 frames; the maximum is 1000/],
  [
    'a progressive JPEG with many scans',
    () => progressiveOf(limits.jpegScansMax + 1),
    /more than 50 scans.* programs write 6 to 12/,
  ],
  ['a JPEG with many segments', async () => manySegments(), /more than 4000 segments/],
  ['a TIFF with many pages', () => tiffOf({ pages: 3_000 }), /more than 20000 entries.*only its first page/],
  ['a BigTIFF with many pages', () => tiffOf({ pages: 3_000, isBig: true }), /more than 20000 entries/],
  ['a TIFF with a page of many entries', () => tiffOf({ unknownEntries: 600 }), /has 609 entries.* maximum is 500/],
  ['a TIFF whose pages have the same data', () => tiffOf({ pages: 9, sharedBytes: 9_000 }), /use the same data/],
  ['a GIF with many frames', () => hollowGif(limits.framesMax + 1), /at least 1001 frames; the maximum is 1000/],
]

async function manySegments(): Promise<Buffer> {
  const jpeg = await (await noise(8, 8)).jpeg().toBuffer()
  const empty = Buffer.from([0xff, 0xe5, 0, 2])
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(4 * limits.jpegSegmentsMax, empty), jpeg.subarray(2)])
}

for (const [name, make, message] of costly) {
  test(`rejects ${name}, as an upload and as a source`, async () => {
    const bytes = await make()
    await assert.rejects(
      withFile(bytes, (file) => inspect(file, bounds)),
      (error: unknown) => {
        assert.ok(error instanceof Fault && error.code === 'invalid_request', String(error))
        assert.match(error.message, message)
        return true
      },
    )
    await assert.rejects(imageFromBytes(bytes, context), (error: unknown) => {
      assert.ok(error instanceof Fault)
      assert.match(error.message, message)
      return true
    })
  })
}

const ordinary: [string, () => Buffer | Promise<Buffer>, [width: number, height: number]][] = [
  ['a TIFF with many pages and unknown entries', () => tiffOf({ pages: 100, unknownEntries: 150 }), [8, 8]],
  ['a BigTIFF', () => tiffOf({ isBig: true, sharedBytes: 100 }), [8, 8]],
  ['an AVIF', async () => (await noise(300, 200)).avif({ effort: 0 }).toBuffer(), [300, 200]],
  [
    'an AVIF with alpha',
    async () => (await noise(300, 200)).ensureAlpha(0.5).avif({ effort: 0 }).toBuffer(),
    [300, 200],
  ],
  [
    'a lossless AVIF with metadata',
    async () =>
      (await noise(40, 30))
        .withExif({ IFD0: { Artist: 'A' } })
        .withIccProfile('p3')
        .avif({ lossless: true, effort: 0 })
        .toBuffer(),
    [40, 30],
  ],
  ['an AVIF of tiles, as phones write', () => avifOf({ tile, made: grid(3, 2, 170, 120) }), [170, 120]],
  ['an AVIF of tiles with alpha', () => avifOf({ tile, made: grid(3, 2, 170, 120), hasAlpha: true }), [170, 120]],
  ['an AVIF with a preview in its data', () => avifOf({ tile, copies: 2 }), [64, 64]],
  ['a cropped AVIF', () => avifOf({ tile, crop: 20 }), [20, 20]],
  [
    'a PNG with texts of ImageMagick',
    () => pngWith([...Array(6).fill(text('Raw profile type exif')), text(xmp)]),
    [1, 1],
  ],
  ['a PNG with many plain texts', () => pngWith(Array(100).fill(chunk('tEXt', Buffer.from('Comment\0text')))), [1, 1]],
  ['a PNG with a damaged text', () => pngWith([chunk('zTXt', Buffer.from('Comment\0\0damaged'))]), [1, 1]],
  ['a WebP with all frames that are allowed', () => webpOf(limits.framesMax), [1, 1]],
  [
    'a progressive JPEG',
    async () => (await noise(300, 200)).jpeg({ progressive: true, mozjpeg: true }).toBuffer(),
    [300, 200],
  ],
  ['a JPEG with bytes of scans in its metadata', () => jpegWithFalseScans(false), [64, 64]],
  ['a progressive JPEG with bytes of scans in its metadata', () => jpegWithFalseScans(true), [64, 64]],
]

for (const [name, make, [width, height]] of ordinary) {
  test(`accepts ${name}, as an upload and as a source`, async () => {
    const bytes = await make()
    const facts = await withFile(bytes, (file) => inspect(file, bounds))
    assert.deepEqual([facts.width, facts.height], [width, height])
    const pixels = await pixelsOf(await imageFromBytes(bytes, context), context)
    assert.deepEqual([pixels.width, pixels.height], [width, height])
  })
}

test('reads the alpha of an AVIF once, whatever the number of references to it', async () => {
  const before = process.cpuUsage()
  await checkBeforeDecoding('avif', avifWithOneAlpha(), { signal: new AbortController().signal })
  const { user, system } = process.cpuUsage(before)
  // Once for each reference, it takes seconds.
  assert.ok(user + system < 1_000_000, `${user + system} µs`)
})

const reserved: [string, AvifOptions, number][] = [
  ['that a crop hides', { tile: large, crop: 16 }, 3_000_000],
  ['of tiles beyond the image', { tile, made: grid(3, 2, 129, 65) }, 6 * 64 * 64],
  ['of alpha', { tile, hasAlpha: true }, 64 * 64],
  ['of each frame in the data', { tile, copies: 3 }, 3 * 64 * 64],
]

for (const [name, options, pixels] of reserved) {
  test(`reserves memory for the pixels ${name}`, async () => {
    const bytes = await avifOf(options)
    assert.equal((await imageFromBytes(bytes, context)).decodingBytes, 19 * pixels)
    const reservations: number[] = []
    const reserve = async (count: number) => {
      reservations.push(count)
      return () => {}
    }
    await withFile(bytes, (file) => inspect(file, { ...bounds, reserve }))
    assert.deepEqual(reservations, [19 * pixels])
  })
}

test('counts the scans of the gain map of an HDR photo separately', async () => {
  const photo = async (scans: number) => hdrPhoto({ map: await progressiveOf(scans) })
  assert.ok((await imageFromBytes(await photo(limits.jpegScansMax), context)).gainMap)
  await assert.rejects(
    imageFromBytes(await photo(limits.jpegScansMax + 1), context),
    isFault('limit_exceeded', /more than 50 scans/),
  )
})

test('a source may still be a GIF without its end', async () => {
  const sharp = await loadSharp()
  const gif = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#8a4' } })
    .gif()
    .toBuffer()
  assert.equal((await imageFromBytes(gif.subarray(0, -1), context)).width, 9)
})

test('other work has turns while a large JPEG in memory is searched, and an abort ends the search', async () => {
  const jpeg = await progressiveOf(20)
  // Bytes of 0xff in the data of a scan are followed by 0.
  const long = Buffer.concat([jpeg.subarray(0, -2), Buffer.alloc(8_388_608, Buffer.from([0xff, 0])), jpeg.subarray(-2)])
  const turns = countTurns()
  const { isComplete } = await checkBeforeDecoding('jpeg', long, context)
  turns.stop()
  assert.ok(isComplete && turns.count() >= 8, `${turns.count()} turns`)
  const aborted = { signal: AbortSignal.abort() }
  await assert.rejects(checkBeforeDecoding('jpeg', long, aborted), isFault('cancelled'))
})

/** EXIF whose first directory has these entries: tag, and position of a directory. */
function exifOf(entries: [tag: number, at: number][], order: 'II' | 'MM' = 'II'): Buffer {
  const bytes = Buffer.alloc(14 + entries.length * 12)
  const write = (at: number, value: number, length: 2 | 4) =>
    order === 'II' ? bytes.writeUIntLE(value, at, length) : bytes.writeUIntBE(value, at, length)
  bytes.write(order, 'latin1')
  write(2, 42, 2)
  write(4, 8, 4)
  write(8, entries.length, 2)
  for (const [index, [tag, place]] of entries.entries()) {
    const at = 10 + index * 12
    write(at, tag, 2)
    write(at + 2, 4, 2)
    write(at + 4, 1, 4)
    write(at + 8, place, 4)
  }
  return bytes
}

const toItself: [number, number][] = [0x8769, 0x8825, 0xa005].map((tag) => [tag, 8])

async function withExif(exif: Buffer): Promise<[string, Buffer][]> {
  const sharp = await loadSharp()
  const image = sharp(await (await noise(8, 8)).png().toBuffer())
  const jpeg = await image.clone().jpeg().toBuffer()
  const webp = await image.clone().webp().toBuffer()
  const body = webp.subarray(12)
  const canvas = Buffer.from([8, 0, 0, 0, 7, 0, 0, 7, 0, 0])
  const avif = await image
    .clone()
    .withExif({ IFD0: { Artist: 'a'.repeat(exif.length) } })
    .avif()
    .toBuffer()
  exif.copy(avif, avif.indexOf('II*\0', 0, 'latin1'))
  return [
    ['JPEG', Buffer.concat([jpeg.subarray(0, 2), jpegSegment(0xe1, Buffer.from('Exif\0\0'), exif), jpeg.subarray(2)])],
    ['PNG', pngWith([chunk('eXIf', exif)])],
    ['WebP', riff('RIFF', Buffer.from('WEBP'), riff('VP8X', canvas), body, riff('EXIF', exif))],
    ['AVIF', avif],
  ]
}

function riff(type: string, ...parts: Buffer[]): Buffer {
  const data = Buffer.concat(parts)
  const head = Buffer.from(`${type}\0\0\0\0`)
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

test('EXIF directories that refer to themselves are refused in every format, as uploads and as sources', async () => {
  for (const order of ['II', 'MM'] as const) {
    for (const [format, bytes] of await withExif(exifOf([...toItself, ...toItself], order))) {
      const limit = isFault('limit_exceeded', /EXIF metadata .* more than 32 directories/)
      await assert.rejects(imageFromBytes(bytes, context), limit, format)
      await withFile(bytes, (file) => assert.rejects(inspect(file, bounds), /EXIF metadata/, format))
    }
  }
})

test('EXIF of cameras, and references to nothing, are accepted in every format', async () => {
  const outside: [number, number][] = Array.from({ length: 100 }, () => [0x8769, 60_000])
  for (const exif of [exifOf([[0x8769, 60_000]]), exifOf(outside), exifOf([]), Buffer.from('II*\0')]) {
    for (const [format, bytes] of await withExif(exif)) {
      assert.ok((await imageFromBytes(bytes, context)).width > 0, format)
    }
  }
})
