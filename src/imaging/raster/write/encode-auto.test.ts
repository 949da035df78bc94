import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { OutputEncoding } from '../../../domain/workflows/output.ts'
import type { ImageValue, Pixels } from '../../types.ts'
import { imageFromBytes, imageFromPixels, pixelsOf, sharpOf, toPixels } from '../image.ts'
import { blockSimilarity } from '../measure/block-ssim.ts'
import { isFlat } from '../measure/is-flat.ts'
import { moving } from '../test-animations.ts'
import { contextFor, paint } from '../test-images.ts'
import { encode } from './encode.ts'
import { autoQuality, bestQuality, encodeAuto } from './encode-auto.ts'

const context = contextFor()
const photo = await read('../../../../test/photos/dogs.jpg')
const detailed = await read('../../../../test/photos/coffee.jpg')
/** Text, a ring and a plain ground. */
const card = imageFromPixels(await pixelsOf(await read('../../../../docs/pictures/certificate.webp'), context))
const flat = imageFromPixels(
  paint(300, 200, (x, y) => (Math.floor(x / 20 + y / 30) % 2 === 0 ? [20, 90, 160] : [250, 250, 250])),
)
const badge = await read('../../../../examples/samples/badge.png')

for (const format of ['jpeg', 'webp', 'avif'] as const) {
  test(`quality auto reaches the similarity in ${format}, and a lower quality does not`, async () => {
    for (const image of [photo, detailed, card]) {
      const chosen = await encodeAuto(image, { format, quality: 'auto' }, context)
      assert.ok((await similarity(image, chosen.bytes)) >= autoQuality.similarity)
      const quality = await qualityOf(image, chosen.bytes, format)
      // The lowest quality that is tried.
      if (quality === 35) continue
      const lower = await encode(image, { format, quality: quality - 12 }, context)
      assert.ok((await similarity(image, lower.bytes)) < autoQuality.similarity, `quality ${quality - 12} is enough`)
    }
  })
}

test('quality auto makes photos smaller than the default, and the same file each time', async () => {
  for (const image of [photo, detailed]) {
    for (const format of ['jpeg', 'webp'] as const) {
      const auto = await encodeAuto(image, { format, quality: 'auto' }, context)
      const plain = await encode(image, { format }, context)
      assert.ok(auto.bytes.length < plain.bytes.length, `${format}: ${auto.bytes.length} of ${plain.bytes.length}`)
      assert.deepEqual(await encodeAuto(image, { format, quality: 'auto' }, context), auto)
    }
  }
})

test('quality auto encodes at most three times', async () => {
  // Similarities that grow slower, faster and not at all.
  for (const grow of [0.002, 0.01, 0.2, 0]) {
    const tried: number[] = []
    const { quality } = await bestQuality(
      async (level) => {
        tried.push(level)
        return { bytes: Buffer.alloc(level), format: 'jpeg', width: 1, height: 1 }
      },
      async () => 1 - Math.exp(-0.5 - grow * (tried.at(-1) ?? 0)),
    )
    assert.ok(tried.length <= autoQuality.encodesMax && new Set(tried).size === tried.length, tried.join())
    assert.ok(tried.includes(quality))
  }
})

test('quality auto is the upper bound of maxBytes, and has no effect without loss', async () => {
  const { bytes } = await encodeAuto(photo, { format: 'jpeg', quality: 'auto' }, context)
  const fits = await encodeAuto(photo, { format: 'jpeg', quality: 'auto', maxBytes: 9_000 }, context)
  assert.ok(fits.bytes.length <= 9_000)
  const roomy = await encodeAuto(photo, { format: 'jpeg', quality: 'auto', maxBytes: 900_000 }, context)
  assert.deepEqual(roomy.bytes, bytes)
  for (const settings of [{ format: 'png' }, { format: 'webp', lossless: true }, { format: 'gif' }] as const) {
    const auto = await encodeAuto(flat, { ...settings, quality: 'auto' }, context)
    assert.deepEqual(auto.bytes, (await encode(flat, settings, context)).bytes)
  }
})

test('quality auto of an animation is that of its first frame', async () => {
  const animation = moving(64, 64, [50, 50], (frame, x, y) => [(x * y + frame * 40) % 256, x * 4, y * 4])
  const { bytes, format } = await encodeAuto(animation, { quality: 'auto' }, context)
  assert.equal(format, 'webp')
  assert.equal((await imageFromBytes(bytes, context)).animation?.delaysMs.length, 2)
})

const transparentPhoto = imageFromPixels(
  await toPixels(context, (await sharpOf(await pixelsOf(photo, context))).ensureAlpha(0.5)),
)

const formats: [name: string, image: ImageValue, format: string][] = [
  ['a photo', photo, 'jpeg'],
  ['a transparent photo', transparentPhoto, 'webp'],
  ['a flat graphic', flat, 'png'],
  ['a transparent graphic', badge, 'png'],
  ['an animation', moving(8, 8, [50, 50], (frame) => [frame * 90, 0, 0]), 'webp'],
  ['one pixel', imageFromPixels(paint(1, 1, () => [9, 9, 9])), 'jpeg'],
]

for (const [name, image, format] of formats) {
  test(`format auto of ${name} is ${format}`, async () => {
    const settings: OutputEncoding = { format: 'auto', quality: 'auto' }
    assert.equal((await encodeAuto(image, settings, context)).format, format)
  })
}

test('a photo on a white ground is not flat, and a graphic is', async () => {
  const product = await toPixels(
    context,
    (await sharpOf(await pixelsOf(photo, context))).extend({
      top: 600,
      bottom: 600,
      left: 600,
      right: 600,
      background: '#fff',
    }),
  )
  assert.equal(await isFlat(product, context), false)
  assert.equal(await isFlat(await pixelsOf(flat, context), context), true)
})

test('the similarity is 1 for equal images, and falls with the difference', async () => {
  const pixels = await pixelsOf(photo, context)
  assert.deepEqual(await blockSimilarity(pixels, pixels, context), { mean: 1, worst: 1 })
  const values: number[] = []
  for (const sigma of [0.5, 1, 3]) {
    const blurred = await toPixels(context, (await sharpOf(pixels)).blur(sigma))
    values.push((await blockSimilarity(pixels, blurred, context)).worst)
  }
  assert.deepEqual(
    values,
    values.toSorted((a, b) => b - a),
  )
  for (const size of [1, 3, 5, 9]) {
    const small = paint(size, size, (x, y) => [x * 20, y * 20, 9])
    assert.equal((await blockSimilarity(small, small, context)).worst, 1)
  }
})

async function read(path: string): Promise<ImageValue> {
  return imageFromBytes(await readFile(new URL(path, import.meta.url)), context)
}

async function similarity(image: ImageValue, bytes: Buffer): Promise<number> {
  const encoded: Pixels = await pixelsOf(await imageFromBytes(bytes, context), context)
  return (await blockSimilarity(await pixelsOf(image, context), encoded, context)).worst
}

/** The quality whose file is this one. */
async function qualityOf(image: ImageValue, bytes: Buffer, format: 'jpeg' | 'webp' | 'avif'): Promise<number> {
  for (let quality = 20; quality <= 100; quality += 1) {
    const tried = await encode(image, { format, quality }, context)
    if (tried.bytes.equals(bytes)) return quality
  }
  return assert.fail('no quality has this file')
}
