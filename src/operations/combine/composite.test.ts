import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFault } from '../../imaging/raster/test-faults.ts'
import { painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { disc, ramps, runOn, softColors } from '../../imaging/raster/test-run.ts'
import type { Pixels } from '../../imaging/types.ts'
import { tile } from '../geometry/tile.ts'
import { composite } from './composite.ts'

type Color = number[]

const ground = painted(100, 60, () => [0, 0, 0])
const patch = painted(10, 6, () => [255, 0, 0])

test('the width of an overlay scales it with its aspect ratio, before it is placed, and its frame is there', async () => {
  for (const [width, height] of [
    [20, 12],
    [5, 3],
    [1, 1],
  ] as const) {
    const placed = { width, position: 'south-east', margin: 4 } as const
    const pixels = await runOn(composite, { image: ground, overlay: patch }, placed)
    assert.deepEqual([pixels.width, pixels.height], [100, 60])
    assert.deepEqual(areaOf(pixels), { left: 96 - width, top: 56 - height, right: 95, bottom: 55 })
    const params = { ...placed, opacity: 1, blend: 'over', tile: false, gap: 0, brick: false, maskBy: 'alpha' } as const
    const [frame] = composite.drawn?.(params, { image: ground, overlay: patch }, pixels) ?? []
    assert.deepEqual(frame?.points.flat(), [96 - width, 56 - height, 96, 56])
  }
  const tiled = await runOn(
    composite,
    { image: ground, overlay: patch },
    { width: 20, gap: 10, tile: true, x: 0, y: 0 },
  )
  for (const [x, y, isRed] of [
    [19, 11, true],
    [20, 0, false],
    [30, 22, true],
  ] as const)
    assert.equal((pixelAt(tiled, x, y)[0] ?? 0) > 128, isRed, `${x}, ${y}`)
})

test('an overlay keeps its pixels at its own width, and one that would be too large is refused', async () => {
  const noise = painted(16, 16, (x, y) => [(x * 47) % 256, (y * 91) % 256, (x * y) % 256])
  const place = { x: 3, y: 5 }
  const [same, own] = await Promise.all([
    runOn(composite, { image: ground, overlay: noise }, { ...place, width: 16 }),
    runOn(composite, { image: ground, overlay: noise }, place),
  ])
  assert.deepEqual(same.data, own.data)
  const high = painted(1, 100, () => [255, 0, 0])
  await assert.rejects(runOn(composite, { image: ground, overlay: high }, { width: 200 }), isFault('limit_exceeded'))
})

/** The rectangle of the red pixels. */
function areaOf(pixels: Pixels) {
  const [xs, ys]: [number[], number[]] = [[], []]
  for (let y = 0; y < pixels.height; y += 1)
    for (let x = 0; x < pixels.width; x += 1)
      if ((pixelAt(pixels, x, y)[0] ?? 0) > 128) {
        xs.push(x)
        ys.push(y)
      }
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
}

/** Compositing and Blending Level 1, 13.2, in its own words, on 0 to 1. */
const lum = ([r = 0, g = 0, b = 0]: Color) => 0.3 * r + 0.59 * g + 0.11 * b
const sat = (color: Color) => Math.max(...color) - Math.min(...color)
function clipColor(color: Color): Color {
  const [l, n, x] = [lum(color), Math.min(...color), Math.max(...color)]
  let clipped = color
  if (n < 0) clipped = clipped.map((value) => l + ((value - l) * l) / (l - n))
  if (x > 1) clipped = clipped.map((value) => l + ((value - l) * (1 - l)) / (x - l))
  return clipped
}
const setLum = (color: Color, l: number) => clipColor(color.map((value) => value + l - lum(color)))
function setSat(color: Color, s: number): Color {
  const order = [0, 1, 2].sort((a, b) => (color[a] ?? 0) - (color[b] ?? 0))
  const [min = 0, mid = 0, max = 0] = order.map((at) => color[at] ?? 0)
  const out = [0, 0, 0]
  if (max > min) {
    out[order[1] ?? 0] = ((mid - min) * s) / (max - min)
    out[order[2] ?? 0] = s
  }
  return out
}

const formulas: Record<string, (below: Color, above: Color) => Color> = {
  hue: (below, above) => setLum(setSat(above, sat(below)), lum(below)),
  saturation: (below, above) => setLum(setSat(below, sat(above)), lum(below)),
  color: (below, above) => setLum(above, lum(below)),
  luminosity: (below, above) => setLum(below, lum(above)),
}

const above = [
  painted(16, 16, (x, y) => [(x * 47) % 256, (y * 91) % 256, (x * y) % 256]),
  painted(16, 16, (x, y) => [(x * 47) % 256, (y * 91) % 256, (x * y) % 256, y * 17]),
]

for (const [blend, formula] of Object.entries(formulas)) {
  test(`${blend} matches CSS, with and without alpha on both sides`, async () => {
    for (const image of ramps) {
      for (const overlay of above) {
        const pixels = await runOn(composite, { image, overlay }, { blend, opacity: 0.8 })
        const [below, over] = [await runOn(composite, { image, overlay }, { opacity: 0 }), overlay.pixels]
        assert.ok(over)
        for (let y = 0; y < 16; y += 1) {
          for (let x = 0; x < 16; x += 1) {
            const [cb, cs] = [unit(pixelAt(below, x, y)), unit(pixelAt(over, x, y))]
            const [ab, as] = [cb[3] ?? 1, (cs[3] ?? 1) * 0.8]
            const alpha = as + ab * (1 - as)
            const mixed = formula(cb.slice(0, 3), cs.slice(0, 3))
            const expected = mixed.map(
              (value, at) =>
                (255 * (as * ab * value + as * (1 - ab) * (cs[at] ?? 0) + (1 - as) * ab * (cb[at] ?? 0))) / alpha,
            )
            const found = pixelAt(pixels, x, y)
            expected.push(...(found.length === 4 ? [alpha * 255] : []))
            for (const [at, value] of expected.entries()) {
              assert.ok(Math.abs(value - (found[at] ?? -9)) <= 0.51, `at ${x}, ${y}: ${found}, not ${expected}`)
            }
          }
        }
      }
    }
  })
}

/** Porter and Duff: what is left of the overlay, and of the image. */
const operators: Record<string, [(below: number) => number, (above: number) => number]> = {
  in: [(below) => below, () => 0],
  out: [(below) => 1 - below, () => 0],
  'dest-atop': [(below) => 1 - below, (above) => above],
}

for (const [blend, [ofAbove, ofBelow]] of Object.entries(operators)) {
  test(`${blend} keeps the parts that Porter and Duff define, even with a small overlay`, async () => {
    for (const image of ramps) {
      const small = painted(9, 16, (x, y) => [x * 20, 50, y * 9, 255 - y * 16])
      const pixels = await runOn(composite, { image, overlay: small }, { blend, x: 3, y: 0 })
      const [below, over] = [image.pixels, small.pixels]
      assert.ok(below && over)
      assert.equal(pixels.channels, 4)
      for (let y = 0; y < 16; y += 1) {
        for (let x = 0; x < 16; x += 1) {
          const cb = pixelAt(below, x, y)
          const cs = x >= 3 && x < 12 ? pixelAt(over, x - 3, y) : [0, 0, 0, 0]
          const [ab, as] = [(cb[3] ?? 255) / 255, (cs[3] ?? 255) / 255]
          const alpha = as * ofAbove(ab) + ab * ofBelow(as)
          assert.ok(Math.abs((pixelAt(pixels, x, y)[3] ?? -9) - alpha * 255) <= 1, `at ${x}, ${y}`)
        }
      }
    }
  })
}

test('a tiled overlay equals the result of `tile` as an overlay', async () => {
  const image = painted(50, 40, (x, y) => [x * 5, y * 6, 99])
  const overlay = painted(7, 5, (x, y) => [x * 30, 200, y * 50, 90 + x * 20])
  const tiling = { x: 4, y: 3, gap: 3, brick: true }
  const pattern = await runOn(tile, { image: overlay }, { width: 50, height: 40, ...tiling })
  const expected = await runOn(
    composite,
    { image, overlay: { width: 50, height: 40, hasAlpha: true, format: 'raw', pixels: pattern } },
    { opacity: 0.7, blend: 'screen' },
  )
  const found = await runOn(composite, { image, overlay }, { ...tiling, tile: true, opacity: 0.7, blend: 'screen' })
  assert.ok(found.data.equals(expected.data))
  assert.equal(found.channels, 3)
})

test('a dark mask fades the overlay, and keeps the image', async () => {
  const image = painted(16, 16, () => [100, 100, 100])
  const overlay = painted(10, 10, () => [200, 0, 50])
  const mask = painted(16, 16, (x) => [x * 17, x * 17, x * 17])
  for (const [params, expected] of [
    [{ x: 4, y: 2 }, (x: number) => x / 15],
    [{ x: 4, y: 2, maskBy: 'alpha' }, () => 1],
  ] as const) {
    const pixels = await runOn(composite, { image, overlay, mask }, params)
    for (let x = 0; x < 16; x += 1) {
      const share = x >= 4 && x < 14 ? expected(x) : 0
      const [r = -9, g = -9, b = -9] = pixelAt(pixels, x, 8)
      const wrong = Math.hypot(r - 100 - 100 * share, g - 100 + 100 * share, b - 100 + 50 * share)
      assert.ok(wrong <= 1.5, `at ${x}: ${r} ${g} ${b}`)
    }
    assert.deepEqual(pixelAt(pixels, 8, 1), [100, 100, 100])
  }
})

test('a mask of another size is stretched over the image, and soft edges stay bright', async () => {
  const image = painted(60, 60, () => [255, 255, 255, 0])
  const overlay = painted(60, 60, () => [255, 255, 255])
  const pixels = await runOn(composite, { image, overlay, mask: disc }, {})
  for (const color of softColors(pixels)) assert.deepEqual(color, [255, 255, 255])
  const half = painted(2, 1, (x) => (x === 0 ? [0, 0, 0] : [255, 255, 255]))
  const cut = await runOn(composite, { image: painted(60, 60, () => [9, 9, 9]), overlay, mask: half }, {})
  assert.deepEqual(
    [pixelAt(cut, 2, 9), pixelAt(cut, 57, 50)],
    [
      [9, 9, 9],
      [255, 255, 255],
    ],
  )
})

function unit(pixel: number[]): number[] {
  return pixel.map((value) => value / 255)
}
