/** Edge strength at each pixel, 0 to 1 and more, row by row. */
import type { Pixels } from '../../types.ts'
import { blurredWithin, type RowAt, type Rows } from './box-blur.ts'

/** gradient: steepness, equal on both sides; difference: how much darker the pixel is than its surroundings. */
export const edgeMethods = ['gradient', 'difference'] as const

export type EdgeMethod = (typeof edgeMethods)[number]

/**
 * Edges of luma. An image with alpha is measured on black and on white, and the stronger edge counts. So its contour
 * is an edge in any colour, and transparent areas have none.
 */
export function edgeRows(pixels: Pixels, method: EdgeMethod, sigma: number): Rows {
  const find = method === 'gradient' ? gradientRows : differenceRows
  const onBlack = find(lumaOn(pixels, 0), pixels, sigma)
  if (pixels.channels === 3) return onBlack
  const onWhite = find(lumaOn(pixels, 255), pixels, sigma)
  const other = new Float32Array(pixels.width)
  return (into) => {
    onBlack(into)
    onWhite(other)
    for (let x = 0; x < into.length; x += 1) into[x] = Math.max(into[x] as number, other[x] as number)
  }
}

function lumaOn({ data, width, channels }: Pixels, ground: number): RowAt {
  return (y, into) => lumaRow(data, y * width * channels, channels, ground, into)
}

function lumaRow(data: Buffer, from: number, channels: 3 | 4, ground: number, into: Float32Array): void {
  for (let x = 0, at = from; x < into.length; x += 1, at += channels) {
    const luma = 0.2126 * (data[at] as number) + 0.7152 * (data[at + 1] as number) + 0.0722 * (data[at + 2] as number)
    into[x] = (channels === 4 ? ground + ((luma - ground) * (data[at + 3] as number)) / 255 : luma) / 255
  }
}

interface Size {
  width: number
  height: number
}

/**
 * The length of the gradient by Scharr's operator (1999), which is equal in all directions; 1 for a step from black
 * to white.
 */
function gradientRows(rowAt: RowAt, size: Size, sigma: number): Rows {
  const { width, height } = size
  const rows = blurredWithin(rowAt, size, sigma)
  let [above, middle, below] = [new Float32Array(width), new Float32Array(width), new Float32Array(width)]
  let y = 0
  return (into) => {
    if (y === 0) {
      rows(middle)
      above.set(middle)
    }
    if (y + 1 < height) rows(below)
    else below.set(middle)
    scharr(above, middle, below, into)
    ;[above, middle, below] = [middle, below, above]
    y += 1
  }
}

function scharr(above: Float32Array, middle: Float32Array, below: Float32Array, into: Float32Array): void {
  const last = into.length - 1
  // The columns on both sides with the weights 3, 10, 3, and the vertical differences of all three columns.
  let left = sumOf(above, middle, below, 0)
  let center = left
  let leftRise = (below[0] as number) - (above[0] as number)
  let ownRise = leftRise
  for (let x = 0; x <= last; x += 1) {
    const next = x < last ? x + 1 : last
    const right = sumOf(above, middle, below, next)
    const rightRise = (below[next] as number) - (above[next] as number)
    const across = right - left
    const down = 3 * (leftRise + rightRise) + 10 * ownRise
    into[x] = Math.sqrt(across * across + down * down) / 16
    left = center
    center = right
    leftRise = ownRise
    ownRise = rightRise
  }
}

function sumOf(above: Float32Array, middle: Float32Array, below: Float32Array, x: number): number {
  return 3 * ((above[x] as number) + (below[x] as number)) + 10 * (middle[x] as number)
}

/**
 * The negative part of a difference of two Gaussians, the wider one 1.6 times as wide (Marr and Hildreth, "Theory of
 * Edge Detection", 1980): ink on the dark side of an edge, and in dark lines. Scaled to 1 for a step from black to
 * white.
 */
function differenceRows(rowAt: RowAt, size: Size, sigma: number): Rows {
  const narrow = blurredWithin(rowAt, size, sigma)
  const wide = blurredWithin(rowAt, size, 1.6 * sigma)
  const other = new Float32Array(size.width)
  return (into) => {
    narrow(into)
    wide(other)
    for (let x = 0; x < into.length; x += 1) {
      into[x] = Math.max(0, (other[x] as number) - (into[x] as number)) / stepHeight
    }
  }
}

/** The maximum difference of the two Gaussians of a step: normal(x) - normal(x / 1.6) at x = 1.242. */
const stepHeight = 0.11168
