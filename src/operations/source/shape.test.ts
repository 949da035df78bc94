import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFault } from '../../imaging/raster/test-faults.ts'
import { assertPixels, contextFor, pixelAt } from '../../imaging/raster/test-images.ts'
import { runOn } from '../../imaging/raster/test-run.ts'
import type { Pixels } from '../../imaging/types.ts'
import { shape } from './shape.ts'

/** How many pixels are covered. */
const areaOf = ({ data }: Pixels) => data.reduce((sum, value, at) => (at % 4 === 3 ? sum + value / 255 : sum), 0)

const star = (points: number, inner: number, radius: number) =>
  points * radius ** 2 * inner * Math.sin(Math.PI / points)

const areas: [string, Record<string, unknown>, number][] = [
  ['a rectangle', { shape: 'rectangle', width: 200, height: 100 }, 20_000],
  [
    'a rounded rectangle',
    { shape: 'rectangle', width: 200, height: 100, radius: 30 },
    20_000 - (4 - Math.PI) * 30 ** 2,
  ],
  [
    'a rectangle with too large a radius',
    { shape: 'rectangle', width: 100, height: 100, radius: 900 },
    Math.PI * 50 ** 2,
  ],
  ['an ellipse', { shape: 'ellipse', width: 200, height: 100 }, Math.PI * 100 * 50],
  ['a triangle', { shape: 'polygon', points: 3, width: 120, height: 90 }, (120 * 90) / 2],
  ['a diamond', { shape: 'polygon', points: 4, width: 120, height: 90 }, (120 * 90) / 2],
  [
    'a star with four points',
    { shape: 'star', points: 4, innerRadius: 0.5, width: 200, height: 200 },
    star(4, 0.5, 100),
  ],
  [
    'a ring',
    { shape: 'ellipse', width: 100, height: 100, fill: 'transparent', strokeWidth: 10 },
    Math.PI * (50 ** 2 - 40 ** 2),
  ],
  ['a line', { shape: 'line', width: 100, height: 21, strokeWidth: 5 }, 500],
]

for (const [name, params, area] of areas) {
  test(`${name} covers its exact geometric area`, async () => {
    const pixels = await run(params)
    assert.ok(Math.abs(areaOf(pixels) - area) <= area * 0.01, `${areaOf(pixels)} is not ${area}`)
  })
}

test('a shape touches all four sides, and its stroke is inside the image and sharp at the edges', async () => {
  for (const kind of ['ellipse', 'polygon', 'star'] as const) {
    const pixels = await run({ shape: kind, width: 81, height: 61, strokeWidth: 9, stroke: '#f00', fill: '#00f' })
    const columns = Array.from({ length: 81 }, (_, x) => x)
    const rows = Array.from({ length: 61 }, (_, y) => y)
    for (const y of [0, 60])
      assert.ok(
        columns.some((x) => (pixelAt(pixels, x, y)[3] ?? 0) > 100),
        `${kind} ${y}`,
      )
    for (const x of [0, 80])
      assert.ok(
        rows.some((y) => (pixelAt(pixels, x, y)[3] ?? 0) > 100),
        `${kind} ${x}`,
      )
    assert.deepEqual(pixelAt(pixels, 40, 33), [0, 0, 255, 255])
    assert.deepEqual(pixelAt(pixels, 40, 5), [255, 0, 0, 255])
  }
})

test('alpha is straight: a translucent fill keeps its colour up to its soft edge', async () => {
  const pixels = await run({ shape: 'ellipse', width: 60, height: 60, fill: 'rgb(255 255 255 / 50%)' })
  let soft = 0
  for (let at = 0; at < pixels.data.length; at += 4) {
    const alpha = pixels.data[at + 3] ?? 0
    if (alpha < 24) continue
    if (alpha < 120) soft += 1
    assert.ok((pixels.data[at] ?? 0) >= 250, `${[...pixels.data.subarray(at, at + 4)]}`)
  }
  assert.ok(soft > 10)
})

test('a shape that is drawn in several bands has no seams', async () => {
  // More pixels than one band takes.
  const pixels = await run({ shape: 'ellipse', width: 2_000, height: 1_200, fill: '#0a0b0c' })
  assert.ok(Math.abs(areaOf(pixels) - Math.PI * 1_000 * 600) < 1_000)
  assertPixels(pixels, (x, y) => (x === 1_000 && y > 0 && y < 1_199 ? [10, 11, 12, 255] : undefined))
})

test('rejects a stroke that does not fit, and a size above the limit, with numbers', async () => {
  const params = { shape: 'rectangle', width: 20, height: 10 }
  await assert.rejects(run({ ...params, strokeWidth: 11 }), isFault('input_invalid', /11 px.*20 x 10.*10 px/))
  assert.ok(await run({ ...params, strokeWidth: 10 }))
  await assert.rejects(run({ ...params, width: 1_001, height: 1_000 }), isFault('limit_exceeded', /1000000/))
})

function run(values: Record<string, unknown>): Promise<Pixels> {
  return runOn(shape, {}, values, contextFor({ pixelsMax: Number(values.width) > 1_500 ? 10_000_000 : 1_000_000 }))
}
