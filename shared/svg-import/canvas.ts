/** The size of the image, and the place of the SVG in it. */
import { lengthOf, type Matrix, numbersIn } from './geometry.ts'
import type { SvgElement } from './read-svg.ts'
import { SvgProblem } from './svg-problem.ts'

export interface Canvas {
  /** From units of the SVG to pixels. */
  matrix: Matrix
  width: number
  height: number
  viewBox: string
}

const sideMax = 16_384

/** In CSS pixels. Throws if the SVG has no size or a size that is too large. */
export function canvasOf(root: SvgElement): Canvas {
  const box = numbersIn(root.attributes.viewBox)
  const [minX = 0, minY = 0, boxWidth, boxHeight] = box.length === 4 ? box : []
  const width = Math.round(lengthOf(root.attributes.width) ?? boxWidth ?? 0)
  const height = Math.round(lengthOf(root.attributes.height) ?? boxHeight ?? 0)
  if (!(width >= 1 && height >= 1)) throw new SvgProblem('The SVG has no size. Set width and height, or viewBox.')
  if (width > sideMax || height > sideMax)
    throw new SvgProblem(`The SVG is ${width} x ${height} pixels large; the maximum is ${sideMax} for each side.`)
  const [w, h] = [boxWidth || width, boxHeight || height]
  const scale = Math.min(width / w, height / h)
  const [x, y] = [(width - w * scale) / 2 - minX * scale, (height - h * scale) / 2 - minY * scale]
  return { matrix: [scale, 0, 0, scale, x, y], width, height, viewBox: `${minX} ${minY} ${w} ${h}` }
}
