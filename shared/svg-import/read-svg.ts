/** Reads an SVG as a tree, within bounds. */

import { SaxesParser } from 'saxes'
import { SvgProblem, svgImportLimits } from './svg-problem.ts'

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

/** The value of each entity. Throws `SvgProblem` if an entity refers to another one or a file, or if its uses are too long. */
function entitiesIn(doctype: string, text: string): Map<string, string> {
  const entities = new Map<string, string>()
  for (const [, name = '', double, single] of doctype.matchAll(
    /<!ENTITY\s+([^\s"'<>%;&]+)\s+(?:"([^"]*)"|'([^']*)'|[^>]*)/g,
  )) {
    const value = double ?? single
    if (value === undefined || /[&%<]/.test(value))
      throw new SvgProblem(
        `The SVG declares the entity ${JSON.stringify(name.slice(0, 40))} as ${value === undefined ? 'a file' : 'markup or other entities'}, which is not supported. Export it as plain SVG.`,
      )
    if (!entities.has(name)) entities.set(name, value)
  }
  if (/<!ENTITY\s+%/.test(doctype))
    throw new SvgProblem('The SVG declares parameter entities, which are not supported. Export it as plain SVG.')
  let length = text.length
  if (entities.size > 0)
    for (const [, name = ''] of text.matchAll(/&([^\s;&<#]{1,100});/g)) length += entities.get(name)?.length ?? 0
  if (length > svgImportLimits.charsMax)
    throw new SvgProblem(
      `The SVG has more than ${svgImportLimits.charsMax} characters with the values of its entities, the maximum. Export it as plain SVG.`,
    )
  return entities
}

/** Names of elements and attributes without the prefixes that a file chose for its namespaces. */

/** The URI of each prefix; `xmlns` declares the one of names without a prefix. Scopes inherit from their ancestors. */
type Scope = Record<string, string>

/** Namespace -> prefix of the names in this code. */
const prefixes = new Map([
  ['http://www.w3.org/2000/svg', ''],
  ['http://www.w3.org/1999/xlink', 'xlink:'],
  ['http://www.w3.org/XML/1998/namespace', 'xml:'],
  ['http://www.inkscape.org/namespaces/inkscape', 'inkscape:'],
  ['http://www.serif.com/', 'serif:'],
])

/** Files without declarations use these prefixes too, and HTML parsers accept that. */
const rootScope: Scope = Object.assign(Object.create(null), {
  svg: 'http://www.w3.org/2000/svg',
  xlink: 'http://www.w3.org/1999/xlink',
  xml: 'http://www.w3.org/XML/1998/namespace',
})

/** The scope of an element with these attributes. */
function scopeIn(outer: Scope, attributes: Record<string, string>): Scope {
  const declared = Object.entries(attributes).filter(([name]) => /^xmlns(:|$)/.test(name))
  if (declared.length === 0) return outer
  const scope: Scope = Object.create(outer)
  for (const [name, uri] of declared) scope[name.replace(/^xmlns:/, '')] = uri
  return scope
}

/** `text` for `svg:text`, and `other:text` in a namespace that this code doesn't know. */
function elementName(name: string, scope: Scope): string {
  const [, prefix, local = name] = /^([^:]+):(.*)$/.exec(name) ?? []
  const uri = scope[prefix ?? 'xmlns']
  if (uri === undefined || uri === '') return name
  return `${prefixes.get(uri) ?? 'other:'}${local}`
}

/** The attributes with the prefixes of this code, and without declarations. */
function attributesIn(attributes: Record<string, string>, scope: Scope): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]): [string, string][] => {
      if (!name.includes(':')) return name === 'xmlns' ? [] : [[name, value]]
      const [, prefix = '', local = ''] = /^([^:]+):(.*)$/.exec(name) ?? []
      if (prefix === 'xmlns') return []
      const uri = scope[prefix]
      return [[`${uri === undefined ? `${prefix}:` : (prefixes.get(uri) ?? 'other:')}${local}`, value]]
    }),
  )
}
