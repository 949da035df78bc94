import assert from 'node:assert/strict'
import { test } from 'node:test'
import { imageFromBytes, sharpOf } from '../../imaging/raster/image.ts'
import { hammingDistance } from '../../imaging/raster/measure/hash.ts'
import { contextFor, paint, painted } from '../../imaging/raster/test-images.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { phash } from './phash.ts'

/** Hills of several sizes: something to recognise. */
const scene = paint(200, 120, (x, y) => {
  const light = 128 + 60 * Math.sin(x / 17 + y / 41) + 50 * Math.cos(y / 13 - x / 60)
  return [light, 255 - light, (light + x) % 256].map(Math.round)
})

test('the DCT hash has a 1 for each of the 64 low frequencies above their median', async () => {
  // 32 x 32 is hashed as it is, without scaling.
  const luma = (x: number, y: number) => Math.round(128 + 50 * Math.cos(x / 3) + 40 * Math.sin((x * y) / 50 + y / 4))
  const coefficients = Array.from({ length: 64 }, (_, at) => {
    const [u, v] = [(at % 8) + 1, Math.floor(at / 8) + 1]
    let sum = 0
    for (let y = 0; y < 32; y += 1) {
      for (let x = 0; x < 32; x += 1) {
        sum += luma(x, y) * Math.cos(((2 * x + 1) * u * Math.PI) / 64) * Math.cos(((2 * y + 1) * v * Math.PI) / 64)
      }
    }
    return sum
  })
  const sorted = coefficients.toSorted((a, b) => a - b)
  const median = (Number(sorted[31]) + Number(sorted[32])) / 2
  const bits = coefficients.map((value) => (value > median ? '1' : '0')).join('')
  const { hash } = await run(painted(32, 32, (x, y) => Array(3).fill(luma(x, y))))
  assert.equal(BigInt(`0x${hash}`), BigInt(`0b${bits}`))
})

test('the difference hash has a 1 wherever luma increases to the right', async () => {
  const rising = painted(9, 8, (x, y) => (y % 2 === 0 ? [x * 20, x * 20, x * 20] : [200 - x * 20, 200 - x * 20, 0]))
  assert.equal((await run(rising)).dhash, 'ff00ff00ff00ff00')
})

test('a scaled, compressed and brightened copy has a similar hash, another image does not', async () => {
  const original = await run(painted(200, 120, at(scene)))
  const jpeg = await (await sharpOf(scene)).resize(130, 80).linear(1.1, 4).jpeg({ quality: 50 }).toBuffer()
  const copy = await run(await imageFromBytes(jpeg, contextFor()))
  const mirrored = await run(painted(200, 120, (x, y) => at(scene)(199 - x, y)))
  for (const name of ['hash', 'dhash'] as const) {
    assert.ok(distance(original[name], copy[name]) <= 6, `${name}: ${distance(original[name], copy[name])}`)
    assert.ok(distance(original[name], mirrored[name]) > 20, `${name}: ${distance(original[name], mirrored[name])}`)
  }
})

test('hashes the background of transparent parts, not their invisible colour', async () => {
  const ring = (hidden: number[]) =>
    painted(40, 40, (x, y) => (Math.hypot(x - 13, y - 19) < 11 ? [20, 60, 90, 255] : [...hidden, 0]))
  const [black, white] = [await run(ring([0, 0, 0])), await run(ring([255, 255, 255]))]
  assert.deepEqual(black, white)
  assert.notEqual(black.hash, (await run(ring([0, 0, 0]), 'black')).hash)
})

test('an image of one colour has the hash of zeros', async () => {
  const nothing = '0000000000000000'
  assert.deepEqual(await run(painted(10, 10, () => [9, 77, 201])), { hash: nothing, dhash: nothing })
})

function at({ data, width, channels }: typeof scene) {
  return (x: number, y: number) => [...data.subarray((y * width + x) * channels, (y * width + x + 1) * channels)]
}

function distance(a: string, b: string): number {
  return hammingDistance(BigInt(`0x${a}`), BigInt(`0x${b}`))
}

async function run(image: ImageValue, background = 'white'): Promise<{ hash: string; dhash: string }> {
  const { image: same, ...values } = await phash.run({ image }, { background }, contextFor())
  assert.equal(same, image)
  return values as { hash: string; dhash: string }
}
