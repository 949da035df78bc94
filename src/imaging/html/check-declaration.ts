/** Checks a declaration of CSS: its property, its value, and the nodes that it names. */
import { type CssNode, type Declaration, generate, lexer, walk } from 'css-tree/dist/csstree.esm'
import { didYouMean } from '../../../shared/suggest.ts'
import { limits } from '../../limits.ts'
import { functions, keywordsOfAll, units } from './css-language.ts'
import { placeholder } from './mask.ts'
import { nodeReference, referenceProblem, type Wired } from './node-reference.ts'
import { alternatives, otherForms, properties, withoutEffect, withoutImportant } from './properties.ts'

export interface Place {
  line: number
  column: number
}
export type Add = (at: Place, message: string) => void

/** The grammar of longer values takes too long, so they are not compared with it. */
const grammarCharsMax = 300

export function checkDeclaration(node: Declaration, wired: Wired, add: Add): void {
  const at = placeOf(node)
  const name = node.property.startsWith('--') ? node.property : node.property.toLowerCase()
  if (name.includes(placeholder)) return
  if (name.startsWith('--')) {
    checkParts(node, wired, add)
    return
  }
  if (withoutEffect.has(name)) return
  const property = properties.get(name)
  if (property === undefined) {
    const fix =
      alternatives.get(name) ?? alternatives.get(name.split('-')[0] ?? '') ?? didYouMean(name, properties.keys())
    add(at, `the property "${short(name)}" is not supported. ${fix || 'Remove it.'}`)
    return
  }
  if (node.important && withoutImportant.has(name)) {
    add(at, `!important after ${name} is not supported. Use a more specific selector, or the longer properties.`)
    return
  }
  if (!checkParts(node, wired, add)) return
  if (node.value.type !== 'Value') return
  const { value } = node
  const words: string[] = []
  let isOpen = false
  walk(value, (part) => {
    if (part.type === 'Identifier') {
      words.push(part.name.toLowerCase())
      if (part.name.includes(placeholder)) isOpen = true
    } else if (part.type === 'Function' && part.name.toLowerCase() === 'var') isOpen = true
    else if ('value' in part && typeof part.value === 'string' && part.value.includes(placeholder)) isOpen = true
    else if ('unit' in part && typeof part.unit === 'string' && part.unit.includes(placeholder)) isOpen = true
  })
  const [only] = words
  if (words.length === 1 && otherForms.has(`${name} ${only}`)) return
  if (name.startsWith('grid-') && words.some((word) => !gridWords.has(word) && !word.includes(placeholder))) {
    add(placeOf(value), `names of lines and areas in ${name} are not supported. Use numbers, such as \`1 / 3\`.`)
    return
  }
  const refused = words.find((word) => property.except?.includes(word) || isUnknownMarker(name, word))
  if (refused !== undefined) {
    add(placeOf(value), `the value "${refused}" of ${name} is not supported. ${valueFix(name, refused)}`)
    return
  }
  if (lengthOf(node) > limits.cssValueCharsMax) {
    add(placeOf(value), `the value of ${name} is too long; the maximum is ${limits.cssValueCharsMax} characters.`)
    return
  }
  if (!isOpen && value.children.isEmpty) add(at, `${name} has no value.`)
  if (isOpen || value.children.isEmpty || lengthOf(node) > grammarCharsMax) return
  const matched = lexer.matchProperty(name, value)
  if (matched.error && !accepted.has(name)) {
    const where = matched.error as unknown as Partial<Place>
    const place = where.line === undefined ? placeOf(value) : { line: where.line, column: where.column ?? 1 }
    add(place, `${name} has an invalid value. ${exampleOf(name)}`)
  }
}

function lengthOf({ value: { loc } }: Declaration): number {
  return loc ? loc.end.offset - loc.start.offset : 0
}

function isUnknownMarker(name: string, word: string): boolean {
  return /^list-style(-type)?$/.test(name) && !markerWords.has(word) && !word.includes(placeholder)
}

/** The renderer draws the other kinds of markers of CSS Counter Styles 3 as decimal numbers. */
const markerWords = new Set([
  ...['none', 'inside', 'outside', 'disc', 'circle', 'square', 'disclosure-open', 'disclosure-closed', 'decimal'],
  ...['decimal-leading-zero', 'lower-alpha', 'upper-alpha', 'lower-latin', 'upper-latin', 'lower-roman', 'upper-roman'],
  ...keywordsOfAll,
])

