import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { imageFromBytes, pixelsOf, sharpOf } from '../../imaging/raster/image.ts'
import { moving } from '../../imaging/raster/test-animations.ts'
import { isFault } from '../../imaging/raster/test-faults.ts'
import { contextFor, paint, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { bare, onlyOf, png, scriptedModel } from '../../imaging/raster/test-model-calls.ts'
import { runOn } from '../../imaging/raster/test-run.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import { edit } from './edit.ts'

const context = contextFor()
const coffee = await readFile(new URL('../../../examples/samples/coffee.jpg', import.meta.url))
const pixels = await pixelsOf(await imageFromBytes(coffee, context), context)

/** The images that a model receives for these inputs. */
async function handed(...images: ImageValue[]) {
  const script = scriptedModel(async () => ({ images: [await png(paint(3, 2, () => [1, 2, 3]))] }))
  await runOn(edit, { images }, { prompt: 'Brighter' }, script.context)
  return onlyOf(script).request.images
}

test('passes bytes that need no conversion on unchanged, in order', async () => {
  const webp = await (await sharpOf(pixels)).webp({ quality: 60 }).toBuffer()
  const [first, second] = await handed(await imageFromBytes(coffee, context), await imageFromBytes(webp, context))
  assert.ok(first?.bytes.equals(coffee) && second?.bytes.equals(webp))
  assert.deepEqual([first?.mediaType, second?.mediaType], ['image/jpeg', 'image/webp'])
  assert.deepEqual([first?.width, first?.height], [240, 160])
})

test('removes the location of a photo without changing its pixels', async () => {
  const photo = await (await sharpOf(pixels))
    .withExif({ IFD0: { Artist: 'Somebody' }, IFD3: { GPSLatitudeRef: 'N' } })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">Somewhere</x:xmpmeta>')
    .jpeg()
    .toBuffer()
  assert.ok(photo.includes('Somebody') && photo.includes('Somewhere'))
  const [image] = await handed(await imageFromBytes(photo, context))
  assert.ok(image && !image.bytes.includes('Somebody') && !image.bytes.includes('Somewhere'))
  assert.equal(image.mediaType, 'image/jpeg')
  assert.ok((await bare(image.bytes)).data.equals((await bare(photo)).data))
})

test('converts a rotated image or one with another profile to upright sRGB', async () => {
  const turned = await (await sharpOf(pixels))
    .rotate(270)
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 100 })
    .toBuffer()
  const wide = await (await sharpOf(pixels)).withIccProfile('p3').png().toBuffer()
  const grey = await (await sharpOf(pixels)).grayscale().toColourspace('b-w').png().toBuffer()
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="6"><rect width="8" height="6" fill="#0a0"/></svg>',
  )
  const inputs = await Promise.all([turned, wide, grey, svg].map((bytes) => imageFromBytes(bytes, context)))
  for (const [at, image] of (await handed(...inputs)).entries()) {
    const expected = await pixelsOf(inputs[at] as ImageValue, context)
    const sent = await bare(image.bytes)
    assert.deepEqual([image.mediaType, sent.format], ['image/png', 'png'])
    assert.deepEqual(
      [sent.width, sent.height, image.width, image.height],
      [expected.width, expected.height, expected.width, expected.height],
    )
    assert.ok(sent.data.equals(expected.data), `picture ${at}`)
  }
})

test('sends the first frame of an animation', async () => {
  const [image] = await handed(moving(4, 4, [50, 50], (_x, _y, frame) => [100 + frame, 0, 0]))
  assert.deepEqual(image && pixelAt(await bare(image.bytes), 1, 1), [100, 0, 0])
})

test('rejects more images than the limit before it calls a model', async () => {
  const script = scriptedModel(() => ({}))
  const images = Array.from({ length: limits.modelInputImagesMax + 1 }, () => painted(1, 1, () => [0, 0, 0]))
  await assert.rejects(runOn(edit, { images }, { prompt: 'All' }, script.context), isFault('limit_exceeded', /21.*20/))
  assert.equal(script.calls.length, 0)
})
