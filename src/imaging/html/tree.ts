/** Converts parsed HTML to the nodes of the renderer. */
import type { ContainerNode, Node, TextNode } from '@takumi-rs/core'
import { type CssNode, parse } from 'css-tree/dist/csstree.esm'
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html } from 'parse5'
import { isRightToLeft } from '../vector/bidi.ts'
import { unbrokenIn } from '../vector/breaks.ts'
import { familyNamed } from '../vector/families.ts'
import type { Document } from './check-html.ts'
import { defaultStyles, linkStyle, numberings } from './default-styles.ts'
import { hiddenElements } from './html-language.ts'
import { declarationsIn, type ImageRule, imageDisplay } from './image-display.ts'
import type { JobImage } from './messages.ts'
import { nodeReference } from './node-reference.ts'
import { withoutEffect } from './properties.ts'
import { companionsOf, listMarkers, preparedValue } from './style-sheet.ts'
import type { Usage } from './usage.ts'

type Element = DefaultTreeAdapterTypes.Element
type ChildNode = DefaultTreeAdapterTypes.ChildNode
type Style = NonNullable<Node['style']>

export interface TreeContext {
  /** Images by `photo` or `photos/2`. */
  images: ReadonlyMap<string, JobImage>
  accountFamilies: ReadonlySet<string>
  imageRules: readonly ImageRule[]
  usage: Usage
}

export interface Tree {
  root: ContainerNode
  /** The texts of `style` elements. */
  sheets: string[]
  /** Visible texts in their order. */
  texts: DrawnText[]
  /** The language of the document: that of the outermost element with `lang`. */
  language: string | undefined
}

export interface DrawnText {
  node: TextNode
  /** BCP 47. */
  language: string | undefined
  /** Whether it breaks the line. */
  isBreak: boolean
}

export function treeOf(document: Document, context: TreeContext): Tree {
  const tree: Tree = { root: { type: 'container' }, sheets: [], texts: [], language: undefined }
  breakLines(document, context.usage.hasItems)
  const root = document.childNodes.find((child) => child.nodeName === 'html') as Element
  tree.root = containerOf(root, tree, context)
  return tree
}

/** The values of these attributes, which `content` can draw. */
export function attributeTexts(document: Document, names: ReadonlySet<string>): string[] {
  if (names.size === 0) return []
  const texts: string[] = []
  const waiting: DefaultTreeAdapterTypes.ParentNode[] = [document]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (defaultTreeAdapter.isElementNode(next))
      texts.push(...next.attrs.filter(({ name }) => names.has(name)).map(({ value }) => value))
    waiting.push(...next.childNodes.filter((child) => 'childNodes' in child))
  }
  return texts
}

/** Replaces U+000B and U+0085, the line breaks of other programs, by elements. */
function breakLines(node: DefaultTreeAdapterTypes.ParentNode, hasItems: boolean): void {
  for (const child of [...node.childNodes]) {
    if ('childNodes' in child) {
      if (child.nodeName !== 'style') breakLines(child, hasItems)
    } else if (defaultTreeAdapter.isTextNode(child) && /[\v\u0085]/.test(child.value)) {
      const lines = child.value.split(/[\v\u0085]/)
      const parent = hasItems ? defaultTreeAdapter.createElement('tintype-lines', htmlNamespace, []) : node
      if (parent !== node) defaultTreeAdapter.insertBefore(node, parent as Element, child)
      for (const [index, line] of lines.entries()) {
        const parts = index === 0 ? [] : [defaultTreeAdapter.createElement('br', htmlNamespace, [])]
        for (const part of [...parts, ...(line === '' ? [] : [defaultTreeAdapter.createTextNode(line)])])
          if (parent === node) defaultTreeAdapter.insertBefore(parent, part, child)
          else defaultTreeAdapter.appendChild(parent, part)
      }
      defaultTreeAdapter.detachNode(child)
    }
  }
}

const htmlNamespace = html.NS.HTML

function nodesOf(children: readonly ChildNode[], tree: Tree, context: TreeContext): Node[] {
  let last: ChildNode | undefined
  return children.flatMap((child, at): Node[] => {
    const before = last
    if (isDrawn(child)) last = child
    if (defaultTreeAdapter.isTextNode(child)) {
      const text = breakable(composed(afterBreak(child, before)))
      if (text === '') return []
      const node: TextNode = { type: 'text', text }
      tree.texts.push({ node, language: languageOf(child), isBreak: false })
      return [node]
    }
    if (!defaultTreeAdapter.isElementNode(child)) return []
    if (child.tagName === 'style')
      tree.sheets.push(child.childNodes.map((text) => ('value' in text ? text.value : '')).join(''))
    else if (child.tagName === 'head') nodesOf(child.childNodes, tree, context)
    if (hiddenElements.has(child.tagName)) return []
    if (child.tagName === 'br') return lineBreak(child, { before, after: drawnAfter(children, at) }, tree, context)
    return [nodeOf(child, tree, context)]
  })
}

