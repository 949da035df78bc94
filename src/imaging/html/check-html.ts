/** Finds mistakes in HTML, and everything that the renderer doesn't support, with lines and columns. */
import {
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  type ErrorCodes,
  parse,
  type Token,
  Tokenizer,
  TokenizerMode,
} from 'parse5'
import { didYouMean } from '../../../shared/suggest.ts'
import { limits } from '../../limits.ts'
import { inspectCss } from './check-css.ts'
import {
  attributeProblem,
  closesParagraph,
  elementFixes,
  elements,
  endedByStart,
  optionalEnd,
  paragraphScopes,
  voidElements,
} from './html-language.ts'
import { placeholder } from './mask.ts'
import { nodeReference, referenceProblem, type Wired } from './node-reference.ts'
import type { Problem } from './problem.ts'

/** Problems of a document, and its tree, unless tags are wrong. `text`: without templates (`mask.ts`). */
export function inspectHtml(text: string, wired: Wired): { document?: Document; problems: Problem[] } {
  const problems = checkTags(text)
  // The parser repeats elements such as <b> that are open where another one ends, so the tree of wrong tags can be very large.
  if (problems.length > 0) return { problems }
  const document = parse(text, {
    sourceCodeLocationInfo: true,
    scriptingEnabled: false,
    onParseError: ({ code, startLine, startCol }) => {
      const message = messageOf(code)
      if (message !== undefined && problems.length < limits.issuesMax)
        problems.push({ line: startLine, column: startCol, message })
    },
  })
  let cssChars = 0
  for (const { element, depth } of elementsOf(document)) {
    if (problems.length >= limits.issuesMax) break
    if (element.tagName === 'style') cssChars += cssCharsOf(element)
    if (cssChars > limits.cssCharsMax) {
      const message = `the <style> elements have more than ${limits.cssCharsMax} characters together, the maximum. Remove rules, or move some to the param css.`
      problems.push({ ...placeOf(element.sourceCodeLocation), message })
      break
    }
    // Outside of tables, the parser ignores cells, so it can nest elements that `checkTags` sees end.
    if (depth > treeDepthMax) return { problems: [{ ...placeOf(element.sourceCodeLocation), message: tooDeep }] }
    problems.push(...checkElement(element, text, wired))
  }
  return { document, problems }
}

/** Maximum depth, with the elements that the parser adds: `html`, `body`, and two in each table. */
const treeDepthMax = 2 * limits.htmlDepthMax + 2
const tooDeep = `elements are nested more than ${limits.htmlDepthMax} deep, the maximum. Simplify the HTML.`

export type Document = DefaultTreeAdapterTypes.Document

type Element = DefaultTreeAdapterTypes.Element
type Parent = DefaultTreeAdapterTypes.ParentNode

/** Elements with their place in the text, in the order of the text. The parser adds others, such as `tbody`. */
function* elementsOf(root: Parent): Generator<{ element: Element; depth: number }> {
  const waiting = [{ node: root, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, depth } = next
    if (defaultTreeAdapter.isElementNode(node) && node.sourceCodeLocation) yield { element: node, depth }
    const children = node.childNodes.filter((child) => 'childNodes' in child)
    waiting.push(...children.map((child) => ({ node: child, depth: depth + 1 })).reverse())
  }
}

