/**
 * Fonts of a chart. Its library measures and draws a text in one call, with one list of families; here, each part of a text in a large font has the
 * families that have it.
 */
import type { SKRSContext2D } from '@napi-rs/canvas'
import { type Families, spansOf } from './large-fonts.ts'
import { createWidths, type Widths } from './measure-in-pieces.ts'
import { familyList } from './text-style.ts'

export interface ChartFonts {
  /** A font as in CSS. The list of families is that of one of the faces. */
  widthsOf(font: string): Widths
  /** Texts that are drawn with this pen have these fonts. */
  useFor(pen: SKRSContext2D): void
}

interface ChartFont {
  /** Size in the notation of the canvas. */
  size: string
  families: Families
  widths: Widths
}

/** `pen` is for measures. */
export function createChartFonts(pen: SKRSContext2D, faces: Families[]): ChartFonts {
  const byList = new Map(faces.map((families) => [readFont(pen, `10px ${familyList(families.names)}`).list, families]))
  const known = new Map<string, ChartFont>()

  function fontOf(font: string): ChartFont {
    const found = known.get(font)
    if (found !== undefined) return found
    const { size, list } = readFont(pen, font)
    const widths = createWidths((text) => widthOf(measured(pen, font, text)))
    const read = { size, families: byList.get(list) ?? { names: [] }, widths }
    known.set(font, read)
    return read
  }

  function measured(pen: SKRSContext2D, font: string, text: string) {
    const { size, families } = fontOf(font)
    return spansOf(text, families).map((span) => {
      const own = span.names === families.names ? font : `${size} ${familyList(span.names)}`
      pen.font = own
      return { text: span.text, font: own, width: pen.measureText(span.text).width }
    })
  }

  return {
    widthsOf: (font) => fontOf(font).widths,
    useFor(pen) {
      for (const how of ['fillText', 'strokeText'] as const) {
        const draw = pen[how].bind(pen)
        pen[how] = (text, x, y) => {
          const { font, textAlign } = pen
          const spans = measured(pen, font, text)
          if (spans.length === 1) {
            draw(text, x, y)
            return
          }
          let left = x - widthOf(spans) * (leftShare[textAlign] ?? 0)
          pen.textAlign = 'left'
          for (const span of spans) {
            pen.font = span.font
            draw(span.text, left, y)
            left += span.width
          }
          pen.font = font
          pen.textAlign = textAlign
        }
      }
    },
  }
}

/** The part of a text that lies on the left of its position. */
const leftShare: Partial<Record<string, number>> = { center: 0.5, right: 1, end: 1 }

function widthOf(spans: { width: number }[]): number {
  return spans.reduce((sum, { width }) => sum + width, 0)
}

/** The size and the list of families, in the notation in which the canvas returns them. */
function readFont(pen: SKRSContext2D, font: string): { size: string; list: string } {
  pen.font = font
  const [, size = '', list = ''] = /^(.*?px) (.*)$/s.exec(pen.font) ?? []
  return { size, list }
}
