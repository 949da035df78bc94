/** Visual order of the parts of a line: the Unicode bidirectional algorithm (UAX 9), over parts of several styles. */
import bidi from 'bidi-js'
import type { Run } from './runs.ts'

/** Drawn in one call, from left to right. */
export interface VisualPart<Style> extends Run<Style> {
  /** Offset in the text of the line. */
  start: number
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
  if (only !== undefined && parts.length === 1) return [{ ...only, start: 0, rightToLeft }]
  const text = parts.map((part) => (isEmoji(part.style) ? object.repeat(part.text.length) : part.text)).join('')
  const { levels } = getEmbeddingLevels(text, rightToLeft ? 'rtl' : 'ltr')
  const stretches: (Run<Style> & { start: number; level: number })[] = []
  let at = 0
  for (const { text: whole, style } of parts) {
    let from = at
    at += whole.length
    const start = from
    for (let i = from + 1; i <= at; i += 1) {
      if (i < at && levels[i] === levels[from]) continue
      stretches.push({ text: whole.slice(from - start, i - start), style, start: from, level: levels[from] ?? 0 })
      from = i
    }
  }
  return reordered(stretches).map(({ level, ...part }) => ({ ...part, rightToLeft: level % 2 === 1 }))
}

/** The parts of a text that is drawn in one call, each of one direction, in visual order. */
export function directionsIn(text: string, rightToLeft: boolean): Omit<VisualPart<never>, 'style'>[] {
  if (!rightToLeft && !hasDirection.test(text)) return [{ text, start: 0, rightToLeft }]
  const { levels } = getEmbeddingLevels(
    text.replaceAll(emoji, (found) => object.repeat(found.length)),
    rightToLeft ? 'rtl' : 'ltr',
  )
  const stretches: { text: string; start: number; level: number }[] = []
  let start = 0
  for (let i = 1; i <= text.length; i += 1) {
    if (i < text.length && levels[i] === levels[start]) continue
    stretches.push({ text: text.slice(start, i), start, level: levels[start] ?? 0 })
    start = i
  }
  return reordered(stretches).map(({ level, ...part }) => ({ ...part, rightToLeft: level % 2 === 1 }))
}

/** Letters from right to left, and controls of the direction. */
export const hasDirection =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

const emoji = /\p{ExtPict}/gu

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
