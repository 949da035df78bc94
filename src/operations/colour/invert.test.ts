import { test } from 'node:test'
import { assertFormula } from '../../imaging/raster/test-run.ts'
import { invert } from './invert.ts'

test('invert subtracts every channel from 255, and keeps alpha', async () => {
  await assertFormula(invert, {}, (pixel) => pixel.map((value) => 255 - value))
})

test('an amount of invert mixes as CSS does, and 0 changes nothing', async () => {
  await assertFormula(invert, { amount: 0.25 }, (pixel) => pixel.map((value) => 63.75 + value / 2))
  await assertFormula(invert, { amount: 0 }, (pixel) => pixel, 0)
})
