/** Reads an SVG as a tree, within bounds. */
import { SaxesParser } from 'saxes'
import { entitiesIn } from './doctype.ts'
import { SvgProblem, svgImportLimits } from './svg-problem.ts'
import { attributesIn, elementName, rootScope, type Scope, scopeIn } from './xml-names.ts'

export interface SvgElement {
  name: string
  attributes: Record<string, string>
  children: (SvgElement | string)[]
  parent: SvgElement | undefined
  /** The parameter that is its fill. */
  fillParameter?: string
}

export function readSvg(text: string): SvgElement {
  const { charsMax, elementsMax, depthMax } = svgImportLimits
  if (text.length > charsMax) throw new SvgProblem(`The SVG has more than ${charsMax} characters, the maximum.`)
  const parser = new SaxesParser()
  let root: SvgElement | undefined
  let open: SvgElement | undefined
  let count = 0
  const scopes: Scope[] = [rootScope]
  parser.on('error', ({ message }) => {
    throw new SvgProblem(`The file is not a valid SVG: ${message}`)
  })
  parser.on('doctype', (doctype) => {
    for (const [entity, value] of entitiesIn(doctype, text)) parser.ENTITIES[entity] = value
  })
  parser.on('opentag', ({ name, attributes }) => {
    count += 1
    if (count > elementsMax)
      throw new SvgProblem(
        `The SVG has more than ${elementsMax} elements, the maximum. Remove hidden layers, or export detailed parts as an image.`,
      )
    const scope = scopeIn(scopes.at(-1) ?? rootScope, attributes)
    scopes.push(scope)
    if (scopes.length > depthMax + 1)
      throw new SvgProblem(`The elements of the SVG are nested more than ${depthMax} deep, the maximum.`)
    const element: SvgElement = {
      name: elementName(name, scope),
      attributes: attributesIn(attributes, scope),
      children: [],
      parent: open,
    }
    open?.children.push(element)
    root ??= element
    open = element
  })
  parser.on('closetag', () => {
    scopes.pop()
    open = open?.parent
  })
  const onText = (chars: string) => {
    open?.children.push(chars)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.write(text).close()
  if (root?.name !== 'svg')
    throw new SvgProblem('The file is not an SVG: its root must be <svg xmlns="http://www.w3.org/2000/svg">.')
  return root
}

export function* elementsIn(element: SvgElement): Generator<SvgElement> {
  const open = [element]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next
    for (const child of next.children.toReversed()) if (typeof child !== 'string') open.push(child)
  }
}

/** The reference of an element, or an empty text. */
export function hrefOf({ attributes }: SvgElement): string {
  return attributes.href ?? attributes['xlink:href'] ?? ''
}

/** The text of an element and its descendants. */
export function textOf(element: SvgElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('')
}

/** Whether the element has text outside of its children. */
export function hasOwnText(element: SvgElement): boolean {
  return element.children.some((child) => typeof child === 'string' && child.trim() !== '')
}
