/**
 * The distance of each pixel from the contour of a silhouette. The contour is where alpha, interpolated between pixel
 * centres, is half of its maximum, so its crossings with rows and columns are known to fractions of a pixel.
 * Distances to the crossings are exact, by lower envelopes of parabolas: Felzenszwalb and Huttenlocher, "Distance
 * Transforms of Sampled Functions" (2012), once for the crossings of rows and once for those of columns. Neighbouring
 * crossings are less than 1.5 px apart, so the error of the distance to the contour is below 0.1 px from 2 px away,
 * and decreases with the distance.
 */

import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'
import { lowerEnvelope } from './envelope.ts'
import { grown, type Silhouette } from './silhouette.ts'

/** Maps the distance in px, negative inside, to coverage, 0 to 1. */
export type Profile = (distance: number) => number

/**
 * A silhouette whose alpha is `profile` of the distance, larger by the reach (rounded up) plus 1. Distances are
 * capped at the reach.
 */
export async function byDistance(
  silhouette: Silhouette,
  reach: number,
  profile: Profile,
  context: Pick<JobContext, 'signal'>,
): Promise<Silhouette & { alpha: Uint8Array }> {
  const margin = Math.ceil(reach) + 1
  const area = grown(silhouette, margin)
  const alpha = new Uint8Array(area.width * area.height)
  const level = peakOf(silhouette) / 2
  const coverOf = (squared: number, isInside: boolean) => profile((isInside ? -1 : 1) * Math.sqrt(squared)) * 255 + 0.5
  const [farOutside, farInside] = [coverOf(reach * reach, false), coverOf(reach * reach, true)]
  // Works in bands of rows, each extended by the reach: only a few rows are in memory as floats.
  const bandRows = Math.max(2 * margin, Math.ceil(bandPixels / area.width))
  for (let top = 0; top < area.height; top += bandRows) {
    const first = Math.max(0, top - margin)
    const height = Math.min(area.height, top + bandRows + margin) - first
    const band = bandOf(silhouette, margin, first, { width: area.width, height })
    const squared = await squaredDistances(band, level, reach, context)
    const from = (top - first) * area.width
    const count = (Math.min(area.height, top + bandRows) - top) * area.width
    await eachRow({ width: area.width * costly, height: count / area.width }, context, (row) => {
      const start = from + row * area.width
      for (let at = start, to = top * area.width + start - from; at < start + area.width; at += 1, to += 1) {
        const isInside = (band.field[at] as number) >= level
        const distance = squared[at] as number
        if (distance < Number.POSITIVE_INFINITY) alpha[to] = coverOf(distance, isInside)
        else alpha[to] = isInside ? farInside : farOutside
      }
    })
  }
  return { ...area, alpha }
}

/**
 * The silhouette, grown by this many px, or shrunk if negative. Sharp corners of a rectangle stay sharp, as in CSS;
 * all other corners become round. Undefined if nothing is left.
 */
export async function spreadBy(
  silhouette: Silhouette,
  by: number,
  context: Pick<JobContext, 'signal'>,
): Promise<Silhouette | undefined> {
  if (by === 0) return silhouette
  if (silhouette.alpha === undefined) {
    const area = grown(silhouette, by)
    return area.width > 0 && area.height > 0 ? area : undefined
  }
  const strength = peakOf(silhouette) / 255
  return byDistance(silhouette, Math.abs(by) + 1, (distance) => strength * clamp(by - distance + 0.5), context)
}

/** 0 to 1. */
export function clamp(value: number): number {
  return Math.max(0, Math.min(1, value))
}

const bandPixels = 2_000_000

/** The cost of a pixel, relative to a copied one. */
const costly = 8

interface Band {
  field: Uint8Array
  width: number
  height: number
}

/** Rows of the silhouette from `first`, with an empty margin around it. */
function bandOf(silhouette: Silhouette, margin: number, first: number, size: { width: number; height: number }): Band {
  const field = new Uint8Array(size.width * size.height)
  for (let row = 0; row < size.height; row += 1) {
    const y = first + row - margin
    if (y < 0 || y >= silhouette.height) continue
    const at = row * size.width + margin
    if (silhouette.alpha === undefined) field.fill(255, at, at + silhouette.width)
    else field.set(silhouette.alpha.subarray(y * silhouette.width, (y + 1) * silhouette.width), at)
  }
  return { field, ...size }
}

