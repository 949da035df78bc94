/** Breaks text into lines: only arithmetic with the widths of its pieces, so that trying another size is cheap. */
import { isRightToLeft } from './bidi.ts'
import { graphemes, largestBelow, softHyphen, unbrokenIn } from './breaks.ts'
import { normalised, type Run } from './runs.ts'

export interface LayoutOptions<Style> {
  /** Pixels; the requested size. */
  size: number
  /** Multiples of the size. */
  lineHeight: number
  /** Undefined: as large as the text needs. */
  box?: { width: number; height: number } | undefined
  /** shrink: the largest size that fits, down to 1 px. ellipsis: keeps the size and cuts the text. */
  fit: 'shrink' | 'ellipsis'
  /** More lines are cut, or shrunk. */
  linesMax?: number | undefined
  /** Lines of similar width. */
  balance?: boolean
  /** auto: from the first letter of each paragraph that has a direction. */
  direction?: 'auto' | 'ltr' | 'rtl'
  /** The style of the entire text: the minimum height of a line. */
  style: Style
  /** Width of a text at size 1. */
  widthOf(text: string, style: Style): number
  /** Invisible width after its last character: letter spacing. At size 1. */
  afterOf?(style: Style): number
  /** Heights of a style at size 1. */
  heightsOf(style: Style): Heights
  /** Called before each size that is tried, which takes up to 20 ms. Returns undefined, or a promise to wait for. */
  beforeTry?(): Promise<void> | undefined
}

export interface Heights {
  /** Multiples of the text size. */
  size: number
  /** Ascent and descent of the font. */
  ascent: number
  descent: number
}

export interface Line<Style> {
  /** Parts in logical (reading) order. */
  parts: Run<Style>[]
  width: number
  rightToLeft: boolean
  height: number
  /** Distance from its top to its baseline. */
  baseline: number
  /** Direction of its paragraph. */
  isLast: boolean
}

export interface Layout<Style> {
  lines: Line<Style>[]
  size: number
  width: number
  height: number
}

const sizeMin = 1
/** Tolerance: measured and drawn widths differ slightly, invisibly. */
const slack = 1.0005

export async function layoutText<Style>(runs: Run<Style>[], given: LayoutOptions<Style>): Promise<Layout<Style>> {
  const options = { ...given, widthOf: remembered(given.widthOf) }
  const { box, fit, size, linesMax = Number.POSITIVE_INFINITY } = options
  const paragraphs = paragraphsOf(runs, options)
  const width = box?.width ?? Number.POSITIVE_INFINITY
  const height = box?.height ?? Number.POSITIVE_INFINITY

  if (fit === 'shrink' && box !== undefined) {
    const fits = async (at: number, mayBreakWords: boolean) => {
      await options.beforeTry?.()
      const { lines, brokeWord } = fill(paragraphs, at, width, options)
      const needed = lines.reduce((sum, line) => sum + line.above + line.below, 0) * at
      return (mayBreakWords || !brokeWord) && lines.length <= linesMax && needed <= height * slack
    }
    const whole = await largest(sizeMin, size, (at) => fits(at, false))
    const broken = await largest(sizeMin, size, (at) => fits(at, true))
    // A word is kept in one piece if that costs less than half of the size.
    const found = whole >= broken / 2 ? whole : broken
    if (found > 0) return finished(fill(paragraphs, found, width, options, options.balance), found, options)
  }
  const at = fit === 'shrink' && box !== undefined ? sizeMin : size
  const { lines } = fill(paragraphs, at, width, options)
  const kept = Math.min(linesMax, linesThatFit(lines, at, height))
  if (lines.length > kept) return finished({ lines: cut(lines, kept, width, at, options) }, at, options)
  return finished(fill(paragraphs, at, width, options, options.balance), at, options)
}

/** The largest size that passes the test, to a quarter of a pixel; 0 if even the smallest does not. */
async function largest(low: number, high: number, isRight: (size: number) => Promise<boolean>): Promise<number> {
  if (await isRight(high)) return high
  if (!(await isRight(low))) return 0
  let [good, bad] = [low, high]
  while (bad - good > 0.25) {
    const middle = (good + bad) / 2
    if (await isRight(middle)) good = middle
    else bad = middle
  }
  return good
}

