/**
 * The renderer draws no effects, such as filters, on images in a line, and percentages of an inline block are wrong. So the default
 * `display` of an image depends on the declarations that it may have.
 */
import { type CssNode, type Selector, walk } from 'css-tree/dist/csstree.esm'

/** The names in a selector. */
export interface NamedRule {
  /** `img`, `.photo` and `#logo`: an element without one of them doesn't match. */
  names: string[]
  /** Names of the parts before: an element doesn't match unless elements around it have them. */
  outerNames: string[]
}

/** A selector, and the declarations of its rule that matter. */
export interface ImageRule extends NamedRule {
  hasEffect: boolean
  hasPercentage: boolean
  /** Heights that are percentages count only outside of a line. */
  hasPercentHeight: boolean
}

type ImageDeclarations = Omit<ImageRule, keyof NamedRule>

const effects = /^(filter|opacity|transform|translate|rotate|scale|clip-path|mask|mask-image|mix-blend-mode)$/

export function imageRulesOf(tree: CssNode): ImageRule[] {
  const rules: ImageRule[] = []
  walk(tree, (node) => {
    if (node.type !== 'Rule' || node.prelude.type !== 'SelectorList') return
    const found = declarationsIn(node.block)
    if (!found.hasEffect && !found.hasPercentage) return
    node.prelude.children.forEach((selector) => {
      if (selector.type === 'Selector') rules.push({ ...namesIn(selector), ...found })
    })
  })
  return rules
}

/** Declarations of a block, or of a `style` attribute. */
export function declarationsIn(block: CssNode): ImageDeclarations {
  let hasEffect = false
  let hasPercentage = false
  let hasPercentHeight = false
  walk(block, (node) => {
    if (node.type !== 'Declaration') return
    if (effects.test(node.property)) hasEffect = true
    if (!/^(width|height|max-width|max-height)$/.test(node.property)) return
    walk(node.value, (part) => {
      if (part.type !== 'Percentage') return
      hasPercentage = true
      if (node.property === 'height') hasPercentHeight = true
    })
  })
  return { hasEffect, hasPercentage, hasPercentHeight }
}

export function namesIn(selector: Selector): NamedRule {
  let names: string[] = []
  const outerNames: string[] = []
  selector.children.forEach((part) => {
    if (part.type === 'Combinator') {
      // Before a sibling, not around the image.
      if (part.name !== '+' && part.name !== '~') outerNames.push(...names)
      names = []
    } else if (part.type === 'TypeSelector' && part.name !== '*') names.push(part.name.toLowerCase())
    else if (part.type === 'ClassSelector') names.push(`.${part.name}`)
    else if (part.type === 'IdSelector') names.push(`#${part.name}`)
  })
  return { names, outerNames }
}

/** The names of an element, and of the elements around it. */
export interface Names {
  own: ReadonlySet<string>
  outer: ReadonlySet<string>
}

/** False if the selector doesn't match. */
export function matches({ names, outerNames }: NamedRule, { own, outer }: Names): boolean {
  return names.every((name) => own.has(name)) && outerNames.every((name) => outer.has(name))
}

/** The names are those of the image, and of the elements around it. `inline`: of its attribute `style`. */
export function imageDisplay(names: Names, rules: readonly ImageRule[], inline: ImageDeclarations | undefined): string {
  const matching: ImageDeclarations[] = rules.filter((rule) => matches(rule, names))
  if (inline) matching.push(inline)
  if (matching.some(({ hasPercentHeight }) => hasPercentHeight)) return 'block'
  if (!matching.some(({ hasEffect }) => hasEffect)) return 'inline'
  return matching.some(({ hasPercentage }) => hasPercentage) ? 'block' : 'inline-block'
}
