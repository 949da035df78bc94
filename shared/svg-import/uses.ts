/** Texts and images that `use` repeats become layers. */
import type { ElementsById } from './definitions.ts'
import { lengthOf } from './geometry.ts'
import { elementsIn, hrefOf, type SvgElement } from './read-svg.ts'
import { copyStyle, type Rules } from './styles.ts'
import { SvgProblem, svgImportLimits } from './svg-problem.ts'
import { viewportOf } from './viewport.ts'

/** Replaces each `use` of a text or an image by a copy. A renderer of SVG repeats the others. */
export function expandUses(root: SvgElement, byId: ElementsById, rules: Rules): void {
  checkUses(root, byId)
  const hasLayers = layerFinder(byId)
  const expand = (element: SvgElement, open: ReadonlySet<SvgElement>) => {
    for (const [index, child] of element.children.entries()) {
      if (typeof child === 'string' || /^(defs|symbol|clipPath|mask|pattern|marker)$/.test(child.name)) continue
      const target = child.name === 'use' ? targetOf(child, byId) : undefined
      if (target === undefined) expand(child, open)
      else if (hasLayers(target) && !open.has(target)) {
        const copy = copyOf(child, target, rules)
        element.children[index] = copy
        expand(copy, new Set([...open, target]))
      }
    }
  }
  expand(root, new Set())
}

/** Throws if the elements that are drawn are too many: uses of groups of uses grow exponentially. */
function checkUses(root: SvgElement, byId: ElementsById): void {
  const { elementsMax, depthMax } = svgImportLimits
  const sizes = new Map<SvgElement, { count: number; height: number }>()
  const sizeOf = (element: SvgElement, depth: number): { count: number; height: number } => {
    const before = sizes.get(element)
    if (depth + (before?.height ?? 0) > depthMax)
      throw new SvgProblem(
        `With what <use> repeats, the elements of the SVG are nested more than ${depthMax} deep, the maximum. Flatten some groups.`,
      )
    if (before !== undefined) return before
    // A use of an ancestor is not drawn.
    const size = { count: 0, height: 0 }
    sizes.set(element, size)
    const target = element.name === 'use' ? targetOf(element, byId) : undefined
    const parts = element.children.filter((child) => typeof child !== 'string')
    const inner = [...parts, ...(target === undefined ? [] : [target])].map((part) => sizeOf(part, depth + 1))
    size.count = inner.reduce((sum, { count }) => sum + count, 1)
    size.height = Math.max(0, ...inner.map(({ height }) => height)) + 1
    return size
  }
  if (sizeOf(root, 0).count > elementsMax)
    throw new SvgProblem(
      `The SVG draws more than ${elementsMax} elements, the maximum, because <use> repeats groups. Export the repeated parts as an image.`,
    )
}

function layerFinder(byId: ElementsById): (element: SvgElement) => boolean {
  const found = new Map<SvgElement, boolean>()
  const hasLayers = (element: SvgElement): boolean => {
    const before = found.get(element)
    if (before !== undefined) return before
    found.set(element, false)
    const has = [...elementsIn(element)].some((part) => {
      if (/^(text|image)$/.test(part.name)) return true
      const target = part.name === 'use' ? targetOf(part, byId) : undefined
      return target !== undefined && hasLayers(target)
    })
    found.set(element, has)
    return has
  }
  return hasLayers
}

function targetOf(use: SvgElement, byId: ElementsById): SvgElement | undefined {
  const href = hrefOf(use)
  return href.startsWith('#') ? byId.get(href.slice(1)) : undefined
}

/** A group at the place of the `use`. A symbol is a nested `svg` with the size of the `use`. */
function copyOf(use: SvgElement, target: SvgElement, rules: Rules): SvgElement {
  const { x, y, width, height, href, 'xlink:href': _, transform = '', ...attributes } = use.attributes
  const viewport = viewportOf(use)
  const move = `translate(${lengthOf(x, 16, viewport.width) ?? 0} ${lengthOf(y, 16, viewport.height) ?? 0})`
  const group: SvgElement = {
    name: 'g',
    attributes: { ...attributes, transform: `${transform} ${move}` },
    children: [],
    parent: use.parent,
  }
  copyStyle(use, group, rules)
  const copy = copyTree(target, group, rules)
  const isViewport = target.name === 'symbol' || target.name === 'svg'
  const size = isViewport ? { ...(width && { width }), ...(height && { height }) } : {}
  copy.name = isViewport ? 'svg' : target.name
  copy.attributes = { ...copy.attributes, ...size }
  group.children = [copy]
  return group
}

function copyTree(element: SvgElement, parent: SvgElement, rules: Rules): SvgElement {
  const copy: SvgElement = { ...element, attributes: { ...element.attributes }, children: [], parent }
  copyStyle(element, copy, rules)
  copy.children = element.children.map((child) => (typeof child === 'string' ? child : copyTree(child, copy, rules)))
  return copy
}
