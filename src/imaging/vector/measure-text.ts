/** Measures of characters, as shares of the text size. */
import type { SKRSContext2D } from '@napi-rs/canvas'
import { loadCanvas } from './canvas.ts'
import { type Span, spansOf } from './large-fonts.ts'
import type { Heights, Line } from './layout.ts'
import { inPieces } from './measure-in-pieces.ts'
import { normalised, type Run } from './runs.ts'
import { type CharStyle, setFamilies, setFont } from './text-style.ts'

/** Widths are measured once at this size and scaled: without hinting, they are proportional. */
const measureSize = 100
/** Heights are whole pixels. */
const heightsSize = 1_000
/** Bounds of no ink: before the first character. */
const never = Number.NEGATIVE_INFINITY

type Metrics = ReturnType<SKRSContext2D['measureText']>

interface Prepared {
  pen: SKRSContext2D
  heights: Heights
  xHeight: number
  /** Metrics of large characters. */
  metrics: Map<string, Metrics>
}

export interface MeasuredSpan extends Span {
  width: number
}

export interface Ruler {
  /** Measures the characters of large fonts. The first one of a file reads it. Other work has turns meanwhile. */
  measureLarge(runs: Run<CharStyle>[]): Promise<void>
  widthOf(text: string, style: CharStyle): number
  /** Spans from left to right, as they are drawn. */
  spansIn(text: string, style: CharStyle, rightToLeft: boolean): MeasuredSpan[]
  afterOf(style: CharStyle): number
  heightsOf(style: CharStyle): Heights
  /** Height of a lower-case x. */
  xHeightOf(style: CharStyle): number
  /** Maximum distance of ink beyond its line: slanted and swash characters, and tall ones on narrow lines. */
  overhangOf(lines: Line<CharStyle>[], size: number): { side: number; top: number; bottom: number }
}

export async function createRuler(letterSpacing: number, signal?: AbortSignal): Promise<Ruler> {
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
      metrics: new Map<string, Metrics>(),
      heights: {
        size: style.size,
        ascent: fontBoundingBoxAscent / heightsSize,
        descent: fontBoundingBoxDescent / heightsSize,
      },
      xHeight: actualBoundingBoxAscent / heightsSize,
    }
  }

  function widthOf(text: string, style: CharStyle): number {
    return spansIn(text, style).reduce((sum, { width }) => sum + width, 0)
  }

  function spansIn(text: string, style: CharStyle, rightToLeft = false): MeasuredSpan[] {
    return spansOf(text, style, rightToLeft).map((span) => ({
      ...span,
      width: measured(span, style).width / measureSize,
    }))
  }

  function measured({ text, names }: Pick<Span, 'text' | 'names'>, style: CharStyle): Metrics {
    const { pen, metrics } = known(style)
    if (names === style.names) return pen.measureText(text)
    const found = metrics.get(text) ?? measuredIn(pen, names, text, style)
    metrics.set(text, found)
    return found
  }

  function measuredIn(pen: SKRSContext2D, names: string[], text: string, style: CharStyle): Metrics {
    setFamilies(pen, names, measureSize * style.size)
    const metrics = pen.measureText(text)
    setFamilies(pen, style.names, measureSize * style.size)
    return metrics
  }

  /** Distances from the start of the text, as shares of its size times `measureSize`. */
  function inkOf(text: string, style: CharStyle) {
    let [left, right, top, bottom] = [never, never, never, never]
    let x = 0
    for (const span of spansOf(text, style)) {
      const ink = measured(span, style)
      left = Math.max(left, ink.actualBoundingBoxLeft - x)
      right = Math.max(right, x + ink.actualBoundingBoxRight)
      top = Math.max(top, ink.actualBoundingBoxAscent)
      bottom = Math.max(bottom, ink.actualBoundingBoxDescent)
      x += ink.width
    }
    return { left, right: right - x, top, bottom }
  }

  return {
    widthOf,
    spansIn,
    async measureLarge(runs) {
      for (const { text, style } of runs) {
        if (style.namesOfLarge === undefined) continue
        const spans = spansOf(normalised(text), style).filter(({ names }) => names !== style.names)
        await inPieces(spans, (span) => measured(span, style), signal)
      }
    },
    afterOf: (style) => letterSpacing * style.size,
    heightsOf: (style) => known(style).heights,
    xHeightOf: (style) => known(style).xHeight,
    overhangOf(lines, size) {
      let [side, top, bottom] = [0, 0, 0]
      const share = size / measureSize
      for (const [index, { parts, baseline, height }] of lines.entries()) {
        for (const { text, style } of parts) {
          const ink = inkOf(text, style)
          side = Math.max(side, ink.left * share, ink.right * share)
          if (index === 0) top = Math.max(top, ink.top * share - baseline)
          if (index === lines.length - 1) bottom = Math.max(bottom, ink.bottom * share - (height - baseline))
        }
      }
      return { side: Math.ceil(side), top: Math.ceil(top), bottom: Math.ceil(bottom) }
    },
  }
}
