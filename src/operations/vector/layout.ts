/** Text to lines: pure arithmetic on the widths of its pieces, so that trying another size costs nothing. */

export interface LayoutOptions {
  /** Pixels; the size that is wanted. */
  size: number
  /** Times the size. */
  lineHeight: number
  /** Undefined: as large as the text needs. */
  box?: { width: number; height: number } | undefined
  /** shrink: the largest size that fits, down to 1 px. ellipsis: this size, and what does not fit is cut. */
  fit: 'shrink' | 'ellipsis'
  /** Width of a text at size 1. */
  widthOf(text: string): number
}

export interface Layout {
  lines: { text: string; width: number; rightToLeft: boolean }[]
  size: number
  /** From line to line. */
  lineStep: number
}

const sizeMin = 1
/** Measures differ a little from what is drawn; nobody sees this much. */
const slack = 1.0005

export function layOut(text: string, given: LayoutOptions): Layout {
  const options = { ...given, widthOf: remembered(given.widthOf) }
  const { box, fit, size } = options
  const paragraphs = paragraphsOf(text, options.widthOf)
  if (box === undefined) return linesAt(paragraphs, size, Number.POSITIVE_INFINITY, options).layout

  if (fit === 'shrink') {
    const fits = (at: number, mayBreakWords: boolean) => {
      const { layout, brokeWord } = linesAt(paragraphs, at, box.width, options)
      return (mayBreakWords || !brokeWord) && layout.lines.length * layout.lineStep <= box.height * slack
    }
    const whole = largest(sizeMin, size, (at) => fits(at, false))
    const broken = largest(sizeMin, size, (at) => fits(at, true))
    // A word is kept whole while that costs less than half of the size.
    const found = whole >= broken / 2 ? whole : broken
    if (found > 0) return linesAt(paragraphs, found, box.width, options).layout
  }
  return cutToBox(linesAt(paragraphs, fit === 'shrink' ? sizeMin : size, box.width, options).layout, box, options)
}

/** The largest size, to a quarter of a pixel, that is right; 0 when not even the least is. */
function largest(low: number, high: number, isRight: (size: number) => boolean): number {
  if (isRight(high)) return high
  if (!isRight(low)) return 0
  let [good, bad] = [low, high]
  while (bad - good > 0.25) {
    const middle = (good + bad) / 2
    if (isRight(middle)) good = middle
    else bad = middle
  }
  return good
}

/** A stretch of text that is not broken, with its width at size 1. */
interface Piece {
  text: string
  width: number
  /** Without the space at its end, which is dropped where a line ends. */
  visible: number
}

function remembered(widthOf: (text: string) => number): (text: string) => number {
  const widths = new Map<string, number>()
  return (text) => {
    const width = widths.get(text) ?? widthOf(text)
    widths.set(text, width)
    return width
  }
}

function paragraphsOf(text: string, widthOf: (text: string) => number): Piece[][] {
  return normalised(text)
    .split('\n')
    .map((paragraph) =>
      piecesOf(paragraph).map((piece) => ({
        text: piece,
        width: widthOf(piece),
        visible: widthOf(piece.trimEnd()),
      })),
    )
}