/** Letters with accents as one character: the renderer draws boxes if the font of the letter lacks the accent. macOS writes file names as parts. */
function composed(text: string): string {
  return text.replaceAll(accented, (letter) => letter.normalize('NFC')).replaceAll('\u2011', '\u2060-\u2060')
}

const accented = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}+/gu

/** The renderer breaks lines between words only at spaces. These scripts have none. */
function breakable(text: string): string {
  return text.replaceAll(withoutSpaces, (words) => unbrokenIn(words).join('\u200b'))
}

const withoutSpaces = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{M}]{2,}/gu

/** White space at the beginning of a line is not drawn, except in `pre`. The renderer only knows it at the beginning of a block. */
function afterBreak(text: DefaultTreeAdapterTypes.TextNode, before: ChildNode | undefined): string {
  return before?.nodeName === 'br' && !isIn(text, 'pre') ? text.value.replace(/^[ \t\n\f\r]+/, '') : text.value
}

/** Returns nothing for a `br` at the end of a block, because the line ends there. For a `br` without text, returns an empty line. */
function lineBreak(element: Element, { before, after }: Neighbours, tree: Tree, context: TreeContext): Node[] {
  const isLast = isEdge(after, element)
  if (isLast && !isEdge(before, element) && before?.nodeName !== 'br') return []
  const node: TextNode = { type: 'text', text: isLast ? '\u200b' : '\n', ...metadataOf(element, tree, context) }
  tree.texts.push({ node, language: undefined, isBreak: true })
  return [node]
}

interface Neighbours {
  before: ChildNode | undefined
  after: ChildNode | undefined
}

function drawnAfter(children: readonly ChildNode[], from: number): ChildNode | undefined {
  for (let at = from + 1; at < children.length; at += 1) {
    const sibling = children[at] as ChildNode
    if (isDrawn(sibling)) return sibling
  }
}

function isDrawn(node: ChildNode): boolean {
  const isBlank = defaultTreeAdapter.isTextNode(node) && /^[ \t\n\f\r]*$/.test(node.value)
  return !isBlank && !defaultTreeAdapter.isCommentNode(node)
}

/** Whether the lines of an element end at its sibling: a block, or the end of the block around both. */
function isEdge(sibling: ChildNode | undefined, element: Element): boolean {
  return isBlock(sibling ?? element.parentNode)
}

function isBlock(node: { nodeName: string } | null): boolean {
  const display = defaultStyles[node?.nodeName ?? '']?.display
  return display !== undefined && !display.startsWith('inline')
}

function languageOf({ parentNode }: ChildNode): string | undefined {
  for (let outer = parentNode; outer !== null && 'parentNode' in outer; outer = outer.parentNode) {
    const language = defaultTreeAdapter.isElementNode(outer) ? attributeOf(outer, 'lang') : undefined
    if (language !== undefined) return language
  }
}

function isIn(child: ChildNode, name: string): boolean {
  for (let parent = child.parentNode; parent !== null; parent = 'parentNode' in parent ? parent.parentNode : null)
    if (parent.nodeName === name) return true
  return false
}

function nodeOf(element: Element, tree: Tree, context: TreeContext): Node {
  if (element.tagName === 'img') return imageOf(element, tree, context)
  return containerOf(element, tree, context)
}

function containerOf(element: Element, tree: Tree, context: TreeContext): ContainerNode {
  const children = nodesOf(element.childNodes, tree, context)
  const [before, after] = aroundText(element)
  return {
    type: 'container',
    ...metadataOf(element, tree, context),
    children: before === '' ? children : [{ type: 'text', text: before }, ...children, { type: 'text', text: after }],
  }
}

/** Quotation marks, and controls that separate a part of a line with another direction from the text around it (Unicode, UAX 9, 2.4). */
function aroundText(element: Element): [before: string, after: string] {
  const direction = isBlock({ nodeName: element.tagName }) ? undefined : directionOf(element)
  const [open, close] = direction === undefined ? ['', ''] : [direction === 'rtl' ? '\u2067' : '\u2066', '\u2069']
  return element.tagName === 'q' ? [`${open}“`, `”${close}`] : [open, close]
}

function imageOf(element: Element, tree: Tree, context: TreeContext): Node {
  const metadata = metadataOf(element, tree, context)
  const { node, index } = nodeReference(attributeOf(element, 'src') ?? '') ?? { node: '', index: 0 }
  const image = context.images.get(index === 0 ? node : `${node}/${index}`)
  if (image === undefined) return { type: 'container', ...metadata }
  const size = { width: pixels(attributeOf(element, 'width')), height: pixels(attributeOf(element, 'height')) }
  const { width, height, data } = image
  return {
    type: 'image',
    // Not a Buffer, which the renderer would first convert to JSON.
    src: { width, height, data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) },
    ...metadata,
    // Attributes are weaker than style sheets.
    preset: {
      ...metadata.preset,
      display: displayOf(element, context),
      ...(size.width !== undefined && { width: `${size.width}px` }),
      ...(size.height !== undefined && { height: `${size.height}px` }),
    },
  }
}

function displayOf(element: Element, { imageRules }: TreeContext): string {
  const style = attributeOf(element, 'style')
  const tree = style === undefined ? undefined : declarationsOf(style)
  return imageDisplay({ own: namesOf(element), outer: outerNames(element) }, imageRules, tree && declarationsIn(tree))
}

