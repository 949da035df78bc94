/** Definitions of an SVG: what shapes use without being drawn themselves, wherever an editor puts it. */
import type { Canvas } from './canvas.ts'
import { lengthOf, multiply, transformOf } from './geometry.ts'
import { elementsIn, hrefOf, type SvgElement } from './read-svg.ts'
import { idsIn, matchedRules, ownProperty, type Rules } from './styles.ts'
import { matrixOf } from './viewport.ts'

export type ElementsById = ReadonlyMap<string, SvgElement>

/** Elements whose children are drawn in their place. */
export function isGroup({ name }: SvgElement): boolean {
  return /^(g|a|svg|switch)$/.test(name)
}

export function isDefinition({ name }: SvgElement): boolean {
  return /^(defs|style|clipPath|mask|filter|pattern|linearGradient|radialGradient|symbol|marker)$/.test(name)
}

/** The outermost definitions. Figma and Illustrator also write them into groups, without `defs`. */
export function* definitionsOf(element: SvgElement): Generator<SvgElement> {
  for (const child of element.children) {
    if (typeof child === 'string') continue
    if (isDefinition(child)) yield child
    else if (isGroup(child)) yield* definitionsOf(child)
  }
}

/** The elements that the elements and their ancestors refer to, such as gradients and masks, and those that these refer to. */
export function referencesOf(elements: Iterable<SvgElement>, byId: ElementsById, rules: Rules): Set<SvgElement> {
  const found = new Set<SvgElement>()
  // Elements, rules, and lists of ids: many elements can have the same rules.
  const read = new Set<unknown>()
  const open: SvgElement[] = []
  const isFirst = (what: unknown) => {
    const isNew = !read.has(what)
    read.add(what)
    return isNew
  }
  const add = (ids: readonly string[]) => {
    for (const id of ids) {
      const target = byId.get(id)
      if (target === undefined || found.has(target)) continue
      found.add(target)
      open.push(target)
    }
  }
  const follow = (element: SvgElement) => {
    if (!isFirst(element)) return
    add(idsOf(element))
    for (const { references } of matchedRules(element, rules).filter(isFirst)) references.filter(isFirst).forEach(add)
  }
  for (const element of elements) {
    for (const part of elementsIn(element)) follow(part)
    for (let up = element.parent; up !== undefined && !read.has(up); up = up.parent) follow(up)
  }
  for (let next = open.pop(); next !== undefined; next = open.pop()) for (const part of elementsIn(next)) follow(part)
  return found
}

function idsOf(element: SvgElement): string[] {
  const values = Object.values(element.attributes).flatMap(idsIn)
  const href = hrefOf(element)
  return href.startsWith('#') ? [...values, href.slice(1)] : values
}

/** Share of the shorter side of the canvas. Texts don't reach into smaller corners. */
const cornerMax = 1 / 8

/**
 * Whether the clip path of the element is a rectangle around the entire canvas: editors clip each export to its artboard. For a
 * text, it can have the small round corners of a card.
 */
export function clipsNothing(
  element: SvgElement,
  leaf: SvgElement,
  canvas: Canvas,
  byId: ElementsById,
  rules: Rules,
): boolean {
  const [id = ''] = idsIn(ownProperty(element, 'clip-path', rules) ?? '')
  const clip = byId.get(id)
  if (clip?.name !== 'clipPath' || clip.attributes.clipPathUnits === 'objectBoundingBox') return false
  const [rect, ...others] = clip.children.filter((child) => typeof child !== 'string')
  if (rect?.name !== 'rect' || others.length > 0) return false
  const { rx, ry } = rect.attributes
  const radii = [rx, ry].filter((radius) => radius !== undefined).map((radius) => lengthOf(radius) ?? Infinity)
  if (radii.length > 0 && leaf.name !== 'text') return false
  const own = multiply(transformOf(clip.attributes.transform), transformOf(rect.attributes.transform))
  const [a, b, c, d, e, f] = multiply(multiply(canvas.matrix, matrixOf(element)), own)
  if (Math.abs(b) > 1e-6 || Math.abs(c) > 1e-6 || a <= 0 || d <= 0) return false
  const [x = 0, y = 0, width = 0, height = 0] = ['x', 'y', 'width', 'height'].map((key) =>
    lengthOf(rect.attributes[key]),
  )
  if (Math.max(a, d) * Math.max(0, ...radii) > cornerMax * Math.min(canvas.width, canvas.height)) return false
  const [left, top] = [a * x + e, d * y + f]
  const tolerance = 0.5
  return (
    Math.max(left, top) <= tolerance &&
    left + a * width >= canvas.width - tolerance &&
    top + d * height >= canvas.height - tolerance
  )
}
