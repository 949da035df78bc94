/** Visual order of the parts of a line: the Unicode bidirectional algorithm (UAX 9), over parts of several styles. */
import bidi from 'bidi-js'
import type { Run } from './runs.ts'

/** Drawn in one call, from left to right. */
export interface VisualPart<Style> extends Run<Style> {
  rightToLeft: boolean
}

// Its types describe a CommonJS module, but an import receives an ES module.
const { getEmbeddingLevels } = (bidi as unknown as typeof bidi.default)()

/**
 * Parts of one direction, style and level each, in visual order. Emoji count as one object: the library takes characters
 * outside the Basic Multilingual Plane for letters from left to right, and would split a sequence.
 */
export function visualOrder<Style>(
  parts: Run<Style>[],
  rightToLeft: boolean,
  isEmoji: (style: Style) => boolean = () => false,
): VisualPart<Style>[] {
  const [only] = parts
  // The canvas orders the characters of one call.
  if (only !== undefined && parts.length === 1) return [{ ...only, rightToLeft }]
  const text = parts.map((part) => (isEmoji(part.style) ? object.repeat(part.text.length) : part.text)).join('')
  const { levels } = getEmbeddingLevels(text, rightToLeft ? 'rtl' : 'ltr')
  const stretches: (Run<Style> & { level: number })[] = []
  let at = 0
  for (const { text: whole, style } of parts) {
    let from = at
    at += whole.length
    const start = from
    for (let i = from + 1; i <= at; i += 1) {
      if (i < at && levels[i] === levels[from]) continue
      stretches.push({ text: whole.slice(from - start, i - start), style, level: levels[from] ?? 0 })
      from = i
    }
  }
  return reordered(stretches).map(({ text, style, level }) => ({ text, style, rightToLeft: level % 2 === 1 }))
}

/** OBJECT REPLACEMENT CHARACTER, which has no direction. */
const object = '\ufffc'

/** Rule L2: from the highest level down, reverses every sequence at that level or above. */
function reordered<Item extends { level: number }>(items: Item[]): Item[] {
  const order = [...items]
  const highest = Math.max(0, ...order.map(({ level }) => level))
  for (let level = highest; level > 0; level -= 1) {
    let from = 0
    while (from < order.length) {
      let to = from
      while (to < order.length && (order[to]?.level ?? 0) >= level) to += 1
      if (to > from + 1) order.splice(from, to - from, ...order.slice(from, to).reverse())
      from = Math.max(to, from + 1)
    }
  }
  return order
}

/** Whether the text is right to left, from the first letter with a direction. */
export function isRightToLeft(text: string): boolean {
  const first = /\p{L}/u.exec(text)?.[0] ?? ''
  return /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u.test(first)
}
