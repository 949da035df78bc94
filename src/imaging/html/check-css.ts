/** Finds mistakes in CSS, and everything that the renderer doesn't support, with lines and columns. */
import { type CssNode, type Declaration, generate, parse, type SyntaxParseError, walk } from 'css-tree/dist/csstree.esm'
import { didYouMean } from '../../../shared/suggest.ts'
import { list } from '../../../shared/text.ts'
import { limits } from '../../limits.ts'
import { type Add, checkDeclaration, checkInlineBlock, type Place, placeOf, short } from './check-declaration.ts'
import { atRuleFixes, atRules, pseudos } from './css-language.ts'
import { placeholder } from './mask.ts'
import type { Wired } from './node-reference.ts'
import type { Problem } from './problem.ts'

export interface CssPart {
  text: string
  /** A style sheet, or the declarations of a `style` attribute. */
  context: 'stylesheet' | 'declarationList'
  /** The place of the text in a larger one. */
  line?: number
  column?: number
}

/** Problems of a style sheet, and its tree, unless brackets are wrong. `text`: without templates (`mask.ts`). */
export function inspectCss(
  { text, context, line = 1, column = 1 }: CssPart,
  wired: Wired,
): { tree?: CssNode; problems: Problem[] } {
  const problems: Problem[] = []
  const add: Add = (at, message) => {
    if (problems.length < limits.issuesMax) problems.push({ ...at, message })
  }
  const brackets = bracketProblem(text)
  if (brackets) return { problems: [{ ...placeAt(text, brackets.at, line, column), message: brackets.message }] }
  const tree = parsed({ text, context, line, column }, problems)
  if (tree === undefined) return { problems }
  const nodes: CssNode[] = []
  walk(tree, (node) => {
    nodes.push(node)
  })
  let declarations = 0
  for (const node of nodes) {
    if (problems.length >= limits.issuesMax) break
    const at = placeOf(node)
    if (node.type === 'Atrule') {
      const name = node.name.toLowerCase()
      if (!atRules.has(name))
        add(at, `the rule @${short(name)} is not supported. ${atRuleFixes.get(name) ?? 'Remove it.'}`)
    } else if (node.type === 'PseudoClassSelector' || node.type === 'PseudoElementSelector') {
      if (!pseudos.has(node.name.toLowerCase()) && !node.name.includes(placeholder))
        add(at, `the selector :${short(node.name)} is not supported. ${pseudoFix(node.name)}`)
    } else if (node.type === 'Block' || node.type === 'DeclarationList') {
      checkInlineBlock(
        node.children.toArray().filter((child) => child.type === 'Declaration'),
        add,
      )
    } else if (node.type === 'Declaration') {
      declarations += 1
      if (declarations > limits.cssDeclarationsMax) {
        add(at, `there are more than ${limits.cssDeclarationsMax} declarations, the maximum. Remove some.`)
        break
      }
      checkDeclaration(node, wired, add)
    }
  }
  const expansion = expansionProblem(tree)
  if (expansion) add(placeOf(expansion.node), expansion.message)
  return { tree, problems }
}

/** Undefined after too many mistakes, because each costs as much time as the text is long. */
function parsed({ text, ...options }: Required<CssPart>, problems: Problem[]): CssNode | undefined {
  const onParseError = ({ message, line = options.line, column = options.column }: PlacedError) => {
    if (problems.length >= limits.issuesMax) throw new TooManyMistakes()
    problems.push({ line, column, message: `the CSS is not valid: ${plain(message)}.` })
  }
  try {
    return parse(text, { ...options, positions: true, onParseError })
  } catch (error) {
    if (error instanceof TooManyMistakes) return undefined
    throw error
  }
}

type PlacedError = SyntaxParseError & { line?: number; column?: number }

class TooManyMistakes extends Error {}

function pseudoFix(name: string): string {
  if (/^(hover|focus|active|visited|link|target)/.test(name)) return 'An image has no pointer: remove the rule.'
  return didYouMean(name, pseudos) || `Supported: ${list([...pseudos])}.`
}

