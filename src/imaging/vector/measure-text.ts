/** Measures of characters, as shares of the text size. */
import type { SKRSContext2D } from '@napi-rs/canvas'
import { unbrokenIn } from './breaks.ts'
import { loadCanvas } from './canvas.ts'
import type { Heights, Line } from './layout.ts'
import { countLarge, hasManyLarge, inTurns } from './measure-in-pieces.ts'
import { normalised, type Run } from './runs.ts'
import { type CharStyle, setFont } from './text-style.ts'

/** Widths are measured once at this size and scaled: without hinting, they are proportional. */
const measureSize = 100
/** Heights are whole pixels. */
const heightsSize = 1_000

interface Prepared {
  pen: SKRSContext2D
  heights: Heights
  xHeight: number
  /** Of the pieces of a long text in a large font. */
  widths: Map<string, number>
}

export interface Ruler {
  /** Measures the pieces between which lines can break, if the font is large and so is the text. Other work has turns meanwhile. */
  measurePieces(runs: Run<CharStyle>[]): Promise<void>
  widthOf(text: string, style: CharStyle): number
  afterOf(style: CharStyle): number
  heightsOf(style: CharStyle): Heights
  /** Height of a lower-case x. */
  xHeightOf(style: CharStyle): number
  /** Maximum distance of ink beyond its line: slanted and swash characters, and tall ones on narrow lines. */
  overhangOf(lines: Line<CharStyle>[], size: number): Promise<{ side: number; top: number; bottom: number }>
}

export async function createRuler(letterSpacing: number): Promise<Ruler> {
  const { createCanvas } = await loadCanvas()
  const pens = new Map<CharStyle, Prepared>()

  function known(style: CharStyle) {
    const found = pens.get(style) ?? prepare(style)
    pens.set(style, found)
    return found
  }

  function prepare(style: CharStyle) {
    const pen = createCanvas(1, 1).getContext('2d')
    setFont(pen, style.line ?? style, heightsSize, 0)
    const { fontBoundingBoxAscent, fontBoundingBoxDescent } = pen.measureText('Hg')
    const { actualBoundingBoxAscent } = pen.measureText('x')
    setFont(pen, style, measureSize, letterSpacing)
    return {
      pen,
      widths: new Map<string, number>(),
      heights: {
        size: style.size,
        ascent: fontBoundingBoxAscent / heightsSize,
        descent: fontBoundingBoxDescent / heightsSize,
      },
      xHeight: actualBoundingBoxAscent / heightsSize,
    }
  }

  function widthOf(text: string, style: CharStyle): number {
    const { pen, widths } = known(style)
    return widths.get(text) ?? pen.measureText(text).width / measureSize
  }

  return {
    widthOf,
    async measurePieces(runs) {
      for (const { text, style } of runs) {
        if (!hasManyLarge(text)) continue
        const { widths } = known(style)
        const pieces = normalised(text).split('\n').flatMap(unbrokenIn)
        await inTurns(pieces, countLarge, (piece) => widths.set(piece, widthOf(piece, style)))
      }
    },
    afterOf: (style) => letterSpacing * style.size,
    heightsOf: (style) => known(style).heights,
    xHeightOf: (style) => known(style).xHeight,
    async overhangOf(lines, size) {
      let [side, top, bottom] = [0, 0, 0]
      const glyphsOf = ({ parts }: Line<CharStyle>) => parts.reduce((sum, { text }) => sum + countLarge(text), 0)
      await inTurns(
        lines.entries(),
        ([, line]) => glyphsOf(line),
        ([index, { parts, baseline, height }]) => {
          for (const { text, style } of parts) {
            const ink = known(style).pen.measureText(text)
            const share = size / measureSize
            const right = ink.actualBoundingBoxRight - ink.width
            side = Math.max(side, ink.actualBoundingBoxLeft * share, right * share)
            if (index === 0) top = Math.max(top, ink.actualBoundingBoxAscent * share - baseline)
            if (index === lines.length - 1)
              bottom = Math.max(bottom, ink.actualBoundingBoxDescent * share - (height - baseline))
          }
        },
      )
      return { side: Math.ceil(side), top: Math.ceil(top), bottom: Math.ceil(bottom) }
    },
  }
}
