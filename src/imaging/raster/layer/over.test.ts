import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pixels } from '../../types.ts'
import { sharpOf, toPixels } from '../image.ts'
import { contextFor, paint, pixelAt } from '../test-images.ts'
import { compositeOver } from './over.ts'

const context = contextFor()
const region = { x: 0, y: 0, width: 64, height: 64 }

/** Every pair of colours and alphas in steps, in no order. */
const opaqueGround = paint(64, 64, (x, y) => [x * 4, y * 4, (x * y) % 256])
const softGround = paint(64, 64, (x, y) => [x * 4, y * 4, (x * y) % 256, (x * 7 + y * 3) % 256])
const opaqueLayer = paint(64, 64, (x, y) => [y * 4, (x * 31) % 256, x * 4])
const softLayer = paint(64, 64, (x, y) => [y * 4, (x * 31) % 256, x * 4, (x * 5 + y * 11) % 256])

for (const [ground, layer] of [
  [opaqueGround, opaqueLayer],
  [opaqueGround, softLayer],
  [softGround, opaqueLayer],
  [softGround, softLayer],
] as const) {
  test(`${layer.channels} channels on ${ground.channels} match libvips to one level where they are visible`, async () => {
    const { data, width, height, channels } = layer
    const image = (await sharpOf(ground)).composite([{ input: data, raw: { width, height, channels } }])
    const expected = await toPixels(context, ground.channels === 3 ? image.removeAlpha() : image)
    const mixed = copyOf(ground)
    await compositeOver(mixed, layer, { x: 0, y: 0, opacity: 1 }, region)
    for (let y = 0; y < 64; y += 1) {
      for (let x = 0; x < 64; x += 1) {
        const [a, b] = [pixelAt(mixed, x, y), pixelAt(expected, x, y)]
        // With hardly any alpha, a colour is hardly seen.
        const seen = (a[3] ?? 255) / 255
        for (const [at, value] of a.entries()) {
          const far = Math.abs(value - (b[at] ?? -99)) * (at < 3 ? seen : 1)
          assert.ok(far <= 1.2, `at ${x}, ${y}: ${a} is not ${b}`)
        }
      }
    }
  })
}

test('a premultiplied layer gives the same result as in straight alpha', async () => {
  const premultiplied = Buffer.from(softLayer.data)
  for (let at = 0; at < premultiplied.length; at += 4) {
    const alpha = (premultiplied[at + 3] ?? 0) / 255
    for (const channel of [0, 1, 2])
      premultiplied[at + channel] = Math.round((premultiplied[at + channel] ?? 0) * alpha)
  }
  for (const ground of [opaqueGround, softGround]) {
    const [straight, other] = [copyOf(ground), copyOf(ground)]
    await compositeOver(straight, softLayer, { x: 0, y: 0, opacity: 1 }, region)
    await compositeOver(
      other,
      { ...softLayer, data: premultiplied, premultiplied: true },
      { x: 0, y: 0, opacity: 1 },
      region,
    )
    for (const [at, value] of straight.data.entries()) {
      const alpha = ground.channels === 4 ? (straight.data[at - (at % 4) + 3] ?? 255) : 255
      if (alpha > 60) assert.ok(Math.abs(value - (other.data[at] ?? -99)) <= 3, `at ${at}`)
    }
  }
})

test('a layer that exceeds the ground on every side changes only the pixels that it covers', async () => {
  const ground = copyOf(paint(10, 10, () => [1, 2, 3]))
  const layer = paint(4, 4, () => [200, 200, 200, 255])
  await compositeOver(ground, layer, { x: -2, y: 8, opacity: 1 }, { x: 0, y: 8, width: 2, height: 2 })
  const changed = Array.from({ length: 100 }, (_, at) => [at % 10, Math.floor(at / 10)] as const).filter(
    ([x, y]) => pixelAt(ground, x, y)[0] === 200,
  )
  assert.deepEqual(changed, [
    [0, 8],
    [1, 8],
    [0, 9],
    [1, 9],
  ])
})

function copyOf(pixels: Pixels): Pixels {
  return { ...pixels, data: Buffer.from(pixels.data) }
}
