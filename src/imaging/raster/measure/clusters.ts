/** The main colours of an image. */
import type { Pixels } from '../../types.ts'
import { distanceSquared, type Lab, toLab } from '../tone/oklab.ts'

export interface Cluster {
  /** Mean colour of the cluster: red, green and blue, 0 to 255. */
  rgb: [number, number, number]
  lab: Lab
  /** Share of the visible pixels, 0 to 1. */
  share: number
}

/**
 * The most frequent colours, at most `count`, most frequent first: k-means in OKLab over the cells of a histogram, so
 * that the cost does not depend on the image. Expects a small image. Pixels are weighted by alpha; a transparent image
 * has no colours.
 */
export function clustersOf(pixels: Pixels, count: number): Cluster[] {
  const cells = cellsOf(pixels)
  let means = seeds(cells, count).map((seed) => seed.lab)
  let groups = assigned(cells, means)
  for (let round = 0; round < roundsMax; round += 1) {
    const moved = groups.map(meanOf)
    const change = Math.max(0, ...moved.map((cluster, at) => distanceSquared(cluster.lab, means[at] ?? cluster.lab)))
    means = moved.map(({ lab }) => lab)
    groups = assigned(cells, means)
    if (change < enough) break
  }
  const seen = cells.reduce((sum, { weight }) => sum + weight, 0)
  return groups
    .map((group) => ({ ...meanOf(group), share: group.reduce((sum, { weight }) => sum + weight, 0) / seen }))
    .toSorted((a, b) => b.share - a.share)
}

const roundsMax = 16
/** Squared distance below which a change of a mean is invisible. */
const enough = 0.002 ** 2

interface Cell {
  rgb: [number, number, number]
  lab: Lab
  weight: number
}

/** The non-empty cells of 32 x 32 x 32, each with the mean of its pixels: a flat colour is kept exactly. */
function cellsOf({ data, channels }: Pixels): Cell[] {
  const sums = new Map<number, [number, number, number, number]>()
  for (let at = 0; at < data.length; at += channels) {
    const alpha = channels === 4 ? (data[at + 3] as number) / 255 : 1
    if (alpha === 0) continue
    const [r, g, b] = [data[at] as number, data[at + 1] as number, data[at + 2] as number]
    const key = ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3)
    const sum = sums.get(key) ?? [0, 0, 0, 0]
    sums.set(key, sum)
    sum[0] += r * alpha
    sum[1] += g * alpha
    sum[2] += b * alpha
    sum[3] += alpha
  }
  return Array.from(sums.values(), ([r, g, b, weight]) => {
    const rgb: [number, number, number] = [r / weight, g / weight, b / weight]
    return { rgb, lab: toLab(...rgb), weight }
  })
}

/**
 * Starts with the heaviest cell, then repeatedly adds the cell with the highest weight times squared distance to the
 * chosen ones: k-means++ (Arthur and Vassilvitskii, 2007) without randomness.
 */
function seeds(cells: Cell[], count: number): Cell[] {
  const found: Cell[] = []
  const distances = cells.map(() => 1)
  while (found.length < Math.min(count, cells.length)) {
    let [best, most] = [-1, enough]
    for (const [at, { weight }] of cells.entries()) {
      const pull = weight * (distances[at] as number)
      if (pull > most) [best, most] = [at, pull]
    }
    const seed = cells[best]
    if (seed === undefined) break
    found.push(seed)
    for (const [at, { lab }] of cells.entries()) {
      distances[at] = Math.min(distances[at] as number, distanceSquared(lab, seed.lab))
    }
  }
  return found
}

/** Assigns cells to the nearest mean; a mean without cells is dropped. */
function assigned(cells: Cell[], means: Lab[]): Cell[][] {
  const groups: Cell[][] = means.map(() => [])
  for (const cell of cells) {
    let [best, least] = [0, Number.POSITIVE_INFINITY]
    for (const [at, mean] of means.entries()) {
      const distance = distanceSquared(cell.lab, mean)
      if (distance < least) [best, least] = [at, distance]
    }
    groups[best]?.push(cell)
  }
  return groups.filter((group) => group.length > 0)
}

function meanOf(group: Cell[]): { rgb: [number, number, number]; lab: Lab } {
  const weight = group.reduce((sum, cell) => sum + cell.weight, 0)
  const mean = (of: (cell: Cell) => number) => group.reduce((sum, cell) => sum + of(cell) * cell.weight, 0) / weight
  const rgb: [number, number, number] = [
    mean(({ rgb }) => rgb[0]),
    mean(({ rgb }) => rgb[1]),
    mean(({ rgb }) => rgb[2]),
  ]
  return { rgb, lab: toLab(...rgb) }
}
