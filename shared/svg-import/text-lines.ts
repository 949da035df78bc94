/** The lines of a text: which parts follow each other, and where each line starts. */
import { lengthsIn } from './geometry.ts'
import type { SvgElement } from './read-svg.ts'
import { fontSizeOf, inherited, type Rules } from './styles.ts'
import { viewportOf } from './viewport.ts'

export interface Lines {
  text: string
  x: number
  y: number
  /** Distance from one baseline to the next. 0 for one line. */
  step: number
  /** How lines that start at different places are aligned. */
  align?: 'center' | 'right'
  /** Small differences, for the report. */
  notes: string[]
  /** Why HTML can't draw the text. */
  problem?: string
}

interface Line {
  /** Joined at the end: a check of a growing text copies it each time. */
  parts: string[]
  isBlank: boolean
  /** Estimated. */
  width: number
  x: number
  y: number
  anchor: string
}

/** The position that the next character has. */
interface Move {
  x?: number
  y?: number
  dx: number
  dy: number
}

/** Reads the positions of the text and its parts. */
export function linesOf(element: SvgElement, rules: Rules): Lines {
  const size = fontSizeOf(element, rules)
  const notes = new Set<string>()
  const problems = new Set<string>()
  const start = moveOf(element, rules)
  const first: Line = { parts: [], isBlank: true, width: 0, x: start.x ?? 0, y: start.y ?? 0, anchor: 'start' }
  const lines: Line[] = [first]
  let line = first
  let move: Move = { dx: start.dx, dy: start.dy }

  const place = (part: SvgElement) => {
    const { x, y, dx, dy } = move
    move = { dx: 0, dy: 0 }
    const anchor = inherited(part, 'text-anchor', rules) ?? 'start'
    const [nextX, nextY] = [(x ?? line.x) + dx, (y ?? line.y) + dy]
    if (line.isBlank) Object.assign(line, { x: nextX, y: nextY, anchor, parts: [] })
    else if (Math.abs(nextY - line.y) > size * 0.3 && x !== undefined) {
      line = { parts: [], isBlank: true, width: 0, x: nextX, y: nextY, anchor }
      lines.push(line)
    } else if (Math.abs(nextY - line.y) > size * 0.02) problems.add('part that is moved up or down')
    else if (x === undefined) {
      if (Math.abs(dx) > size * 0.05) problems.add('part that is moved by dx')
    } else if (follows(line, nextX, size, anchor))
      notes.add('its parts have their own positions: they follow each other')
    else problems.add('part at another place of the line')
  }

  const visit = (node: SvgElement) => {
    const keepsSpace = keepsSpaceIn(node, rules)
    for (const child of node.children) {
      if (typeof child !== 'string') {
        const next = moveOf(child, rules)
        for (const each of next.problems) problems.add(each)
        for (const each of next.notes) notes.add(each)
        move = { ...move, ...pick(next), dx: move.dx + next.dx, dy: move.dy + next.dy }
        visit(child)
        continue
      }
      const isBlank = child.trim() === ''
      // The white space of the file between parts.
      if (isBlank && keepsSpace && child.includes('\n')) continue
      if (!isBlank && isMoved(move)) place(node)
      if (!isBlank && line.isBlank) line.anchor = inherited(node, 'text-anchor', rules) ?? 'start'
      line.parts.push(keepsSpace ? child.replaceAll(/[\n\r\t]/g, ' ') : child.replaceAll(/\s+/g, ' '))
      line.width += estimatedWidth(child) * size
      line.isBlank &&= isBlank
    }
  }
  for (const each of start.problems) problems.add(each)
  for (const each of start.notes) notes.add(each)
  visit(element)
  const keepsSpace = keepsSpaceIn(element, rules)
  const found = lines
    .map(({ parts, ...rest }) => ({ ...rest, text: keepsSpace ? parts.join('') : parts.join('').trim() }))
    .filter(({ text }, index) => text.trim() !== '' || index === 0)
  if (new Set(found.map(({ anchor }) => anchor)).size > 1) problems.add('line with another text-anchor')
  return {
    ...joined(found, size, problems),
    notes: [...notes],
    ...(problems.size > 0 && { problem: [...problems][0] }),
  }
}

function isMoved({ x, y, dx, dy }: Move): boolean {
  return x !== undefined || y !== undefined || dx !== 0 || dy !== 0
}

