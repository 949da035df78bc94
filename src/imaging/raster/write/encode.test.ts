import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outputFormats } from '../../../domain/workflows/output.ts'
import { Fault } from '../../../errors.ts'
import { imageFromBytes, pixelsOf } from '../image.ts'
import { sniff } from '../read/sniff.ts'
import { contextFor, painted, pixelAt } from '../test-images.ts'
import { encode } from './encode.ts'

const context = contextFor()
const opaque = painted(20, 10, () => [200, 100, 50])
const soft = painted(20, 10, (x) => [200, 100, 50, x * 12])
const needless = painted(20, 10, () => [200, 100, 50, 255])

for (const format of outputFormats) {
  test(`${format} has the right signature and the size of the image`, async () => {
    for (const image of [opaque, soft, needless]) {
      const encoded = await encode(image, { format }, context)
      assert.equal(encoded.format, format)
      assert.equal(sniff(encoded.bytes), format)
      const back = await imageFromBytes(encoded.bytes, context)
      assert.deepEqual([back.width, back.height, encoded.width, encoded.height], [20, 10, 20, 10])
    }
  })
}

test('without a format an image with a transparent pixel becomes a PNG, any other a JPEG', async () => {
  assert.equal((await encode(soft, {}, context)).format, 'png')
  assert.equal((await encode(opaque, {}, context)).format, 'jpeg')
  assert.equal((await encode(needless, {}, context)).format, 'jpeg')
  assert.equal((await encode(opaque, { lossless: true }, context)).format, 'png')
})

for (const format of ['png', 'webp', 'avif', 'tiff'] as const) {
  test(`${format} keeps soft alpha`, async () => {
    const { bytes } = await encode(soft, { format, quality: 100 }, context)
    const pixels = await pixelsOf(await imageFromBytes(bytes, context), context)
    assert.equal(pixels.channels, 4)
    for (const x of [0, 7, 15]) {
      assert.ok(Math.abs((pixelAt(pixels, x, 5)[3] ?? -99) - x * 12) <= 3, `${format}: ${pixelAt(pixels, x, 5)}`)
    }
  })
}

test('transparent pixels become white in a JPEG, not black', async () => {
  const empty = painted(16, 16, () => [0, 0, 0, 0])
  const { bytes } = await encode(empty, { format: 'jpeg' }, context)
  assert.deepEqual(pixelAt(await pixelsOf(await imageFromBytes(bytes, context), context), 8, 8), [255, 255, 255])
})

test('quality changes the bytes of formats with quality', async () => {
  const image = painted(64, 64, (x, y) => [(x * 37) % 256, (y * 91) % 256, (x * y) % 256])
  for (const format of ['jpeg', 'webp', 'avif'] as const) {
    const [low, high] = await Promise.all([10, 95].map((quality) => encode(image, { format, quality }, context)))
    assert.ok(low && high && low.bytes.length < high.bytes.length, format)
  }
})

test('rejects an image that is too wide for WebP with its own message, not an error of the library', async () => {
  const wide = painted(16_384, 1, () => [0, 0, 0])
  await assert.rejects(
    encode(wide, { format: 'webp' }, context),
    (error: unknown) =>
      error instanceof Fault && error.details.reason === 'limit_exceeded' && /16383/.test(error.message),
  )
})
