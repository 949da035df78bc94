import assert from 'node:assert/strict'
import { test } from 'node:test'
import { imageFromBytes, imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { loadSharp } from '../../imaging/raster/sharp.ts'
import { contextFor, noise, paint, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { runOn } from '../../imaging/raster/test-run.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { resize } from './resize.ts'

const context = contextFor()
const run = (image: ImageValue, values: Record<string, unknown>) => runOn(resize, { image }, values)
const wide = painted(200, 100, (x) => (x < 100 ? [255, 0, 0] : [0, 0, 255]))

const sizes: [Record<string, unknown>, [number, number]][] = [
  [{ width: 50 }, [50, 25]],
  [{ height: 50 }, [100, 50]],
  [{ width: 50, height: 50 }, [50, 50]],
  [{ width: 50, height: 50, fit: 'contain' }, [50, 50]],
  [{ width: 50, height: 50, fit: 'fill' }, [50, 50]],
  [{ width: 50, fit: 'fill' }, [50, 25]],
  [{ width: 50, height: 50, fit: 'inside' }, [50, 25]],
  [{ width: 50, height: 50, fit: 'outside' }, [100, 50]],
  [{ width: 400 }, [400, 200]],
  [{ width: 400, enlarge: false }, [200, 100]],
  [{ width: 400, height: 50, enlarge: false, fit: 'inside' }, [100, 50]],
  [{ width: 1, height: 1 }, [1, 1]],
]

for (const [params, size] of sizes) {
  test(`200 x 100 with ${JSON.stringify(params)} becomes ${size.join(' x ')}`, async () => {
    const pixels = await run(wide, params)
    assert.deepEqual([pixels.width, pixels.height], size)
  })
}

test('position sets the part that cover keeps', async () => {
  const left = await run(wide, { width: 20, height: 20, position: 'west' })
  const right = await run(wide, { width: 20, height: 20, position: 'north-east' })
  assert.deepEqual(
    [pixelAt(left, 10, 10), pixelAt(right, 10, 10)],
    [
      [255, 0, 0],
      [0, 0, 255],
    ],
  )
})

test('position sets where contain puts the image, and background fills the rest', async () => {
  const pixels = await run(wide, { width: 100, height: 100, fit: 'contain', position: 'south', background: 'lime' })
  assert.equal(pixels.channels, 3)
  assert.deepEqual(
    [pixelAt(pixels, 10, 10), pixelAt(pixels, 10, 90)],
    [
      [0, 255, 0],
      [255, 0, 0],
    ],
  )
})

test('an encoded image gives the same pixels whether or not another step has decoded it', async () => {
  const bytes = await (await noise(1_600, 1_200)).jpeg().toBuffer()
  const [fresh, used] = await Promise.all([imageFromBytes(bytes, context), imageFromBytes(bytes, context)])
  await pixelsOf(used, context)
  const [first, second] = [await run(fresh, { width: 200 }), await run(used, { width: 200 })]
  assert.ok(first.data.equals(second.data))
})

test('resizes a photo after its EXIF orientation is applied', async () => {
  const sharp = await loadSharp()
  const { data } = paint(400, 200, (x) => (x < 200 ? [255, 0, 0] : [0, 0, 255]))
  const bytes = await sharp(data, { raw: { width: 400, height: 200, channels: 3 } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const pixels = await run(await imageFromBytes(bytes, context), { width: 20, height: 20, position: 'north' })
  const [r = 0, , b = 255] = pixelAt(pixels, 10, 10)
  assert.ok(r > 240 && b < 15, `${pixelAt(pixels, 10, 10)}`)
})

test('converts grey and CMYK files to colour channels', async () => {
  const sharp = await loadSharp()
  const { data } = paint(64, 64, () => [90, 90, 90])
  for (const space of ['b-w', 'cmyk']) {
    const bytes = await sharp(data, { raw: { width: 64, height: 64, channels: 3 } })
      .toColourspace(space)
      .jpeg()
      .toBuffer()
    const pixels = await run(await imageFromBytes(bytes, context), { width: 16 })
    assert.equal(pixels.channels, 3)
    assert.ok(
      pixelAt(pixels, 8, 8).every((value) => Math.abs(value - 90) <= 15),
      `${space}: ${pixelAt(pixels, 8, 8)}`,
    )
  }
})

test('renders a drawing again at the requested size, with crisp edges', async () => {
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="5" height="10"/></svg>',
  )
  const pixels = await run(await imageFromBytes(svg, context), { width: 400 })
  assert.deepEqual([pixels.width, pixels.height], [400, 400])
  assert.deepEqual([pixelAt(pixels, 198, 200)[3], pixelAt(pixels, 202, 200)[3]], [255, 0])
})

test('resizes a one-pixel image to any size', async () => {
  const dot = imageFromPixels(paint(1, 1, () => [10, 20, 30]))
  assert.deepEqual(pixelAt(await run(dot, { width: 30, height: 7 }), 29, 6), [10, 20, 30])
})
