/** Fits names along an axis: unchanged, wrapped, slanted or truncated. */

import { graphemes, largestBelow, unbrokenIn } from './breaks.ts'

/** Pixels. */
export type WidthOf = (text: string) => number

/** Wraps text into at most this many lines of the width; longer text is cut with an ellipsis. */
export function wrapLabel(text: string, width: number, linesMax: number, widthOf: WidthOf): string {
  const lines: string[] = []
  for (const piece of unbrokenIn(text.trim().replaceAll(/\s+/g, ' '))) {
    const longer = `${lines.at(-1) ?? ''}${piece}`
    if (lines.length > 0 && widthOf(longer.trimEnd()) <= width) lines[lines.length - 1] = longer
    else lines.push(piece)
  }
  const kept = lines.slice(0, linesMax)
  if (lines.length > linesMax) kept[linesMax - 1] = lines.slice(linesMax - 1).join('')
  return kept
    .map((line, index) => (index < lines.length - 1 ? line.replace(/\u00ad$/, '-') : line))
    .map((line) => truncateLabel(line.trimEnd(), width, widthOf))
    .join('\n')
}

/** Truncates with an ellipsis if the text doesn't fit; counts grapheme clusters. */
export function truncateLabel(text: string, width: number, widthOf: WidthOf): string {
  if (widthOf(text) <= width) return text
  const characters = Array.from(graphemes.segment(text), ({ segment }) => segment)
  const cutAt = (count: number) => `${characters.slice(0, count).join('').trimEnd()}…`
  return cutAt(
    Math.max(
      1,
      largestBelow(characters.length, (count) => widthOf(cutAt(count)) <= width),
    ),
  )
}

export interface AxisLabels {
  texts: string[]
  /** Degrees, counter-clockwise. */
  rotate: number
  /** Whether all names are drawn; otherwise as many as fit. */
  all: boolean
}

/**
 * Layout of the names below an axis of this width. Horizontal if they fit; slanted names may take a third of the
 * height.
 */
export function namesBelow(
  names: string[],
  { width, height, fontSize, widthOf }: { width: number; height: number; fontSize: number; widthOf: WidthOf },
): AxisLabels {
  const slot = (width / names.length) * 0.92
  if (names.every((name) => widthOf(name) <= slot)) return { texts: names, rotate: 0, all: true }
  const lines = Math.max(1, Math.min(3, Math.floor(height / 5 / fontSize)))
  const inLines: string[] = []
  for (const name of names) {
    const text = wrapLabel(name, slot, lines, widthOf)
    if (text.includes('…')) break
    inLines.push(text)
  }
  if (inLines.length === names.length) return { texts: inLines, rotate: 0, all: true }
  if (slot >= fontSize * 1.3 && names.length <= slantedMax) {
    return { texts: names.map((name) => truncateLabel(name, height / 3, widthOf)), rotate: 40, all: true }
  }
  return { texts: names.map((name) => truncateLabel(name, width / 5, widthOf)), rotate: 0, all: false }
}

/** More slanted names would be unreadable. */
const slantedMax = 24
