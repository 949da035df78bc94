/** The size of the image, and the place of the SVG in it. */
import { lengthOf, type Matrix } from './geometry.ts'
import type { SvgElement } from './read-svg.ts'
import { SvgProblem } from './svg-problem.ts'
import { fitted, viewBoxOf } from './viewport.ts'

export interface Canvas {
  /** Maps from units of the SVG to pixels. */
  matrix: Matrix
  width: number
  height: number
  viewBox: string
}

const sideMax = 16_384

/** The canvas, in CSS pixels. Throws if the SVG has no size or a size that is too large. */
export function canvasOf(root: SvgElement): Canvas {
  const viewBox = viewBoxOf(root)
  const [ownWidth, ownHeight] = [lengthOf(root.attributes.width), lengthOf(root.attributes.height)]
  // One side follows from the other and the view box.
  const ratio = viewBox === undefined ? undefined : viewBox.width / viewBox.height
  const width = Math.round(ownWidth ?? (ratio && ownHeight ? ownHeight * ratio : (viewBox?.width ?? 0)))
  const height = Math.round(ownHeight ?? (ratio && ownWidth ? ownWidth / ratio : (viewBox?.height ?? 0)))
  if (!(width >= 1 && height >= 1)) throw new SvgProblem('The SVG has no size. Set width and height, or viewBox.')
  if (width > sideMax || height > sideMax)
    throw new SvgProblem(`The SVG is ${width} x ${height} pixels large; the maximum is ${sideMax} for each side.`)
  const box = viewBox ?? { x: 0, y: 0, width, height }
  return {
    matrix: fitted(box, { x: 0, y: 0, width, height }, root.attributes.preserveAspectRatio),
    width,
    height,
    viewBox: `${box.x} ${box.y} ${box.width} ${box.height}`,
  }
}
