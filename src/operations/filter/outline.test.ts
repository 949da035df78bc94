import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contextFor, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { runOn } from '../../imaging/raster/test-run.ts'
import type { ImageValue, Pixels } from '../../imaging/types.ts'
import { outline } from './outline.ts'

/** A blue disc of this radius, its edge as smooth as pixels can have it. */
const discOf = (size: number, radius: number) =>
  painted(size, size, (x, y) => {
    const cover = Math.max(0, Math.min(1, radius + 0.5 - Math.hypot(x - (size - 1) / 2, y - (size - 1) / 2)))
    return cover > 0 ? [0, 0, 200, Math.round(cover * 255)] : [0, 0, 0, 0]
  })
const disc = discOf(80, 30)

const points: [string, number, number][] = [
  ['outside', 30, 36],
  ['center', 27, 33],
  ['inside', 24, 30],
]

for (const [position, inner, outer] of points) {
  test(`a line ${position} of a disc is a ring of that width, smooth and exactly round`, async () => {
    const pixels = await draw(disc, { width: 6, position, color: 'red' })
    const grown = position === 'outside' ? 6 : position === 'center' ? 3 : 0
    assert.deepEqual([pixels.width, pixels.height], [80 + 2 * grown, 80 + 2 * grown])
    const middle = (pixels.width - 1) / 2
    let worst = 0
    for (let y = 0; y < pixels.height; y += 1) {
      for (let x = 0; x < pixels.width; x += 1) {
        const radius = Math.hypot(x - middle, y - middle)
        const [r = 0, , b = 0, alpha = 0] = pixelAt(pixels, x, y)
        const rim = Math.max(outer, 30)
        worst = Math.max(worst, Math.abs(alpha / 255 - cover(rim - radius)))
        if (radius > inner + 1 && radius < outer - 1) assert.deepEqual([r, b], [255, 0], `at ${x}, ${y}`)
        if (radius < inner - 1.5) assert.deepEqual([r, b, alpha], [0, 200, 255], `at ${x}, ${y}`)
      }
    }
    assert.ok(worst < 0.15, `the edge is off by ${worst}`)
  })
}

test('the outline follows the contour to a fraction of a pixel', async () => {
  for (const radius of [30, 30.25, 30.5, 30.75]) {
    const pixels = await draw(discOf(80, radius), { width: 4, color: 'red' })
    let area = 0
    for (let at = 3; at < pixels.data.length; at += 4) area += (pixels.data[at] ?? 0) / 255
    assert.ok(Math.abs(Math.sqrt(area / Math.PI) - radius - 4) < 0.05, `${Math.sqrt(area / Math.PI)} for ${radius}`)
  }
})

test('no background shows between the image and its outline', async () => {
  const pixels = await draw(disc, { width: 6, color: 'red' })
  for (let x = 11; x < 46; x += 1) assert.equal(pixelAt(pixels, x, 46)[3], 255, `at ${x}`)
})

test('an outline is invisible behind translucent parts, and has the opacity of its colour', async () => {
  const glass = painted(40, 40, (x, y) => (Math.hypot(x - 20, y - 20) < 15 ? [0, 0, 200, 80] : [0, 0, 0, 0]))
  const pixels = await draw(glass, { width: 3, color: 'red' })
  assert.deepEqual(pixelAt(pixels, 23, 23), [0, 0, 200, 80])
  assert.deepEqual(pixelAt(pixels, 6, 23), [255, 0, 0, 255])
})

test('a photo gets a frame with round outer corners, and an inner line keeps it opaque', async () => {
  const photo = painted(40, 30, () => [10, 20, 30])
  const framed = await draw(photo, { width: 8, color: 'red' })
  assert.deepEqual([framed.width, framed.height], [56, 46])
  assert.deepEqual([pixelAt(framed, 0, 0)[3], pixelAt(framed, 0, 20)], [0, [255, 0, 0, 255]])
  assert.deepEqual(pixelAt(framed, 8, 8), [10, 20, 30, 255])
  const inside = await draw(photo, { width: 3, color: 'red', position: 'inside' })
  assert.deepEqual([inside.width, inside.channels], [40, 3])
  assert.deepEqual(
    [2, 3].map((x) => pixelAt(inside, x, 15)),
    [
      [255, 0, 0],
      [10, 20, 30],
    ],
  )
})

test('a soft line fades evenly to nothing within its room', async () => {
  const pixels = await draw(disc, { width: 8, soft: 10, color: 'red' })
  assert.equal(pixels.width, 80 + 2 * 13)
  const alphas = Array.from({ length: 20 }, (_, x) => pixelAt(pixels, x, 52)[3] ?? 0)
  assert.ok(alphas.every((alpha, x) => x === 0 || alpha >= (alphas[x - 1] ?? 0)))
  assert.ok((alphas[0] ?? 9) <= 1 && alphas.filter((alpha) => alpha > 8 && alpha < 247).length >= 5)
})

test('a transparent image has no outline, and an image that is too large for it is rejected', async () => {
  const empty = await draw(
    painted(9, 9, () => [1, 2, 3, 0]),
    { width: 2 },
  )
  assert.ok(empty.data.every((value, at) => at % 4 !== 3 || value === 0))
  const context = contextFor({ pixelsMax: 84 * 84 })
  await runOn(outline, { image: disc }, { width: 2 }, context)
  await assert.rejects(runOn(outline, { image: disc }, { width: 2.1 }, context), /86 x 86/)
})

function cover(depth: number): number {
  return Math.max(0, Math.min(1, depth + 0.5))
}

function draw(image: ImageValue, params: Record<string, unknown>): Promise<Pixels> {
  return runOn(outline, { image }, params)
}
