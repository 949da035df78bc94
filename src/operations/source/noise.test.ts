import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { noises } from '../../imaging/raster/draw/noise.ts'
import { assertPixels, contextFor, pixelAt } from '../../imaging/raster/test-images.ts'
import { runOn } from '../../imaging/raster/test-run.ts'
import type { Pixels } from '../../imaging/types.ts'
import { noise } from './noise.ts'

const soft = noises.filter((kind) => kind !== 'white')

for (const kind of soft) {
  test(`${kind} noise has the same contrast with one octave as with many, around the middle`, async () => {
    for (const params of [{ octaves: 1 }, { octaves: 5 }, { octaves: 5, roughness: 1 }]) {
      const { mean, deviation } = statistics(await make({ width: 400, height: 400, kind, scale: 16, ...params }))
      assert.ok(Math.abs(mean - 127.5) < 8, `mean ${mean}`)
      assert.ok(Math.abs(deviation - 51) < 6, `deviation ${deviation}`)
    }
  })

  test(`${kind} noise has no steps, and features of the size of its scale`, async () => {
    const scale = 40
    const pixels = await make({ width: 300, height: 300, kind, scale, octaves: 1 })
    const { mean, deviation } = statistics(pixels)
    const likeness = (distance: number) => {
      let sum = 0
      for (let y = 0; y < 300; y += 3) {
        for (let x = 0; x + distance < 300; x += 1) {
          sum += ((pixelAt(pixels, x, y)[0] ?? 0) - mean) * ((pixelAt(pixels, x + distance, y)[0] ?? 0) - mean)
        }
      }
      return sum / (100 * (300 - distance)) / deviation ** 2
    }
    assert.ok(likeness(4) > 0.85 && Math.abs(likeness(scale * 2)) < 0.5, `${likeness(4)} ${likeness(scale * 2)}`)
    for (let y = 1; y < 300; y += 1) {
      for (let x = 1; x < 300; x += 1) {
        const here = pixelAt(pixels, x, y)[0] ?? 0
        const steps = [pixelAt(pixels, x - 1, y), pixelAt(pixels, x, y - 1)].map(([near = 0]) => Math.abs(here - near))
        assert.ok(Math.max(...steps) <= 16, `a step at ${x}, ${y}`)
      }
    }
  })

  test(`${kind} noise supports any scale and number of octaves`, async () => {
    for (const scale of [1, 1.3, 2, 7.7, 4_096]) {
      const { deviation } = statistics(await make({ width: 60, height: 60, kind, scale, octaves: 10 }))
      assert.ok(scale === 4_096 || deviation > 25, `${deviation} at ${scale}`)
    }
  })
}

test('white noise is uniform over all shades', async () => {
  const { data } = await make({ width: 300, height: 300, kind: 'white' })
  const counts = new Array<number>(8).fill(0)
  for (let at = 0; at < data.length; at += 3) {
    const bin = Math.floor((data[at] ?? 0) / 32)
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  for (const count of counts) assert.ok(Math.abs(count - 90_000 / 8) < 500, `${counts}`)
})

test('a seed always gives the same texture, and another seed a different one', async () => {
  // Written down, so that pictures of saved workflows never change.
  const known: Record<string, string> = {
    perlin: '34ba1e52d03a',
    simplex: 'ca3a242c8cee',
    value: '7c6da27b777c',
    white: '453ca126cd6c',
  }
  for (const kind of noises) {
    const hash = async (seed: number) => {
      const { data } = await make({ width: 64, height: 48, kind, seed })
      return createHash('sha256').update(data).digest('hex').slice(0, 12)
    }
    assert.equal(await hash(1), known[kind], kind)
    assert.notEqual(await hash(2), await hash(1))
  }
})

test('a larger image extends a smaller one', async () => {
  for (const kind of soft) {
    const [small, large] = [await make({ width: 50, height: 40, kind }), await make({ width: 90, height: 80, kind })]
    assertPixels(small, (x, y) => pixelAt(large, x, y))
  }
})

test('values run from one colour to the other, without grey towards transparent', async () => {
  const params = { width: 80, height: 60, scale: 10, from: 'transparent', to: 'rgb(200 100 50)' }
  const pixels = await make(params)
  assert.equal(pixels.channels, 4)
  assertPixels(pixels, (x, y) => {
    const [, , , alpha = 0] = pixelAt(pixels, x, y)
    return alpha > 0 ? [200, 100, 50, alpha] : undefined
  })
  const flat = await make({ ...params, from: '#123456', to: '#123456' })
  assert.deepEqual([flat.channels, ...flat.data.subarray(0, 3)], [3, 0x12, 0x34, 0x56])
})

test('rejects a texture above the maximum size of an image', async () => {
  const context = contextFor({ pixelsMax: 10_000 })
  await runOn(noise, {}, { width: 100, height: 100 }, context)
  await assert.rejects(runOn(noise, {}, { width: 101, height: 100 }, context), /101 x 100 = 10100 pixels/)
})

function make(params: Record<string, unknown>): Promise<Pixels> {
  return runOn(noise, {}, params)
}

function statistics({ data }: Pixels): { mean: number; deviation: number } {
  const mean = data.reduce((a, b) => a + b, 0) / data.length
  return { mean, deviation: Math.sqrt(data.reduce((sum, value) => sum + (value - mean) ** 2, 0) / data.length) }
}
