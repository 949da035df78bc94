/** Carets and selections in a text as it was drawn. Positions are pixels of the image, offsets are UTF-16 code units of the value. */
import type { FrameText, TextLine } from '../../../../../shared/frames.ts'
import type { Point } from '../shape.ts'

/** A text whose lines are known. */
export type DrawnText = Required<FrameText>

/** `line`: the line to prefer, for an offset that is both the end of a wrapped line and the start of the next one. */
export interface CaretPlace {
  offset: number
  line?: number | undefined
}

export interface Caret {
  line: number
  x: number
  top: number
  height: number
}

export interface Area {
  x: number
  y: number
  width: number
  height: number
}

export function caretAt({ lines }: DrawnText, { offset, line: preferred }: CaretPlace): Caret {
  const line = preferred !== undefined && isIn(lines[preferred], offset) ? preferred : lineOf(lines, offset)
  const at = lines[line]
  return at === undefined
    ? { line: 0, x: 0, top: 0, height: 0 }
    : { line, x: xOf(at, offset), top: at.top, height: at.height }
}

function isIn(line: TextLine | undefined, offset: number): boolean {
  return line !== undefined && offset >= line.start && offset <= line.end
}

/** The last line that starts at or before the offset: of two, the next one. */
function lineOf(lines: readonly TextLine[], offset: number): number {
  return Math.max(
    0,
    lines.findLastIndex(({ start }) => start <= offset),
  )
}

/** The edge where reading enters the character at the offset, or leaves the last one. */
function xOf({ x, characters }: TextLine, offset: number): number {
  const next = characters.find(([start]) => start >= offset)
  return next?.[1] ?? characters.at(-1)?.[2] ?? x
}

/** The offset that is nearest to a point. */
export function placeAt({ lines }: DrawnText, [x, y]: Point): CaretPlace {
  const distance = ({ top, height }: TextLine) => Math.max(top - y, y - top - height, 0)
  const middle = ({ top, height }: TextLine) => Math.abs(top + height / 2 - y)
  // Tall lines overlap.
  const [line = 0] = lines
    .map((_, index) => index)
    .toSorted((a, b) => {
      const [first, second] = [lines[a] as TextLine, lines[b] as TextLine]
      return distance(first) - distance(second) || middle(first) - middle(second)
    })
  const at = lines[line]
  return { line, offset: at === undefined ? 0 : nearestIn(at, x) }
}

function nearestIn({ start, end, characters }: TextLine, x: number): number {
  let nearest = { offset: start, distance: Number.POSITIVE_INFINITY }
  for (const [index, [offset, from, to]] of characters.entries()) {
    const next = characters[index + 1]?.[0] ?? end
    for (const edge of [
      { offset, distance: Math.abs(from - x) },
      { offset: next, distance: Math.abs(to - x) },
    ])
      if (edge.distance < nearest.distance) nearest = edge
  }
  return nearest.offset
}

/** The place above or below at the same x. Beyond the first and the last line: the start and the end of the text. */
export function placeBeside(text: DrawnText, from: CaretPlace, way: -1 | 1, x: number): CaretPlace {
  const line = caretAt(text, from).line + way
  const at = text.lines[line]
  if (at !== undefined) return { line, offset: nearestIn(at, x) }
  return { offset: way === -1 ? 0 : text.value.length }
}

/** The start or the end of the drawn line. The space at which a line wraps is after its end. */
export function lineEdge(text: DrawnText, from: CaretPlace, edge: 'start' | 'end'): CaretPlace {
  const { line } = caretAt(text, from)
  const at = text.lines[line]
  if (at === undefined) return from
  if (edge === 'start') return { line, offset: at.start }
  const isWrapped = text.lines[line + 1]?.start === at.end
  const end = isWrapped ? at.start + text.value.slice(at.start, at.end).trimEnd().length : at.end
  return { line, offset: end }
}

/** The areas of a selection: one for each stretch of one direction in each line. */
export function areasOf({ lines }: DrawnText, from: number, to: number): Area[] {
  return lines.flatMap(({ start, end, x, top, height, characters }, index) => {
    const edges = characters
      .filter(([offset]) => offset >= from && offset < to)
      .map(([, a, b]): [number, number] => (a < b ? [a, b] : [b, a]))
      .toSorted(([a], [b]) => a - b)
    const areas: Area[] = []
    for (const [left, right] of edges) {
      const last = areas.at(-1)
      if (last !== undefined && left <= last.x + last.width + touching)
        last.width = Math.max(last.width, right - last.x)
      else areas.push({ x: left, y: top, width: right - left, height })
    }
    // A selected line break.
    const isBreak = end >= from && end < to && lines[index + 1] !== undefined && lines[index + 1]?.start !== end
    if (isBreak && areas.length === 0 && start === end) areas.push({ x, y: top, width: height / 4, height })
    return areas
  })
}

const touching = 0.1

const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/** The word, the space or the sign at an offset: for a double click. */
export function wordAt(value: string, offset: number): [from: number, to: number] {
  const found = words.segment(value).containing(Math.min(offset, value.length - 1))
  return found === undefined ? [0, 0] : [found.index, found.index + found.segment.length]
}
