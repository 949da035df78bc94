import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import type { ImageFormat } from '../../../domain/images/image.ts'
import { Fault } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { runJob, setJobSlots } from '../jobs.ts'
import { loadSharp } from '../sharp.ts'
import { apngOf, type RawChunk } from '../test-animations.ts'
import { contextFor, noise, paint, testProcesses, withFile } from '../test-images.ts'
import { inspect } from './inspect.ts'

const bounds = { processes: testProcesses, pixelsMax: 100_000_000 }

const makers: [ImageFormat, () => Promise<Buffer>][] = [
  ['jpeg', async () => (await noise(300, 200)).jpeg().toBuffer()],
  ['png', async () => (await noise(300, 200)).png({ compressionLevel: 1 }).toBuffer()],
  ['webp', async () => (await noise(300, 200)).webp({ effort: 0 }).toBuffer()],
  ['avif', async () => (await noise(300, 200)).avif({ effort: 0 }).toBuffer()],
  ['gif', async () => (await noise(300, 200)).gif({ effort: 1 }).toBuffer()],
  ['tiff', async () => (await noise(300, 200)).tiff({ compression: 'lzw' }).toBuffer()],
]

for (const [format, make] of makers) {
  test(`accepts a complete ${format} and detects its format; rejects it truncated at 30, 90 and 99 %`, async () => {
    const bytes = await make()
    const facts = await withFile(bytes, (file) => inspect(file, bounds))
    assert.deepEqual(facts, { format, width: 300, height: 200 })
    for (const share of [0.3, 0.9, 0.99]) {
      await refuses(bytes.subarray(0, Math.floor(bytes.length * share)), `${share}`)
    }
  })
}

test('rejects a truncated progressive JPEG and a truncated interlaced PNG', async () => {
  for (const bytes of [
    await (await noise(300, 200)).jpeg({ progressive: true }).toBuffer(),
    await (await noise(300, 200)).png({ progressive: true }).toBuffer(),
  ]) {
    await withFile(bytes, (file) => inspect(file, bounds))
    await refuses(bytes.subarray(0, Math.floor(bytes.length * 0.9)))
  }
})

test('rejects a small PNG without its last byte, although all of its pixels are there', async () => {
  const bytes = await (await noise(4, 4)).png().toBuffer()
  await withFile(bytes, (file) => inspect(file, bounds))
  await refuses(bytes.subarray(0, -1))
  await refuses(bytes.subarray(0, -12))
})

test('reports the size of a photo after its orientation', async () => {
  const bytes = await (await noise(300, 200)).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  assert.deepEqual(await withFile(bytes, (file) => inspect(file, bounds)), { format: 'jpeg', width: 200, height: 300 })
})

const notImages: [string, Buffer][] = [
  ['an empty file', Buffer.alloc(0)],
  ['text', Buffer.from('GIF it is not')],
  ['HTML', Buffer.from('<!doctype html><html><body><svg></svg></body></html>')],
  ['a PDF', Buffer.from('%PDF-1.7\n')],
  ['only the first bytes of a JPEG', Buffer.from('ffd8ffe000104a464946', 'hex')],
  ['a program with a GIF header', Buffer.from('GIF89a/*\x00\x00*/=1;alert(1)')],
  ['zeros with a PNG signature', Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(4_096)])],
  ['an image in an unsupported format', Buffer.from('P6 2 2 255 ............')],
  ['HEIC', Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic\0\0\0\0mif1heic')])],
]

for (const [name, bytes] of notImages) test(`rejects ${name}`, () => refuses(bytes))

test('rejects a PNG of 50,000 x 50,000 pixels in 200 bytes by its header', async () => {
  await refuses(png(50_000, 50_000), undefined, /50000|pixels/)
})

test('rejects a PNG with too few data for its size', () => refuses(png(2_000, 2_000)))

test('rejects a side above the limit, even with few pixels', () => refuses(png(20_000, 1), undefined, /16384/))

