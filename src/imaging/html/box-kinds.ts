/**
 * Whether the renderer's layout has the box of an element. It has boxes of blocks, and of items of a flexbox or a grid. An element in a line has
 * none, or one with its margins. The renderer doesn't say which element is which, so the declarations that it may have decide.
 */
import type { Node } from '@takumi-rs/core'
import { type CssNode, walk } from 'css-tree/dist/csstree.esm'
import { defaultStyles } from './default-styles.ts'
import { matches, type NamedRule, namesIn } from './image-display.ts'

export interface BoxRule extends NamedRule {
  display?: string
  /** Whether it takes the element out of its line. */
  isOut: boolean
  hasMargin: boolean
}

type Declared = Omit<BoxRule, keyof NamedRule>

export function boxRulesOf(trees: readonly CssNode[]): BoxRule[] {
  const rules: BoxRule[] = []
  for (const tree of trees)
    walk(tree, (node) => {
      if (node.type !== 'Rule' || node.prelude.type !== 'SelectorList') return
      const declared = declaredIn(node.block)
      if (declared === undefined) return
      node.prelude.children.forEach((selector) => {
        if (selector.type === 'Selector') rules.push({ ...namesIn(selector), ...declared })
      })
    })
  return rules
}

function declaredIn(block: CssNode): Declared | undefined {
  const found: Declared = { isOut: false, hasMargin: false }
  let isRelevant = false
  walk(block, (node) => {
    if (node.type !== 'Declaration') return
    const [first] = node.value.type === 'Value' ? node.value.children.toArray() : []
    const word = first?.type === 'Identifier' ? first.name.toLowerCase() : ''
    const [isDisplay, isMargin] = [node.property === 'display', node.property.startsWith('margin')]
    if (isDisplay) found.display = word
    if (isMargin) found.hasMargin = true
    const isOut = (node.property === 'position' && /^(absolute|fixed)$/.test(word)) || node.property === 'float'
    if (isOut) found.isOut = true
    isRelevant ||= isDisplay || isMargin || isOut
  })
  return isRelevant ? found : undefined
}

export interface BoxContext {
  rules: readonly BoxRule[]
  /** Names of the elements around. */
  outer: ReadonlySet<string>
  /** Whether the parent is a flexbox or a grid. */
  isItem: boolean
}

export interface BoxKind {
  hasBox: boolean
  /** Whether its children are items. */
  hasItems: boolean
}

export function boxKindOf(node: Node, names: ReadonlySet<string>, { rules, outer, isItem }: BoxContext): BoxKind {
  const matching: Declared[] = rules.filter((rule) => matches(rule, { own: names, outer }))
  const style: Record<string, unknown> = { ...node.style }
  const display = String(
    style.display ?? matching.findLast((rule) => rule.display)?.display ?? displayOf(node) ?? 'inline',
  )
  const isOut = matching.some((rule) => rule.isOut) || /absolute|fixed/.test(String(style.position ?? ''))
  const hasMargin =
    matching.some((rule) => rule.hasMargin) || Object.keys(style).some((name) => name.startsWith('margin'))
  const isInLine = display.startsWith('inline') && !isItem && !isOut
  const isWhole = node.type === 'image' || display !== 'inline'
  return { hasBox: !isInLine || (isWhole && !hasMargin), hasItems: /flex|grid/.test(display) }
}

function displayOf({ tagName = '', preset }: Node): string | undefined {
  const own = (preset as Record<string, string> | undefined)?.display
  return own ?? defaultStyles[tagName]?.display
}

/** Its tag, classes and id, as in `NamedRule`. */
export function namesOf({ tagName = '', className = '', id }: Node): Set<string> {
  return new Set([tagName, ...(id ? [`#${id}`] : []), ...className.split(/\s+/).map((name) => `.${name}`)])
}
