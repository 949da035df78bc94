/** Runs operations in tests as the engine does, and compares them with formulas. */
import assert from 'node:assert/strict'
import { checker } from '../../domain/validate.ts'
import type { Operation } from '../../operations/define.ts'
import type { ImageValue, Pixels } from '../types.ts'
import { pixelsOf } from './image.ts'
import { contextFor, painted, pixelAt } from './test-images.ts'

type Inputs = Record<string, ImageValue | ImageValue[]>

/** The image and the values that an operation returns, without frames; checks its params and fills in defaults. */
export async function outputsOf(
  operation: Operation,
  inputs: Inputs,
  values: Record<string, unknown>,
  context = contextFor(),
) {
  const params = structuredClone(values)
  assert.deepEqual(checker(operation.params)(params), [])
  const { image, drawn: _, ...rest } = await operation.run(inputs as Record<string, ImageValue>, params, context)
  assert.ok(image)
  return { image, ...rest }
}

/** The pixels of this image. */
export async function runOn(
  operation: Operation,
  inputs: Inputs,
  values: Record<string, unknown>,
  context = contextFor(),
): Promise<Pixels> {
  return pixelsOf((await outputsOf(operation, inputs, values, context)).image, context)
}

/** An image of many colours; the second one is also translucent, from 7 to 247. */
export const ramps = [
  painted(16, 16, (x, y) => [x * 17, y * 17, 255 - x * 9]),
  painted(16, 16, (x, y) => [x * 17, y * 17, 255 - x * 9, 7 + x * 16]),
]

/** Asserts a formula of red, green and blue, 0 to 255, for every pixel of both ramps, and unchanged alpha. */
export async function assertFormula(
  operation: Operation,
  values: Record<string, unknown>,
  formula: (pixel: [number, number, number], x: number, y: number) => number[],
  tolerance = 0.51,
): Promise<void> {
  for (const image of ramps) {
    const [before, after] = [await pixelsOf(image, contextFor()), await runOn(operation, { image }, values)]
    assert.equal(after.channels, before.channels)
    for (let y = 0; y < 16; y += 1) {
      for (let x = 0; x < 16; x += 1) {
        const [from, to] = [pixelAt(before, x, y), pixelAt(after, x, y)]
        const [r = 0, g = 0, b = 0] = from
        const expected = formula([r, g, b], x, y).map((value) => Math.max(0, Math.min(255, value)))
        for (const [at, value] of expected.entries()) {
          if (!(Math.abs(value - (to[at] ?? -99)) <= tolerance)) assert.fail(`${from} became ${to}, not ${expected}`)
        }
        assert.equal(to[3], from[3])
      }
    }
  }
}

/** A white disc with a soft edge on transparent black, which reveals dark edges. */
export const disc = painted(60, 60, (x, y) => {
  const alpha = Math.max(0, Math.min(1, 22 - Math.hypot(x - 29.5, y - 29.5)))
  return alpha > 0 ? [255, 255, 255, Math.round(alpha * 255)] : [0, 0, 0, 0]
})

/** The colours of the translucent pixels. */
export function softColors(pixels: Pixels): number[][] {
  assert.equal(pixels.channels, 4)
  const found: number[][] = []
  for (let at = 0; at < pixels.data.length; at += 4) {
    const alpha = pixels.data[at + 3] ?? 0
    if (alpha >= 24 && alpha <= 250) found.push([...pixels.data.subarray(at, at + 3)])
  }
  assert.ok(found.length > 10, `only ${found.length} soft pixels`)
  return found
}
