/** Viewports of an SVG: the lengths of percentages, and the transforms from nested units. */
import { lengthOf, numbersIn } from './geometry.ts'
import type { SvgElement } from './read-svg.ts'

export interface Size {
  width: number
  height: number
}

const sizes = new WeakMap<SvgElement, Size>()

/** Of the nearest `svg`, in units of the element. */
export function viewportOf(element: SvgElement): Size {
  const before = sizes.get(element)
  if (before !== undefined) return before
  const { name, parent, attributes } = element
  const outer = parent === undefined ? { width: 0, height: 0 } : viewportOf(parent)
  const size = name === 'svg' ? sizeOf(attributes, outer) : outer
  sizes.set(element, size)
  return size
}

function sizeOf(attributes: Record<string, string>, outer: Size): Size {
  const [, , width = 0, height = 0] = numbersIn(attributes.viewBox)
  if (width > 0 && height > 0) return { width, height }
  return {
    width: lengthOf(attributes.width ?? '100%', 16, outer.width) ?? 0,
    height: lengthOf(attributes.height ?? '100%', 16, outer.height) ?? 0,
  }
}
