/** The places of characters while one types, until the service has drawn the new text. */
import type { TextCharacter, TextLine } from '../../../../../shared/frames.ts'
import type { DrawnText } from './caret.ts'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The drawn text with another value: new characters have the average width of their line, and those after them move. */
export function expectedText(drawn: DrawnText, value: string): DrawnText {
  if (drawn.value === value) return drawn
  const [from, to, inserted] = changeOf(drawn.value, value)
  const moved = inserted.length - (to - from)
  const at = Math.max(
    0,
    drawn.lines.findLastIndex(({ start }) => start <= from),
  )
  const lines = drawn.lines.flatMap((line, index): TextLine[] => {
    if (index < at) return [line]
    if (index === at) return [withChange(line, { from, to, inserted, moved, size: drawn.size })]
    // Lines that were deleted entirely.
    if (line.end <= to && line.start < to) return []
    const shift = (offset: number) => Math.max(from + inserted.length, offset + moved)
    const characters = line.characters.filter(([start]) => start >= to)
    return [
      {
        ...line,
        start: shift(line.start),
        end: shift(line.end),
        characters: characters.map(([start, a, b]) => [start + moved, a, b]),
      },
    ]
  })
  return { ...drawn, value, lines }
}

interface Change {
  from: number
  to: number
  inserted: string
  moved: number
  size: number
}

function withChange(line: TextLine, { from, to, inserted, moved, size }: Change): TextLine {
  const { characters } = line
  const widths = characters.map(([, a, b]) => Math.abs(b - a))
  const average = widths.length === 0 ? size / 2 : widths.reduce((sum, width) => sum + width, 0) / widths.length
  const before = characters.filter(([start]) => start < from)
  const after = characters.filter(([start]) => start >= to)
  const edge = before.at(-1)?.[2] ?? characters[0]?.[1] ?? line.x
  const way = line.rightToLeft ? -1 : 1
  let x = edge
  const added = Array.from(graphemes.segment(inserted), ({ segment, index }): TextCharacter => {
    const start = x
    if (!segment.includes('\n')) x += average * way
    return [from + index, start, x]
  })
  const shift = x - (after[0]?.[1] ?? x)
  return {
    ...line,
    end: Math.max(line.end, Math.min(to, line.end)) + moved,
    characters: [
      ...before,
      ...added,
      ...after.map(([start, a, b]): TextCharacter => [start + moved, a + shift, b + shift]),
    ],
  }
}

/** The only stretch that differs: its range in the text before, and the text that replaces it. */
function changeOf(before: string, after: string): [from: number, to: number, inserted: string] {
  const most = Math.min(before.length, after.length)
  let from = 0
  while (from < most && before[from] === after[from]) from += 1
  let same = 0
  while (same < most - from && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1
  return [from, before.length - same, after.slice(from, after.length - same)]
}
