/** Stretches of text that are drawn in one way, before they are lines. */

import { words } from './breaks.ts'

/** How a stretch differs from the whole text. */
export interface RunStyle {
  font?: string
  /** 100 to 900 */
  weight?: number
  italic?: boolean
  /** Times the size of the text. */
  size?: number
  color?: string
  /** Colour behind the characters. */
  background?: string
  underline?: boolean
  strike?: boolean
}

export interface Run<Style = RunStyle> {
  text: string
  style: Style
}

export const transforms = ['none', 'uppercase', 'lowercase', 'capitalize'] as const
export type Transform = (typeof transforms)[number]

/** Other letters for the same text, as CSS text-transform: of words that go over several runs only the start is a start. */
export function transformed<Style>(runs: Run<Style>[], transform: Transform): Run<Style>[] {
  if (transform === 'none') return runs
  if (transform === 'uppercase') return runs.map((run) => ({ ...run, text: run.text.toUpperCase() }))
  if (transform === 'lowercase') return runs.map((run) => ({ ...run, text: run.text.toLowerCase() }))
  const starts = wordStarts(runs.map(({ text }) => text).join(''))
  let at = 0
  return runs.map((run) => {
    const from = at
    at += run.text.length
    const text = run.text.replaceAll(/\p{L}\p{M}*/gu, (letter, offset: number) =>
      starts.has(from + offset) ? letter.toUpperCase() : letter,
    )
    return { ...run, text }
  })
}

function wordStarts(text: string): Set<number> {
  return new Set([...words.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ index }) => index))
}

/** Spaces for tabs; no other control characters; keycaps, which no font here has, as plain digits. */
export function normalised(text: string): string {
  return text
    .replaceAll(/([0-9#*])\ufe0f?\u20e3/g, '$1')
    .replaceAll(/\r\n?|\u2028|\u2029/g, '\n')
    .replaceAll('\t', '    ')
    .replaceAll(/\p{Cc}/gu, (char) => (char === '\n' ? char : ''))
}
