/** The order in which parts of a line are seen: the Unicode bidirectional algorithm (UAX 9), over parts of several styles. */
import bidi from 'bidi-js'
import type { Run } from './runs.ts'

/** Drawn in one go, from left to right. */
export interface VisualPart<Style> extends Run<Style> {
  rightToLeft: boolean
}

// Its types take it for a CommonJS module, which it is not for an import.
const { getEmbeddingLevels } = (bidi as unknown as typeof bidi.default)()

/** One part of one direction per stretch of one style and level, in the order of the eye. */
export function visualOrder<Style>(parts: Run<Style>[], rightToLeft: boolean): VisualPart<Style>[] {
  const [only] = parts
  // The canvas orders what is drawn in one go.
  if (only !== undefined && parts.length === 1) return [{ ...only, rightToLeft }]
  const text = parts.map((part) => part.text).join('')
  const { levels } = getEmbeddingLevels(text, rightToLeft ? 'rtl' : 'ltr')
  const stretches: (Run<Style> & { level: number })[] = []
  let at = 0
  for (const { text: whole, style } of parts) {
    let from = at
    at += whole.length
    for (let i = from + 1; i <= at; i += 1) {
      if (i < at && levels[i] === levels[from]) continue
      stretches.push({ text: text.slice(from, i), style, level: levels[from] ?? 0 })
      from = i
    }
  }
  return reordered(stretches).map(({ text, style, level }) => ({ text, style, rightToLeft: level % 2 === 1 }))
}

/** Rule L2: from the highest level down, whatever lies at that level or above it is turned around. */
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
