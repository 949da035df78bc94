/**
 * Whether the renderer's layout has the box of an element. It has boxes of blocks, and of items of a flexbox or a grid. A part of a line has only the
 * runs of its text, and an inline block a box with its margins. The renderer doesn't say which element is which, so the declarations that it may have
 * decide.
 */
import type { Node } from '@takumi-rs/core'
import { type CssNode, generate, type Selector, walk } from 'css-tree/dist/csstree.esm'
import { defaultStyles } from './default-styles.ts'
import { matches, type NamedRule, namesIn } from './image-display.ts'

export type Generated = 'before' | 'after'

export interface BoxRule extends NamedRule {
  /** The generated content that it selects. Undefined for the element. */
  generated: Generated | undefined
  display?: string
  /** Whether it takes the element out of its line. */
  isOut: boolean
  hasMargin: boolean
  /** Whether its text begins elsewhere than its box. */
  hasEdges: boolean
  /** Whether it moves the box of a part of a line away from its text. */
  isMoved: boolean
  /** Whether it generates content. */
  hasContent: boolean
}

type Declared = Omit<BoxRule, keyof NamedRule | 'generated'>

export function boxRulesOf(trees: readonly CssNode[]): BoxRule[] {
  const rules: BoxRule[] = []
  for (const tree of trees)
    walk(tree, (node) => {
      if (node.type !== 'Rule' || node.prelude.type !== 'SelectorList') return
      const declared = declaredIn(node.block)
      if (declared === undefined) return
      node.prelude.children.forEach((selector) => {
        const generated = selector.type === 'Selector' ? generatedIn(selector) : 'other'
        if (selector.type === 'Selector' && generated !== 'other')
          rules.push({ ...namesIn(selector), ...declared, generated })
      })
    })
  return rules
}

function generatedIn({ children }: Selector): Generated | 'other' | undefined {
  const names = children
    .toArray()
    .flatMap((part) => (part.type === 'PseudoElementSelector' || part.type === 'PseudoClassSelector' ? [part] : []))
  const before = names.some(({ name }) => name === 'before')
  if (before || names.some(({ name }) => name === 'after')) return before ? 'before' : 'after'
  return names.some(({ type }) => type === 'PseudoElementSelector') ? 'other' : undefined
}

function declaredIn(block: CssNode): Declared | undefined {
  const found: Declared = { isOut: false, hasMargin: false, hasEdges: false, isMoved: false, hasContent: false }
  let isRelevant = false
  walk(block, (node) => {
    if (node.type !== 'Declaration') return
    const [first] = node.value.type === 'Value' ? node.value.children.toArray() : []
    const word = first?.type === 'Identifier' ? first.name.toLowerCase() : ''
    const [isDisplay, isMargin] = [node.property === 'display', node.property.startsWith('margin')]
    const isZero = zero.test(generate(node.value))
    if (isDisplay) found.display = word
    if (isMargin && !isZero) found.hasMargin = true
    const isOut = (node.property === 'position' && /^(absolute|fixed)$/.test(word)) || node.property === 'float'
    if (isOut) found.isOut = true
    if (edges.test(node.property) && !isZero) found.hasEdges = true
    if (moves.test(node.property) && !isZero) found.isMoved = true
    if (node.property === 'content') found.hasContent = true
    isRelevant ||= isDisplay || isMargin || isOut || found.hasEdges || found.isMoved || found.hasContent
  })
  return isRelevant ? found : undefined
}

const edges = /^(padding|border(?!-(radius|collapse|spacing|color)))/
const moves = /^(inset|top$|left$|right$|bottom$|transform|translate$|rotate$|scale$)/

/** A reset. */
const zero = /^((0(px)? ?)+|none)$/

export interface BoxContext {
  rules: readonly BoxRule[]
  /** Names of the elements around. */
  outer: ReadonlySet<string>
  /** Whether the parent is a flexbox or a grid. */
  isItem: boolean
}

export interface BoxKind {
  hasBox: boolean
  /** Whether its box is that of the runs of its text. */
  isRun: boolean
  /** Whether its text may begin elsewhere than its box. */
  hasEdges: boolean
  /** Whether its children are items. */
  hasItems: boolean
}

export function boxKindOf(node: Node, names: ReadonlySet<string>, { rules, outer, isItem }: BoxContext): BoxKind {
  const matching: Declared[] = rules.filter((rule) => !rule.generated && matches(rule, { own: names, outer }))
  const style: Record<string, unknown> = { ...node.style }
  const display = String(
    style.display ?? matching.findLast((rule) => rule.display)?.display ?? displayOf(node) ?? 'inline',
  )
  const isOut = matching.some((rule) => rule.isOut) || /absolute|fixed/.test(String(style.position ?? ''))
  const declares = (pattern: RegExp) => (name: string) => pattern.test(name) && !zero.test(String(style[name]))
  const hasMargin = matching.some((rule) => rule.hasMargin) || Object.keys(style).some(declares(/^margin/))
  const hasEdges =
    matching.some((rule) => rule.hasEdges) ||
    Object.keys(style).some(declares(edges)) ||
    Object.keys(node.preset ?? {}).some((name) => edges.test(name))
  const isMoved = matching.some((rule) => rule.isMoved) || Object.keys(style).some(declares(moves))
  const isInLine = display.startsWith('inline') && !isItem && !isOut
  const isWhole = node.type === 'image' || display !== 'inline'
  return {
    hasBox: !isInLine || (isWhole && !hasMargin),
    isRun: isInLine && !isWhole && !hasMargin && !hasEdges && !isMoved,
    hasEdges,
    hasItems: /flex|grid/.test(display),
  }
}

/** Whether the element may have content before or after its own. */
export function mayGenerate(
  generated: Generated,
  own: ReadonlySet<string>,
  { rules, outer }: Pick<BoxContext, 'rules' | 'outer'>,
): boolean {
  return rules.some((rule) => rule.generated === generated && rule.hasContent && matches(rule, { own, outer }))
}

function displayOf({ tagName = '', preset }: Node): string | undefined {
  const own = (preset as Record<string, string> | undefined)?.display
  return own ?? defaultStyles[tagName]?.display
}

/** Its tag, classes and id, as in `NamedRule`. */
export function namesOf({ tagName = '', className = '', id }: Node): Set<string> {
  return new Set([tagName, ...(id ? [`#${id}`] : []), ...className.split(/\s+/).map((name) => `.${name}`)])
}
