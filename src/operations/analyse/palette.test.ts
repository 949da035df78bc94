import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contextFor, painted } from '../../imaging/raster/test-images.ts'
import { toLab } from '../../imaging/raster/tone/oklab.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { palette } from './palette.ts'

test('finds flat colours with their shares, the most frequent first', async () => {
  const flag = painted(100, 50, (x) => (x < 50 ? [20, 60, 150] : x < 80 ? [250, 240, 230] : [200, 30, 40]))
  const values = await run(flag)
  assert.deepEqual(values.colors, ['#143c96', '#faf0e6', '#c81e28'])
  assert.deepEqual(values.shares, [0.5, 0.3, 0.2])
  const { dominant, light, dark, vibrant, muted } = values
  assert.deepEqual([dominant, light, dark, vibrant], ['#143c96', '#faf0e6', '#143c96', '#c81e28'])
  assert.match(String(muted), /^#[0-9a-f]{6}$/)
})

test('returns as many colours as requested, each the mean of its cluster', async () => {
  // Two different blues and a red: with a count of two, the blues become one colour.
  const three = painted(90, 30, (x) => (x < 30 ? [0, 0, 200] : x < 60 ? [0, 0, 220] : [220, 0, 0]))
  const { colors, shares } = await run(three, 2)
  assert.deepEqual(
    [colors, shares],
    [
      ['#0000d2', '#dc0000'],
      [0.6667, 0.3333],
    ],
  )
  assert.deepEqual((await run(three, 1)).shares, [1])
  assert.equal(
    (
      await run(
        painted(64, 64, (x, y) => [x * 4, y * 4, 128]),
        16,
      )
    ).colors.length,
    16,
  )
})

test('a small strong colour is the vibrant one even if it is not among the most frequent', async () => {
  const sign = painted(100, 100, (x, y) => (x > 90 && y > 80 ? [255, 80, 0] : [200 - x, 200 - x, 195 - x + (y % 3)]))
  const { vibrant, colors } = await run(sign, 2)
  assert.equal(vibrant, '#ff5000')
  assert.ok(!colors.includes('#ff5000'))
})

test('ignores transparent pixels, whatever their colour', async () => {
  const image = painted(40, 40, (x, y) => (x < 10 ? [10, 200, 30, 255] : [255, 0, y, 0]))
  const { colors, shares } = await run(image)
  assert.deepEqual([colors, shares], [['#0ac81e'], [1]])
  const nothing = await run(painted(4, 4, () => [255, 0, 0, 0]))
  assert.deepEqual([nothing.colors, nothing.dominant, nothing.textColor], [[], '#000000', '#ffffff'])
})

test('text on the dominant colour has the better WCAG contrast', async () => {
  // The published pairs: #767676 is the lightest grey with 4.5 on white.
  for (const [grey, text, contrast] of [
    [0x76, '#000000', 4.6226],
    [0x75, '#ffffff', 4.6066],
    [0xff, '#000000', 21],
    [0, '#ffffff', 21],
  ] as const) {
    const values = await run(painted(8, 8, () => [grey, grey, grey]))
    assert.equal(values.textColor, text)
    assert.ok(Math.abs(values.textContrast - contrast) < 0.02, `${values.textContrast}, not ${contrast}`)
  }
})

test('OKLab matches the values of its author', () => {
  // The table of https://bottosson.github.io/posts/oklab/ for white and sRGB red, as CSS Color 4 gives it.
  const close = (lab: ReturnType<typeof toLab>, expected: number[]) => {
    for (const [at, value] of [lab.l, lab.a, lab.b].entries()) {
      assert.ok(Math.abs(value - Number(expected[at])) < 1e-4, `${value}, not ${expected[at]}`)
    }
  }
  close(toLab(255, 255, 255), [1, 0, 0])
  close(toLab(255, 0, 0), [0.62796, 0.22486, 0.12585])
  close(toLab(0, 128, 0), [0.51975, -0.1403, 0.10768])
})

async function run(image: ImageValue, count = 5) {
  const { image: same, ...values } = await palette.run({ image }, { count }, contextFor())
  assert.equal(same, image)
  return values as Record<string, unknown> & {
    colors: string[]
    shares: number[]
    textColor: string
    textContrast: number
  }
}