function checkElement(element: Element, text: string, wired: Wired): Problem[] {
  const { tagName, attrs, sourceCodeLocation: location } = element
  const start: Token.LocationWithAttributes | null | undefined = location?.startTag ?? location
  if (start === undefined || start === null) return []
  const at = { line: start.startLine, column: start.startCol }
  if (tagName.includes(placeholder))
    return [{ ...at, message: "the name of an element can't come from a template. Write it, or use {% if %}." }]
  if (!elements.has(tagName)) return [{ ...at, message: unsupported(tagName) }]
  if (tagName === 'style') return checkStyleElement(element, wired)
  const problems: Problem[] = []
  for (const { name, value } of attrs) {
    if (problems.length >= limits.issuesMax) break
    const where = start.attrs?.[name] ?? start
    const place = { line: where.startLine, column: where.startCol }
    const source = text.slice(where.startOffset, where.endOffset)
    const problem = name.includes(placeholder)
      ? "the name of an attribute can't come from a template. Write it, or use {% if %}."
      : attributeProblem(tagName, name)
    if (problem !== undefined) {
      problems.push({
        ...place,
        message: name.includes(placeholder)
          ? problem
          : `the attribute ${name.slice(0, 60)} of <${tagName}> is not supported. ${problem}`,
      })
    } else if (value.includes(placeholder) && !/["']$/.test(source)) {
      problems.push({
        ...place,
        message: `the value of ${name} must be in quotation marks, because it comes from a template.`,
      })
    } else if (name === 'style') {
      const offset = source.search(/["']/) + 1
      const before = source.slice(0, offset).split('\n')
      const line = place.line + before.length - 1
      const column = before.length === 1 ? place.column + offset : (before.at(-1) ?? '').length + 1
      // The text of the file, in which references such as &quot; are longer than their characters.
      const written = source.slice(offset, offset > 0 ? -1 : undefined)
      const text = written.includes('&') ? value : written
      const css = inspectCss({ text, context: 'declarationList', line, column }, wired)
      problems.push(...css.problems)
    } else if (tagName === 'img' && name === 'src') {
      const wrong = sourceProblem(value, wired)
      if (wrong !== undefined) problems.push({ ...place, message: wrong })
    }
  }
  if (tagName === 'img' && !attrs.some(({ name }) => name === 'src'))
    problems.push({ ...at, message: 'the element <img> has no src. Add src="node:...", the id of a connected node.' })
  return problems
}

function unsupported(tagName: string): string {
  const fix = elementFixes.get(tagName) ?? (didYouMean(tagName, elements) || 'Use <div> or <span>.')
  return `the element <${tagName.slice(0, 60)}> is not supported. ${fix}`
}

function sourceProblem(source: string, wired: Wired): string | undefined {
  if (nodeReference(source) !== undefined) return referenceProblem(source, wired)
  if (source.startsWith(placeholder)) return undefined
  return `<img> can't load "${source.slice(0, 60)}": images come from connected nodes. Use src="node:photo"; for a URL, connect an "image" node.`
}

/** Parsing a style sheet has no pauses. */
function cssCharsOf({ childNodes }: Element): number {
  return childNodes.reduce((sum, child) => sum + (defaultTreeAdapter.isTextNode(child) ? child.value.length : 0), 0)
}

function checkStyleElement(element: Element, wired: Wired): Problem[] {
  const problems: Problem[] = []
  for (const child of element.childNodes) {
    const location = child.sourceCodeLocation
    if (!defaultTreeAdapter.isTextNode(child) || !location) continue
    const place = { line: location.startLine, column: location.startCol }
    if (child.value.includes(placeholder)) {
      const message = 'a template in <style> is not supported. Move the style sheet to the param css.'
      problems.push({ ...place, message })
    } else problems.push(...inspectCss({ text: child.value, context: 'stylesheet', ...place }, wired).problems)
  }
  return problems
}

/**
 * Tags without their other half, elements that are nested too deeply, and too many elements. Without problems, the parser and this
 * function agree about which elements are open, so the tree has about as many elements as the text has tags.
 */
function checkTags(text: string): Problem[] {
  const problems: Problem[] = []
  const open: { name: string; line: number; column: number }[] = []
  let count = 0
  let isOver = false
  const add = (place: Place, message: string) => {
    if (problems.length < limits.issuesMax && !isOver) problems.push({ ...place, message })
  }
  /** The rest of the text has no meaning. */
  const addLast = (place: Place, message: string) => {
    add(place, message)
    isOver = true
  }
  /** Closes the innermost element of this name, and what it contains. */
  const close = (name: string, isExpected: boolean, place: Place) => {
    const at = open.findLastIndex((element) => element.name === name)
    const inner = open.slice(at + 1).find((element) => !optionalEnd.has(element.name))
    if (at < 0) {
      if (isExpected) add(place, `</${name}> closes nothing. Remove it, or add <${name}>.`)
      return
    }
    if (inner) add(place, `<${inner.name}> of line ${inner.line} is not closed. Add </${inner.name}> before this tag.`)
    open.length = at
  }
  const closeEnded = (names: readonly string[]) => {
    for (;;) {
      const at = open.findLastIndex(({ name }) => name !== 'p')
      if (!names.includes(open[at]?.name ?? '')) return
      open.length = at
    }
  }
  const nothing = () => {}
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag({ tagName, selfClosing, location }) {
        const place = placeOf(location)
        count += 1
        if (count > limits.htmlElementsMax)
          addLast(place, `there are more than ${limits.htmlElementsMax} elements, the maximum. Remove some.`)
        // Other rules for tags apply in them.
        if (tagName === 'svg' || tagName === 'math') addLast(place, unsupported(tagName))
        if (selfClosing && !voidElements.has(tagName))
          add(place, elements.has(tagName) ? notEmpty : unsupported(tagName))
        if (tagName === 'style') tokenizer.state = TokenizerMode.RAWTEXT
        const nearest = open.findLast(({ name }) => name === 'p' || paragraphScopes.has(name))
        if (closesParagraph.has(tagName) && nearest?.name === 'p') close('p', false, place)
        closeEnded(endedByStart.get(tagName) ?? [])
        if (voidElements.has(tagName) || selfClosing || isOver) return
        open.push({ name: tagName, ...place })
        if (open.length > limits.htmlDepthMax) addLast(place, tooDeep)
      },
      onEndTag({ tagName, location }) {
        if (tagName !== 'br') close(tagName, true, placeOf(location))
      },
      onEof: nothing,
      onComment: nothing,
      onDoctype: nothing,
      onCharacter: nothing,
      onNullCharacter: nothing,
      onWhitespaceCharacter: nothing,
    },
  )
  tokenizer.write(text, true)
  if (isOver) return problems
  for (const { name, ...place } of open)
    if (!optionalEnd.has(name)) add(place, `<${name}> is not closed. Add </${name}>.`)
  return problems
}

interface Place {
  line: number
  column: number
}

function placeOf(location: { startLine: number; startCol: number } | null | undefined): Place {
  return { line: location?.startLine ?? 1, column: location?.startCol ?? 1 }
}

const notEmpty = 'only elements without content can end with "/>". Write the end tag.'

/** Undefined if it isn't a mistake in a part of a document, or is reported by another check. */
function messageOf(code: ErrorCodes): string | undefined {
  if (/doctype|eof-in-element|open-elements-left|closing-of-element-with-open/.test(code)) return undefined
  // Values may have these characters, which are dropped when the document is drawn.
  if (code.endsWith('-in-input-stream')) return undefined
  return `the HTML is not valid: ${code.replaceAll('-', ' ')}.`
}
