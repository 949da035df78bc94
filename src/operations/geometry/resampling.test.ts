/** Resizing against a reference in floating point: the kernels as they are defined, applied to rows and then to columns. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { imageFromPixels } from '../../imaging/raster/image.ts'
import { paint } from '../../imaging/raster/test-images.ts'
import { runOn } from '../../imaging/raster/test-run.ts'
import { resize } from './resize.ts'

const sinc = (x: number) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))

/** Mitchell and Netravali, Reconstruction filters in computer graphics, SIGGRAPH 1988, equation 8. */
function bicubic(b: number, c: number) {
  return (x: number): number => {
    const [d, d2, d3] = [Math.abs(x), x ** 2, Math.abs(x) ** 3]
    if (d < 1) return ((12 - 9 * b - 6 * c) * d3 + (-18 + 12 * b + 6 * c) * d2 + (6 - 2 * b)) / 6
    if (d < 2) return ((-b - 6 * c) * d3 + (6 * b + 30 * c) * d2 + (-12 * b - 48 * c) * d + (8 * b + 24 * c)) / 6
    return 0
  }
}

/** How far it reaches, and its weight at a distance, both in pixels of the smaller picture. */
const kernels: Record<string, { reach: number; at(x: number): number }> = {
  linear: { reach: 1, at: (x) => Math.max(0, 1 - Math.abs(x)) },
  cubic: { reach: 2, at: bicubic(0, 0.5) },
  mitchell: { reach: 2, at: bicubic(1 / 3, 1 / 3) },
  lanczos2: { reach: 2, at: (x) => (Math.abs(x) < 2 ? sinc(x) * sinc(x / 2) : 0) },
  lanczos3: { reach: 3, at: (x) => (Math.abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0) },
}

const bicubicKernel = { reach: 2, at: bicubic(0, 0.5) }
const larger: typeof kernels = { linear: { reach: 1, at: (x) => Math.max(0, 1 - Math.abs(x)) } }

/** Resamples one line of values to another length. Pixels are squares with their value in the middle, and the edge pixels repeat. */
function resampled(
  values: number[],
  length: number,
  { reach, at }: { reach: number; at(x: number): number },
): number[] {
  const step = values.length / length
  // Made smaller, the kernel is stretched over as many pixels as become one.
  const stretch = Math.max(1, step)
  return Array.from({ length }, (_, to) => {
    const middle = (to + 0.5) * step - 0.5
    let [sum, weight] = [0, 0]
    for (let from = Math.ceil(middle - reach * stretch); from <= middle + reach * stretch; from += 1) {
      const exact = at((from - middle) / stretch)
      sum += exact * (values[Math.max(0, Math.min(values.length - 1, from))] ?? 0)
      weight += exact
    }
    return sum / weight
  })
}

const [width, height] = [61, 43]
/** Waves that get finer to the lower right, and a hard edge: what resampling gets wrong shows here. */
const grey = (x: number, y: number) =>
  x > 45 && y < 12 ? 255 : Math.round(127 + 110 * Math.sin((x * x) / 90) * Math.cos((y * y) / 70))
const source = paint(width, height, (x, y) => [grey(x, y), 255 - grey(x, y), (x * 4) % 256])

function reference(
  channel: number,
  size: { width: number; height: number },
  kernel: { reach: number; at(x: number): number },
) {
  const rows = Array.from({ length: height }, (_, y) =>
    resampled(
      Array.from({ length: width }, (_, x) => source.data[(y * width + x) * 3 + channel] ?? 0),
      size.width,
      kernel,
    ),
  )
  const columns = Array.from({ length: size.width }, (_, x) =>
    resampled(
      rows.map((row) => row[x] ?? 0),
      size.height,
      kernel,
    ),
  )
  return (x: number, y: number) => Math.max(0, Math.min(255, columns[x]?.[y] ?? 0))
}

for (const [kernel, weights] of Object.entries(kernels)) {
  for (const size of [
    { width: 23, height: 17 },
    { width: 40, height: 30 },
    { width: 97, height: 70 },
  ]) {
    test(`${kernel} from ${width} x ${height} to ${size.width} x ${size.height} matches its kernel`, async () => {
      // Larger pictures are linear or bicubic.
      const isLarger = size.width > width
      const { data } = await runOn(resize, { image: imageFromPixels(source) }, { ...size, fit: 'fill', kernel })
      let [worst, sum] = [0, 0]
      for (let channel = 0; channel < 3; channel += 1) {
        const expected = reference(channel, size, isLarger ? (larger[kernel] ?? bicubicKernel) : weights)
        for (let y = 0; y < size.height; y += 1) {
          for (let x = 0; x < size.width; x += 1) {
            const off = Math.abs((data[(y * size.width + x) * 3 + channel] ?? 0) - expected(x, y))
            worst = Math.max(worst, off)
            sum += off
          }
        }
      }
      const mean = sum / data.length
      assert.ok(mean < 1 && worst < 8, `off by ${mean.toFixed(2)} in the mean and ${worst.toFixed(1)} at worst`)
    })
  }
}