/** Words of grids, without names of lines and areas, which have no effect in the renderer. */
const gridWords = new Set([
  ...['auto', 'span', 'none', 'row', 'column', 'dense', 'min-content', 'max-content', 'auto-fill', 'auto-fit'],
  ...keywordsOfAll,
])

/** The renderer counts the margins of an inline block without a width twice, and a share of the width once for each level. */
export function checkInlineBlock(declarations: readonly Declaration[], add: Add): void {
  const textOf = (name: string) => {
    const found = declarations.find(({ property }) => property.toLowerCase() === name)
    return found && { found, text: generate(found.value) }
  }
  const display = textOf('display')?.text ?? ''
  for (const name of display.startsWith('inline-') ? ['width', 'min-width', 'max-width'] : []) {
    const width = textOf(name)
    if (width?.text.endsWith('%'))
      add(
        placeOf(width.found),
        `a ${name} in percent is not supported for display: ${display}. Use a flex container around the elements.`,
      )
  }
  if (display !== 'inline-block' || textOf('width') !== undefined) return
  for (const name of ['margin', 'margin-left', 'margin-right', 'margin-inline']) {
    const margin = textOf(name)
    const sides = margin?.text.split(' ') ?? []
    const horizontal = name === 'margin' && sides.length > 1 ? [sides[1], sides[3]] : sides
    if (margin && horizontal.some((side) => side !== undefined && side !== '0'))
      add(
        placeOf(margin.found),
        `a horizontal margin of an inline-block element without a width is not supported. Use display: inline-flex.`,
      )
  }
}

/** Newer than the grammar of the parser. */
const accepted = new Set(['line-clamp', 'text-wrap-style', 'white-space-collapse'])

function exampleOf(name: string): string {
  const example = properties.get(name)?.use.split(';')[0]
  return `An example: \`${name}: ${example}\`.`
}

function valueFix(name: string, value: string): string {
  if (name.startsWith('overflow')) return 'An image has no scroll bars: use "hidden" or "visible".'
  if (name.startsWith('list-style'))
    return 'Use "disc", "decimal", "lower-alpha" or "lower-roman", or write the numbers.'
  if (name === 'position') return 'Use "relative" or "absolute".'
  return value === 'contents' ? 'Remove the element around its children.' : 'Use another value.'
}

/** Functions, units and references of a value. Returns whether all are supported. */
function checkParts(node: Declaration, wired: Wired, add: Add): boolean {
  let isSupported = true
  const refuse = (part: CssNode, message: string) => {
    isSupported = false
    add(placeOf(part, node), message)
  }
  walk(node.value, (part) => {
    if (part.type === 'Function' && !functions.has(part.name.toLowerCase()) && !part.name.includes(placeholder))
      refuse(part, `the function ${short(part.name)}() is not supported. ${functionFix(part.name)}`)
    else if (part.type === 'Dimension' && !units.has(part.unit.toLowerCase()) && !part.unit.includes(placeholder))
      refuse(part, `the unit "${short(part.unit)}" is not supported. Use px, em, rem, %, vw or vh.`)
    else if (part.type === 'Url') {
      const problem = urlProblem(part.value, wired)
      if (problem !== undefined) refuse(part, problem)
    } else if (part.type === 'Raw' && part.value.length > 0) {
      for (const [, reference = ''] of part.value.matchAll(/url\(\s*["']?([^)"']*)/gi)) {
        const problem = urlProblem(reference.trim(), wired)
        if (problem !== undefined) refuse(part, problem)
      }
    }
  })
  return isSupported
}

function urlProblem(url: string, wired: Wired): string | undefined {
  if (nodeReference(url) === undefined)
    return `url() can't load "${short(url)}". Connect an image to the node, and name it: url(node:photo).`
  return referenceProblem(url, wired)
}

function functionFix(name: string): string {
  if (['min', 'max', 'clamp'].includes(name.toLowerCase())) return 'Use calc(), or min-width and max-width.'
  if (/3d|[XYZ]$|perspective/i.test(name)) return 'Only transforms in the plane are supported.'
  return didYouMean(name.toLowerCase(), functions) || 'Use a value without it.'
}

export function placeOf(node: CssNode, outer?: CssNode): Place {
  const { line, column } = node.loc?.start ?? outer?.loc?.start ?? { line: 1, column: 1 }
  return { line, column }
}

export function short(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}...` : text
}
