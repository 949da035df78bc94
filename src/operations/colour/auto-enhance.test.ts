import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pixelsOf } from '../../imaging/raster/image.ts'
import { chroma } from '../../imaging/raster/test-color.ts'
import { assertPixels, contextFor, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { assertFormula, runOn } from '../../imaging/raster/test-run.ts'
import { lumaHistogram, percentile } from '../../imaging/raster/tone/luma.ts'
import type { Pixels } from '../../imaging/types.ts'
import { autoEnhance } from './auto-enhance.ts'

/** A scene of greys, from `low` to `high`, under a light. */
const scene = (low: number, high: number, light = [1, 1, 1]) =>
  painted(64, 64, (x, y) => light.map((each) => Math.round((low + ((high - low) * (x + y)) / 126) * each)))

test('gives a dim, flat image more contrast, and moves its median towards middle grey', async () => {
  const after = await runOn(autoEnhance, { image: scene(30, 130) }, {})
  const [black, median, white] = await spread(after)
  assert.ok(white - black > 140, `${black} ${median} ${white}`)
  assert.ok(median > 90 && median < 120, `${median}`)
})

test('changes a good image very little', async () => {
  // Its middle is where it should be already: 0.46 of 255.
  const image = painted(256, 16, (x) => Array(3).fill(Math.round(255 * (x / 255) ** 1.12)))
  const after = await runOn(autoEnhance, { image }, {})
  for (let x = 0; x < 256; x += 1) {
    const [value = 0] = pixelAt(after, x, 0)
    assert.ok(Math.abs(value - 255 * (x / 255) ** 1.12) <= 4, `${x}: ${value}`)
  }
})

test('removes most of a slight cast, and only a little of a strong one', async () => {
  const [r = 0, g = 0, b = 0] = meanOf(await runOn(autoEnhance, { image: scene(20, 230, [1, 0.97, 0.9]) }, {}))
  assert.ok(r / b < 1.06 && r / b >= 1 && g / b < 1.05, `${r} ${g} ${b}`)
  const sunset = painted(64, 64, (x, y) => [(x + y) * 2, x + y, 0])
  const [red = 0, green = 0, blue = 9] = meanOf(await runOn(autoEnhance, { image: sunset }, {}))
  assert.ok(red > green * 1.8 && blue < 10, `${red} ${green} ${blue}`)
})

test('keeps grey if the light is grey', async () => {
  const after = await runOn(autoEnhance, { image: scene(30, 180) }, {})
  for (let x = 0; x < 64; x += 1) {
    const [r, g, b] = pixelAt(after, x, 20)
    assert.ok(r === g && g === b)
  }
})

test('increases the saturation of dull colours, and hardly that of strong ones', async () => {
  // Red next to cyan: without a cast, and with enough contrast.
  const colored = (strength: number) =>
    painted(64, 64, (x, y) => {
      const grey = (x + y) * 2
      const more = Math.round(grey * strength)
      return x < 32
        ? [grey + more, grey - more, grey - more].map(cut)
        : [grey - more, grey + more, grey + more].map(cut)
    })
  const change = async (strength: number) => {
    const pixels = await runOn(autoEnhance, { image: colored(strength) }, {})
    return chroma(pixelAt(pixels, 20, 20)) / chroma(pixelAt(await pixelsOf(colored(strength), contextFor()), 20, 20))
  }
  const [dull, strong] = [await change(0.1), await change(0.6)]
  assert.ok(dull > 1.1 && dull < 1.4 && strong < 1.15 && strong > 0.9, `${dull} ${strong}`)
})

test('ignores transparent pixels, and keeps alpha', async () => {
  const hidden = (color: number[]) =>
    painted(40, 40, (x, y) => (x < 20 ? [...color, 0] : [60 + y, 80 + y, 70 + x, 255 - y]))
  const [a, b] = [
    await runOn(autoEnhance, { image: hidden([0, 0, 0]) }, {}),
    await runOn(autoEnhance, { image: hidden([255, 250, 0]) }, {}),
  ]
  for (let y = 0; y < 40; y += 1) assert.equal(pixelAt(a, 3, y)[3], 0)
  assertPixels(a, (x, y) => (x >= 20 ? [...pixelAt(b, x, y).slice(0, 3), 255 - y] : undefined))
})

test('an amount of 0 changes nothing, and a half has half of the effect', async () => {
  await assertFormula(autoEnhance, { amount: 0 }, (pixel) => pixel, 0)
  const image = scene(30, 130)
  const [all, half] = [await runOn(autoEnhance, { image }, {}), await runOn(autoEnhance, { image }, { amount: 0.5 })]
  for (let x = 0; x < 64; x += 1) {
    const before = Math.round(30 + (100 * (x + 9)) / 126)
    const expected = (before + (pixelAt(all, x, 9)[0] ?? 0)) / 2
    assert.ok(Math.abs((pixelAt(half, x, 9)[0] ?? 0) - expected) <= 0.51)
  }
})

const cut = (value: number) => Math.max(0, Math.min(255, value))

async function spread(pixels: Pixels): Promise<[number, number, number]> {
  const histogram = await lumaHistogram(pixels, contextFor())
  return [percentile(histogram, 0), percentile(histogram, 0.5), percentile(histogram, 1)]
}

function meanOf({ data }: Pixels): number[] {
  const sums = [0, 0, 0]
  for (const [at, value] of data.entries()) sums[at % 3] = (sums[at % 3] ?? 0) + value
  return sums.map((sum) => sum / (data.length / 3))
}