function plain(message: string): string {
  return message.replace(/\.$/, '').replace(/^./, (char) => char.toLowerCase())
}

const nestingMax = 32

/** The parser closes what is open at the end, and its work grows with the nesting. */
function bracketProblem(text: string): { at: number; message: string } | undefined {
  const open: { at: number; closing: string }[] = []
  const tokens = /\/\*(?:(?!\*\/).)*(\*\/)?|"(?:[^"\\\n]|\\.)*("?)|'(?:[^'\\\n]|\\.)*('?)|[{}()[\]]/gs
  for (const match of text.matchAll(tokens)) {
    const [token, comment, double, single] = match
    const at = match.index
    const closing = ({ '{': '}', '(': ')', '[': ']' } as Record<string, string>)[token]
    if (closing !== undefined) open.push({ at, closing })
    else if (token.startsWith('/*') && comment === undefined)
      return { at, message: 'the comment is not closed. Add */.' }
    else if ((token[0] === '"' && double === '') || (token[0] === "'" && single === ''))
      return { at, message: 'the string is not closed. Add the quotation mark.' }
    else if (token.length === 1) {
      const last = open.pop()
      if (last?.closing !== token)
        return {
          at,
          message: last
            ? `"${token}" is unexpected: "${last.closing}" is missing before it.`
            : `"${token}" closes nothing. Remove it.`,
        }
    }
    if (open.length > nestingMax)
      return { at, message: `brackets are nested more than ${nestingMax} deep. Simplify the CSS.` }
  }
  const last = open.at(-1)
  return last && { at: last.at, message: `"${text[last.at]}" is not closed. Add "${last.closing}".` }
}

function placeAt(text: string, index: number, line: number, column: number): Place {
  const before = text.slice(0, index).split('\n')
  const last = before.at(-1) ?? ''
  return { line: line + before.length - 1, column: before.length === 1 ? column + last.length : last.length + 1 }
}

/**
 * The first declaration whose value is too large, or contains itself, after `var()` is replaced: variables that contain
 * others twice grow exponentially.
 */
function expansionProblem(tree: CssNode): { node: Declaration; message: string } | undefined {
  const declarations: Declaration[] = []
  walk(tree, (node) => {
    if (node.type === 'Declaration') declarations.push(node)
  })
  const uses = new Map<string, { size: number; names: string[] }>()
  for (const node of declarations) {
    if (!node.property.startsWith('--')) continue
    const { size, names } = partsOf(node)
    const known = uses.get(node.property)
    // A variable can be set by several rules: the largest value counts.
    uses.set(node.property, { size: Math.max(size, known?.size ?? 0), names: [...(known?.names ?? []), ...names] })
  }
  if (uses.size === 0) return undefined
  const sizes = new Map<string, number>()
  const sizeOf = (name: string, open: readonly string[]): number => {
    const use = uses.get(name)
    const known = sizes.get(name)
    if (use === undefined || known !== undefined) return known ?? 0
    if (open.includes(name) || open.length > depthMax) return Number.POSITIVE_INFINITY
    const size = use.names.reduce((sum, each) => sum + sizeOf(each, [...open, name]), use.size)
    sizes.set(name, size)
    return size
  }
  for (const node of declarations) {
    const { size, names } = partsOf(node)
    const total = names.reduce((sum, name) => sum + sizeOf(name, []), size)
    if (total > limits.cssValueCharsMax)
      return {
        node,
        message: `the value of ${node.property.slice(0, 60)} is too long, or contains itself, after var() is replaced; the maximum is ${limits.cssValueCharsMax} characters.`,
      }
  }
  return undefined
}

const depthMax = 50

function partsOf(node: Declaration): { size: number; names: string[] } {
  const text = node.value.type === 'Raw' ? node.value.value : generate(node.value)
  return { size: text.length, names: [...text.matchAll(/var\(\s*(--[^\s,)]+)/gi)].map(([, name = '']) => name) }
}
