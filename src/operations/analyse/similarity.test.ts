import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lumaOf } from '../../imaging/raster/measure/luma-plane.ts'
import { structuralSimilarity } from '../../imaging/raster/measure/ssim.ts'
import { contextFor, paint, painted } from '../../imaging/raster/test-images.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { similarity } from './similarity.ts'

const waves = (x: number, y: number) => Math.round(128 + 60 * Math.sin(x / 5) + 40 * Math.cos(y / 7))
const grey = (value: number) => [value, value, value]
const scene = painted(48, 32, (x, y) => grey(waves(x, y)))

test('an image is identical to itself', async () => {
  assert.deepEqual(await run(scene, scene), { similarity: 1, psnr: 100, hashDistance: 0 })
})

test('SSIM of one window matches the formula of Wang et al.', async () => {
  const second = (x: number, y: number) => Math.round(waves(x, y) * 0.7 + ((x * 7 + y * 13) % 50))
  const [a, b] = [paint(11, 11, (x, y) => grey(waves(x, y))), paint(11, 11, (x, y) => grey(second(x, y)))]
  let [weight, x1, y1, xx, yy, xy] = [0, 0, 0, 0, 0, 0]
  for (let y = 0; y < 11; y += 1) {
    for (let x = 0; x < 11; x += 1) {
      const w = Math.exp(-((x - 5) ** 2 + (y - 5) ** 2) / 4.5)
      const [p, q] = [waves(x, y), second(x, y)]
      weight += w
      x1 += w * p
      y1 += w * q
      xx += w * p * p
      yy += w * q * q
      xy += w * p * q
    }
  }
  const [meanX, meanY] = [x1 / weight, y1 / weight]
  const variance = xx / weight - meanX ** 2 + yy / weight - meanY ** 2
  const expected =
    ((2 * meanX * meanY + 6.5025) * (2 * (xy / weight - meanX * meanY) + 58.5225)) /
    ((meanX ** 2 + meanY ** 2 + 6.5025) * (variance + 58.5225))
  const found = await structuralSimilarity(lumaOf(a), lumaOf(b))
  assert.ok(Math.abs(found - expected) < 1e-9, `${found}, not ${expected}`)
})

test('PSNR follows from the mean square: 5 off everywhere is 34.1514 dB, and SSIM hardly changes', async () => {
  const brighter = painted(48, 32, (x, y) => grey(waves(x, y) + 5))
  const values = await run(brighter, scene)
  assert.equal(values.psnr, Math.round(10_000 * 20 * Math.log10(255 / 5)) / 10_000)
  assert.ok(values.similarity > 0.98 && values.hashDistance === 0, JSON.stringify(values))
})

test('unrelated images have a low value, and a negative is not below 0', async () => {
  const negative = await run(
    painted(48, 32, (x, y) => grey(255 - waves(x, y))),
    scene,
  )
  assert.ok(negative.similarity < 0.05 && negative.hashDistance > 40, JSON.stringify(negative))
})

test('compares other sizes too, down to one pixel', async () => {
  const larger = painted(96, 64, (x, y) => grey(waves(x / 2, y / 2)))
  const values = await run(larger, scene)
  assert.ok(values.similarity > 0.97, JSON.stringify(values))
  const dot = painted(1, 1, () => [200, 10, 10])
  assert.equal((await run(dot, dot)).similarity, 1)
  assert.ok((await run(scene, dot)).similarity < 0.5)
  assert.ok(
    (
      await run(
        painted(5_000, 2, (x) => grey(x % 256)),
        scene,
      )
    ).similarity < 0.9,
  )
})

async function run(image: ImageValue, reference: ImageValue) {
  const { image: same, ...values } = await similarity.run({ image, reference }, { background: 'white' }, contextFor())
  assert.equal(same, image)
  return values as { similarity: number; psnr: number; hashDistance: number }
}