/** One kind of line end; tabs as spaces; no other control characters; keycaps, which no font here has, as plain digits. */
function normalised(text: string): string {
  return text
    .replaceAll(/([0-9#*])\ufe0f?\u20e3/g, '$1')
    .replaceAll(/\r\n?|\u2028|\u2029/g, '\n')
    .replaceAll('\t', '    ')
    .replaceAll(/\p{Cc}/gu, (char) => (char === '\n' ? char : ''))
}

const words = new Intl.Segmenter('en', { granularity: 'word' })
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Splits where a line may end: after space and hyphens, and between words of scripts that are written without spaces. */
function piecesOf(paragraph: string): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const { segment } of words.segment(paragraph)) {
    if (piece !== '' && mayBreak(piece, segment)) {
      pieces.push(piece)
      piece = ''
    }
    piece += segment
  }
  if (piece !== '') pieces.push(piece)
  return pieces
}

const unspaced = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}、。，．：；！？」』）】〉》ー`
const endsUnspaced = new RegExp(`[${unspaced}]$`, 'u')
const startsUnspaced = new RegExp(`^[${unspaced}]`, 'u')
/** Not at the start of a line, and not at its end. */
const clings = /^[\p{Pe}\p{Pf}\p{Po}ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々\p{M}]/u
const opens = /[\p{Ps}\p{Pi}]$/u

function mayBreak(before: string, after: string): boolean {
  if (/^\s/.test(after)) return false
  if (/[^\S\u00a0\u202f]$/.test(before)) return true
  if (/[\p{L}\p{N}][-\u2010\u2013\u2014]$/u.test(before) && /^\p{L}/u.test(after)) return true
  if (clings.test(after) || opens.test(before)) return false
  return endsUnspaced.test(before) || startsUnspaced.test(after)
}

function linesAt(paragraphs: Piece[][], size: number, width: number, { lineHeight, widthOf }: LayoutOptions) {
  const lines: Layout['lines'] = []
  const widthMax = (width / size) * slack
  let brokeWord = false
  for (const paragraph of paragraphs) {
    const rightToLeft = isRightToLeft(paragraph)
    let line = ''
    let lineWidth = 0
    let visible = 0
    const finish = () => {
      lines.push({ text: line.trimEnd(), width: visible * size, rightToLeft })
      line = ''
      lineWidth = 0
      visible = 0
    }
    for (const piece of paragraph) {
      if (line !== '' && lineWidth + piece.visible > widthMax) finish()
      if (piece.visible > widthMax) brokeWord = true
      for (const part of piece.visible > widthMax ? brokenUp(piece, widthMax, widthOf) : [piece]) {
        if (line !== '' && lineWidth + part.visible > widthMax) finish()
        line += part.text
        visible = lineWidth + part.visible
        lineWidth += part.width
      }
    }
    finish()
  }
  return { layout: { lines, size, lineStep: size * lineHeight }, brokeWord }
}

/** A word that is wider than a line, in parts that are not; never inside a character as it is seen. */
function brokenUp(piece: Piece, widthMax: number, widthOf: (text: string) => number): Piece[] {
  const parts: Piece[] = []
  let text = ''
  let width = 0
  for (const { segment } of graphemes.segment(piece.text)) {
    const next = width + widthOf(segment)
    if (text !== '' && next > widthMax) {
      parts.push({ text, width, visible: width })
      text = ''
      width = 0
    }
    text += segment
    width += widthOf(segment)
  }
  parts.push({ text, width, visible: widthOf(text.trimEnd()) })
  return parts
}

/** By the first letter that has a direction. */
function isRightToLeft(paragraph: Piece[]): boolean {
  const text = paragraph.map((piece) => piece.text).join('')
  const first = /\p{L}/u.exec(text)?.[0] ?? ''
  return /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u.test(first)
}

const ellipsis = '\u2026'

function cutToBox(layout: Layout, box: { width: number; height: number }, { widthOf }: LayoutOptions): Layout {
  const linesMax = Math.max(1, Math.floor((box.height * slack) / layout.lineStep))
  if (layout.lines.length <= linesMax) return layout
  const lines = layout.lines.slice(0, linesMax)
  const last = lines.at(-1)
  if (last) lines[linesMax - 1] = { ...last, ...withEllipsis(last.text, box.width, layout.size, widthOf) }
  return { ...layout, lines }
}

function withEllipsis(text: string, widthMax: number, size: number, widthOf: (text: string) => number) {
  const characters = Array.from(graphemes.segment(text), ({ segment }) => segment)
  for (;;) {
    const cut = `${characters.join('').trimEnd()}${ellipsis}`
    const width = widthOf(cut) * size
    if (width <= widthMax * slack || characters.length === 0) return { text: cut, width }
    characters.pop()
  }
}
