/**
 * Cuts texts from right to left with an ellipsis. The renderer cuts them at the wrong place, so they are cut here, as far as the lines of measured
 * layouts need it. Like in browsers, the side of the line is cut at which its paragraph ends, and not the end of the text.
 */
import type { ContainerNode, MeasuredNode, Node, TextNode } from '@takumi-rs/core'
import { visualOrder } from '../vector/bidi.ts'
import { graphemes } from '../vector/breaks.ts'
import { clampedLines, cutSide } from './default-styles.ts'

/** `css`: added to the style sheets of the document. */
type Measure = (css?: string) => Promise<MeasuredNode>

interface Block {
  container: ContainerNode
  texts: TextNode[]
  rightToLeft: boolean
}

interface Character {
  text: string
  /** Index of its text. */
  style: number
}

const isRightToLeftText = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u

export async function cutTexts(root: Node, measure: Measure): Promise<void> {
  for (const block of blocksIn(root, false)) {
    if (!block.rightToLeft && !block.texts.some(({ text }) => isRightToLeftText.test(text))) continue
    const linesMax = await linesMaxOf(block.texts, measure)
    if (linesMax > 0) await cutBlock(block, linesMax, measure)
  }
}

/** Outermost elements with texts, and the texts in them. */
function blocksIn(node: Node, inherited: boolean): Block[] {
  if (node.type !== 'container') return []
  const rightToLeft = node.dir === undefined ? inherited : node.dir === 'rtl'
  const children = node.children ?? []
  if (!children.some(({ type }) => type === 'text')) return children.flatMap((child) => blocksIn(child, rightToLeft))
  return [{ container: node, texts: textsIn(node), rightToLeft }]
}

function textsIn(node: Node): TextNode[] {
  if (node.type === 'text') return [node]
  return node.type === 'container' ? (node.children ?? []).flatMap(textsIn) : []
}

/** An invisible text that is found in the measures. */
const mark = '\u{e0100}\u{e0101}'

/** The measured block of these texts, with other values for the time of the layout. */
async function measured(texts: readonly TextNode[], values: readonly string[], measure: () => Promise<MeasuredNode>) {
  const originals = texts.map(({ text }) => text)
  for (const [at, node] of texts.entries()) node.text = values[at] ?? ''
  const root = await measure()
  for (const [at, node] of texts.entries()) node.text = originals[at] ?? ''
  return blockWithMark(root)
}

function blockWithMark(node: MeasuredNode): MeasuredNode | undefined {
  if (node.runs.some(({ text }) => text.includes(mark))) return node
  for (const child of node.children) {
    const found = blockWithMark(child)
    if (found !== undefined) return found
  }
}

/** Spaces letters by the values of the variables, so that the width of a letter shows them. */
const probeSheet = `*{letter-spacing:calc(var(${clampedLines},0)*100px + var(${cutSide},0)*100000px)!important}`
/** The measures of a text whose lines are clamped lack the others. */
const allLines = '*{-webkit-line-clamp:none!important}'
/** One line or more, which are cut at their side. */
const anyLines = 1_000

/** The number of lines that are shown; 0 if the text isn't cut. */
async function linesMaxOf(texts: readonly TextNode[], measure: Measure): Promise<number> {
  const values = texts.map((_, at) => (at === 0 ? `x${mark}` : ''))
  const widthWith = async (css?: string) => {
    const block = await measured(texts, values, () => measure(css))
    return block?.runs.reduce((sum, { width }) => sum + width, 0) ?? 0
  }
  const steps = Math.round((await widthWith(probeSheet)) / 100 - (await widthWith()) / 100)
  return steps % anyLines || steps
}

async function cutBlock({ container, texts, rightToLeft }: Block, linesMax: number, measure: Measure): Promise<void> {
  const characters = texts.flatMap(({ text }, style) =>
    Array.from(graphemes.segment(text.replaceAll(/\s+/g, ' ')), ({ segment }): Character => ({ text: segment, style })),
  )
  const valuesOf = (kept: readonly Character[], end: string) => {
    const last = kept.at(-1)?.style ?? 0
    return texts.map((_, index) => {
      const own = kept.flatMap(({ text, style }) => (style === index ? text : []))
      return own.join('') + (index === last ? end : '')
    })
  }
  const layout = async (kept: readonly Character[], end: string) => {
    // A sibling block makes the lines a separate block, with the maximum width of a line.
    const ruler: Node = { type: 'container', preset: { display: 'block', height: '0' } }
    container.children = [...(container.children ?? []), ruler]
    const block = await measured(texts, valuesOf(kept, `${end}\u2060${mark}`), () => measure(allLines))
    container.children = container.children.slice(0, -1)
    return { ...linesIn(block?.runs ?? []), width: block?.width ?? 0 }
  }
  const isClamped = linesMax < anyLines
  const isShown = async (kept: readonly Character[], lines: number, end = '') => {
    const found = await layout(kept, end)
    return isClamped ? found.count <= lines : found.width + slack >= found.widest
  }
  if (await isShown(characters, linesMax)) return

  // Whole words fill the lines, and all are on the only line that doesn't wrap.
  const ends = [...characters.flatMap(({ text }, at) => (text === ' ' ? at + 1 : [])), characters.length]
  const wordsIn = async (lines: number) =>
    ends[(await largest(ends.length, (count) => isShown(characters.slice(0, ends[count - 1]), lines))) - 1] ?? 0
  const [from, to] = isClamped
    ? [linesMax > 1 ? await wordsIn(linesMax - 1) : 0, await wordsIn(linesMax)]
    : [0, characters.length]
  const line = characters.slice(from, to)
  if (line.at(-1)?.text === ' ') line.pop()
  const order = visualOrder(
    line.map(({ text }, style) => ({ text, style })),
    rightToLeft,
  )
  const keptOf = (count: number) => {
    const visible = rightToLeft ? order.slice(order.length - count) : order.slice(0, count)
    const indices = new Set(count === 0 ? [] : visible.map(({ style }) => style))
    return [...characters.slice(0, from), ...line.filter((_, index) => indices.has(index))]
  }
  const ellipsis = `${rightToLeft ? '\u200f' : '\u200e'}\u2026`
  const count = await largest(order.length, (count) => isShown(keptOf(count), linesMax, ellipsis))
  for (const [at, value] of valuesOf(keptOf(count), ellipsis).entries()) if (texts[at]) texts[at].text = value
}

const slack = 0.5

/** The number of lines, and the width of the widest one. */
function linesIn(runs: MeasuredNode['runs']): { count: number; widest: number } {
  const lines: { middle: number; left: number; right: number }[] = []
  for (const { x, y, width, height, text } of runs) {
    if (text.trim() === '') continue
    const last = lines.at(-1)
    const middle = y + height / 2
    if (last === undefined || middle > last.middle + height / 2) lines.push({ middle, left: x, right: x + width })
    else [last.left, last.right] = [Math.min(last.left, x), Math.max(last.right, x + width)]
  }
  return { count: lines.length, widest: Math.max(0, ...lines.map(({ left, right }) => right - left)) }
}

/** The largest number that passes the test, by bisection; 0 if none does. */
async function largest(end: number, isRight: (count: number) => Promise<boolean>): Promise<number> {
  let [good, bad] = [0, end + 1]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (await isRight(middle)) good = middle
    else bad = middle
  }
  return good
}
