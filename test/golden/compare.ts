import type { Pixels } from '../../src/imaging/types.ts'

export interface Tolerance {
  /** Largest difference of one channel of one pixel, 0 to 255. */
  maxDelta: number
  /** Mean difference over all channels. */
  meanDelta: number
}

/** Invisible differences between processors or builds of a library. */
const usual: Tolerance = { maxDelta: 2, meanDelta: 0.2 }

const exact: Tolerance = { maxDelta: 0, meanDelta: 0 }

const tolerances: Record<string, Tolerance> = {
  canvas: exact,
  flip: exact,
  qr: exact,
  // Text rasterizers differ at the edges of shapes.
  text: { maxDelta: 40, meanDelta: 0.4 },
  resize: { maxDelta: 6, meanDelta: 0.3 },
  // Sums of floats in a different order on another processor, through many layers.
  faces: { maxDelta: 12, meanDelta: 0.2 },
  ocr: { maxDelta: 255, meanDelta: 2 },
  upscale: { maxDelta: 6, meanDelta: 0.2 },
  // The fake model writes text.
  generate: { maxDelta: 40, meanDelta: 0.4 },
  edit: { maxDelta: 40, meanDelta: 0.6 },
  inpaint: { maxDelta: 40, meanDelta: 0.4 },
  'remove-background': { maxDelta: 12, meanDelta: 0.2 },
}

export function toleranceOf(operation: string): Tolerance {
  return tolerances[operation] ?? usual
}

/** The difference in a sentence; undefined if there is none. */
export function compare(actual: Pixels, expected: Pixels, tolerance: Tolerance): string | undefined {
  const [is, was] = [actual, expected].map(({ width, height, channels }) => `${width} x ${height} x ${channels}`)
  if (is !== was) return `is ${is}, was ${was} (width x height x channels)`
  let max = 0
  let sum = 0
  for (let at = 0; at < actual.data.length; at += 1) {
    const delta = Math.abs((actual.data[at] ?? 0) - (expected.data[at] ?? 0))
    if (delta > max) max = delta
    sum += delta
  }
  const mean = sum / actual.data.length
  if (max <= tolerance.maxDelta && mean <= tolerance.meanDelta) return undefined
  return `differs by at most ${max} (allowed ${tolerance.maxDelta}), ${mean.toFixed(3)} in the mean (allowed ${tolerance.meanDelta})`
}
