/** Runs of text with one style, before line breaking. */

import { lineBreaks, type Transform, withCase, withoutControls } from './prepare-text.ts'

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

/** Changes the case as CSS text-transform does. Greek capitals have no accents. */
export function transformed<Style>(runs: Run<Style>[], transform: Transform): Run<Style>[] {
  if (transform === 'none') return runs
  const language = runs.some(({ text }) => /\p{sc=Greek}/u.test(text)) ? 'el' : undefined
  const texts = withCase(runs.map(({ text }) => ({ text, transform, language })))
  return runs.map((run, index) => ({ ...run, text: texts[index] ?? '' }))
}

/** Text with line feeds for line breaks and spaces for tabs, without other control characters. */
export function normalised(text: string): string {
  return withoutControls(text.replaceAll(lineBreaks, '\n').replaceAll('\t', '    '))
}