/** An unbreakable piece of text with its measures at size 1. */
interface Piece<Style> {
  parts: Run<Style>[]
  width: number
  /** Width without its trailing space, which is dropped at the end of a line. */
  visible: number
  above: number
  below: number
  /** Drawn after it at the end of a line. */
  hyphen?: Run<Style> & { width: number }
}

interface Paragraph<Style> {
  pieces: Piece<Style>[]
  rightToLeft: boolean
}

/** A line in progress: pieces, and measures at size 1. */
interface Row<Style> {
  pieces: Piece<Style>[]
  visible: number
  above: number
  below: number
  rightToLeft: boolean
  isLast: boolean
}

function remembered<Style>(widthOf: LayoutOptions<Style>['widthOf']): LayoutOptions<Style>['widthOf'] {
  const known = new Map<Style, Map<string, number>>()
  return (text, style) => {
    const widths = known.get(style) ?? new Map<string, number>()
    known.set(style, widths)
    const width = widths.get(text) ?? widthOf(text, style)
    widths.set(text, width)
    return width
  }
}

function paragraphsOf<Style>(runs: Run<Style>[], options: LayoutOptions<Style>): Paragraph<Style>[] {
  const paragraphs: Run<Style>[][] = [[]]
  for (const { text, style } of runs) {
    for (const [index, line] of normalised(text).split('\n').entries()) {
      if (index > 0) paragraphs.push([])
      if (line !== '') paragraphs.at(-1)?.push({ text: line, style })
    }
  }
  return paragraphs.map((parts) => {
    const text = textOf(parts)
    const { direction = 'auto' } = options
    const rightToLeft = direction === 'auto' ? isRightToLeft(text) : direction === 'rtl'
    let at = 0
    const pieces = unbrokenIn(text).map((piece) => {
      at += piece.length
      const isHyphenated = piece.endsWith(softHyphen)
      const own = between(parts, at - piece.length, at - (isHyphenated ? 1 : 0))
      const style = own.at(-1)?.style
      return isHyphenated && style !== undefined
        ? { ...measured(own, options), hyphen: { text: '-', style, width: options.widthOf('-', style) } }
        : measured(own, options)
    })
    return { pieces, rightToLeft }
  })
}

/** The sections of parts between two character positions. */
function between<Style>(parts: Run<Style>[], from: number, to: number): Run<Style>[] {
  let at = 0
  return parts.flatMap(({ text, style }) => {
    const kept = text.slice(Math.max(0, from - at), Math.max(0, to - at))
    at += text.length
    return kept === '' ? [] : [{ text: kept, style }]
  })
}

function measured<Style>(parts: Run<Style>[], options: LayoutOptions<Style>): Piece<Style> {
  let [width, above, below] = [0, 0, 0]
  for (const { text, style } of parts) {
    const heights = aroundBaseline(style, options)
    width += options.widthOf(text, style)
    above = Math.max(above, heights.above)
    below = Math.max(below, heights.below)
  }
  return { parts, width, visible: widthOf(trimmed(parts), options), above, below }
}

function widthOf<Style>(parts: Run<Style>[], options: LayoutOptions<Style>): number {
  return parts.reduce((sum, { text, style }) => sum + options.widthOf(text, style), 0)
}

/** CSS half-leading: the extra height of a line is split above and below its characters. */
function aroundBaseline<Style>(style: Style, { heightsOf, lineHeight }: LayoutOptions<Style>) {
  const { size, ascent, descent } = heightsOf(style)
  const above = ascent + (lineHeight * size - ascent - descent) / 2
  return { above, below: lineHeight * size - above }
}

