/** Runs of text with one style, before line breaking. */

import { words } from './breaks.ts'

/** Differences of a run from the style of the entire text. */
export interface RunStyle {
  font?: string
  /** 100 to 900 */
  weight?: number
  italic?: boolean
  /** Multiples of the text size. */
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

/**
 * Changes the case as CSS text-transform does: for words across several runs, only the first letter of the word is a
 * start.
 */
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

/** Replaces tabs by spaces; removes other control characters. */
export function normalised(text: string): string {
  return text
    .replaceAll(/\r\n?|\u2028|\u2029/g, '\n')
    .replaceAll('\t', '    ')
    .replaceAll(/\p{Cc}/gu, (char) => (char === '\n' ? char : ''))
}
