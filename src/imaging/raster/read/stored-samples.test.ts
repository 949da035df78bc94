import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { imageFromBytes, pixelsOf } from '../image.ts'
import { apngOf } from '../test-animations.ts'
import { contextFor, paint, pixelAt } from '../test-images.ts'
import { framesOf } from './frames.ts'
import { chunk, pngSignature } from './png-chunks.ts'

const context = contextFor()
const displayP3 = [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000]
const srgb = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000]

function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}

const cicp = (...codes: number[]) => chunk('cICP', Buffer.from(codes))
const gama = (value: number) => chunk('gAMA', u32(value))
const chrm = (values: number[]) => chunk('cHRM', u32(...values))

interface Samples {
  bits?: 8 | 16
  type?: 0 | 2 | 6
}

/** A PNG of one row. */
function pngOf(samples: number[], chunks: Buffer[], { bits = 8, type = 2 }: Samples = {}): Buffer {
  const channels = { 0: 1, 2: 3, 6: 4 }[type]
  const row = Buffer.alloc((samples.length * bits) / 8)
  for (const [index, sample] of samples.entries()) row.writeUIntBE(sample, (index * bits) / 8, bits / 8)
  return Buffer.concat([
    pngSignature,
    chunk('IHDR', u32(samples.length / channels, 1), Buffer.from([bits, type, 0, 0, 0])),
    ...chunks,
    chunk('IDAT', deflateSync(Buffer.concat([Buffer.alloc(1), row]))),
    chunk('IEND'),
  ])
}

async function read(bytes: Buffer) {
  const warnings: string[] = []
  const image = await imageFromBytes(bytes, { ...context, warn: (warning) => warnings.push(warning) })
  return { image, pixels: await pixelsOf(image, context), warnings }
}

function near(actual: readonly number[], expected: readonly number[], tolerance: number): void {
  const isNear =
    actual.length === expected.length && actual.every((v, at) => Math.abs(v - (expected[at] ?? 0)) <= tolerance)
  assert.ok(isNear, `${actual} instead of ${expected}`)
}

// As Chromium 156 draws them.
const colors: [string, Buffer[], number[], number[]][] = [
  ['Display P3 by cICP', [cicp(12, 13, 0, 1)], [220, 40, 40], [240, 0, 21]],
  ['cICP before sRGB', [cicp(12, 13, 0, 1), chunk('sRGB', Buffer.from([0]))], [40, 70, 210], [29, 71, 218]],
  ['BT.2020 by cICP', [cicp(9, 14, 0, 1)], [40, 70, 210], [0, 59, 217]],
  ['BT.709 by cICP', [cicp(1, 1, 0, 1)], [220, 40, 40], [218, 28, 28]],
  ['linear light by cICP', [cicp(1, 8, 0, 1)], [220, 40, 40], [239, 110, 110]],
  ['DCI-P3 by cICP, with its own white', [cicp(11, 17, 0, 1)], [128, 128, 128], [118, 118, 118]],
  ['PQ by cICP', [cicp(9, 16, 0, 1)], [235, 200, 40], [255, 122, 0]],
  ['PQ with the primaries of sRGB', [cicp(1, 16, 0, 1)], [100, 150, 200], [43, 117, 255]],
  ['HLG by cICP', [cicp(9, 18, 0, 1)], [100, 150, 200], [0, 125, 195]],
  ['unspecified code points', [cicp(2, 2, 0, 1)], [220, 40, 40], [220, 40, 40]],
  ['a cICP with a matrix, which is invalid', [cicp(12, 13, 1, 1)], [220, 40, 40], [220, 40, 40]],
  ['gAMA of linear light', [gama(100_000)], [220, 40, 40], [239, 110, 110]],
  ['gAMA of 1.8', [gama(55_556)], [220, 40, 40], [227, 53, 53]],
  ['gAMA of sRGB', [gama(45_455)], [10, 40, 40], [10, 40, 40]],
  ['gAMA and cHRM', [gama(45_455), chrm(displayP3)], [220, 40, 40], [241, 0, 10]],
  ['cHRM without gAMA', [chrm(displayP3)], [220, 40, 40], [220, 40, 40]],
  [
    'sRGB before gAMA and cHRM',
    [chunk('sRGB', Buffer.from([0])), gama(100_000), chrm(displayP3)],
    [220, 40, 40],
    [220, 40, 40],
  ],
  // Chromium darkens these, although programs write them for sRGB.
  ['gAMA and cHRM of sRGB', [gama(45_455), chrm(srgb)], [10, 40, 40], [10, 40, 40]],
  // Chromium ignores the range.
  ['a limited range by cICP', [cicp(1, 13, 0, 0)], [16, 235, 126], [0, 255, 128]],
]

for (const [name, chunks, stored, expected] of colors) {
  test(`a PNG with ${name} is converted to sRGB`, async () => {
    const { pixels } = await read(pngOf(stored, chunks))
    near(pixelAt(pixels, 0, 0), expected, 1)
  })
}

test('cICP goes before the profile of a PNG, and other chunks don’t', async () => {
  const profile = await sharp(pngOf([220, 40, 40], []))
    .withIccProfile('p3')
    .png()
    .toBuffer()
  const stored = await sharp(profile, { ignoreIcc: true }).raw().toBuffer()
  const at = profile.indexOf('iCCP') - 4
  const withChunk = (added: Buffer) => Buffer.concat([profile.subarray(0, at), added, profile.subarray(at)])
  near(pixelAt((await read(withChunk(gama(100_000)))).pixels, 0, 0), [220, 40, 40], 1)
  near(pixelAt((await read(withChunk(cicp(1, 13, 0, 1)))).pixels, 0, 0), [...stored], 0)
})

