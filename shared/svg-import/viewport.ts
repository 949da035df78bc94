/** Viewports of an SVG: the lengths of percentages, and the transforms from nested units. */
import { identity, lengthOf, type Matrix, multiply, numbersIn, transformOf } from './geometry.ts'
import type { SvgElement } from './read-svg.ts'

export interface Size {
  width: number
  height: number
}

export interface Box extends Size {
  x: number
  y: number
}

const sizes = new WeakMap<SvgElement, Size>()

/** Size of the nearest `svg`, in units of the element. */
export function viewportOf(element: SvgElement): Size {
  const before = sizes.get(element)
  if (before !== undefined) return before
  const { name, parent } = element
  const size =
    name === 'svg' ? (viewBoxOf(element) ?? placeOf(element)) : parent ? viewportOf(parent) : { width: 0, height: 0 }
  sizes.set(element, size)
  return size
}

/** Undefined if the element has no valid `viewBox`. */
export function viewBoxOf({ attributes }: SvgElement): Box | undefined {
  const [x = 0, y = 0, width = 0, height = 0, ...others] = numbersIn(attributes.viewBox)
  return width > 0 && height > 0 && others.length === 0 ? { x, y, width, height } : undefined
}

/** The rectangle of a nested `svg`, in units of its parent. */
export function placeOf({ attributes, parent }: SvgElement): Box {
  const outer = parent === undefined ? { width: 0, height: 0 } : viewportOf(parent)
  return {
    x: lengthOf(attributes.x, 16, outer.width) ?? 0,
    y: lengthOf(attributes.y, 16, outer.height) ?? 0,
    width: lengthOf(attributes.width, 16, outer.width) ?? outer.width,
    height: lengthOf(attributes.height, 16, outer.height) ?? outer.height,
  }
}

/** Maps units of the view box to those of the place. `ratio`: `preserveAspectRatio`. */
export function fitted(box: Box, place: Box, ratio = ''): Matrix {
  const [scaleX, scaleY] = [place.width / box.width, place.height / box.height]
  if (/\bnone\b/.test(ratio)) return [scaleX, 0, 0, scaleY, place.x - box.x * scaleX, place.y - box.y * scaleY]
  const scale = /\bslice\b/.test(ratio) ? Math.max(scaleX, scaleY) : Math.min(scaleX, scaleY)
  const { x, y } = alignmentOf(ratio)
  return [
    ...([scale, 0, 0, scale] as const),
    place.x + (place.width - box.width * scale) * x - box.x * scale,
    place.y + (place.height - box.height * scale) * y - box.y * scale,
  ]
}

/** The place of what is smaller or larger, as parts of the difference: `xMinYMax` is 0 and 1. */
export function alignmentOf(ratio = ''): { x: number; y: number } {
  const [, x = 'Mid', y = 'Mid'] = /x(Min|Mid|Max)Y(Min|Mid|Max)/.exec(ratio) ?? []
  const parts: Record<string, number> = { Min: 0, Mid: 0.5, Max: 1 }
  return { x: parts[x] ?? 0.5, y: parts[y] ?? 0.5 }
}

/** Matrices of elements that were read: many layers have the same ancestors. */
const matrices = new WeakMap<SvgElement, Matrix>()

/** The transforms of the element and its ancestors, without the root. For a nested `svg`, also those of its view box. */
export function matrixOf(element: SvgElement): Matrix {
  if (element.parent === undefined) return identity
  const before = matrices.get(element)
  if (before !== undefined) return before
  const outer = multiply(matrixOf(element.parent), transformOf(element.attributes.transform))
  const matrix = element.name === 'svg' ? multiply(outer, innerMatrix(element)) : outer
  matrices.set(element, matrix)
  return matrix
}

function innerMatrix(element: SvgElement): Matrix {
  const place = placeOf(element)
  const box = viewBoxOf(element)
  return box === undefined ? [1, 0, 0, 1, place.x, place.y] : fitted(box, place, element.attributes.preserveAspectRatio)
}
