/** The places of a caret in a laid out text: which characters of the value each line has, and where they are. */
import type { TextCharacter, TextLine } from '../../../shared/frames.ts'
import { directionsIn } from './bidi.ts'
import { graphemes, softHyphen } from './breaks.ts'
import type { Layout, Line } from './layout.ts'
import type { Ruler } from './measure-text.ts'
import type { Pauses } from './pauses.ts'
import type { PlacedPart, PlacedRow } from './place-lines.ts'
import { joined } from './prepare-text.ts'
import { normalised, transformed } from './runs.ts'
import type { CharStyle, TextStyle } from './text-style.ts'

/** A character of the value. */
interface Unit {
  start: number
  end: number
  text: string
  /** Number of drawn characters: 2 for an ß in capitals, 4 for a tab, 0 for a control. */
  drawn: number
}

/** A drawn character, in reading order. */
interface Cluster {
  text: string
  from: number
  to: number
}

interface Placed {
  layout: Layout<CharStyle>
  rows: readonly PlacedRow[]
  plain: CharStyle
  ruler: Ruler
}

/** Places of a text without markup. Other work has pauses. */
export async function caretLines(
  style: Pick<TextStyle, 'text' | 'transform'>,
  placed: Placed,
  pauses: Pauses,
): Promise<TextLine[]> {
  const { layout, rows, ruler, plain } = placed
  const units = unitsOf(style)
  const endOf = (index: number) => units[index]?.start ?? style.text.length
  let next = 0
  const lineAt = (line: Line<CharStyle>, index: number): TextLine => {
    const { parts, x, width, baseline } = rows[index] as PlacedRow
    const start = endOf(next)
    const characters: TextCharacter[] = []
    const clusters = parts
      .flatMap((part, i) => {
        // Without the space after the last character.
        const right = i === parts.length - 1 ? x + width : part.x + part.width
        return clustersOf(part, right, layout.size, ruler)
      })
      .sort((a, b) => a.at - b.at)
    const isEllipsis = (at: number) =>
      index === rows.length - 1 && at === clusters.length - 1 && clusters[at]?.text === '\u2026'
    for (let at = 0; at < clusters.length; next += 1) {
      const unit = units[next]
      if (unit === undefined || (isEllipsis(at) && unit.text !== '\u2026')) break
      const isHyphen = unit.text === softHyphen && at === clusters.length - 1 && clusters[at]?.text === '-'
      const count = unit.text === softHyphen ? Number(isHyphen) : unit.drawn
      const [first, last] = [clusters[at], clusters[Math.min(at + count, clusters.length) - 1]]
      if (count > 0 && first && last) characters.push([unit.start, first.from, last.to])
      at += count
    }
    // Spaces at the end of the line are not drawn.
    let edge = characters.at(-1)?.[2] ?? x
    if (characters.length > 0) edge = line.rightToLeft ? Math.min(x, edge) : Math.max(x + width, edge)
    const isCut = index === rows.length - 1 && units.slice(next).some(({ text }) => text.trim() !== '')
    for (; next < units.length && !isCut; next += 1) {
      const { text, start, drawn } = units[next] as Unit
      if (text.trim() !== '' && text !== softHyphen && drawn > 0) break
      if (normalised(text) === '\n') break
      const space = drawn === 0 || text === softHyphen ? 0 : ruler.widthOf(normalised(text), plain) * layout.size
      const to = line.rightToLeft ? edge - space : edge + space
      characters.push([start, edge, to])
      edge = to
    }
    const end = endOf(next)
    if (line.isLast && !isCut) next += 1
    const heights = parts.length > 0 ? parts : [scaled(ruler.heightsOf(plain), layout.size)]
    const above = Math.max(...heights.map(({ ascent }) => ascent))
    const below = Math.max(...heights.map(({ descent }) => descent))
    const { rightToLeft } = line
    return { start, end, x, width, top: baseline - above, height: above + below, baseline, rightToLeft, characters }
  }
  const lines: TextLine[] = []
  for (const [index, line] of layout.lines.entries()) {
    const placed = lineAt(line, index)
    lines.push(placed)
    await pauses.after(placed.characters.length * measuresPerCharacter)
  }
  return lines
}

