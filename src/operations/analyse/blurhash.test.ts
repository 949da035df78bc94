import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode } from 'blurhash'
import { pixelsOf } from '../../imaging/raster/image.ts'
import { contextFor, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { blurhash } from './blurhash.ts'

const slope = painted(120, 60, (x, y) => [x * 2, 100, y * 4])

test('the hash has the length for its components, and the placeholder has the size of the image', async () => {
  const { hash, pixels } = await run(slope, { componentsX: 5, componentsY: 2 })
  assert.equal(hash.length, 4 + 2 * 5 * 2)
  assert.deepEqual([pixels.width, pixels.height, pixels.channels], [120, 60, 3])
})

test('a placeholder equals the decoded hash, and resembles the blurred image', async () => {
  const { hash, pixels } = await run(slope)
  const decoded = decode(hash, 120, 60)
  for (const [x, y] of [
    [4, 4],
    [60, 30],
    [115, 55],
    [20, 50],
  ] as const) {
    const offset = (y * 120 + x) * 4
    for (const [channel, value] of pixelAt(pixels, x, y).entries()) {
      assert.ok(Math.abs(value - Number(decoded[offset + channel])) <= 6, `${x}, ${y}: ${value}`)
    }
  }
  const [left = 0, right = 0] = [pixelAt(pixels, 5, 30)[0], pixelAt(pixels, 114, 30)[0]]
  assert.ok(right - left > 120, `${left} to ${right}`)
})

test('encodes a single colour as the specification defines', async () => {
  // One component: its size as a digit, no maximum, and the colour 0xff0000 in base 83.
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~'
  const color = [3, 2, 1, 0].map((power) => digits[Math.floor(0xff0000 / 83 ** power) % 83]).join('')
  const { hash, pixels } = await run(
    painted(9, 30, () => [255, 0, 0]),
    { componentsX: 1, componentsY: 1 },
  )
  assert.equal(hash, `00${color}`)
  assert.deepEqual(pixelAt(pixels, 4, 4), [255, 0, 0])
})

test('draws transparent parts on the background', async () => {
  const hidden = painted(20, 20, () => [255, 0, 0, 0])
  const { pixels } = await run(hidden, { background: '#204060' })
  assert.deepEqual(pixelAt(pixels, 10, 10), [0x20, 0x40, 0x60])
})

test('hashes the smallest and the most slender images, and passes the image on without a drawing', async () => {
  for (const image of [painted(1, 1, () => [9, 9, 9]), painted(2_000, 1, (x) => [x % 256, 0, 0])]) {
    const { pixels } = await run(image)
    assert.deepEqual([pixels.width, pixels.height], [image.width, image.height])
  }
  const { image } = await blurhash.run({ image: slope }, { ...defaults, draw: false }, contextFor())
  assert.equal(image, slope)
})

const defaults = { componentsX: 4, componentsY: 3, draw: true, background: 'white' }

async function run(image: ImageValue, params: Partial<typeof defaults> = {}) {
  const result = await blurhash.run({ image }, { ...defaults, ...params }, contextFor())
  assert.ok(result.image)
  return { hash: String(result.hash), pixels: await pixelsOf(result.image, contextFor()) }
}