test('rejects an animation that stops in the middle of a frame', async () => {
  const bytes = gif(12)
  assert.deepEqual(await withFile(bytes, (file) => inspect(file, bounds)), { format: 'gif', width: 1, height: 1 })
  await refuses(bytes.subarray(0, -20))
})

test('rejects an animation with more frames than allowed', () => refuses(gif(1_001), undefined, /1001 frames/))

test('rejects an animated PNG without a header at its beginning', async () => {
  const frames = Array.from({ length: 3 }, (_, at) => ({ pixels: paint(9, 9, (x) => [x * 20, at * 90, 7]) }))
  for (const [label, change] of Object.entries({
    'another type': (chunks: RawChunk[]) =>
      chunks.map((each) => (each.type === 'IHDR' ? { ...each, type: 'tEXt' } : each)),
    'a header at the end': (chunks: RawChunk[]) =>
      chunks.toSorted((a, b) => Number(a.type === 'IHDR') - Number(b.type === 'IHDR')),
    'a short header': (chunks: RawChunk[]) =>
      chunks.map((each) => (each.type === 'IHDR' ? { ...each, data: each.data.subarray(0, 12) } : each)),
  })) {
    await refuses(await apngOf(9, 9, frames, { change }), label)
  }
})

test('checks every frame of an animated PNG', async () => {
  const frames = Array.from({ length: 3 }, (_, at) => ({ pixels: paint(9, 9, (x) => [x * 20, at * 90, 7]) }))
  const whole = await apngOf(9, 9, frames)
  assert.deepEqual(await withFile(whole, (file) => inspect(file, bounds)), { format: 'png', width: 9, height: 9 })
  await refuses(await apngOf(9, 9, frames, { count: 4 }), 'a frame is missing', /declares 4 frames/)
  await refuses(await apngOf(9, 9, frames, { count: 2 ** 31 - 1 }), 'no such number', /the maximum is 1000/)
  const hollow = await apngOf(9, 9, frames, {
    change: (chunks) =>
      chunks.map((each) => (each.type === 'fdAT' ? { ...each, data: each.data.subarray(0, 12) } : each)),
  })
  await refuses(hollow, 'data that end too early')
})

async function refuses(bytes: Buffer, label?: string, message = /\S/): Promise<void> {
  await assert.rejects(
    withFile(bytes, (file) => inspect(file, bounds)),
    (error: unknown) => {
      assert.ok(error instanceof Fault, `${label}: ${String(error)}`)
      assert.equal(error.code, 'invalid_request', label)
      assert.equal(error.details.issues?.[0]?.path, 'file')
      assert.match(error.message, message)
      assert.doesNotMatch(error.message, /vips|libpng|\/tmp|Input file/, 'the text of a library reached the caller')
      return true
    },
    label,
  )
}

/** A grey PNG of one row of data, whatever its header promises. */
function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(width + 1))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** An animation of this many frames of one red pixel. */
function gif(frames: number): Buffer {
  const header = Buffer.from('47494638396101000100800000ff0000ffffff', 'hex')
  const loop = Buffer.from('21ff0b4e45545343415045322e300301000000', 'hex')
  const frame = Buffer.from('21f90400000000002c0000000001000100000202440100', 'hex')
  return Buffer.concat([header, loop, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

test('the upload of a large image leaves a slot free for others while a long job of its account runs', async () => {
  const sharp = await loadSharp()
  const png = await sharp({ create: { width: 8_000, height: 5_000, channels: 3, background: '#8a4' } })
    .png({ compressionLevel: 1 })
    .toBuffer()
  const long = Promise.withResolvers<void>()
  setJobSlots(2)
  const held = runJob(contextFor({ account: 'own', pixels: limits.imagePixelsMax }), () => long.promise)
  try {
    await withFile(png, async (file) => {
      const uploads = ['own', 'other'].map(async (account) => {
        await inspect(file, { account, processes: testProcesses, pixelsMax: limits.imagePixelsMax })
        return account
      })
      assert.equal(await Promise.race(uploads), 'other')
      long.resolve()
      await Promise.all(uploads)
    })
  } finally {
    long.resolve()
    await held
    setJobSlots(availableParallelism())
  }
})
