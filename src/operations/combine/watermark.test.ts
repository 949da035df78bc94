import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checker } from '../../domain/validate.ts'
import { isFault } from '../../imaging/raster/test-faults.ts'
import { painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { disc, runOn, softColors } from '../../imaging/raster/test-run.ts'
import type { Pixels } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import { watermark } from './watermark.ts'

const grey = (width: number, height: number) => painted(width, height, () => [100, 100, 100])
const red = painted(40, 20, () => [200, 0, 0])

test('a mark has its share of the width and its margin of the shorter side, for any image size', async () => {
  for (const [width, height] of [
    [200, 100],
    [400, 200],
    [80, 300],
  ] as const) {
    const pixels = await runOn(
      watermark,
      { image: grey(width, height), mark: red },
      { scale: 0.25, margin: 0.1, opacity: 1 },
    )
    assert.deepEqual([pixels.width, pixels.height, pixels.channels], [width, height, 3])
    const margin = Math.min(width, height) / 10
    assert.deepEqual(changed(pixels), {
      left: width - margin - width / 4,
      top: height - margin - width / 8,
      right: width - margin,
      bottom: height - margin,
    })
  }
})

test('shrinks a mark that would be higher than the image', async () => {
  const high = painted(10, 100, () => [0, 0, 0])
  const pixels = await runOn(
    watermark,
    { image: grey(200, 60), mark: high },
    { scale: 1, margin: 0.1, position: 'west' },
  )
  assert.deepEqual(changed(pixels), { left: 6, top: 6, right: 11, bottom: 54 })
})

test('opacity mixes the mark with the image', async () => {
  const pixels = await runOn(
    watermark,
    { image: grey(80, 80), mark: red },
    { opacity: 0.25, position: 'center', scale: 0.5 },
  )
  assert.deepEqual(pixelAt(pixels, 40, 40), [125, 75, 75])
})

test('repeated marks have equal distances, and bricks shift every other row by half', async () => {
  const params = { scale: 0.1, opacity: 1, gap: 1, margin: 0, position: 'north-west' }
  const grid = await runOn(watermark, { image: grey(200, 100), mark: red }, { ...params, repeat: 'grid' })
  const brick = await runOn(watermark, { image: grey(200, 100), mark: red }, { ...params, repeat: 'brick' })
  // A mark is 20 x 10, the gap its shorter side.
  for (let y = 5; y < 100; y += 20) {
    for (let x = 0; x < 200; x += 1) {
      assert.equal(pixelAt(grid, x, y)[0], x % 30 < 20 ? 200 : 100, `grid ${x}, ${y}`)
      const moved = (y - 5) % 40 === 20 ? x + 15 : x
      assert.equal(pixelAt(brick, x, y)[0], moved % 30 < 20 ? 200 : 100, `brick ${x}, ${y}`)
    }
  }
})

test('a rotated mark keeps its colour at its edges, on opaque and transparent backgrounds', async () => {
  const params = { rotate: 30, opacity: 1, scale: 0.6, position: 'center' }
  const opaque = await runOn(watermark, { image: grey(90, 90), mark: disc }, params)
  assert.equal(opaque.channels, 3)
  for (const value of opaque.data) assert.ok(value >= 99)
  const empty = painted(90, 90, () => [0, 0, 0, 0])
  for (const color of softColors(await runOn(watermark, { image: empty, mark: disc }, params))) {
    assert.ok(Math.min(...color) >= 253, `${color}`)
  }
})

test('a text fills its share of the width on one line, and its shadow makes it visible on its own colour', async () => {
  const pixels = await runOn(
    watermark,
    { image: grey(400, 200) },
    { text: 'HHHHHHHH', scale: 0.5, opacity: 1, shadow: false, position: 'center' },
  )
  const { left, right, top, bottom } = changed(pixels)
  assert.ok(right - left > 180 && right - left <= 200, `${right - left} wide`)
  assert.ok(Math.abs((left + right) / 2 - 200) < 4 && Math.abs((top + bottom) / 2 - 100) < 8)
  const white = painted(400, 200, () => [255, 255, 255])
  const shadowed = await runOn(watermark, { image: white }, { text: 'on white', opacity: 1 })
  assert.ok(shadowed.data.some((value) => value < 190))
})

test('requires a mark or a text', async () => {
  await assert.rejects(runOn(watermark, { image: grey(9, 9) }, {}), isFault('input_invalid', /watermark is missing/))
})

test('accepts a text up to the length limit of labels', () => {
  const issues = (count: number) => checker(watermark.params)({ text: 'a'.repeat(count) }).length
  assert.deepEqual([issues(limits.labelCharsMax), issues(limits.labelCharsMax + 1)], [0, 1])
})

/** The box around all that is not grey any more. */
function changed({ data, width, channels }: Pixels) {
  let [left, top, right, bottom] = [width, data.length, 0, 0]
  for (let at = 0; at < data.length; at += channels) {
    if (data[at] === 100 && data[at + 1] === 100) continue
    const [x, y] = [(at / channels) % width, Math.floor(at / channels / width)]
    left = Math.min(left, x)
    right = Math.max(right, x + 1)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y + 1)
  }
  return { left, top, right, bottom }
}