/** Lines no wider than `width` at this size; balanced lines have the same number and the smallest possible width. */
function fill<Style>(
  paragraphs: Paragraph<Style>[],
  size: number,
  width: number,
  options: LayoutOptions<Style>,
  balance = false,
): { lines: Row<Style>[]; brokeWord: boolean } {
  const strut = aroundBaseline(options.style, options)
  const filled = paragraphs.map((paragraph) => {
    const rows = rowsOf(paragraph, (width / size) * slack, strut, options)
    return balance && !rows.brokeWord ? balanced(paragraph, rows, strut, options) : rows
  })
  return { lines: filled.flatMap(({ lines }) => lines), brokeWord: filled.some(({ brokeWord }) => brokeWord) }
}

type Strut = ReturnType<typeof aroundBaseline>
type Rows<Style> = ReturnType<typeof rowsOf<Style>>

function balanced<Style>(
  paragraph: Paragraph<Style>,
  rows: Rows<Style>,
  strut: Strut,
  options: LayoutOptions<Style>,
): Rows<Style> {
  let best = rows
  let good = Math.max(0, ...rows.lines.map(({ visible }) => visible))
  let bad = 0
  // To a hundredth of the size.
  while (rows.lines.length > 1 && good - bad > 0.01) {
    const middle = (good + bad) / 2
    const narrower = rowsOf(paragraph, middle, strut, options)
    if (narrower.lines.length > rows.lines.length || narrower.brokeWord) bad = middle
    else [best, good] = [narrower, middle]
  }
  return best
}

function rowsOf<Style>(
  { pieces, rightToLeft }: Paragraph<Style>,
  widthMax: number,
  strut: Strut,
  options: LayoutOptions<Style>,
) {
  const lines: Row<Style>[] = []
  let row: Piece<Style>[] = []
  let rowWidth = 0
  let brokeWord = false
  const finish = (isLast = false) => {
    lines.push(rowOf(row, { strut, rightToLeft, isLast }))
    row = []
    rowWidth = 0
  }
  for (let at = 0; at < pieces.length; at += 1) {
    if (row.length > 0 && rowWidth + (pieces[at]?.visible ?? 0) > widthMax) {
      const moved = withoutRoom(row, rowWidth, widthMax)
      row.length -= moved
      at -= moved
      finish()
    }
    const piece = pieces[at] as Piece<Style>
    if (piece.visible > widthMax) brokeWord = true
    for (const part of piece.visible > widthMax ? brokenUp(piece, widthMax, options) : [piece]) {
      if (row.length > 0 && rowWidth + part.visible > widthMax) finish()
      row.push(part)
      rowWidth += part.width
    }
  }
  finish(true)
  return { lines, brokeWord }
}

function rowOf<Style>(
  pieces: Piece<Style>[],
  { strut, ...row }: { strut: Strut } & Pick<Row<Style>, 'rightToLeft' | 'isLast'>,
): Row<Style> {
  const last = pieces.at(-1)
  const hyphen = row.isLast ? undefined : last?.hyphen
  const before = pieces.slice(0, -1).reduce((sum, { width }) => sum + width, 0)
  return {
    ...row,
    pieces: hyphen && last ? [...pieces.slice(0, -1), { ...last, parts: [...last.parts, hyphen] }] : pieces,
    visible: before + (last?.visible ?? 0) + (hyphen?.width ?? 0),
    above: Math.max(strut.above, ...pieces.map(({ above }) => above)),
    below: Math.max(strut.below, ...pieces.map(({ below }) => below)),
  }
}

/** Counts the pieces at the end of a row that move to the next row, because their hyphen doesn't fit. */
function withoutRoom<Style>(row: readonly Piece<Style>[], width: number, widthMax: number): number {
  let left = width
  for (let kept = row.length; kept > 0; kept -= 1) {
    const last = row[kept - 1]
    // The parts of a broken word have no hyphen, and don't move.
    if (last?.hyphen === undefined || left + last.hyphen.width <= widthMax) return row.length - kept
    left -= last.width
  }
  return 0
}

