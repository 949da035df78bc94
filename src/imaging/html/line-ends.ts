/**
 * Repairs the ends of lines. The renderer breaks a line at a soft hyphen without drawing it, and takes the width of the space at the end of a line
 * from the wrong word if the text runs against its paragraph. So the tree is laid out first, to know where its lines end.
 */
import type { MeasuredNode, Node, TextNode } from '@takumi-rs/core'
import { isRightToLeft } from '../vector/bidi.ts'

type Measure = () => Promise<MeasuredNode>

/** Texts of paragraphs of each direction: of some, the renderer measures spaces wrongly. */
interface DirectedText {
  node: TextNode
  isRightToLeft: boolean
}

const softHyphen = '\u00ad'
const [leftMark, rightMark] = ['\u200e', '\u200f']

/** `measure`: lays out the tree as it is at that time. */
export async function repairLineEnds(root: Node, measure: Measure): Promise<void> {
  const texts = textsOf(root, false)
  const hyphenated = texts.filter(({ node }) => node.text.includes(softHyphen))
  if (hyphenated.length > 0)
    await drawHyphens(
      hyphenated.map(({ node }) => node),
      measure,
    )
  const against = texts.filter(({ node, isRightToLeft }) => runsAgainst(node.text, isRightToLeft))
  if (against.length > 0) await separateSpaces(against, measure)
}

function textsOf(node: Node, inherited: boolean): DirectedText[] {
  const rightToLeft = node.dir === undefined ? inherited : node.dir === 'rtl'
  if (node.type === 'text') return [{ node, isRightToLeft: rightToLeft }]
  return node.type === 'container' ? (node.children ?? []).flatMap((child) => textsOf(child, rightToLeft)) : []
}

function runsAgainst(text: string, rightToLeft: boolean): boolean {
  return / /.test(text) && [...text.matchAll(/\p{L}/gu)].some(([letter]) => isRightToLeft(letter) !== rightToLeft)
}

/** Numbers as invisible characters that belong to the one before, so that the measured text has them. */
const [firstDigit, base] = [0xe0100, 240]
const number = /[\u{e0100}-\u{e01ef}]{2}/gu

function marked(index: number): string {
  return String.fromCodePoint(firstDigit + Math.floor(index / base), firstDigit + (index % base))
}

function readMark(mark: string): number {
  const [high = 0, low = 0] = Array.from(mark, (char) => (char.codePointAt(0) ?? 0) - firstDigit)
  return high * base + low
}

const marksMax = base * base

/** The line of each mark: a text of several lines has one run or more for each. Lines have increasing numbers in their block. */
function linesOf(root: MeasuredNode): Map<number, { block: number; line: number; endsLine: boolean }> {
  const lines = new Map<number, { block: number; line: number; endsLine: boolean }>()
  let block = 0
  const waiting = [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    waiting.push(...node.children)
    block += 1
    let line = 0
    for (const [at, run] of node.runs.entries()) {
      const next = node.runs[at + 1]
      const isLast = next !== undefined && isBelow(next, run)
      const found = [...run.text.matchAll(number)]
      for (const { 0: mark, index } of found)
        lines.set(readMark(mark), { block, line, endsLine: isLast && index + mark.length === run.text.length })
      if (isLast) line += 1
    }
  }
  return lines
}

function isBelow(next: MeasuredNode['runs'][number], run: MeasuredNode['runs'][number]): boolean {
  return next.y + next.height / 2 > run.y + Math.max(run.height, next.height) * 0.75
}

/** More lines than these have rarely soft hyphens that don't fit. */
const layoutsMax = 40

/** `gone`: with its hyphen, the part before it doesn't fit on the line. */
type State = 'possible' | 'drawn' | 'gone'

async function drawHyphens(texts: TextNode[], measure: Measure): Promise<void> {
  const originals = texts.map(({ text }) => text)
  let count = 0
  const partsOf = originals.map((text) => text.split(softHyphen).map((part) => ({ part, index: count++ })))
  if (count > marksMax) return
  const states = new Array<State>(count).fill('possible')
  const write = (mark: (index: number) => string) => {
    for (const [at, node] of texts.entries())
      node.text = (partsOf[at] ?? [])
        .map(({ part, index }, i, all) => part + (i < all.length - 1 ? hyphen(index, mark) : ''))
        .join('')
  }
  const hyphen = (index: number, mark: (index: number) => string) => {
    if (states[index] === 'gone') return ''
    return `${states[index] === 'drawn' ? '-' : ''}${softHyphen}${mark(index)}`
  }
  for (let layout = 0; layout < layoutsMax; layout += 1) {
    write(marked)
    if (!updated(states, linesOf(await measure()))) break
  }
  write(() => '')
}

/** Whether another layout is necessary. Each block is right from its first line on, one line or more in each layout. */
function updated(states: State[], lines: ReturnType<typeof linesOf>): boolean {
  let changed = false
  /** Blocks in which the lines from here on will move. */
  const moving = new Set<number>()
  for (const [index, found] of [...lines].sort(([a], [b]) => a - b)) {
    const state = states[index]
    if (moving.has(found.block)) {
      states[index] = 'possible'
      continue
    }
    if ((state === 'drawn') === found.endsLine) continue
    changed = true
    states[index] = found.endsLine ? 'drawn' : 'gone'
    if (state === 'drawn') moving.add(found.block)
  }
  return changed
}

/** Adds marks around breaks: a space at the end of a line has the direction of the paragraph (UAX 9, L1). */
async function separateSpaces(texts: DirectedText[], measure: Measure): Promise<void> {
  const originals = texts.map(({ node }) => node.text)
  let count = 0
  const partsOf = originals.map((text) => text.split(/(?<= )(?! |$)/).map((part) => ({ part, index: count++ })))
  if (count > marksMax) return
  for (const [at, { node }] of texts.entries())
    node.text = (partsOf[at] ?? []).map(({ part, index }) => `${rightMark}${marked(index)}${part}`).join('')
  const lines = linesOf(await measure())
  for (const [at, { node, isRightToLeft }] of texts.entries()) {
    const marks = isRightToLeft ? `${rightMark}${leftMark}` : `${leftMark}${rightMark}`
    node.text = (partsOf[at] ?? [])
      .map(({ part, index }, i) => {
        const [before, here] = [lines.get(index - 1), lines.get(index)]
        const isBroken = i > 0 && before !== undefined && here !== undefined && before.line !== here.line
        return isBroken ? `${marks}${part}` : part
      })
      .join('')
  }
}
