/** Divides texts into parts, and sets the font and the spacing of a part where the renderer would choose others. */
import type { Node, TextNode } from '@takumi-rs/core'
import { joined, presentations } from '../vector/prepare-text.ts'
import { familyList } from '../vector/text-style.ts'

export interface SplitOptions {
  /** Families for characters with text presentation, in the order of the document; undefined if no font has emoji. */
  textFamilies: string[] | undefined
  /** Whether a font that the document names has the character. */
  isNamed(codePoint: number): boolean
  /** Whether the document spaces letters. */
  hasSpacing: boolean
  /** Whether parts of a text may be items of a flexbox or a grid. */
  hasItems: boolean
}

/** Divides the texts of the tree. */
export function splitTexts(node: Node, options: SplitOptions): void {
  if (node.type !== 'container' || node.children === undefined) return
  node.children = node.children.flatMap((child): Node[] => {
    if (child.type !== 'text') {
      splitTexts(child, options)
      return [child]
    }
    const parts = partsOf(child, options)
    if (parts.length < 2 || !options.hasItems) return parts
    return [{ type: 'container', preset: { display: 'inline' }, children: parts }]
  })
}

interface Part {
  text: string
  style?: { fontFamily?: string; letterSpacing?: string }
}

function partsOf(node: TextNode, options: SplitOptions): TextNode[] {
  const parts = presentedParts(node.text, options).flatMap(({ text, style }) =>
    options.hasSpacing
      ? spacedParts(text).map((part): Part => ({ ...part, style: { ...style, ...part.style } }))
      : [{ text, ...(style && { style }) }],
  )
  return parts.map(({ text, style }) => ({ ...node, text, ...(style && { style: { ...node.style, ...style } }) }))
}

/** The renderer chooses the emoji font for emoji by itself. */
function presentedParts(text: string, { textFamilies, isNamed }: SplitOptions): Part[] {
  if (textFamilies === undefined) return [{ text }]
  const parts: Part[] = []
  for (const { text: part, presentation } of presentations(text)) {
    const last = parts.at(-1)
    if (presentation === 'text' && !isNamed(part.codePointAt(0) ?? 0))
      parts.push({ text: part, style: { fontFamily: familyList(textFamilies) } })
    else if (last !== undefined && last.style === undefined) last.text += part
    else parts.push({ text: part })
  }
  return parts
}

/** Letters that join have no space between them. */
function spacedParts(text: string): Part[] {
  const parts: Part[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(joined)) {
    if (index > end) parts.push({ text: text.slice(end, index) })
    parts.push({ text: found, style: { letterSpacing: '0' } })
    end = index + found.length
  }
  if (end < text.length || parts.length === 0) parts.push({ text: text.slice(end) })
  return parts
}
