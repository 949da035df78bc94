/// <reference path="../css-tree.d.ts" />
/** Reads style sheets of an SVG: which selectors and rules the import can apply, and which it leaves out. */
import { type CssNode, ident, lexer, parse, type Rule as RuleNode } from 'css-tree/dist/csstree.esm'
import { SvgProblem } from './svg-problem.ts'

/** `text#title.a.b`. */
export interface Compound {
  type?: string
  id?: string
  classes: string[]
  /** Relation between the compound and the one to its left. */
  combinator?: ' ' | '>'
}

export interface Selector {
  text: string
  /** Parts of the selector from right to left: the first is for the element itself. */
  compounds: [Compound, ...Compound[]]
  /** Number of ids, classes and types, as one number. */
  specificity: number
}

export interface Declaration {
  name: string
  value: string
  isImportant: boolean
}

export interface StyleRule {
  selectors: Selector[]
  declarations: Declaration[]
}

export interface StyleSheet {
  rules: StyleRule[]
  /** Selectors and at-rules, for the report. */
  leftOut: string[]
}

/** A parsed rule takes about 40 times its text. */
const styleCharsMax = 8_388_608

const options = { parseValue: false, parseCustomProperty: false, positions: false, onParseError: () => undefined }

export function parseStyleSheet(css: string): StyleSheet {
  if (css.length > styleCharsMax)
    throw new SvgProblem(
      `A style sheet of the SVG has ${css.length} characters; the maximum is ${styleCharsMax}. Remove rules and fonts from its <style>.`,
    )
  const sheet: StyleSheet = { rules: [], leftOut: [] }
  for (const node of childrenOf(parse(css, options))) {
    if (node.type === 'Rule') addRule(node, sheet)
    // XML is always UTF-8 here, and names have no namespace.
    else if (node.type === 'Atrule' && !/^(charset|namespace)$/i.test(node.name)) sheet.leftOut.push(`@${node.name}`)
  }
  return sheet
}

/** The declarations of a `style` attribute. */
export function parseDeclarations(text: string): Declaration[] {
  return declarationsIn(parse(text, { ...options, context: 'declarationList' }))
}

/** The rules as CSS. */
export function writeStyleSheet(rules: readonly StyleRule[]): string {
  return rules
    .map(({ selectors, declarations }) => {
      const body = declarations.map(
        ({ name, value, isImportant }) => `${name}:${value}${isImportant ? '!important' : ''}`,
      )
      return `${selectors.map(({ text }) => text).join()}{${body.join(';')}}`
    })
    .join('')
}

function addRule({ prelude, block }: RuleNode, { rules, leftOut }: StyleSheet): void {
  if (prelude.type !== 'SelectorList') {
    leftOut.push(prelude.value)
    return
  }
  const selectors: Selector[] = []
  for (const node of childrenOf(prelude)) {
    const selector = selectorOf(childrenOf(node))
    if (typeof selector === 'string') leftOut.push(selector)
    else selectors.push(selector)
  }
  const nested = childrenOf(block).find(({ type }) => type === 'Rule' || type === 'Atrule')
  if (nested !== undefined) leftOut.push('a nested rule')
  if (selectors.length > 0) rules.push({ selectors, declarations: declarationsIn(block) })
}

/** The text of a selector that is not supported. */
function selectorOf(parts: readonly CssNode[]): Selector | string {
  let isSupported = true
  let specificity = 0
  let compound: Compound = { classes: [] }
  const compounds: [Compound, ...Compound[]] = [compound]
  const texts = parts.map((part) => {
    if (part.type === 'Combinator') {
      isSupported &&= part.name === ' ' || part.name === '>'
      compound = { classes: [], combinator: part.name === '>' ? '>' : ' ' }
      compounds.push(compound)
      return part.name
    }
    if (part.type === 'ClassSelector') {
      compound.classes.push(decoded(part.name))
      specificity += 1_000
      return `.${part.name}`
    }
    if (part.type === 'IdSelector') {
      isSupported &&= compound.id === undefined
      compound.id = decoded(part.name)
      specificity += 1_000_000
      return `#${part.name}`
    }
    if (part.type === 'TypeSelector') {
      // `svg|text`: elements of other namespaces are not drawn.
      const name = part.name.slice(part.name.indexOf('|') + 1)
      if (name !== '*') {
        compound.type = decoded(name)
        specificity += 1
      }
      return name
    }
    isSupported = false
    return nameOf(part)
  })
  compounds.reverse()
  const text = texts.join('')
  return isSupported && parts[0]?.type !== 'Combinator' ? { text, compounds, specificity } : text
}

function nameOf(part: CssNode): string {
  if (part.type === 'PseudoClassSelector') return `:${part.name}`
  if (part.type === 'PseudoElementSelector') return `::${part.name}`
  return part.type === 'AttributeSelector' ? `[${part.name.name}]` : part.type
}

function decoded(name: string): string {
  return name.includes('\\') ? ident.decode(name) : name
}

function declarationsIn(block: CssNode): Declaration[] {
  return childrenOf(block).flatMap((node) => {
    if (node.type !== 'Declaration' || node.value.type !== 'Raw') return []
    const name = node.property.startsWith('--') ? node.property : node.property.toLowerCase()
    const value = withoutComments(node.value.value).trim()
    // The renderer refuses a style sheet with another file.
    return hasExternalUrl(value) ? [] : [{ name, value, isImportant: node.important !== false }]
  })
}

function hasExternalUrl(value: string): boolean {
  return [...value.matchAll(/(?:url|src|image(?:-set)?)\(\s*["']?([^)]*)/gi)].some(
    ([, reference = '']) => !/^(#|data:image\/(png|jpe?g|webp|gif)[;,])/i.test(reference),
  )
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

function childrenOf(node: CssNode): CssNode[] {
  return 'children' in node && node.children !== null ? [...(node.children as Iterable<CssNode>)] : []
}

/** Values of a file become CSS with templates in it: only these shapes of a colour are copied. */
export function isColor(value: string): boolean {
  const isPlain = /^(?:#[\da-f]{3,8}|[a-z]{1,40}|(?!var)[a-z]{1,20}\([\w\s.,%/+#-]{1,200}\))$/i.test(value)
  return isPlain && lexer.matchProperty('color', value).error === null
}
