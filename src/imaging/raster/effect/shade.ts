/** Coverage of one colour: the soft copy of a silhouette, drawn below or over an image. */

import type { Rectangle } from '../region.ts'
import { blurredRows, lineBlur, type Rows, reachOf } from './box-blur.ts'
import { enlargedRows, shrunkRows } from './shrink.ts'
import { grown, type Silhouette } from './silhouette.ts'

/** Coverage of a rectangle, 0 to 1; its rows are read in order. */
export interface Shade extends Rectangle {
  rows: Rows
}

/** The shade of an image that is entirely transparent. */
export const nothing: Shade = { x: 0, y: 0, width: 0, height: 0, rows: () => {} }

/** The silhouette, blurred and larger by the reach of the blur. */
export function blurred(silhouette: Silhouette, sigma: number): Shade {
  if (silhouette.alpha !== undefined) return blurredShape(silhouette, silhouette.alpha, sigma)
  const reach = reachOf(sigma)
  return { ...grown(silhouette, reach), rows: blurredRectangle(silhouette, sigma, reach) }
}

/**
 * A strong blur is computed at a reduced size: the step keeps the error of linear interpolation against a Gaussian
 * below half a level of 255.
 */
function blurredShape(silhouette: Silhouette, alpha: Uint8Array, sigma: number): Shade {
  const step = Math.max(1, Math.floor(sigma / 4))
  // Averaging over a step and linear interpolation also blur: their variances are step^2 / 12 and step^2 / 6.
  const small = Math.sqrt(sigma * sigma - (step * step - 1) / 4) / step
  const margin = step === 1 ? reachOf(small) : reachOf(small) + 1
  const area = grown(silhouette, margin * step)
  const width = Math.ceil(area.width / step)
  const rows = blurredRows(shrunkRows(silhouette, alpha, step, margin), width, small)
  return { ...area, rows: step === 1 ? rows : enlargedRows(rows, width, step) }
}

/** The silhouette without blur. */
export function plain(silhouette: Silhouette): Shade {
  return blurred(silhouette, 0)
}

/** The blur of a rectangle is the product of the blurs of its width and its height. */
function blurredRectangle({ width, height }: Rectangle, sigma: number, reach: number): Rows {
  const across = blurredLine(width, sigma, reach)
  const down = blurredLine(height, sigma, reach)
  let y = 0
  return (into) => {
    const share = down[y] ?? 0
    for (let x = 0; x < across.length; x += 1) into[x] = (across[x] as number) * share
    y += 1
  }
}

function blurredLine(length: number, sigma: number, reach: number): Float32Array {
  const line = new Float32Array(length + 2 * reach).fill(1, reach, reach + length)
  if (sigma > 0) lineBlur(line.length, sigma)(line)
  return line
}
