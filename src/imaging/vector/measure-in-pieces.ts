/**
 * Widths of text in fonts with thousands of glyphs, whose measurement takes up to a millisecond for each glyph, each time. So each is measured once,
 * and other work has turns in between.
 */
import { setImmediate } from 'node:timers/promises'

/** Of East Asian scripts. They have no kerning, so the width of a text is the sum of theirs. */
const large = '\\u2e80-\\u9fff\\uac00-\\ud7a3\\uf900-\\ufaff\\u{20000}-\\u{3ffff}'
const largeOnes = new RegExp(`[${large}]`, 'gu')
const parts = new RegExp(`[${large}]|[^${large}]+`, 'gu')
const marks = /\p{M}/u

const glyphsAtOnce = 8
/** Fewer are measured with the rest of the text. */
const glyphsMin = 24

/** A turn for other work after every few glyphs. */
export async function inTurns<T>(items: Iterable<T>, glyphsOf: (item: T) => number, use: (item: T) => void) {
  let glyphs = 0
  for (const item of items) {
    use(item)
    glyphs += glyphsOf(item)
    if (glyphs < glyphsAtOnce) continue
    glyphs = 0
    await setImmediate()
  }
}

export function countLarge(text: string): number {
  return text.match(largeOnes)?.length ?? 0
}

export function hasManyLarge(text: string): boolean {
  return countLarge(text) >= glyphsMin
}

/** Widths of texts in one font. */
export interface Widths {
  of(text: string): number
  /** Measures the glyphs of these texts. */
  prepare(text: string): Promise<void>
}

export function createWidths(measure: (text: string) => number): Widths {
  const known = new Map<string, number>()
  function ofGlyph(glyph: string): number {
    const width = known.get(glyph) ?? measure(glyph)
    known.set(glyph, width)
    return width
  }
  return {
    of(text) {
      if (countLarge(text) < 2 || marks.test(text)) return measure(text)
      const each = text.match(parts) ?? []
      return each.reduce((sum, part) => sum + (countLarge(part) > 0 ? ofGlyph(part) : measure(part)), 0)
    },
    async prepare(text) {
      if (!hasManyLarge(text)) return
      await inTurns(new Set(text.match(largeOnes)), () => 1, ofGlyph)
    },
  }
}
