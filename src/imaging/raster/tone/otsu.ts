import type { Histogram } from './luma.ts'

/**
 * The luma threshold that minimises the variance within dark and bright pixels. Otsu, A threshold selection method
 * from gray-level histograms (IEEE Trans. SMC 9, 1979). Inside a gap of the histogram, its middle; 128 for a single
 * luma.
 */
export function otsuThreshold(histogram: Histogram): number {
  const total = histogram.reduce((sum, count) => sum + count, 0)
  const moment = histogram.reduce((sum, count, luma) => sum + count * luma, 0)
  let [below, belowMoment, best, first, last] = [0, 0, 0, 128, 128]
  for (let luma = 1; luma < 256; luma += 1) {
    const count = histogram[luma - 1] as number
    below += count
    belowMoment += count * (luma - 1)
    if (below === 0 || total - below < 1e-9) continue
    const distance = belowMoment / below - (moment - belowMoment) / (total - below)
    const variance = below * (total - below) * distance * distance
    if (variance > best) [best, first] = [variance, luma]
    if (variance >= best) last = luma
  }
  return Math.ceil((first + last) / 2)
}
