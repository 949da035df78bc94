/** Reads an SVG as a tree, within bounds, and writes parts of it again. */
import { SaxesParser } from 'saxes'

export interface SvgElement {
  name: string
  attributes: Record<string, string>
  children: (SvgElement | string)[]
  parent: SvgElement | undefined
}

/** Its message is for the owner of the file. */
export class SvgProblem extends Error {}

export const svgImportLimits = { charsMax: 16_777_216, elementsMax: 20_000, depthMax: 100 }

export function readSvg(text: string): SvgElement {
  const { charsMax, elementsMax, depthMax } = svgImportLimits
  if (text.length > charsMax) throw new SvgProblem(`The SVG has more than ${charsMax} characters, the maximum.`)
  const parser = new SaxesParser()
  let root: SvgElement | undefined
  let open: SvgElement | undefined
  let count = 0
  let depth = 0
  parser.on('error', ({ message }) => {
    throw new SvgProblem(`The file is not a valid SVG: ${message}`)
  })
  parser.on('doctype', (doctype) => {
    if (doctype.includes('['))
      throw new SvgProblem('The SVG declares entities, which are not supported. Export it as plain SVG.')
  })
  parser.on('opentag', ({ name, attributes }) => {
    count += 1
    depth += 1
    if (count > elementsMax)
      throw new SvgProblem(`The SVG has more than ${elementsMax} elements, the maximum. Flatten some.`)
    if (depth > depthMax)
      throw new SvgProblem(`The elements of the SVG are nested more than ${depthMax} deep, the maximum.`)
    const element: SvgElement = {
      name,
      attributes: { ...attributes } as Record<string, string>,
      children: [],
      parent: open,
    }
    open?.children.push(element)
    root ??= element
    open = element
  })
  parser.on('closetag', () => {
    depth -= 1
    open = open?.parent
  })
  const onText = (chars: string) => {
    open?.children.push(chars)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.write(text).close()
  if (root === undefined || !/^(svg:)?svg$/.test(root.name))
    throw new SvgProblem('The file is not an SVG: its root must be <svg>.')
  return root
}

/** Attributes of editors, scripts and links, which no renderer needs. */
const dropped = /^(on\w+|inkscape:.*|sodipodi:.*|data-.*|i:.*|xmlns:(?!xlink$).*|aria-.*|role)$/
const droppedElements = /^(script|metadata|foreignObject|title|desc|sodipodi:.*|inkscape:.*|i:.*|rdf:.*)$/

export function isDropped({ name }: SvgElement): boolean {
  return droppedElements.test(name)
}

export function writeSvg(node: SvgElement | string): string {
  if (typeof node === 'string') return escapeXml(node)
  if (isDropped(node)) return ''
  const attributes = Object.entries(node.attributes).flatMap(([name, value]) =>
    dropped.test(name) ? [] : [` ${name}="${escapeXml(value)}"`],
  )
  const children = node.children.map(writeSvg).join('')
  return children === ''
    ? `<${node.name}${attributes.join('')}/>`
    : `<${node.name}${attributes.join('')}>${children}</${node.name}>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (char) => entities[char] ?? char)
}

export function* elementsIn(element: SvgElement): Generator<SvgElement> {
  const open = [element]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next
    for (const child of next.children.toReversed()) if (typeof child !== 'string') open.push(child)
  }
}

/** The text of an element and its descendants. */
export function textOf(element: SvgElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('')
}

/** Whether the element has text outside of its children. */
export function hasOwnText(element: SvgElement): boolean {
  return element.children.some((child) => typeof child === 'string' && child.trim() !== '')
}