test('grey, 16 bits and alpha of a PNG are converted, too', async () => {
  const linear = [gama(100_000)]
  near(pixelAt((await read(pngOf([40], linear, { type: 0 }))).pixels, 0, 0), [110, 110, 110], 1)
  const deep = pngOf([56_540, 10_280, 10_280], linear, { bits: 16 })
  near(pixelAt((await read(deep)).pixels, 0, 0), [239, 110, 110], 1)
  // 257 steps of light below the first step of 8 bits.
  near(pixelAt((await read(pngOf([128], linear, { bits: 16, type: 0 }))).pixels, 0, 0), [6, 6, 6], 1)
  const clear = pngOf([220, 40, 40, 66], linear, { type: 6 })
  near(pixelAt((await read(clear)).pixels, 0, 0), [239, 110, 110, 66], 1)
})

test('each frame of an animated PNG is converted, and a later step keeps it', async () => {
  const pixels = [paint(4, 4, () => [220, 40, 40]), paint(4, 4, () => [40, 70, 210])]
  const png = await apngOf(
    4,
    4,
    pixels.map((each) => ({ pixels: each })),
  )
  const end = png.indexOf('IHDR') + 4 + 13 + 4
  const p3 = Buffer.concat([png.subarray(0, end), cicp(12, 13, 0, 1), png.subarray(end)])
  const { image, pixels: first } = await read(p3)
  near(pixelAt(first, 0, 0), [240, 0, 21], 1)
  const frames = await Promise.all((await framesOf(image, context)).map((frame) => pixelsOf(frame, context)))
  for (const [index, expected] of [
    [240, 0, 21],
    [29, 71, 218],
  ].entries()) {
    near(pixelAt(frames[index] as (typeof frames)[number], 3, 3), expected, 1)
  }
})

test('HDR has a warning, and other colours have none', async () => {
  assert.match((await read(pngOf([9, 9, 9], [cicp(9, 16, 0, 1)]))).warnings.join(), /HDR \(PQ\)/)
  assert.match((await read(pngOf([9, 9, 9], [cicp(9, 18, 0, 1)]))).warnings.join(), /HDR \(HLG\)/)
  assert.deepEqual((await read(pngOf([9, 9, 9], [cicp(12, 13, 0, 1)]))).warnings, [])
})

const avif = (name: string) => readFile(new URL(`../../../../test/avif/${name}.avif`, import.meta.url))

/** Display P3 and sRGB, replaced by other code points. */
async function avifWith(primaries: number, transfer: number): Promise<Buffer> {
  const bytes = Buffer.from(await avif('display-p3'))
  const at = bytes.indexOf('nclx') + 4
  bytes.writeUInt16BE(primaries, at)
  bytes.writeUInt16BE(transfer, at + 2)
  return bytes
}

// As Chromium draws them.
const codePoints: [string, number, number, number[]][] = [
  ['Display P3', 12, 13, [241, 0, 19]],
  ['Display P3 without a transfer', 12, 2, [241, 0, 19]],
  ['BT.709 with the curve of a camera', 1, 1, [221, 40, 39]],
  ['a gamma of 2.2', 1, 4, [222, 35, 34]],
  ['BT.2020', 9, 14, [255, 0, 21]],
  ['linear light', 1, 8, [239, 110, 109]],
  ['BT.2020 with PQ', 9, 16, [255, 0, 0]],
]

for (const [name, primaries, transfer, expected] of codePoints) {
  test(`an AVIF with ${name} by nclx is converted to sRGB`, async () => {
    const { pixels } = await read(await avifWith(primaries, transfer))
    near(pixelAt(pixels, 0, 29), expected, 3)
  })
}

test('a profile of an AVIF goes before its code points', async () => {
  const bytes = Buffer.from(await avif('profile'))
  bytes.writeUInt16BE(9, bytes.indexOf('nclx') + 4)
  near(pixelAt((await read(bytes)).pixels, 0, 0), [220, 40, 40], 3)
})

test('black and white of a grey AVIF with limited range are 0 and 255', async () => {
  const { pixels } = await read(await avif('grey-limited'))
  // A ramp.
  for (let x = 0; x < 64; x += 1) near(pixelAt(pixels, x, 8), Array(3).fill(Math.round((x * 255) / 63)), 2)
})

test('colours of an AVIF that are multiplied with its alpha are divided by it', async () => {
  const { pixels } = await read(await avif('premultiplied'))
  near(pixelAt(pixels, 20, 15), [217, 38, 38, 66], 5)
  near(pixelAt(pixels, 79, 59), [236, 202, 41, 253], 3)
})

test('an animated AVIF is read as its still image, with a warning', async () => {
  const { image, pixels, warnings } = await read(await avif('animation'))
  assert.deepEqual([image.format, image.width, image.height], ['avif', 40, 30])
  near(pixelAt(pixels, 0, 0), [220, 40, 39, 255], 3)
  assert.match(warnings.join(), /animation/)
})

test('an animated AVIF without a still image is named', async () => {
  const bytes = Buffer.from(await avif('animation'))
  bytes.write('free', bytes.indexOf('meta'), 'latin1')
  await assert.rejects(imageFromBytes(bytes, context), /animation without a still image/)
})

test('an AVIF with another major brand is read', async () => {
  const bytes = Buffer.from(await avif('grey-limited'))
  bytes.write('miaf', 8, 'latin1')
  assert.equal((await read(bytes)).image.format, 'avif')
})
