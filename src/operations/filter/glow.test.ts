import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reachOf } from '../../imaging/raster/effect/box-blur.ts'
import { contextFor, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { disc, runOn } from '../../imaging/raster/test-run.ts'
import type { ImageValue, Pixels } from '../../imaging/types.ts'
import { glow } from './glow.ts'

const photo = painted(60, 40, () => [10, 20, 30])
/** A lamp in the dark. */
const lamp = painted(80, 80, (x, y) => (Math.hypot(x - 40, y - 40) < 8 ? [255, 240, 200] : [20, 20, 40]))

test('the glow of a shape has its colour, is strongest at the contour, and ends within the grown image', async () => {
  const pixels = await shine(disc, { radius: 16, color: '#ff8000' })
  const room = reachOf(8)
  assert.deepEqual([pixels.width, pixels.height], [60 + 2 * room, 60 + 2 * room])
  const row = Array.from({ length: room + 6 }, (_, x) => pixelAt(pixels, x, room + 30))
  for (const [x, [r, g, b, alpha = 0]] of row.entries()) {
    if (alpha > 0) assert.deepEqual([r, g, b], [255, 128, 0], `at ${x}`)
    if (x > 0) assert.ok(alpha >= (row[x - 1]?.[3] ?? 0), `weaker again at ${x}`)
  }
  assert.ok((row[0]?.[3] ?? 9) <= 1 && (row.at(-1)?.[3] ?? 0) > 110, `${row[0]} ${row.at(-1)}`)
  assert.deepEqual(pixelAt(pixels, room + 30, room + 30), [255, 255, 255, 255])
})

test('the glow of a photo follows 1 - (1 - blur)^2n, half of it at the edge before that', async () => {
  for (const [intensity, expected] of [
    [0, 0],
    [0.5, 0.5],
    [1, 0.75],
    [2, 0.9375],
  ] as const) {
    const pixels = await shine(
      painted(200, 200, () => [0, 0, 0]),
      { radius: 40, intensity, color: 'red' },
    )
    const room = reachOf(20)
    const [out, inside] = [pixelAt(pixels, room - 1, room + 100)[3] ?? 0, pixelAt(pixels, room, room + 100)[3] ?? 0]
    // Half a pixel outside of the edge.
    assert.ok(Math.abs(out / 255 - expected) < 0.02 + 0.01, `${out / 255}, not ${expected}`)
    assert.equal(inside, 255)
  }
})

test('without growth, the size stays and an opaque image is unchanged', async () => {
  assert.equal((await shine(photo, { grow: false })).data, photo.pixels?.data)
  const pixels = await shine(disc, { grow: false })
  assert.deepEqual([pixels.width, pixels.height], [60, 60])
})

test('highlights glow into dark parts, no pixel gets darker, and an image without highlights is unchanged', async () => {
  const before = lamp.pixels as Pixels
  const after = await shine(lamp, { of: 'highlights', radius: 16 })
  assert.equal(after.channels, 3)
  for (let at = 0; at < before.data.length; at += 1) assert.ok((after.data[at] ?? 0) >= (before.data[at] ?? 0))
  const near = pixelAt(after, 40, 29)
  const far = pixelAt(after, 40, 22)
  assert.ok((near[0] ?? 0) > (far[0] ?? 0) + 5 && (far[0] ?? 0) > 22, `${near} ${far}`)
  assert.deepEqual((await shine(photo, { of: 'highlights' })).data, photo.pixels?.data)
  assert.deepEqual((await shine(lamp, { of: 'highlights', intensity: 0 })).data, before.data)
})

test('uniform light stays uniform, up to the edges, for any radius', async () => {
  const bright = painted(50, 37, () => [200, 200, 200])
  for (const radius of [1, 5, 14, 60]) {
    const { data } = await shine(bright, { of: 'highlights', threshold: 0.4, radius })
    // All of it shines: screen of 200 with 200.
    for (const value of data) assert.ok(Math.abs(value - (200 + (55 * 200) / 255)) <= 1, `${value} at ${radius}`)
  }
})

test('only visible pixels glow, and alpha stays', async () => {
  const hidden = painted(40, 40, (x) => (x < 20 ? [255, 255, 255, 0] : [0, 0, 0, 255]))
  const pixels = await shine(hidden, { of: 'highlights', radius: 10 })
  for (let y = 0; y < 40; y += 1) {
    assert.deepEqual(pixelAt(pixels, 30, y), [0, 0, 0, 255])
    assert.equal(pixelAt(pixels, 3, y)[3], 0)
  }
})

test('the glow of highlights has the tint', async () => {
  const pixels = await shine(lamp, { of: 'highlights', radius: 16, color: 'blue' })
  const [r, g, b = 0] = pixelAt(pixels, 40, 29)
  assert.deepEqual([r, g], [20, 20])
  assert.ok(b > 44)
})

test('rejects an image that is too large for its glow before it is made', async () => {
  await assert.rejects(
    runOn(glow, { image: photo }, { radius: 200 }, contextFor({ pixelsMax: 100_000 })),
    /maximum is 100000/,
  )
})

function shine(image: ImageValue, params: Record<string, unknown>): Promise<Pixels> {
  return runOn(glow, { image }, params)
}
