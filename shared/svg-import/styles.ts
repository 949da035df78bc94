/** Properties of SVG elements: from attributes, `style`, and rules with class names, as editors write them. */
import type { SvgElement } from './read-svg.ts'
import { elementsIn, textOf } from './read-svg.ts'

export type Rules = ReadonlyMap<string, Readonly<Record<string, string>>>

/** `.cls-1,.cls-2{fill:#fff}` by class. Other selectors are ignored. */
export function rulesOf(root: SvgElement): Rules {
  const rules = new Map<string, Record<string, string>>()
  for (const element of elementsIn(root)) {
    if (element.name !== 'style') continue
    for (const part of textOf(element)
      .replaceAll(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, '')
      .split('}')) {
      const [selectors = '', body = ''] = part.split('{')
      for (const selector of selectors.split(',')) {
        const [, name] = /^\s*\.([\w-]+)\s*$/.exec(selector) ?? []
        if (name !== undefined) rules.set(name, { ...rules.get(name), ...declarationsIn(body) })
      }
    }
  }
  return rules
}

export function declarationsIn(text = ''): Record<string, string> {
  return Object.fromEntries(
    text.split(';').flatMap((declaration) => {
      const at = declaration.indexOf(':')
      return at > 0 ? [[declaration.slice(0, at).trim(), declaration.slice(at + 1).trim()]] : []
    }),
  )
}

/** Of the element itself: `style` wins over rules, and rules over attributes. */
export function ownProperty(element: SvgElement, name: string, rules: Rules): string | undefined {
  const inline = declarationsIn(element.attributes.style)[name]
  if (inline !== undefined) return inline
  const classes = (element.attributes.class ?? '').split(/\s+/)
  return (
    classes.map((className) => rules.get(className)?.[name]).findLast((value) => value !== undefined) ??
    element.attributes[name]
  )
}

/** Of the element, or the next ancestor that sets it. */
export function inherited(element: SvgElement, name: string, rules: Rules): string | undefined {
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
    const name = ['filter', 'mask', 'clip-path'].find((effect) => {
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
