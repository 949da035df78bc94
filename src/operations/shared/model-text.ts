/** Cleans text from models before it is used. */
import type { ModelResponse } from '../../domain/model.ts'

/** Removes control characters and surrounding whitespace, and limits the length. Throws if nothing is left. */
export function textOf({ text = '' }: ModelResponse, charsMax: number): string {
  const clean = cleanText(text)
  if (clean === '') throw new Error('It returned no text.')
  return cut(clean, charsMax)
}

/** The limit in the request: leaves room to end a sentence, because longer text is cut here after a word. */
export function roomFor(charsMax: number): number {
  return charsMax * 2
}

export function cleanText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/\p{Cc}/gu, (character) => (character === '\n' || character === '\t' ? character : ''))
    .toWellFormed()
    .trim()
}

function cut(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const room = text.slice(0, Math.max(0, charsMax - ellipsis.length))
  // Text of one long word, or in a script without spaces, is cut at the limit.
  const end = /\s/.test(text[room.length] ?? '') ? room.length : Math.max(room.search(/\s\S*$/), 0)
  const words = end > room.length / 2 ? room.slice(0, end) : room.replace(/[\uD800-\uDBFF]$/, '')
  return `${words.trimEnd()}${ellipsis}`
}

const ellipsis = '…'