function pick({ x, y }: Move): Partial<Move> {
  return { ...(x !== undefined && { x }), ...(y !== undefined && { y }) }
}

/** The first numbers of the lists. */
function moveOf(element: SvgElement, rules: Rules): Move & { problems: string[]; notes: string[] } {
  const { attributes } = element
  const viewport = viewportOf(element)
  const size = fontSizeOf(element, rules)
  const lists = {
    x: lengthsIn(attributes.x, viewport.width, size),
    y: lengthsIn(attributes.y, viewport.height, size),
    dx: lengthsIn(attributes.dx, viewport.width, size),
    dy: lengthsIn(attributes.dy, viewport.height, size),
  }
  const isSpaced = lists.x.every((x, index) => {
    const before = lists.x[index - 1]
    return before === undefined || (x - before > size * 0.2 && x - before < size * 0.75)
  })
  const isLevel = lists.y.every((y) => y === lists.y[0])
  const isSpread = [lists.dx, lists.dy].some((list) => list.slice(1).some((each) => Math.abs(each) > size * 0.05))
  const problems = [
    ...(isSpaced && isLevel && !isSpread ? [] : [ignored('position for each character')]),
    ...(/[1-9]/.test(attributes.rotate ?? '') ? [ignored('rotation of each character')] : []),
  ]
  const notes = lists.x.length > 1 ? ['its characters have their own positions: they follow each other'] : []
  const [[x], [y], [dx = 0], [dy = 0]] = [lists.x, lists.y, lists.dx, lists.dy]
  return { ...(x !== undefined && { x }), ...(y !== undefined && { y }), dx, dy, problems, notes }
}

/** An effect that the renderer of SVG has not either. */
export function ignored(effect: string): string {
  return `${effect}, which is not drawn: convert it to outlines`
}

/** Editors also write positions of parts that follow each other, for their own kerning. */
function follows({ x, width }: Line, nextX: number, size: number, anchor: string): boolean {
  return anchor === 'start' && Math.abs(nextX - x - width) < size * 0.5 + width * 0.25
}

/** Width in parts of the size, for a usual font. */
function estimatedWidth(text: string): number {
  let width = 0
  for (const char of text.replaceAll(/\s+/g, ' '))
    width += /[ijlI.,'|!:;ftr() ]/.test(char) ? 0.3 : /[mwMW@]/.test(char) ? 0.86 : /[A-Z]/.test(char) ? 0.68 : 0.56
  return width
}

/** Lines with a larger distance get empty lines between them. */
function joined(lines: readonly (Omit<Line, 'parts'> & { text: string })[], size: number, problems: Set<string>) {
  const [first] = lines
  const steps = lines.slice(1).map(({ y }, index) => y - (lines[index]?.y ?? 0))
  const step = steps.length === 0 ? 0 : Math.min(...steps)
  if (step < 0) problems.add('line above the line before it')
  let text = first?.text ?? ''
  for (const [index, distance] of steps.entries()) {
    const times = step > 0 ? Math.round(distance / step) : 1
    if (step > 0 && (times > 9 || Math.abs(distance - times * step) > size * 0.1))
      problems.add('line at another distance than the others')
    text += `${'\n'.repeat(Math.min(times, 9))}${lines[index + 1]?.text ?? ''}`
  }
  // The ends of lines are only estimated, so that a tie is for the starts.
  const spread = (part: number) => spreadOf(lines.map(({ x, width }) => x + width * part))
  const isLeft = spread(0) <= size * 0.05
  const [center, right] = [spread(0.5), spread(1)]
  const align = isLeft ? undefined : center <= right ? ('center' as const) : ('right' as const)
  if (!isLeft && (first?.anchor !== 'start' || Math.min(center, right) > spread(0) * 0.5))
    problems.add('line that starts at another place')
  const x = align === undefined ? (first?.x ?? 0) : Math.min(...lines.map((line) => line.x))
  return { text, x, y: first?.y ?? 0, step, ...(align && { align }) }
}

function spreadOf(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values)
}

function keepsSpaceIn(element: SvgElement, rules: Rules): boolean {
  const whiteSpace = inherited(element, 'white-space', rules)
  if (whiteSpace !== undefined) return /pre/.test(whiteSpace)
  for (let up: SvgElement | undefined = element; up !== undefined; up = up.parent)
    if (up.attributes['xml:space'] !== undefined) return up.attributes['xml:space'] === 'preserve'
  return false
}
