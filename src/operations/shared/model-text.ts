/** Texts that models write, before anybody takes them for text. */
import type { ModelResponse } from '../../domain/model.ts'

/** Without control characters and what is around it, and no longer than asked for. Throws where there is none. */
export function textOf({ text = '' }: ModelResponse, charsMax: number): string {
  const clean = cleanText(text)
  if (clean === '') throw new Error('It answered without any text.')
  return cut(clean, charsMax)
}

/** What is handed on as the bound: room to end a sentence, because what is too long is cut here, after a word. */
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
  // A text of one long word, or in a script without spaces, is cut where it is full.
  const end = /\s/.test(text[room.length] ?? '') ? room.length : Math.max(room.search(/\s\S*$/), 0)
  const whole = end > room.length / 2 ? room.slice(0, end) : room.replace(/[\uD800-\uDBFF]$/, '')
  return `${whole.trimEnd()}${ellipsis}`
}

const ellipsis = '…'