/** Splits a word that is wider than a line, at grapheme boundaries. */
function brokenUp<Style>({ parts }: Piece<Style>, widthMax: number, options: LayoutOptions<Style>): Piece<Style>[] {
  const pieces: Piece<Style>[] = []
  let taken: Run<Style>[] = []
  let width = 0
  const finish = (isLast: boolean) => {
    const piece = measured(merged(taken), options)
    pieces.push({ ...piece, width, visible: isLast ? piece.visible : width })
    taken = []
    width = 0
  }
  for (const { text, style } of parts) {
    for (const { segment } of graphemes.segment(text)) {
      const next = options.widthOf(segment, style)
      if (taken.length > 0 && width + next > widthMax) finish(false)
      taken.push({ text: segment, style })
      width += next
    }
  }
  finish(true)
  return pieces
}

function finished<Style>({ lines: rows }: { lines: Row<Style>[] }, size: number, options: LayoutOptions<Style>) {
  const lines = rows.map(({ pieces, visible, above, below, rightToLeft, isLast }): Line<Style> => {
    const parts = trimmed(merged(pieces.flatMap((piece) => piece.parts)))
    const last = parts.at(-1)
    const after = last ? (options.afterOf?.(last.style) ?? 0) : 0
    const width = ((parts.length > 1 ? widthOf(parts, options) : visible) - after) * size
    return { parts, width, rightToLeft, height: (above + below) * size, baseline: above * size, isLast }
  })
  const width = Math.max(0, ...lines.map((line) => line.width))
  return { lines, size, width, height: lines.reduce((sum, line) => sum + line.height, 0) }
}

function merged<Style>(parts: Run<Style>[]): Run<Style>[] {
  const together: Run<Style>[] = []
  for (const { text, style } of parts) {
    const last = together.at(-1)
    if (last && last.style === style) last.text += text
    else together.push({ text, style })
  }
  return together
}

/** Parts without the trailing space. */
function trimmed<Style>(parts: Run<Style>[]): Run<Style>[] {
  const kept = [...parts]
  for (let last = kept.pop(); last !== undefined; last = kept.pop()) {
    const text = last.text.trimEnd()
    if (text !== '') return [...kept, { ...last, text }]
  }
  return kept
}

function textOf<Style>(parts: Run<Style>[]): string {
  return parts.map(({ text }) => text).join('')
}

const ellipsis = '\u2026'

function linesThatFit<Style>(lines: Row<Style>[], size: number, height: number): number {
  let needed = 0
  const past = lines.findIndex(({ above, below }) => {
    needed += (above + below) * size
    return needed > height * slack
  })
  return past < 0 ? lines.length : Math.max(1, past)
}

function cut<Style>(
  rows: Row<Style>[],
  kept: number,
  width: number,
  size: number,
  options: LayoutOptions<Style>,
): Row<Style>[] {
  const last = rows[kept - 1]
  if (last === undefined) return []
  const parts = merged(last.pieces.flatMap((piece) => piece.parts))
  const piece = measured(withEllipsis(parts, (width / size) * slack, options), options)
  return [...rows.slice(0, kept - 1), { ...last, pieces: [piece], visible: piece.visible, isLast: true }]
}

function withEllipsis<Style>(parts: Run<Style>[], widthMax: number, options: LayoutOptions<Style>): Run<Style>[] {
  const characters = parts.flatMap(({ text, style }) =>
    Array.from(graphemes.segment(text), ({ segment }) => ({ text: segment, style })),
  )
  const shownOf = (count: number) => {
    const left = trimmed(merged(characters.slice(0, count)))
    return merged([...left, { text: ellipsis, style: left.at(-1)?.style ?? options.style }])
  }
  return shownOf(mostThatFit(characters.length, (count) => widthOf(shownOf(count), options) <= widthMax))
}

/** Characters that make room for an ellipsis in nearly all texts. */
const droppedOneByOne = 8

/**
 * The number of characters that are kept. The last ones are tried one by one, because a text can become wider without one of them: letters
 * of Arabic have other forms at the end of a word. Further ones are searched by bisection: thousands may have no width at all.
 */
function mostThatFit(count: number, fits: (count: number) => boolean): number {
  const near = Math.max(0, count - droppedOneByOne)
  for (let kept = count; kept > near; kept -= 1) if (fits(kept)) return kept
  return largestBelow(near + 1, fits)
}
