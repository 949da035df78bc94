/** Properties of SVG elements: from attributes, `style`, and rules with class names, as editors write them. */
import type { SvgElement } from './read-svg.ts'
import { elementsIn, textOf } from './read-svg.ts'

/** The properties that the import reads. Rules and styles can have any number of others. */
const properties = [
  ...(['display', 'visibility', 'opacity', 'filter', 'mask', 'clip-path', 'mix-blend-mode'] as const),
  ...(['fill', 'fill-opacity', 'stroke', 'stroke-width'] as const),
  ...(['font-family', 'font-size', 'font-style', 'font-weight'] as const),
  ...(['letter-spacing', 'text-anchor', 'white-space'] as const),
] as const

export type Property = (typeof properties)[number]

/** All rules with the same selector. */
export interface Rule {
  values: Map<Property, { value: string; order: number }>
  /** The ids that each of the rules refers to. Selectors of one rule share the list. */
  references: (readonly string[])[]
}

export interface Rules {
  bySelector: ReadonlyMap<string, Rule>
  /** Elements that were read: many layers read the same ancestors. */
  read: Map<SvgElement, Styled>
}

interface Styled {
  values: ReadonlyMap<Property, string>
  matched: readonly Rule[]
}

/** `.cls-1,.cls-2{fill:#fff}` by class. Other selectors are ignored. */
export function rulesOf(root: SvgElement): Rules {
  const bySelector = new Map<string, Rule>()
  let order = 0
  for (const element of elementsIn(root)) {
    if (element.name !== 'style') continue
    for (const part of withoutComments(textOf(element)).split('}')) {
      const [selectors = '', body = ''] = part.split('{')
      const declarations = declarationsIn(body)
      const values = knownIn(declarations)
      const references = [...declarations.values()].flatMap(idsIn)
      order += 1
      for (const selector of selectors.split(',').map((each) => each.trim())) {
        if (!/^\.[\w-]+$/.test(selector)) continue
        const rule: Rule = bySelector.get(selector) ?? { values: new Map(), references: [] }
        bySelector.set(selector, rule)
        for (const [name, value] of values) rule.values.set(name, { value, order })
        if (references.length > 0) rule.references.push(references)
      }
    }
  }
  return { bySelector, read: new Map() }
}

/** A comment without an end continues to the end. */
export function withoutComments(css: string): string {
  const parts: string[] = []
  let at = 0
  for (let start = css.indexOf('/*'); start >= 0; start = css.indexOf('/*', at)) {
    parts.push(css.slice(at, start))
    const end = css.indexOf('*/', start + 2)
    if (end < 0) return parts.join('')
    at = end + 2
  }
  return [...parts, css.slice(at)].join('')
}

function declarationsIn(text = ''): Map<string, string> {
  return new Map(
    text.split(';').flatMap((declaration): [string, string][] => {
      const at = declaration.indexOf(':')
      return at > 0 ? [[declaration.slice(0, at).trim(), declaration.slice(at + 1).trim()]] : []
    }),
  )
}

function knownIn(declarations: ReadonlyMap<string, string>): [Property, string][] {
  return properties.flatMap((name) => {
    const value = declarations.get(name)
    return value === undefined ? [] : [[name, value]]
  })
}

/** Of each `url(#id)` in the value of a property. */
export function idsIn(value: string): string[] {
  return [...value.matchAll(/url\(\s*["']?#([^"')]+)/g)].map(([, id = '']) => id)
}

/** The rules that apply to the element. */
export function matchedRules(element: SvgElement, rules: Rules): readonly Rule[] {
  return styled(element, rules).matched
}

/** Of the element itself: `style` wins over rules, and rules over attributes. */
export function ownProperty(element: SvgElement, name: Property, rules: Rules): string | undefined {
  return styled(element, rules).values.get(name)
}

function styled(element: SvgElement, rules: Rules): Styled {
  const before = rules.read.get(element)
  if (before !== undefined) return before
  const { attributes } = element
  const values = new Map<Property, string>(knownIn(new Map(Object.entries(attributes))))
  const classes = new Set((attributes.class ?? '').split(/\s+/).map((name) => `.${name}`))
  const matched = [...classes].flatMap((selector) => rules.bySelector.get(selector) ?? [])
  const orders = new Map<Property, number>()
  for (const rule of matched)
    for (const [name, { value, order }] of rule.values) {
      if (order < (orders.get(name) ?? 0)) continue
      orders.set(name, order)
      values.set(name, value)
    }
  for (const [name, value] of knownIn(declarationsIn(attributes.style))) values.set(name, value)
  const result = { values, matched }
  rules.read.set(element, result)
  return result
}

/** Of the element, or the next ancestor that sets it. */
export function inherited(element: SvgElement, name: Property, rules: Rules): string | undefined {
  for (let ancestor: SvgElement | undefined = element; ancestor !== undefined; ancestor = ancestor.parent) {
    const value = ownProperty(ancestor, name, rules)
    if (value !== undefined && value !== 'inherit') return value
  }
  return undefined
}

/** The product of `opacity` of the element and its ancestors. */
export function opacityOf(element: SvgElement, rules: Rules): number {
  let opacity = 1
  for (let ancestor: SvgElement | undefined = element; ancestor !== undefined; ancestor = ancestor.parent) {
    const value = Number.parseFloat(ownProperty(ancestor, 'opacity', rules) ?? '1')
    if (Number.isFinite(value)) opacity *= value
  }
  return opacity
}

/** An effect of the element or an ancestor that HTML can't repeat. `clipsNothing`: for an element with a clip path. */
export function effectOf(
  element: SvgElement,
  rules: Rules,
  clipsNothing: (element: SvgElement) => boolean,
): string | undefined {
  for (let ancestor: SvgElement | undefined = element; ancestor !== undefined; ancestor = ancestor.parent) {
    const name = (['filter', 'mask', 'clip-path'] as const).find((effect) => {
      const value = ownProperty(ancestor, effect, rules)
      return value !== undefined && value !== 'none'
    })
    if (name !== undefined && !(name === 'clip-path' && clipsNothing(ancestor))) return name
  }
  return undefined
}

/** Whether the element or an ancestor is blended with what is below. */
export function isBlended(element: SvgElement, rules: Rules): boolean {
  for (let ancestor: SvgElement | undefined = element; ancestor !== undefined; ancestor = ancestor.parent) {
    const value = ownProperty(ancestor, 'mix-blend-mode', rules)
    if (value !== undefined && value !== 'normal') return true
  }
  return false
}
