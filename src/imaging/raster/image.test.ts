import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from '../../errors.ts'
import type { Pixels } from '../types.ts'
import { imageFromBytes, pixelsOf } from './image.ts'
import { loadSharp } from './sharp.ts'
import { contextFor, noise, paint, pixelAt } from './test-images.ts'
import { encode } from './write/encode.ts'

const context = contextFor()

async function raw(pixels: Pixels) {
  const sharp = await loadSharp()
  const { data, width, height, channels } = pixels
  return sharp(data, { raw: { width, height, channels } })
}

/** Left upper quarter red, right upper green, left lower blue, right lower white. */
const quarters = paint(32, 16, (x, y) =>
  y < 8 ? (x < 16 ? [255, 0, 0] : [0, 255, 0]) : x < 16 ? [0, 0, 255] : [255, 255, 255],
)

function corners(pixels: Pixels): string {
  const name = (x: number, y: number) => {
    const [r = 0, g = 0, b = 0] = pixelAt(pixels, x, y)
    return r > 128 ? (g > 128 ? 'w' : 'r') : g > 128 ? 'g' : b > 128 ? 'b' : '?'
  }
  const [right, bottom] = [pixels.width - 3, pixels.height - 3]
  return name(2, 2) + name(right, 2) + name(2, bottom) + name(right, bottom)
}

/** The visible image if a file declares that its pixels are stored in this orientation: EXIF 2.3, tag 0x0112. */
const orientations = ['rgbw', 'grwb', 'wbgr', 'bwrg', 'rbgw', 'brwg', 'wgbr', 'gwrb']

for (const [index, seen] of orientations.entries()) {
  test(`applies EXIF orientation ${index + 1} to size and pixels`, async () => {
    const bytes = await (await raw(quarters))
      .withMetadata({ orientation: index + 1 })
      .jpeg({ quality: 95 })
      .toBuffer()
    const image = await imageFromBytes(bytes, context)
    const turned = index >= 4
    assert.deepEqual([image.width, image.height], turned ? [16, 32] : [32, 16])
    const pixels = await pixelsOf(image, context)
    assert.deepEqual([pixels.width, pixels.height], turned ? [16, 32] : [32, 16])
    assert.equal(corners(pixels), seen)
  })
}

const grey = paint(8, 8, () => [90, 90, 90])

const kinds: [string, () => Promise<Buffer>, number[]][] = [
  [
    'a CMYK JPEG',
    async () => (await raw(paint(8, 8, () => [52, 86, 120]))).toColourspace('cmyk').jpeg().toBuffer(),
    [38, 82, 115],
  ],
  ['a grey JPEG', async () => (await raw(grey)).toColourspace('b-w').jpeg().toBuffer(), [90, 90, 90]],
  ['a grey PNG', async () => (await raw(grey)).toColourspace('b-w').png().toBuffer(), [90, 90, 90]],
  [
    'a 16-bit PNG',
    async () => (await raw(paint(8, 8, () => [10, 200, 90]))).toColourspace('rgb16').png().toBuffer(),
    [10, 200, 90],
  ],
  [
    'a PNG with a palette',
    async () => (await raw(paint(8, 8, () => [10, 200, 90]))).png({ palette: true }).toBuffer(),
    [10, 200, 90],
  ],
  [
    'a grey PNG with alpha',
    async () => (await raw(paint(8, 8, () => [90, 90, 90, 128]))).toColourspace('b-w').png().toBuffer(),
    [90, 90, 90, 128],
  ],
  [
    'a PNG with alpha',
    async () => (await raw(paint(8, 8, () => [200, 100, 50, 3]))).png().toBuffer(),
    [200, 100, 50, 3],
  ],
  [
    'an image in Display P3',
    async () => (await raw(paint(8, 8, () => [200, 60, 60]))).withIccProfile('p3').png().toBuffer(),
    [200, 60, 60],
  ],
]

for (const [name, make, expected] of kinds) {
  test(`converts ${name} to 8-bit sRGB with the same colours and alpha`, async () => {
    const pixels = await pixelsOf(await imageFromBytes(await make(), context), context)
    const pixel = pixelAt(pixels, 4, 4)
    assert.equal(pixel.length, expected.length)
    for (const [at, value] of pixel.entries()) {
      assert.ok(Math.abs(value - (expected[at] ?? 0)) <= 3, `${pixel} is not ${expected}`)
    }
  })
}

test('distinguishes colours of Display P3 from those of sRGB when they are stored', async () => {
  const sharp = await loadSharp()
  const bytes = await (await raw(paint(8, 8, () => [200, 60, 60]))).withIccProfile('p3').png().toBuffer()
  const stored = await sharp(bytes, { ignoreIcc: true }).raw().toBuffer()
  assert.ok(Math.abs((stored[0] ?? 0) - 200) > 8, 'the test picture does not use its profile')
})

test('decodes an image once for concurrent readers', async () => {
  const image = await imageFromBytes(await (await noise(64, 64)).jpeg().toBuffer(), context)
  const [first, second] = await Promise.all([pixelsOf(image, context), pixelsOf(image, context)])
  assert.equal(first, second)
  assert.equal(await pixelsOf(image, context), first)
})

test('uses only the first frame of an animation', async () => {
  const sharp = await loadSharp()
  const frames = await Promise.all(
    [paint(8, 8, () => [255, 0, 0]), paint(8, 8, () => [0, 0, 255])].map(async (frame) =>
      (await raw(frame)).png().toBuffer(),
    ),
  )
  const gif = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  const image = await imageFromBytes(gif, context)
  const pixels = await pixelsOf(image, context)
  assert.deepEqual([image.width, image.height, pixels.width, pixels.height], [8, 8, 8, 8])
  assert.deepEqual(pixelAt(pixels, 4, 4).slice(0, 3), [255, 0, 0])
})

const refused: [string, () => Promise<Buffer>, string][] = [
  ['text', async () => Buffer.from('Hello, I am a photograph'), 'input_invalid'],
  ['nothing', async () => Buffer.alloc(0), 'input_invalid'],
  [
    'a JPEG that ends too early',
    async () => (await (await noise(200, 200)).jpeg().toBuffer()).subarray(0, 4_000),
    'input_invalid',
  ],
  [
    'a PNG header before a JPEG',
    async () => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), await (await noise(9, 9)).jpeg().toBuffer()]),
    'input_invalid',
  ],
  ['an image with too many pixels', async () => (await noise(2_000, 1_000)).jpeg().toBuffer(), 'limit_exceeded'],
]

for (const [name, make, reason] of refused) {
  test(`rejects ${name} as ${reason}`, async () => {
    const bytes = await make()
    const small = contextFor({ pixelsMax: 1_000_000 })
    await assert.rejects(
      async () => pixelsOf(await imageFromBytes(bytes, small), small),
      (error: unknown) => error instanceof Fault && error.details.reason === reason,
    )
  })
}

test('does not write EXIF or its position when it encodes again', async () => {
  const sharp = await loadSharp()
  const bytes = await (await raw(quarters))
    .withExif({ IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
    .jpeg()
    .toBuffer()
  assert.ok((await sharp(bytes).metadata()).exif, 'the test picture has no EXIF')
  const encoded = await encode(await imageFromBytes(bytes, context), {}, context)
  const { exif, icc, xmp, iptc } = await sharp(encoded.bytes).metadata()
  assert.deepEqual([exif, icc, xmp, iptc], [undefined, undefined, undefined, undefined])
})