function namesOf(element: Element): Set<string> {
  const classes = (attributeOf(element, 'class') ?? '').split(/\s+/).map((name) => `.${name}`)
  return new Set([element.tagName, `#${attributeOf(element, 'id')}`, ...classes])
}

function outerNames({ parentNode }: Element): Set<string> {
  const names = new Set<string>()
  for (let outer = parentNode; outer !== null && 'parentNode' in outer; outer = outer.parentNode)
    for (const name of defaultTreeAdapter.isElementNode(outer) ? namesOf(outer) : []) names.add(name)
  return names
}

function pixels(text: string | undefined): number | undefined {
  const value = Number.parseFloat(text ?? '')
  return Number.isFinite(value) && value >= 0 ? value : undefined
}

function attributeOf({ attrs }: Element, name: string): string | undefined {
  return attrs.find((attr) => attr.name === name)?.value
}

function metadataOf(element: Element, tree: Tree, context: TreeContext): Omit<ContainerNode, 'type' | 'children'> {
  const attributes = Object.fromEntries(element.attrs.map(({ name, value }) => [name, value]))
  const { class: className, id, dir: _, lang, style, ...others } = attributes
  const direction = directionOf(element)
  if (lang !== undefined) tree.language ??= lang
  const preset = 'hidden' in attributes ? { display: 'none' } : presetOf(element, context.usage)
  return {
    tagName: element.tagName,
    ...(className !== undefined && { className }),
    ...(id !== undefined && { id }),
    ...(direction !== undefined && { dir: direction }),
    ...(lang !== undefined && { lang }),
    ...(Object.keys(others).length > 0 && { attributes: others }),
    ...(preset && { preset: preset as Style }),
    ...(style !== undefined && { style: styleOf(style, context) }),
  }
}

/** Direction from the attribute `dir`. HTML, 3.2.6.4: `auto` is the direction of the first letter that has one. */
function directionOf(element: Element): 'ltr' | 'rtl' | undefined {
  const dir = attributeOf(element, 'dir')?.toLowerCase()
  if (dir === 'auto') return isRightToLeft(textIn(element)) ? 'rtl' : 'ltr'
  return dir === 'ltr' || dir === 'rtl' ? dir : undefined
}

function textIn(element: Element): string {
  const texts: string[] = []
  const waiting: ChildNode[] = [...element.childNodes].reverse()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (defaultTreeAdapter.isTextNode(next)) texts.push(next.value)
    else if ('childNodes' in next) waiting.push(...[...next.childNodes].reverse())
  }
  return texts.join('')
}

function presetOf(element: Element, usage: Usage): Readonly<Record<string, string>> | undefined {
  const preset = defaultStyles[element.tagName]
  const family = familyNamed((preset?.fontFamily ?? '').replaceAll('"', ''))
  if (family) usage.families.add(family)
  if (element.tagName === 'a' && attributeOf(element, 'href') !== undefined) return linkStyle
  const numbering = element.tagName === 'ol' ? numberings.get(attributeOf(element, 'type') ?? '') : undefined
  const depth = isList(element) ? outerLists(element) : 0
  if (depth === 0) return numbering === undefined ? preset : { ...preset, listStyleType: numbering }
  usage.texts.push(listMarkers)
  const marker = element.tagName === 'ol' ? numbering : depth === 1 ? 'circle' : 'square'
  return { ...preset, marginTop: '0', marginBottom: '0', ...(marker && { listStyleType: marker }) }
}

/** The number of lists that it is in. */
function outerLists(element: Element): number {
  let count = 0
  for (let outer = element.parentNode; outer !== null && 'parentNode' in outer; outer = outer.parentNode)
    if (isList(outer)) count += 1
  return count
}

function isList({ nodeName }: DefaultTreeAdapterTypes.ParentNode): boolean {
  return nodeName === 'ul' || nodeName === 'ol' || nodeName === 'menu'
}

/** The declarations of a `style` attribute, with names in camel case. */
function styleOf(text: string, { accountFamilies, usage }: TreeContext): Style {
  const tree = declarationsOf(text)
  const style: Record<string, string> = {}
  if (tree?.type !== 'DeclarationList') return style as Style
  tree.children.forEach((node) => {
    if (node.type !== 'Declaration' || withoutEffect.has(node.property.toLowerCase()) || !node.value.loc) return
    const written = text.slice(node.value.loc.start.offset, node.value.loc.end.offset).trim()
    const value = preparedValue(node, written, accountFamilies, usage) ?? written
    const name = node.property.startsWith('--') ? node.property : camelCase(node.property.toLowerCase())
    const important = node.important ? ' !important' : ''
    style[name] = `${value}${important}`
    for (const companion of companionsOf(node)) {
      const [variable = '', other = ''] = companion.split(/:(.*)/s)
      style[variable] = `${other}${important}`
    }
  })
  return style as Style
}

function declarationsOf(text: string): CssNode {
  return parse(text, { context: 'declarationList', positions: true })
}

function camelCase(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
