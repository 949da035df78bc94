/**
 * Widths of text in fonts with thousands of glyphs, whose first measurement reads a file for some of them. So each is measured once, and other work
 * has pauses in between.
 */
import { countLarge, largeIn, partsOf } from './large-fonts.ts'
import { createPauses } from './pauses.ts'

const marks = /\p{M}/u

/** The first glyph of a file takes some milliseconds, the others a hundredth. */
const glyphsAtOnce = 8

/** A pause for other work after every few glyphs. */
export async function inPieces<T>(glyphs: Iterable<T>, use: (glyph: T) => void, signal?: AbortSignal): Promise<void> {
  const pauses = createPauses(glyphsAtOnce, signal)
  for (const glyph of glyphs) {
    use(glyph)
    const pause = pauses.after(1)
    if (pause) await pause
  }
}

/** Widths of texts in one font. */
export interface Widths {
  of(text: string): number
  /** Measures the glyphs of these texts. */
  prepare(text: string, signal?: AbortSignal): Promise<void>
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
      return partsOf(text).reduce((sum, part) => sum + (part.isLarge ? ofGlyph(part.text) : measure(part.text)), 0)
    },
    async prepare(text, signal) {
      await inPieces(largeIn(text), ofGlyph, signal)
    },
  }
}