/** Squared distances in px; infinite beyond the reach. */
async function squaredDistances(
  { field, width, height }: Band,
  level: number,
  reach: number,
  context: Pick<JobContext, 'signal'>,
): Promise<Float32Array> {
  const fromRows = new Float32Array(width * height)
  const fromColumns = new Float32Array(width * height)
  const envelope = lowerEnvelope(Math.max(width, height), reach)
  await eachRow({ width: width * costly, height }, context, (y) => {
    const [start, end] = [y * width, (y + 1) * width]
    crossings(field.subarray(start, end), level, reach, fromRows.subarray(start, end))
  })
  const lines = new Float32Array(columnsAtOnce * height)
  const bytes = new Uint8Array(columnsAtOnce * height)
  const blocks = { width: columnsAtOnce * height * costly, height: Math.ceil(width / columnsAtOnce) }
  await eachRow(blocks, context, (block) => {
    const x = block * columnsAtOnce
    const count = Math.min(columnsAtOnce, width - x)
    takeColumns(fromRows, width, x, count, lines)
    takeColumns(field, width, x, count, bytes)
    for (let start = 0; start < count * height; start += height) envelope(lines.subarray(start, start + height))
    putColumns(lines, count, fromRows, width, x)
    for (let start = 0; start < count * height; start += height) {
      crossings(bytes.subarray(start, start + height), level, reach, lines.subarray(start, start + height))
    }
    putColumns(lines, count, fromColumns, width, x)
  })
  await eachRow({ width: width * costly, height }, context, (y) => {
    const row = fromColumns.subarray(y * width, (y + 1) * width)
    envelope(row)
    for (let x = 0, at = y * width; x < width; x += 1, at += 1) {
      if ((row[x] as number) < (fromRows[at] as number)) fromRows[at] = row[x] as number
    }
  })
  return fromRows
}

/** The number of columns in a cache line: single columns would fetch each line again. */
const columnsAtOnce = 16

function takeColumns<T extends Float32Array | Uint8Array>(
  plane: T,
  width: number,
  x: number,
  count: number,
  into: T,
): void {
  const height = plane.length / width
  for (let y = 0, at = x; y < height; y += 1, at += width) {
    for (let column = 0, to = y; column < count; column += 1, to += height) into[to] = plane[at + column] as number
  }
}

function putColumns(lines: Float32Array, count: number, plane: Float32Array, width: number, x: number): void {
  const height = plane.length / width
  for (let y = 0, at = x; y < height; y += 1, at += width) {
    for (let column = 0, from = y; column < count; column += 1, from += height) {
      plane[at + column] = lines[from] as number
    }
  }
}

/** The squared distance to the nearest crossing of the level on the line. */
function crossings(line: Uint8Array, level: number, reach: number, into: Float32Array): void {
  into.fill(Number.POSITIVE_INFINITY)
  let before = line[0] as number
  for (let at = 1; at < line.length; at += 1) {
    const value = line[at] as number
    if (value !== before && value >= level !== before >= level) {
      const place = at - 1 + (level - before) / (value - before)
      spread(into, place, Math.max(0, Math.ceil(place - reach)), Math.min(line.length - 1, Math.floor(place + reach)))
    }
    before = value
  }
}

function spread(into: Float32Array, place: number, first: number, last: number): void {
  const middle = Math.ceil(place)
  // Moves outwards on both sides until another crossing is nearer.
  for (let at = middle; at <= last && (at - place) ** 2 < (into[at] as number); at += 1) into[at] = (at - place) ** 2
  for (let at = middle - 1; at >= first && (at - place) ** 2 < (into[at] as number); at -= 1) {
    into[at] = (at - place) ** 2
  }
}

function peakOf({ alpha }: Silhouette): number {
  if (alpha === undefined) return 255
  let found = 0
  for (let at = 0; at < alpha.length; at += 1) if ((alpha[at] as number) > found) found = alpha[at] as number
  return found
}
