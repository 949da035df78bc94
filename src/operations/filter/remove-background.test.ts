import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { guided } from '../models/guided-filter.ts'
import { cutOut, shaped } from '../models/matte.ts'
import { stopModels } from '../models/runner.ts'
import { pictureOf, pixelsOf } from '../raster/picture.ts'
import { contextFor, paint, pixelAt } from '../raster/test-pictures.ts'
import { runOn } from '../raster/test-run.ts'
import { removeBackground } from './remove-background.ts'

const context = contextFor({ secondsLeft: () => 120 })
const image = await pictureOf(
  await readFile(new URL('../../../examples/samples/portrait.jpg', import.meta.url)),
  context,
)
const person = await pixelsOf(image, context)

after(stopModels)

test('a person is kept to the pixel, and what is around them is gone', async () => {
  const cut = await runOn(removeBackground, { image }, { model: 'selfie' }, context)
  assert.deepEqual([cut.width, cut.height, cut.channels], [200, 200, 4])
  for (const [x, y] of [
    [95, 60],
    [60, 150],
    [100, 190],
  ] as const) {
    assert.deepEqual(pixelAt(cut, x, y), [...pixelAt(person, x, y), 255], `${x}, ${y}`)
  }
  for (const [x, y] of [
    [3, 3],
    [196, 3],
    [160, 40],
  ] as const) {
    assert.ok((pixelAt(cut, x, y)[3] ?? 255) < 8, `${pixelAt(cut, x, y)} at ${x}, ${y}`)
  }
})

test('the mask is opaque and grey, and hard when it is asked to be', async () => {
  const mask = await runOn(removeBackground, { image }, { model: 'selfie', mode: 'mask', hardness: 1 }, context)
  assert.equal(mask.channels, 3)
  const found = new Set(mask.data)
  assert.deepEqual([...found].sort(), [0, 255])
})

test('what was transparent stays so', async () => {
  const left = paint(200, 200, (x, y) => [...pixelAt(person, x, y), x < 100 ? 0 : 255])
  const half = { width: 200, height: 200, hasAlpha: true, format: 'raw', pixels: left } as const
  const cut = await runOn(removeBackground, { image: half }, { model: 'selfie' }, context)
  for (let y = 0; y < 200; y += 1) assert.equal(pixelAt(cut, 50, y)[3], 0)
})

test('a soft edge between two colours is freed from the one behind', async () => {
  // Red in front of blue, mixed over 8 pixels.
  const part = (x: number) => Math.max(0, Math.min(1, (x - 26) / 8))
  const mixed = paint(60, 20, (x) => [Math.round(240 * part(x)), 20, Math.round(240 * (1 - part(x)))])
  const matte = paint(60, 20, (x) => [0, 1, 2].map(() => Math.round(255 * part(x))))
  const cut = await cutOut(mixed, matte, context)
  for (let x = 30; x < 60; x += 1) {
    const [red = 0, , blue = 255, alpha] = pixelAt(cut, x, 10)
    assert.equal(alpha, Math.round(255 * part(x)))
    assert.ok(red > 200 && blue < 40, `${pixelAt(cut, x, 10)} at ${x}`)
  }
})

test('a coarse matte is brought to the edge of its picture', async () => {
  const coarse = paint(16, 16, (x) => (x < 8 ? [20, 20, 20] : [220, 220, 220]))
  const full = paint(160, 160, (x) => (x < 80 ? [20, 20, 20] : [220, 220, 220]))
  const soft = paint(16, 16, (x) => [0, 1, 2].map(() => [0, 60, 195, 255][Math.max(0, Math.min(3, x - 6))] ?? 0))
  const fine = await guided(soft, coarse, full, context)
  const jump = (pixelAt(fine, 80, 80)[0] ?? 0) - (pixelAt(fine, 79, 80)[0] ?? 0)
  assert.ok(jump > 120, `${jump}`)
  assert.deepEqual([pixelAt(fine, 5, 80)[0], pixelAt(fine, 155, 80)[0]], [0, 255])
})

test('hardness cuts from both ends alike', async () => {
  const ramp = paint(256, 1, (x) => [x, x, x])
  const cut = await shaped(ramp, { hardness: 0.5, feather: 0 }, context)
  assert.deepEqual(
    [63, 64, 128, 191, 192].map((x) => pixelAt(cut, x, 0)[0]),
    [0, 0, 129, 255, 255],
  )
})
