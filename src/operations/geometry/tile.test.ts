import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from '../../errors.ts'
import { pixelsOf } from '../../imaging/raster/image.ts'
import { contextFor, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { runOn } from '../../imaging/raster/test-run.ts'
import { tile } from './tile.ts'

const stone = painted(5, 3, (x, y) => [x * 10, y * 10, 1])
const glass = painted(5, 3, (x, y) => [x * 10, y * 10, 1, 100 + x + y])
const modulo = (value: number, by: number) => ((value % by) + by) % by

interface Params {
  width: number
  height: number
  x?: number
  y?: number
  gap?: number
  brick?: boolean
  background?: string
}

const patterns: Params[] = [
  { width: 23, height: 17 },
  { width: 3, height: 2 },
  { width: 23, height: 17, x: -7, y: 4 },
  { width: 40, height: 30, gap: 2, background: '#010203' },
  { width: 40, height: 30, gap: 3, brick: true, x: 100, y: -100, background: '#ff000080' },
  { width: 31, height: 1, brick: true, y: 3 },
]

for (const params of patterns) {
  test(`tile ${JSON.stringify(params)} has the computed pixel at every position`, async () => {
    for (const image of [stone, glass]) {
      const source = await pixelsOf(image, contextFor())
      const pixels = await runOn(tile, { image }, { ...params })
      assert.deepEqual([pixels.width, pixels.height], [params.width, params.height])
      const { x: left = 0, y: top = 0, gap = 0, brick = false, background = '' } = params
      const translucent = background.length === 9
      assert.equal(pixels.channels, translucent ? 4 : source.channels)
      const space = translucent ? [255, 0, 0, 128] : [1, 2, 3, 255]
      for (let y = 0; y < params.height; y += 1) {
        for (let x = 0; x < params.width; x += 1) {
          const row = Math.floor((y - top) / (3 + gap))
          const shift = brick && modulo(row, 2) === 1 ? Math.floor((5 + gap) / 2) : 0
          const [inX, inY] = [modulo(x - left - shift, 5 + gap), modulo(y - top, 3 + gap)]
          const stonePixel = inX < 5 && inY < 3 ? [...pixelAt(source, inX, inY), 255] : space
          assert.deepEqual(pixelAt(pixels, x, y), stonePixel.slice(0, pixels.channels), `at ${x}, ${y}`)
        }
      }
    }
  })
}

test('transparent gaps make an opaque image transparent there, and without gaps it stays opaque', async () => {
  const open = await runOn(tile, { image: stone }, { width: 20, height: 20, gap: 1 })
  assert.deepEqual([pixelAt(open, 0, 0)[3], pixelAt(open, 5, 0)[3]], [255, 0])
  assert.equal((await runOn(tile, { image: stone }, { width: 20, height: 20 })).channels, 3)
})

test('rejects a pattern with more pixels than allowed', async () => {
  const context = contextFor({ pixelsMax: 10_000 })
  assert.ok(await runOn(tile, { image: stone }, { width: 100, height: 100 }, context))
  await assert.rejects(
    runOn(tile, { image: stone }, { width: 101, height: 100 }, context),
    (error) => error instanceof Fault && error.details.reason === 'limit_exceeded',
  )
})
