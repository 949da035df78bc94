/** Properties of SVG elements: from attributes, `style`, and rules, in the order of the cascade. */
import { fractionOf, lengthOf } from './geometry.ts'
import { elementsIn, type SvgElement, textOf } from './read-svg.ts'
import {
  type Compound,
  type Declaration,
  parseDeclarations,
  parseStyleSheet,
  type Selector,
  writeStyleSheet,
} from './style-sheet.ts'
import { SvgProblem } from './svg-problem.ts'

/** The properties that the import reads. Rules and styles can have any number of others. */
const properties = [
  ...(['display', 'visibility', 'opacity', 'filter', 'mask', 'clip-path', 'mix-blend-mode'] as const),
  ...(['color', 'fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'paint-order'] as const),
  ...(['font-family', 'font-size', 'font-style', 'font-weight', 'font-variant', 'font-stretch'] as const),
  ...(['letter-spacing', 'word-spacing', 'text-anchor', 'white-space', 'text-transform', 'direction'] as const),
  ...([
    'flood-color',
    'flood-opacity',
    'dominant-baseline',
    'alignment-baseline',
    'baseline-shift',
    'writing-mode',
  ] as const),
  ...(['text-decoration', 'text-decoration-line', 'transform', 'transform-origin', 'transform-box'] as const),
] as const

export type Property = (typeof properties)[number]

const known: ReadonlySet<string> = new Set(properties)

/** All rules with the same selector. */
export interface Rule {
  selector: Selector
  values: Map<Property, Cascaded>
  /** The ids that each of the rules refers to. Selectors of one rule share the list. */
  references: (readonly string[])[]
}

interface Cascaded {
  value: string
  isImportant: boolean
  specificity: number
  order: number
}

export interface Rules {
  /** Rules by the id, a class or the type of the last part of the selector. */
  byKey: ReadonlyMap<string, readonly Rule[]>
  /** Selectors and at-rules that are not applied. */
  leftOut: ReadonlySet<string>
  /** Elements that were read: many layers read the same ancestors. */
  read: Map<SvgElement, Styled>
  classes: Map<SvgElement, ReadonlySet<string>>
  fontSizes: Map<SvgElement, number>
  /** Comparisons of elements with parts of selectors. */
  steps: number
}

interface Styled {
  values: ReadonlyMap<Property, string>
  matched: readonly Rule[]
}

/** Reads the style sheets, and removes from them what the import does not apply: so that both renderers apply the same. */
export function rulesOf(root: SvgElement): Rules {
  const bySelector = new Map<string, Rule>()
  const byKey = new Map<string, Rule[]>()
  const leftOut = new Set<string>()
  let order = 0
  for (const element of elementsIn(root)) {
    if (element.name !== 'style') continue
    const sheet = styleSheetOf(element)
    for (const each of sheet.leftOut) leftOut.add(each)
    for (const { selectors, declarations } of sheet.rules) {
      order += 1
      const values = [...knownIn(declarations)]
      const references = declarations.flatMap(({ value }) => idsIn(value))
      for (const selector of selectors) {
        const before = bySelector.get(selector.text)
        const rule: Rule = before ?? { selector, values: new Map(), references: [] }
        if (before === undefined) {
          bySelector.set(selector.text, rule)
          const key = keyOf(selector.compounds[0])
          const others = byKey.get(key)
          if (others === undefined) byKey.set(key, [rule])
          else others.push(rule)
        }
        for (const [name, { value, isImportant }] of values)
          cascade(rule.values, name, { value, isImportant, order, specificity: selector.specificity })
        if (references.length > 0) rule.references.push(references)
      }
    }
    element.children = [writeStyleSheet(sheet.rules)]
  }
  return { byKey, leftOut, read: new Map(), classes: new Map(), fontSizes: new Map(), steps: 0 }
}

function styleSheetOf(element: SvgElement) {
  const { type = '', media = '' } = element.attributes
  if (type !== '' && type.trim().toLowerCase() !== 'text/css') return { rules: [], leftOut: [] }
  if (!/^\s*(all|screen)?\s*$/i.test(media)) return { rules: [], leftOut: [`media="${media}"`] }
  return parseStyleSheet(textOf(element))
}

function keyOf({ id, classes, type }: Compound): string {
  if (id !== undefined) return `#${id}`
  return classes[0] === undefined ? (type ?? '*') : `.${classes[0]}`
}

/** Keeps the value that wins. */
function cascade(values: Map<Property, Cascaded>, name: Property, next: Cascaded): void {
  const before = values.get(name)
  if (before === undefined || !isStronger(before, next)) values.set(name, next)
}

function isStronger(a: Cascaded, b: Cascaded): boolean {
  if (a.isImportant !== b.isImportant) return a.isImportant
  return a.specificity === b.specificity ? a.order > b.order : a.specificity > b.specificity
}

/** Each property once. */
function knownIn(declarations: readonly Declaration[]): Map<Property, { value: string; isImportant: boolean }> {
  const found = new Map<Property, { value: string; isImportant: boolean }>()
  for (const { name, value, isImportant } of declarations.flatMap(longhandsOf))
    if (known.has(name) && (isImportant || found.get(name as Property)?.isImportant !== true))
      found.set(name as Property, { value, isImportant })
  return found
}

/** `font: italic bold 12px/1.5 Inter, serif`. */
function longhandsOf(declaration: Declaration): Declaration[] {
  if (declaration.name !== 'font') return [declaration]
  const { value, isImportant } = declaration
  const [, size = '', family = ''] =
    /(?:^|\s)(\d[\w.%]*|\.\d[\w.%]*|(?:xx?-)?(?:small|large)|medium)(?:\s*\/\s*[\w.%]+)?\s+(\D.*)$/.exec(
      value.slice(0, 1_000),
    ) ?? []
  if (size === '') return []
  const words = value.slice(0, value.lastIndexOf(size)).trim().split(/\s+/)
  const found = (pattern: RegExp) => words.find((word) => pattern.test(word)) ?? 'normal'
  return [
    { name: 'font-style', value: found(/^(italic|oblique)$/), isImportant },
    { name: 'font-variant', value: found(/^small-caps$/), isImportant },
    { name: 'font-weight', value: found(/^(bold|bolder|lighter|[1-9]\d\d)$/), isImportant },
    { name: 'font-stretch', value: found(/(condensed|expanded)$/), isImportant },
    { name: 'font-size', value: size, isImportant },
    { name: 'font-family', value: family, isImportant },
  ]
}

/** The id of each `url(#id)` in the value of a property. */
export function idsIn(value: string): string[] {
  return [...value.matchAll(/url\(\s*["']?#([^"')]+)/g)].map(([, id = '']) => id)
}

/** The rules that apply to the element. */
export function matchedRules(element: SvgElement, rules: Rules): readonly Rule[] {
  return styled(element, rules).matched
}

/** The property of the element itself: `style` wins over rules, and rules over attributes, except for `!important`. */
export function ownProperty(element: SvgElement, name: Property, rules: Rules): string | undefined {
  return styled(element, rules).values.get(name)
}

function styled(element: SvgElement, rules: Rules): Styled {
  const before = rules.read.get(element)
  if (before !== undefined) return before
  const { attributes } = element
  const matched = matchedBy(element, rules)
  const found = new Map<Property, Cascaded>()
  for (const [name, value] of Object.entries(attributes))
    if (known.has(name))
      found.set(name as Property, { value: value.trim(), isImportant: false, specificity: -1, order: 0 })
  for (const rule of matched) for (const [name, value] of rule.values) cascade(found, name, value)
  for (const [name, value] of knownIn(attributes.style ? parseDeclarations(attributes.style) : []))
    cascade(found, name, { ...value, specificity: Infinity, order: 0 })
  const result = { values: new Map([...found].map(([name, { value }]) => [name, value])), matched }
  rules.read.set(element, result)
  return result
}

/** The copy matches the rules that the element matches at its place. */
export function copyStyle(element: SvgElement, copy: SvgElement, rules: Rules): void {
  rules.read.set(copy, styled(element, rules))
}

function matchedBy(element: SvgElement, rules: Rules): Rule[] {
  if (rules.byKey.size === 0) return []
  const { id } = element.attributes
  const names = classesOf(element, rules)
  const keys = [...(id === undefined ? [] : [`#${id}`]), ...[...names].map((name) => `.${name}`), element.name, '*']
  return keys.flatMap((key) => rules.byKey.get(key) ?? []).filter(({ selector }) => matches(element, selector, rules))
}

function classesOf(element: SvgElement, { classes }: Rules): ReadonlySet<string> {
  const names = classes.get(element) ?? new Set(element.attributes.class?.split(/\s+/))
  classes.set(element, names)
  return names
}

/** More than any editor writes: 500 rules for each of 20,000 elements. */
const stepsMax = 10_000_000

function matches(element: SvgElement, { compounds }: Selector, rules: Rules): boolean {
  const fits = (part: SvgElement, { type, id, classes }: Compound): boolean => {
    rules.steps += 1
    if (rules.steps > stepsMax)
      throw new SvgProblem(
        'The style sheet of the SVG has too many rules for its elements. Remove rules, or flatten it.',
      )
    if ((type !== undefined && type !== part.name) || (id !== undefined && id !== part.attributes.id)) return false
    return classes.length === 0 || classes.every((name) => classesOf(part, rules).has(name))
  }
  /** Whether the parts of the selector from `index` fit an ancestor. */
  const fitsAbove = (part: SvgElement, index: number): boolean => {
    const compound = compounds[index]
    if (compound === undefined) return true
    const isChild = compounds[index - 1]?.combinator === '>'
    for (let up = part.parent; up !== undefined; up = isChild ? undefined : up.parent)
      if (fits(up, compound) && fitsAbove(up, index + 1)) return true
    return false
  }
  return fits(element, compounds[0]) && fitsAbove(element, 1)
}
/** Value of the element, or the next ancestor that sets it. */
export function inherited(element: SvgElement, name: Property, rules: Rules): string | undefined {
  for (let ancestor: SvgElement | undefined = element; ancestor !== undefined; ancestor = ancestor.parent) {
    const value = ownProperty(ancestor, name, rules)
    if (value === 'initial') return undefined
    if (value !== undefined && !/^(inherit|unset|revert)$/.test(value)) return value
  }
  return undefined
}

/** The product of `opacity` of the element and its ancestors. */
export function opacityOf(element: SvgElement, rules: Rules): number {
  let opacity = 1
  for (let ancestor: SvgElement | undefined = element; ancestor !== undefined; ancestor = ancestor.parent) {
    opacity *= fractionOf(ownProperty(ancestor, 'opacity', rules)) ?? 1
  }
  return opacity
}

const effects = ['filter', 'mask', 'clip-path'] as const
export type Effect = (typeof effects)[number]

/** An effect of the element or an ancestor that HTML can't repeat. `isRepeated`: whether it can, for an element with this effect. */
export function effectOf(
  element: SvgElement,
  rules: Rules,
  isRepeated: (element: SvgElement, effect: Effect) => boolean,
): string | undefined {
  for (let ancestor: SvgElement | undefined = element; ancestor !== undefined; ancestor = ancestor.parent) {
    const name = effects.find((effect) => {
      const value = ownProperty(ancestor, effect, rules)
      return value !== undefined && value !== 'none' && !isRepeated(ancestor, effect)
    })
    if (name !== undefined) return name
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

const sizeWords: Record<string, number> = {
  ...{ 'xx-small': 9, 'x-small': 10, small: 13, medium: 16, large: 18, 'x-large': 24, 'xx-large': 32 },
}

/** Size in units of the SVG. */
export function fontSizeOf(element: SvgElement, rules: Rules): number {
  const before = rules.fontSizes.get(element)
  if (before !== undefined) return before
  const outer = element.parent === undefined ? 16 : fontSizeOf(element.parent, rules)
  const value = ownProperty(element, 'font-size', rules) ?? ''
  const relative = value === 'larger' ? 1.2 : value === 'smaller' ? 1 / 1.2 : 1
  const size = (Object.hasOwn(sizeWords, value) ? sizeWords[value] : lengthOf(value, outer, outer)) ?? outer * relative
  rules.fontSizes.set(element, size)
  return size
}

/** A paint of the element, with the colour that `currentColor` is. */
export function paintOf(element: SvgElement, name: 'fill' | 'stroke', rules: Rules): string | undefined {
  const value = inherited(element, name, rules)
  return value?.toLowerCase() === 'currentcolor' ? (inherited(element, 'color', rules) ?? 'black') : value
}
