/** Characters that no font has. The canvas draws a box in their place. */
import { failure } from '../../errors.ts'
import type { ImagingContext } from '../types.ts'
import { type Coverage, loadCoverage } from './coverage.ts'

export const missingGlyphsPolicies = ['warn', 'error'] as const
export type MissingGlyphsPolicy = (typeof missingGlyphsPolicies)[number]

/** Characters of most texts, which the bundled fonts have. They lack the deprecated U+0149. */
const common = /^[\0-\u0148\u014a-\u017f\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u20ac\u2122]*$/

export function isCommon(text: string): boolean {
  return common.test(text)
}

/** Whether nothing is drawn for the character. */
export function isInvisible(char: string): boolean {
  return invisible.test(char)
}

/** Controls, spaces and invisible characters are not drawn. A lone surrogate is drawn as U+FFFD. */
const invisible = /[\p{Cc}\p{Cs}\p{Z}\p{DI}]/u

/**
 * The characters of the text that neither the fallback fonts nor the font of the text has, each once. `coverageOf` returns the
 * coverage of the files of that font; it is called only if a character is missing elsewhere.
 */
export async function findMissing(
  text: string,
  coverageOf: (missing: string) => Promise<readonly Coverage[]>,
): Promise<string[]> {
  if (isCommon(text)) return []
  const { has } = await loadCoverage()
  // A letter and its accents are drawn as one character where there is one, and as parts where the font has only these.
  const chars = [...new Set(text.normalize('NFC'))]
  // The list first: compiling the expression takes milliseconds.
  const missing = chars.filter((char) => !isCovered(char, has) && !invisible.test(char))
  if (missing.length === 0) return missing
  const known = await coverageOf(missing.join('').normalize('NFD') + missing.join(''))
  return missing.filter((char) => !isCovered(char, (code) => has(code) || known.some((each) => each.has(code))))
}

function isCovered(char: string, has: (code: number) => boolean): boolean {
  if (has(char.codePointAt(0) ?? 0)) return true
  const parts = [...char.normalize('NFD')]
  return parts.length > 1 && parts.every((part) => has(part.codePointAt(0) ?? 0))
}

/** Warns of missing characters, or throws `input_invalid`. */
export function reportMissing(
  missing: readonly string[],
  policy: MissingGlyphsPolicy,
  context: Pick<ImagingContext, 'warn'>,
): void {
  const all = [...new Set(missing)]
  if (all.length === 0) return
  const found = `No font has ${all.length === 1 ? 'the character' : 'the characters'} ${listed(all)}.`
  if (policy === 'error')
    throw failure(
      'input_invalid',
      `${found} Upload a font with ${all.length === 1 ? 'it' : 'them'} and use it, change the text, or set "missingGlyphs" to "warn".`,
    )
  context.warn?.(
    `${found} A box may be drawn instead. Upload a font with ${all.length === 1 ? 'it' : 'them'}, or change the text.`,
  )
}

const listedMax = 8

function listed(chars: readonly string[]): string {
  const names = chars.slice(0, listedMax).map((char) => {
    const code = `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
    return /[\p{L}\p{N}\p{P}\p{S}]/u.test(char) ? `${char} (${code})` : code
  })
  const more = chars.length - names.length
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
}
