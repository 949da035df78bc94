/** The layers of an SVG, and what each becomes. */
import type { Canvas } from './canvas.ts'
import { clipsNothing, type ElementsById, isDefinition, isGroup } from './definitions.ts'
import { elementsIn, hasOwnText, hrefOf, type SvgElement } from './read-svg.ts'
import { type Shadow, shadowsOf } from './shadows.ts'
import { effectOf, inherited, ownProperty, type Rules } from './styles.ts'
import { textProblemOf } from './text-features.ts'
import { alignmentOf } from './viewport.ts'
import { isDropped } from './write-svg.ts'

export interface Layer {
  leaf: SvgElement
  /** A part of an `svg` node, or an element of the HTML. */
  becomes: 'shape' | 'element'
  image?: PlacedImage
  effect?: string
}

export interface PlacedImage {
  href: string
  fit: string
  /** Position of the image in its box, as parts of the difference. */
  position: { x: number; y: number }
  /** The element with the data. */
  data: SvgElement
}

/** Characters of all images together that stay in the SVG. A layer has room for as much text of shapes. */
const imageCharsMax = 131_072

/** The visible elements. Texts and images with an effect that HTML can't repeat are shapes. */
export function layersOf(root: SvgElement, canvas: Canvas, byId: ElementsById, rules: Rules): Layer[] {
  let imageChars = 0
  return [...leavesOf(root, rules)].map((leaf): Layer => {
    const image = imageOf(leaf, byId, rules)
    if (leaf.name !== 'text' && image === undefined) return { leaf, becomes: 'shape' }
    const effect =
      effectOf(leaf, rules, (element, name) =>
        name === 'clip-path'
          ? clipsNothing(element, leaf, canvas, byId, rules)
          : name === 'filter' && leaf.name === 'text' && shadowsOf(element, byId, rules) !== undefined,
      ) ??
      (visibilityOf(leaf, rules) === 'partial' ? 'hidden part' : undefined) ??
      (leaf.name === 'text' ? textProblemOf(leaf, rules) : undefined)
    const isSmall = image === undefined || imageChars + image.href.length <= imageCharsMax
    const becomes = effect !== undefined && isSmall ? 'shape' : 'element'
    if (becomes === 'shape') imageChars += image?.href.length ?? 0
    return { leaf, becomes, ...(image && { image }), ...(effect && { effect }) }
  })
}

/** An `image`, or a shape that is filled with one, as Figma writes it. */
function imageOf(element: SvgElement, byId: ElementsById, rules: Rules): PlacedImage | undefined {
  if (element.name === 'image') {
    const ratio = element.attributes.preserveAspectRatio ?? ''
    const fit = /\bnone\b/.test(ratio) ? 'fill' : /\bslice\b/.test(ratio) ? 'cover' : 'contain'
    return { href: hrefOf(element), fit, position: alignmentOf(ratio), data: element }
  }
  if (!/^(rect|circle|ellipse)$/.test(element.name)) return undefined
  const [, id = ''] = /^url\(\s*["']?#([^"')]+)/.exec(ownProperty(element, 'fill', rules) ?? '') ?? []
  const pattern = byId.get(id)
  if (pattern?.name !== 'pattern') return undefined
  const [inner] = [...elementsIn(pattern)].filter(({ name }) => name === 'use' || name === 'image')
  const data = inner?.name === 'use' ? byId.get(hrefOf(inner).replace(/^#/, '')) : inner
  return data?.name === 'image' ? { href: hrefOf(data), fit: 'cover', position: alignmentOf(), data } : undefined
}

/** `partial`: some parts of a text are hidden. A renderer of SVG decides for what `use` repeats. */
function visibilityOf(element: SvgElement, rules: Rules): 'visible' | 'hidden' | 'partial' {
  if (element.name === 'use') return 'visible'
  const parts = element.name === 'text' ? [...elementsIn(element)].filter(hasOwnText) : [element]
  const isRemoved = (part: SvgElement): boolean =>
    part !== element &&
    (ownProperty(part, 'display', rules) === 'none' || (part.parent !== undefined && isRemoved(part.parent)))
  const isHidden = (part: SvgElement) =>
    /^(hidden|collapse)$/.test(inherited(part, 'visibility', rules) ?? '') || isRemoved(part)
  const hidden = parts.filter(isHidden).length
  if (hidden === 0) return 'visible'
  return hidden === parts.length ? 'hidden' : 'partial'
}

/** Visible elements without visible children, in the order of drawing. */
function* leavesOf(element: SvgElement, rules: Rules): Generator<SvgElement> {
  for (const child of element.children) {
    if (typeof child === 'string' || isDropped(child) || isDefinition(child)) continue
    if (ownProperty(child, 'display', rules) === 'none') continue
    if (isGroup(child)) yield* leavesOf(child, rules)
    else if (visibilityOf(child, rules) !== 'hidden') yield child
  }
}

const several = new WeakMap<SvgElement, boolean>()

/** Whether more than one layer is in the element. */
export function hasSeveralLeaves(element: SvgElement, rules: Rules): boolean {
  const before = several.get(element)
  if (before !== undefined) return before
  const [, second] = leavesOf(element, rules)
  several.set(element, second !== undefined)
  return second !== undefined
}

/**
 * The shadows of a text: those of its groups, too, unless a shape of the group is drawn before it. The shadow of a text on a shape isn't
 * visible, because both have one shadow together.
 */
export function textShadowsOf(text: SvgElement, byId: ElementsById, rules: Rules): Shadow[] {
  const shadows: Shadow[] = []
  for (let element: SvgElement | undefined = text; element !== undefined; element = element.parent) {
    const own = ownProperty(element, 'filter', rules) === undefined ? undefined : shadowsOf(element, byId, rules)
    if (own === undefined) continue
    const [first] = leavesOf(element, rules)
    if (element === text || first === undefined || first.name === 'text') shadows.push(...own)
  }
  return shadows
}

/** The definitions of a layer don't need the data of images that it doesn't use. */
export function withoutImages(element: SvgElement, unneeded: ReadonlySet<SvgElement>): SvgElement {
  if (unneeded.has(element)) return { ...element, name: 'g', attributes: {}, children: [] }
  const children = element.children.map((child) => (typeof child === 'string' ? child : withoutImages(child, unneeded)))
  return children.every((child, index) => child === element.children[index]) ? element : { ...element, children }
}
