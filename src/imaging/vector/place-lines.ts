/** Positions of the parts of laid out text, in pixels. */
import type { Rectangle } from '../raster/region.ts'
import { visualOrder } from './bidi.ts'
import { graphemes } from './breaks.ts'
import type { Span } from './large-fonts.ts'
import type { Layout, Line } from './layout.ts'
import type { Ruler } from './measure-text.ts'
import type { CharStyle, TextStyle } from './text-style.ts'

/** Drawn in one call. */
export interface PlacedSpan extends Span {
  x: number
}

export interface PlacedPart {
  text: string
  /** Offset in the text of its line. */
  start: number
  rightToLeft: boolean
  style: CharStyle
  /** The drawn texts, from left to right. */
  spans: PlacedSpan[]
  x: number
  /** Position of the baseline. */
  y: number
  width: number
  /** Additional pixels per character or space in justified lines. */
  wordSpacing: number
  letterSpacing: number
  /** Ascent and descent of the font. */
  ascent: number
  descent: number
  xHeight: number
}

export interface PlacedLine extends Rectangle {
  baseline: number
}

export interface PlacedText {
  parts: PlacedPart[]
  /** The visible parts of each line that is not empty. */
  lines: PlacedLine[]
  /** All lines. */
  block: Rectangle
  /** All lines, also empty ones. */
  rows: PlacedRow[]
}

export interface PlacedRow {
  parts: PlacedPart[]
  x: number
  width: number
  baseline: number
}

type Place = Pick<TextStyle, 'align' | 'verticalAlign'>

export function placeLines(layout: Layout<CharStyle>, style: Place, frame: Rectangle, ruler: Ruler): PlacedText {
  const top = frame.y + (frame.height - layout.height) * verticalShare[style.verticalAlign]
  let y = top
  const placed = layout.lines.map((line) => {
    const found = placeLine(line, y + line.baseline, layout.size, style.align, frame, ruler)
    y += line.height
    return found
  })
  const lines = placed.flatMap((line) => line.around ?? [])
  const left = Math.min(...lines.map((line) => line.x), frame.x + frame.width)
  const right = Math.max(...lines.map((line) => line.x + line.width), left)
  const block = { x: left, y: top, width: right - left, height: layout.height }
  const rows = placed.map(({ around: _, ...row }) => row)
  return { parts: placed.flatMap((line) => line.parts), lines, block, rows }
}

const verticalShare = { top: 0, middle: 0.5, bottom: 1 }
const horizontalShare = { left: 0, center: 0.5, right: 1 }

function placeLine(
  line: Line<CharStyle>,
  y: number,
  size: number,
  align: TextStyle['align'],
  frame: Rectangle,
  ruler: Ruler,
): PlacedRow & { around?: PlacedLine } {
  const free = frame.width - line.width
  const stretch = align === 'justify' && !line.isLast && free > 0 ? stretched(line, free) : none
  const share = align === 'justify' ? (line.rightToLeft ? 1 : 0) : horizontalShare[align]
  const left = frame.x + (stretch === none ? free * share : 0)
  let x = left
  const widened = (natural: number, text: string) =>
    stretch === none
      ? natural
      : natural + spacesIn(text) * stretch.wordSpacing + charactersIn(text) * stretch.letterSpacing
  const parts = visualOrder(line.parts, line.rightToLeft, isEmojiStyle).map(({ text, style, start, rightToLeft }) => {
    const heights = ruler.heightsOf(style)
    const measured = ruler.spansIn(text, style, rightToLeft)
    const natural = line.parts.length === 1 ? line.width : measured.reduce((sum, span) => sum + span.width, 0) * size
    let spanX = x
    const spans = measured.map(({ width, ...span }) => {
      const from = spanX
      spanX += widened(width * size, span.text)
      return { ...span, x: from }
    })
    const placed = {
      text,
      style,
      start,
      rightToLeft,
      spans,
      ...stretch,
      x,
      y,
      width: widened(natural, text),
      ascent: heights.ascent * size,
      descent: heights.descent * size,
      xHeight: ruler.xHeightOf(style) * size,
    }
    x += placed.width
    return placed
  })
  const row = { parts, x: left, width: stretch === none ? line.width : frame.width, baseline: y }
  if (parts.length === 0) return row
  const above = Math.max(...parts.map(({ ascent }) => ascent))
  const below = Math.max(...parts.map(({ descent }) => descent))
  return { ...row, around: { x: left, y: y - above, width: row.width, height: above + below, baseline: y } }
}

function isEmojiStyle({ line }: CharStyle): boolean {
  return line !== undefined
}

const none = { wordSpacing: 0, letterSpacing: 0 }

/** Stretches spaces between words if there are any, otherwise between characters, as in Chinese and Japanese. */
function stretched({ parts }: Line<CharStyle>, free: number): typeof none {
  const text = parts.map((part) => part.text).join('')
  const spaces = spacesIn(text)
  if (spaces > 0) return { ...none, wordSpacing: free / spaces }
  const gaps = charactersIn(text) - 1
  return gaps > 0 && unspaced.test(text) ? { ...none, letterSpacing: free / gaps } : none
}

/** Scripts without connected characters. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u

function spacesIn(text: string): number {
  return text.split(' ').length - 1
}

function charactersIn(text: string): number {
  return [...graphemes.segment(text)].length
}
