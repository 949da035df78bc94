/** Prepares CSS for the renderer, which has no generic families, and accepts fewer keywords. The rest of the text stays as it is. */
import { type CssNode, type Declaration, generate, type Rule, string, walk } from 'css-tree/dist/csstree.esm'
import {
  clampedLines,
  clippingRadius,
  contentLineHeight,
  contentOverflow,
  cutSide,
  headerAlign,
  invisibleRadius,
} from './default-styles.ts'
import { familiesInVariables, preparedFamilies } from './font-families.ts'
import { otherForms, withoutEffect } from './properties.ts'
import type { Usage } from './usage.ts'

/** Characters that the renderer draws before items. */
export const listMarkers = '▪◦■'

/** New text for a part of the style sheet. */
interface Edit {
  start: number
  end: number
  text: string
}

/** `tree`: of the text, with positions. `accountFamilies`: in lower case. */
export function preparedCss(text: string, tree: CssNode, accountFamilies: ReadonlySet<string>, usage: Usage): string {
  const edits: Edit[] = []
  walk(tree, (node) => {
    if (node.type !== 'Declaration' || !node.loc || !node.value.loc) return
    const { start, end } = { start: node.value.loc.start.offset, end: node.value.loc.end.offset }
    const value = preparedValue(node, text.slice(start, end), accountFamilies, usage)
    if (withoutEffect.has(node.property.toLowerCase()))
      edits.push({ start: node.loc.start.offset, end: node.loc.end.offset, text: '' })
    else if (value !== undefined) edits.push({ start, end, text: value })
    const { offset } = node.loc.end
    for (const companion of companionsOf(node))
      edits.push({ start: offset, end: offset, text: `;${companion}${node.important ? '!important' : ''}` })
  })
  const moved = backgroundEdits(text, tree)
  const all = [
    ...edits.filter(({ start }) => !moved.edits.some((edit) => start >= edit.start && start < edit.end)),
    ...moved.edits,
  ]
  return `${moved.rule}${applied(text, all)}`
}

function applied(text: string, edits: readonly Edit[]): string {
  const parts: string[] = []
  let at = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    parts.push(text.slice(at, edit.start), edit.text)
    at = edit.end
  }
  return [...parts, text.slice(at)].join('')
}

/** Undefined if it stays the same. */
export function preparedValue(
  node: Declaration,
  value: string,
  accountFamilies: ReadonlySet<string>,
  usage: Usage,
): string | undefined {
  const name = node.property.toLowerCase()
  if (name.startsWith('--')) {
    for (const [text] of value.matchAll(/"[^"]*"|'[^']*'/g)) usage.texts.push(string.decode(text))
    noteAttributes(value, usage)
    return familiesInVariables(value, accountFamilies, usage)
  }
  if (name === 'font-family') return preparedFamilies(node, value, accountFamilies, usage)
  if (name === 'text-transform') usage.changesCase = true
  if (name === 'letter-spacing') usage.hasSpacing = true
  if (name === 'text-overflow' || name.endsWith('line-clamp')) usage.cutsLines = true
  if (name === 'border-radius' && noRadius.test(value.trim())) return `var(${clippingRadius})`
  if (name === 'list-style' || name === 'list-style-type') usage.texts.push(listMarkers)
  if (name === 'content') {
    walk(node.value, (part) => {
      if (part.type === 'String') usage.texts.push(part.value)
    })
    noteAttributes(value, usage)
    if (isEmptyContent(node)) return '"\\200b"'
  }
  return otherForms.get(`${name} ${value.trim().toLowerCase()}`)
}

const noRadius = /^(initial|unset|\.?0[.0]*[a-z%]*([\s/]+\.?0[.0]*[a-z%]*)*)$/i

function noteAttributes(value: string, usage: Usage): void {
  for (const [, name = ''] of value.matchAll(/attr\(\s*([^\s,)]+)/gi)) usage.attributes.add(name.toLowerCase())
}

/** The renderer draws no box for an empty text, so that it becomes a character without width. */
function isEmptyContent({ property, value }: Declaration): boolean {
  return property.toLowerCase() === 'content' && /^(""|'')$/.test(generate(value))
}

/** The declarations to add after a declaration of the document. */
export function companionsOf(node: Declaration): string[] {
  const name = node.property.toLowerCase()
  if (name === 'text-align') {
    const value = generate(node.value)
    return [`${headerAlign}:${/^(inherit|initial|unset)$/i.test(value) ? 'center' : value}`]
  }
  if (name === 'text-overflow') return [`${cutSide}:${/ellipsis/i.test(generate(node.value)) ? 1 : 0}`]
  if (name.endsWith('line-clamp')) return [`${clampedLines}:${generate(node.value).replace(/^none$/i, '0')}`]
  if (name === 'background' || name === 'background-image')
    return [`${clippingRadius}:${/\b(url|gradient|var)\(/i.test(generate(node.value)) ? invisibleRadius : '0'}`]
  if (name !== 'content') return []
  // An empty box has no line, and its lower edge is on the baseline.
  const [lineHeight, overflow] = isEmptyContent(node) ? ['0', 'hidden'] : ['inherit', 'visible']
  return [`${contentLineHeight}:${lineHeight}`, `${contentOverflow}:${overflow}`]
}

/** Moves the background of `body` to `html`, because a browser draws it on the entire canvas (CSS Backgrounds 3, 2.11.2). */
function backgroundEdits(text: string, tree: CssNode): { rule: string; edits: Edit[] } {
  const bodies: Rule[] = []
  let hasRoot = false
  walk(tree, (node) => {
    if (node.type !== 'Rule' || !node.block.children.some(isBackground)) return
    const selectors = generate(node.prelude).split(',')
    if (selectors.some((selector) => selector === 'html' || selector === ':root')) hasRoot = true
    else if (selectors.length === 1 && selectors[0] === 'body') bodies.push(node)
  })
  if (hasRoot) return { rule: '', edits: [] }
  const moved = bodies.flatMap(({ block }) => block.children.toArray().filter(isBackground))
  const edits = moved.flatMap(({ loc }) => (loc ? { start: loc.start.offset, end: loc.end.offset, text: '' } : []))
  const declarations = edits.map(({ start, end }) => text.slice(start, end))
  return { rule: declarations.length > 0 ? `html{${declarations.join(';')}}` : '', edits }
}

function isBackground(node: CssNode): boolean {
  return node.type === 'Declaration' && node.property.startsWith('background')
}
