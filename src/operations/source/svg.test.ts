import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checker } from '../../domain/validate.ts'
import { type FailureReason, Fault } from '../../errors.ts'
import { contextFor, pixelAt } from '../../imaging/raster/test-images.ts'
import { runOn } from '../../imaging/raster/test-run.ts'
import { limits } from '../../limits.ts'
import { svg } from './svg.ts'

const drawing = (attributes: string, inside = '<rect width="100%" height="100%" fill="#204060"/>') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`
const wide = drawing('viewBox="0 0 60 20"')

const sizes: [string, string, Record<string, number>, [number, number]][] = [
  ['its own size', wide, {}, [60, 20]],
  ['a scale', wide, { scale: 2.5 }, [150, 50]],
  ['a width', wide, { width: 100 }, [100, 33]],
  ['a height', wide, { height: 40 }, [120, 40]],
  ['both, where the height fits', wide, { width: 300, height: 50 }, [150, 50]],
  ['a width that is not a multiple of its own', drawing('width="33.3" height="77.7"'), { width: 999 }, [999, 2331]],
  ['a width, smaller', drawing('width="640" height="359.5"'), { width: 37 }, [37, 21]],
  ['a unit square', drawing('viewBox="0 0 1 1"'), { width: 500 }, [500, 500]],
]

for (const [name, text, size, expected] of sizes) {
  test(`an SVG drawn by ${name} is ${expected.join(' x ')}, and filled`, async () => {
    const pixels = await runOn(svg, {}, { svg: text, ...size })
    assert.deepEqual([pixels.width, pixels.height], expected)
    assert.deepEqual(pixelAt(pixels, expected[0] - 2, 2), [32, 64, 96, 255])
  })
}

test('is rendered at its size instead of scaled: edges stay crisp', async () => {
  const half = drawing('viewBox="0 0 10 10"', '<rect width="5" height="10" fill="red"/>')
  const pixels = await runOn(svg, {}, { svg: half, width: 800 })
  assert.deepEqual([pixelAt(pixels, 399, 400), pixelAt(pixels, 400, 400)[3]], [[255, 0, 0, 255], 0])
})

const refused: [string, string, Record<string, number>, FailureReason, RegExp][] = [
  ['a script', drawing('viewBox="0 0 9 9"', '<script/>'), {}, 'input_invalid', /script/],
  ['an external image', drawing('', '<image href="http://a.example/b.png"/>'), {}, 'input_invalid', /another file/],
  ['an unescaped text', drawing('', '<text>Fish & Chips</text>'), {}, 'input_invalid', /well-formed/],
  ['too many pixels', wide, { scale: 30 }, 'limit_exceeded', /1800 x 600/],
  ['too many pixels by its width', wide, { width: 1_500 }, 'limit_exceeded', /1500 x 500/],
  ['too large a side', wide, { width: 16_384, height: 16_384 }, 'limit_exceeded', /16384/],
  ['a size too far from its own', drawing('viewBox="0 0 1 1"'), { width: 1_500 }, 'limit_exceeded', /far from/],
  ['too many bytes', drawing('', 'é'.repeat(limits.svgBytesMax / 2)), {}, 'limit_exceeded', /bytes/],
]

for (const [name, text, size, reason, message] of refused) {
  test(`rejects an SVG with ${name} as ${reason}`, async () => {
    await assert.rejects(runOn(svg, {}, { svg: text, ...size }, contextFor({ pixelsMax: 500_000 })), (error) => {
      assert.ok(error instanceof Fault && error.details.reason === reason, String(error))
      assert.match(error.message, message)
      return true
    })
  })
}

test('rejects a width together with a scale when the workflow is saved', () => {
  for (const name of ['width', 'height']) {
    const issues = checker(svg.params)({ svg: wide, scale: 2, [name]: 10 })
    assert.match(String(issues[0]?.message), /scale/)
  }
})