/** Each character is measured with the ones before it in its word. */
const measuresPerCharacter = 10

function scaled({ ascent, descent }: { ascent: number; descent: number }, size: number) {
  return { ascent: ascent * size, descent: descent * size }
}

function unitsOf({ text, transform }: Pick<TextStyle, 'text' | 'transform'>): Unit[] {
  const segments = [...graphemes.segment(text)]
  const cased = (part: string) => transformed([{ text: part, style: {} }], transform)[0]?.text ?? ''
  const isSameCount = transform === 'none' || count(cased(text)) === segments.length
  return segments.map(({ segment, index }) => ({
    start: index,
    end: index + segment.length,
    text: segment,
    drawn: count(normalised(isSameCount ? segment : cased(segment))),
  }))
}

function count(text: string): number {
  return [...graphemes.segment(text)].length
}

function clustersOf(part: PlacedPart, end: number, size: number, ruler: Ruler): (Cluster & { at: number })[] {
  let x = part.x
  const runs = directionsIn(part.text, part.rightToLeft)
  return runs.flatMap(({ text, start, rightToLeft }, index) => {
    const ends = endsOf(text, part, size, ruler)
    const left = x
    const width = ends.at(-1)?.at ?? 0
    // Widths are sums of shorter texts.
    x = index === runs.length - 1 ? end : Math.min(left + width, end)
    const right = x
    let before = 0
    return ends.map(({ text: cluster, from, at }, i) => {
      const after = i === ends.length - 1 ? right - left : Math.min(Math.max(at, before), right - left)
      const edges = rightToLeft
        ? { from: right - before, to: right - after }
        : { from: left + before, to: left + after }
      before = after
      return { text: cluster, at: part.start + start + from, ...edges }
    })
  })
}

/** Characters that are measured together. */
const togetherMax = 64
const words = /\S*\s*/g

/** The distance of the end of each character from the start of the text. */
function endsOf(
  text: string,
  { style, ...stretch }: PlacedPart,
  size: number,
  ruler: Ruler,
): { text: string; from: number; at: number }[] {
  let before = 0
  let from = 0
  return (text.match(words) ?? []).flatMap((word) => {
    let [chunk, length] = ['', 0]
    return [...graphemes.segment(word)].map(({ segment }, i, all) => {
      const next = all[i + 1]?.segment
      chunk += segment
      length += 1
      const isEnd = next === undefined || length === togetherMax
      const at = before + (isEnd ? ruler.widthOf(chunk, style) : startAfter(chunk, next, style, ruler))
      if (isEnd) [before, chunk, length] = [at, '', 0]
      const found = { text: segment, from, at: at * size + stretchOf(text.slice(0, from + segment.length), stretch) }
      from += segment.length
      return found
    })
  })
}

/** The start of the next character: kerning moves it, and letters that join have another form before it. */
function startAfter(chunk: string, next: string, style: CharStyle, ruler: Ruler): number {
  if (endsJoined.test(chunk) && startsJoined.test(next))
    return ruler.widthOf(chunk + tatweel, style) - ruler.widthOf(tatweel, style)
  return ruler.widthOf(chunk + next, style) - ruler.widthOf(next, style)
}

/** Joins with every letter of its script, and always has the same width. The canvas ignores a zero width joiner at the end. */
const tatweel = '\u0640'
const endsJoined = new RegExp(`(?:${joined.source})$`, 'u')
const startsJoined = new RegExp(`^(?:${joined.source})`, 'u')

/** Justified lines have wider spaces, or more space after each character. */
function stretchOf(text: string, { wordSpacing, letterSpacing }: Pick<PlacedPart, 'wordSpacing' | 'letterSpacing'>) {
  if (wordSpacing !== 0) return (text.split(' ').length - 1) * wordSpacing
  return letterSpacing === 0 ? 0 : count(text) * letterSpacing
}
