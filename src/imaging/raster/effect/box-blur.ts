/**
 * Gaussian blur of one channel by three extended boxes: Gwosdek, Grewenig, Bruhn, Weickert, "Theoretical Foundations
 * of Gaussian Convolution by Extended Box Filtering" (2011). Its cost does not depend on sigma, its variance is exact
 * (plain boxes only have integer widths), and its support is finite: a true Gaussian has to be cut off, which is
 * visible as an edge. Works row by row in floats, so that a soft shadow has no steps and needs no second image.
 */

/** Writes the next row, from the top; zeros after the last one. */
export type Rows = (into: Float32Array) => void

/** Weights of a box: 1 up to `radius`, `edge` for one pixel more, all multiplied by `scale`. */
export interface Box {
  radius: number
  edge: number
  scale: number
}

const boxes = 3

/** The box that has the variance of the Gaussian when applied three times. */
export function boxOf(sigma: number): Box {
  const variance = (sigma * sigma) / boxes
  const radius = Math.floor((Math.sqrt(12 * variance + 1) - 1) / 2)
  const edge = ((2 * radius + 1) * (radius * (radius + 1) - 3 * variance)) / (6 * (variance - (radius + 1) ** 2))
  return { radius, edge, scale: 1 / (2 * radius + 1 + 2 * edge) }
}

/** The distance in pixels at which the blur still has an effect. */
export function reachOf(sigma: number): number {
  return sigma === 0 ? 0 : boxes * (boxOf(sigma).radius + 1)
}

/**
 * Rows of `source`, blurred horizontally and vertically, with zeros outside. The result is larger by the reach on
 * every side.
 */
export function blurredRows(source: Rows, width: number, sigma: number): Rows {
  if (sigma === 0) return source
  const box = boxOf(sigma)
  const along = lineBlur(width, sigma)
  let rows: Rows = (into) => {
    source(into)
    along(into)
  }
  for (let pass = 0; pass < boxes; pass += 1) rows = downwards(rows, width, box)
  return rows
}

/** Writes row `y` of an image. */
export type RowAt = (y: number, into: Float32Array) => void

/** Blurs as many rows as the image has, as if its edge pixels continued outside. */
export function blurredWithin(rowAt: RowAt, { width, height }: { width: number; height: number }, sigma: number): Rows {
  const reach = reachOf(sigma)
  const line = new Float32Array(width + 2 * reach)
  let y = -reach
  const rows = blurredRows(
    (into) => {
      rowAt(Math.max(0, Math.min(height - 1, y)), into.subarray(reach, reach + width))
      into.fill(into[reach] as number, 0, reach)
      into.fill(into[reach + width - 1] as number, reach + width)
      y += 1
    },
    line.length,
    sigma,
  )
  let isStarted = false
  return (into) => {
    if (!isStarted) for (let above = 0; above < reach; above += 1) rows(line)
    isStarted = true
    rows(line)
    into.set(line.subarray(reach, reach + width))
  }
}

/** Blurs a line of `length` values in place. */
export function lineBlur(length: number, sigma: number): (line: Float32Array) => void {
  const { radius, edge, scale } = boxOf(sigma)
  const margin = radius + 1
  let [from, to] = [new Float32Array(length + 2 * margin), new Float32Array(length + 2 * margin)]
  return (line) => {
    if (isEmpty(line)) return
    from.set(line, margin)
    for (let pass = 0; pass < boxes; pass += 1) {
      boxAlong(from, to, length, radius, edge, scale)
      ;[from, to] = [to, from]
    }
    line.set(from.subarray(margin, margin + length))
  }
}

/** Both lines have a margin of zeros on each side, one more than the radius. */
function boxAlong(
  from: Float32Array,
  to: Float32Array,
  length: number,
  radius: number,
  edge: number,
  scale: number,
): void {
  const span = 2 * radius + 1
  let sum = 0
  for (let at = 1; at < span; at += 1) sum += from[at] as number
  for (let at = 0; at < length; at += 1) {
    const left = from[at] as number
    sum += (from[at + span] as number) - left
    to[at + radius + 1] = (sum + edge * (left + (from[at + span + 1] as number))) * scale
  }
}

/** One vertical box filter: running sums of rows; keeps only as many rows as the box is high. */
function downwards(source: Rows, width: number, { radius, edge, scale }: Box): Rows {
  const height = 2 * radius + 3
  const ring = Array.from({ length: height }, () => new Float32Array(width))
  const rowAt = (y: number) => ring[(y + height) % height] as Float32Array
  const sums = new Float64Array(width)
  let y = 0
  return (into) => {
    if (y === 0) {
      for (let first = 0; first <= radius; first += 1) {
        source(rowAt(first))
        if (first < radius) addTo(sums, rowAt(first))
      }
    }
    source(rowAt(y + radius + 1))
    stepDown(sums, rowAt(y + radius), rowAt(y - radius - 1), rowAt(y + radius + 1), into, edge, scale)
    y += 1
  }
}

function stepDown(
  sums: Float64Array,
  entering: Float32Array,
  leaving: Float32Array,
  ahead: Float32Array,
  into: Float32Array,
  edge: number,
  scale: number,
): void {
  for (let x = 0; x < sums.length; x += 1) {
    const leavingValue = leaving[x] as number
    const sum = (sums[x] as number) + (entering[x] as number) - leavingValue
    sums[x] = sum
    into[x] = (sum + edge * (leavingValue + (ahead[x] as number))) * scale
  }
}

function addTo(sums: Float64Array, row: Float32Array): void {
  for (let x = 0; x < row.length; x += 1) sums[x] = (sums[x] as number) + (row[x] as number)
}

function isEmpty(line: Float32Array): boolean {
  for (let at = 0; at < line.length; at += 1) if (line[at] !== 0) return false
  return true
}
