/** Preparation of text that both text engines share: control characters, letter case, and the presentation of emoji. */
import type { ImagingContext } from '../types.ts'
import { words } from './breaks.ts'

/** Mandatory line breaks of UAX 14 other than the line feed: U+000B is the soft line break of office programs, U+0085 the one of mainframes. */
export const lineBreaks = /\r\n?|[\v\f\u0085\u2028\u2029]/g

/** Characters that are not drawn, and forbidden in HTML and XML: other controls, and noncharacters. */
const dropped = /(?![\t\n\v\f\r\u0085])\p{Cc}|\p{Noncharacter_Code_Point}/gu

/** Text without control characters, except tabs and those that break lines. */
export function withoutControls(text: string): string {
  return text.replaceAll(dropped, '')
}

/** Warns of the characters that `withoutControls` drops. */
export function warnOfControls(text: string, context: Pick<ImagingContext, 'warn'>): void {
  const found = [...new Set(text.match(dropped))].map(nameOf)
  if (found.length === 0) return
  const listed = found.slice(0, listedMax).join(', ')
  const more = found.length > listedMax ? ` and ${found.length - listedMax} more` : ''
  context.warn?.(`The text has control characters, which are not drawn: ${listed}${more}.`)
}

const listedMax = 8

function nameOf(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

export const transforms = ['none', 'uppercase', 'lowercase', 'capitalize'] as const
export type Transform = (typeof transforms)[number]

export interface CasedText {
  text: string
  transform: Transform
  /** BCP 47. */
  language?: string | undefined
}

/** Changes the case as CSS Text 3, 2.1 does. The texts follow each other: only the first letter of a word that several of them have is its start. */
export function withCase(texts: readonly CasedText[]): string[] {
  const starts = texts.some(({ transform }) => transform === 'capitalize')
    ? wordStarts(texts.map(({ text }) => text).join(''))
    : undefined
  let at = 0
  return texts.map(({ text, transform, language }) => {
    const from = at
    at += text.length
    const locale = casingLocale(language)
    if (transform === 'uppercase') return text.toLocaleUpperCase(locale)
    if (transform === 'lowercase') return text.toLocaleLowerCase(locale)
    if (transform === 'none' || starts === undefined) return text
    return text.replaceAll(locale === 'nl' ? dutchLetter : letter, (found, offset: number) =>
      starts.has(from + offset) ? titleCase(found, locale) : found,
    )
  })
}

const letter = /\p{L}\p{M}*/gu
const dutchLetter = /[ij]\u0301?[ij]\u0301?|\p{L}\p{M}*/giu

/** Languages with special rules (Unicode, SpecialCasing). The language of the machine has no effect. */
function casingLocale(language: string | undefined): string {
  const [primary = ''] = (language ?? '').toLowerCase().split('-')
  return ['az', 'el', 'lt', 'nl', 'tr'].includes(primary) ? primary : 'en'
}

/** Only the first letter of ligatures is upper case, and Georgian has no title case. */
function titleCase(found: string, locale: string): string {
  const digraph = digraphs.get(found)
  if (digraph !== undefined) return digraph
  if (/^[\u10d0-\u10ff]/.test(found)) return found
  // Greek keeps its accents in title case.
  const upper = found.toLocaleUpperCase(locale === 'el' ? 'en' : locale)
  if (locale === 'nl' && /^ij/i.test(found)) return upper
  const [first = '', ...rest] = upper
  return [...found.normalize('NFC')].length === 1 && /^\p{Lu}/u.test(first)
    ? first + rest.join('').toLocaleLowerCase(locale)
    : upper
}

const digraphs = new Map(
  ['Ǆǅǆ', 'Ǉǈǉ', 'Ǌǋǌ', 'Ǳǲǳ'].flatMap(([upper = '', title = '', lower = '']) => [
    [upper, title],
    [lower, title],
  ]),
)

function wordStarts(text: string): Set<number> {
  return new Set([...words.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ index }) => index))
}

/** How a part of a text is drawn if fonts have its characters both as text and as colour emoji (UTS 51). `either`: only one of them has them. */
export type Presentation = 'either' | 'text' | 'emoji'

/** An emoji or a sequence of several, without or with selectors, as one match. */
const emoji =
  /[0-9#*]\ufe0f?\u20e3|\p{RI}\p{RI}|\p{ExtPict}(?:[\ufe0e\ufe0f]|\p{EMod})?(?:[\u{e0020}-\u{e007f}]+|(?:\u200d\p{ExtPict}(?:\ufe0f|\p{EMod})?)*)/gu
const mayBeEmoji = /\u20e3|\p{ExtPict}/u
const isSelected = /[\ufe0f\u20e3]/
/** The first font of every text has the signs of the expression. */
const isTextOnly = /^\p{ExtPict}\ufe0e|^(?![©®™])\P{Emoji_Presentation}$/u

/** Parts of a text by their presentation, which doesn't depend on the rest of the text. */
export function presentations(text: string): { text: string; presentation: Presentation }[] {
  if (!mayBeEmoji.test(text)) return [{ text, presentation: 'either' }]
  const parts: { text: string; presentation: Presentation }[] = []
  let end = 0
  const put = (part: string, presentation: Presentation) => {
    const last = parts.at(-1)
    if (last?.presentation === presentation) last.text += part
    else if (part !== '') parts.push({ text: part, presentation })
  }
  for (const { 0: found, index } of text.matchAll(emoji)) {
    const presentation = isSelected.test(found) ? 'emoji' : isTextOnly.test(found) ? 'text' : 'either'
    if (presentation === 'either') continue
    put(text.slice(end, index), 'either')
    put(found.replace('\ufe0e', '').replace(/^(.)\u20e3/, '$1\ufe0f\u20e3'), presentation)
    end = index + found.length
  }
  put(text.slice(end), 'either')
  return parts
}

/** Scripts whose letters join (CSS Text 3, 8.2.1): space between the letters would take words apart. */
export const joined =
  /[\p{sc=Arabic}\p{sc=Syriac}\p{sc=Mongolian}\p{sc=Nko}\p{sc=Mandaic}\p{sc=Phags_Pa}\p{sc=Hanifi_Rohingya}][\p{sc=Arabic}\p{sc=Syriac}\p{sc=Mongolian}\p{sc=Nko}\p{sc=Mandaic}\p{sc=Phags_Pa}\p{sc=Hanifi_Rohingya}\p{M}\u200c\u200d]*/gu
