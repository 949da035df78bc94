import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pixelsOf } from '../../imaging/raster/image.ts'
import type { Spread } from '../../imaging/raster/measure/histogram.ts'
import { contextFor, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { runOn } from '../../imaging/raster/test-run.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { histogram } from './histogram.ts'

const close = (value: number, expected: number) => assert.ok(Math.abs(value - expected) < 1e-3, `${value}`)

test('returns mean, deviation, median and percentiles of each channel', async () => {
  // Red 0 to 199, green 50 in all, blue 10 or 30.
  const values = await run(painted(200, 2, (x, y) => [x, 50, y === 0 ? 10 : 30]))
  assert.deepEqual(values.red, { mean: 99.5, stdev: 57.7343, median: 99, p1: 1, p99: 197 })
  assert.deepEqual(values.green, { mean: 50, stdev: 0, median: 50, p1: 50, p99: 50 })
  assert.deepEqual(values.blue, { mean: 20, stdev: 10, median: 10, p1: 10, p99: 30 })
  const grey = await run(painted(256, 1, (x) => [x, x, x]))
  assert.deepEqual([grey.luma.mean, grey.luma.median, grey.entropy], [127.5, 127, 8])
})

test('clipping is the share of pixels with a channel at its end', async () => {
  const values = await run(painted(10, 1, (x) => (x < 3 ? [0, 90, 90] : x < 5 ? [255, 0, 255] : [1, 254, 77])))
  assert.deepEqual([values.clippedShadows, values.clippedHighlights], [0.5, 0.2])
})

test('entropy is Shannon entropy: one bit for two equal halves, zero for one colour', async () => {
  assert.equal((await run(painted(8, 1, (x) => (x < 4 ? [0, 0, 0] : [255, 255, 255])))).entropy, 1)
  assert.equal((await run(painted(8, 1, () => [12, 200, 9]))).entropy, 0)
})

test('sharpness is the variance of the Laplacian', async () => {
  const value = (x: number, y: number) => (x * 37 + y * 91 + x * y * 11) % 256
  const edges: number[] = []
  for (let y = 1; y < 8; y += 1) {
    for (let x = 1; x < 11; x += 1) {
      edges.push(value(x - 1, y) + value(x + 1, y) + value(x, y - 1) + value(x, y + 1) - 4 * value(x, y))
    }
  }
  const mean = edges.reduce((sum, edge) => sum + edge, 0) / edges.length
  const variance = edges.reduce((sum, edge) => sum + (edge - mean) ** 2, 0) / edges.length
  const found = await run(painted(12, 9, (x, y) => Array(3).fill(value(x, y))))
  assert.ok(Math.abs(found.sharpness / variance - 1) < 1e-5, `${found.sharpness}, not ${variance}`)
  assert.equal((await run(painted(2, 2, (x) => [x * 90, 0, 0]))).sharpness, 0)
})

test('weights pixels by alpha', async () => {
  const half = await run(painted(4, 4, (x) => (x < 2 ? [100, 100, 100, 255] : [200, 200, 200, 51])))
  close(half.luma.mean, (100 + 200 * 0.2) / 1.2)
  const hidden = await run(painted(9, 9, (x) => (x < 6 ? [80, 80, 80, 255] : [255, 0, 255, 0])))
  assert.deepEqual([hidden.sharpness, hidden.clippedHighlights, hidden.red.p99], [0, 0, 80])
  const nothing = await run(painted(3, 3, () => [255, 255, 255, 0]))
  assert.deepEqual([nothing.luma.mean, nothing.entropy, nothing.clippedHighlights], [0, 0, 0])
})

test('draws the share of each value as a height, and mixes overlapping channels', async () => {
  // A third at 64, two thirds at 192.
  const image = painted(30, 10, (x) => (x < 10 ? [64, 64, 64] : [192, 192, 192]))
  const drawing = await runOn(histogram, { image }, { width: 256, height: 100, background: 'black' })
  assert.deepEqual([drawing.width, drawing.height, drawing.channels], [256, 100, 3])
  const heightAt = (x: number) =>
    Array.from({ length: 100 }, (_, y) => pixelAt(drawing, x, y)[0] ?? 0).filter(Boolean).length
  assert.deepEqual([heightAt(64), heightAt(192), heightAt(128)], [47, 94, 0])
  assert.deepEqual(pixelAt(drawing, 192, 50), [226, 228, 230])
})

test('passes the image on without a drawing', async () => {
  const image = painted(3, 3, () => [1, 2, 3, 4])
  const found = await histogram.run({ image }, { draw: false, channels: 'rgb', background: 'black' }, contextFor())
  assert.equal(found.image, image)
})

test('draws only the curve on a transparent background', async () => {
  const image = painted(30, 10, () => [128, 128, 128])
  const drawing = await runOn(histogram, { image }, { width: 256, height: 50, background: 'transparent' })
  assert.deepEqual([drawing.channels, pixelAt(drawing, 3, 49)[3], pixelAt(drawing, 128, 49)[3]], [4, 0, 255])
})

async function run(source: ImageValue) {
  const params = { draw: true, channels: 'luma', width: 64, height: 16, background: 'black' }
  const { image, ...values } = await histogram.run({ image: source }, params, contextFor())
  assert.ok(image)
  assert.equal((await pixelsOf(image, contextFor())).width, 64)
  return values as Record<'red' | 'green' | 'blue' | 'luma', Spread> &
    Record<'entropy' | 'sharpness' | 'clippedShadows' | 'clippedHighlights', number>
}
