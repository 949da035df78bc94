import { test } from 'node:test'
import { luma } from '../../imaging/raster/test-color.ts'
import { assertFormula } from '../../imaging/raster/test-run.ts'
import { duotone } from './duotone.ts'

const shadows = 'rgb(20 0 80)'
const highlights = 'rgb(255 200 40)'
// Luma is taken to the nearest of 256, and a colour is as much off.
const tolerance = 1.01

const printed = (pixel: number[]) => {
  const share = luma(pixel) / 255
  return [20 + 235 * share, 200 * share, 80 - 40 * share]
}

test('a duotone is the linear mix of its two colours by luma', async () => {
  await assertFormula(duotone, { shadows, highlights }, printed, tolerance)
  await assertFormula(duotone, { shadows: 'black', highlights: 'white' }, (p) => p.map(() => luma(p)), tolerance)
})

test('the amount and the alpha of the colours mix with the image', async () => {
  const half = (pixel: number[]) => printed(pixel).map((value, i) => value / 2 + (pixel[i] ?? 0) / 2)
  await assertFormula(duotone, { shadows, highlights, amount: 0.5 }, half, tolerance)
  const translucent = { shadows: 'rgb(20 0 80 / 50%)', highlights: 'rgb(255 200 40 / 50%)' }
  await assertFormula(duotone, translucent, half, tolerance)
  await assertFormula(duotone, { shadows: 'transparent', highlights: 'transparent' }, (pixel) => pixel, 0)
  await assertFormula(duotone, { amount: 0 }, (pixel) => pixel, 0)
})
