/** Resolves font names of a workflow to lists of families for a canvas. */

import { didYouMean } from '../../../shared/suggest.ts'
import { failure } from '../../errors.ts'
import type { AccountFont, ImagingContext } from '../types.ts'
import { borrowFont } from './account-fonts.ts'
import { type Coverage, parseCoverage } from './coverage.ts'
import { families, familyNamed, packages } from './families.ts'
import { type Language, languageOf } from './han.ts'
import { after, type Families } from './large-fonts.ts'
import { findMissing } from './missing-glyphs.ts'
import { coverageOfFamily, type FaceStyle, packagedFaces } from './packaged-fonts.ts'

export interface FontRequest extends FaceStyle {
  /** A bundled family, or the family or the id of a font of the account. */
  font: string
  language: Language
}

/** Fonts of the account are valid until `release`. */
export interface Faces extends Families {
  /** BCP 47, for characters that a font draws differently by language; never the language of the machine. */
  language: string
  /** The characters of the text that no font has. */
  missing: string[]
  release(): void
}

export type FontContext = Pick<ImagingContext, 'fonts' | 'warn'> & Partial<Pick<ImagingContext, 'signal'>>

export async function facesFor(text: string, request: FontRequest, context: FontContext): Promise<Faces> {
  const language = request.language === 'auto' ? languageOf(text) : request.language
  const shapingLanguage = request.language === 'auto' && !/\p{sc=Han}/u.test(text) ? 'en' : language
  const family = familyNamed(request.font)
  if (family !== undefined) {
    const first = packages[family]
    const faces = await packagedFaces(text, { ...request, language, first })
    const missing = await findMissing(text, (chars) => coverageOfFamily(first, chars))
    return { ...faces, language: shapingLanguage, missing, release() {} }
  }
  const uploaded = bestOf((await context.fonts?.()) ?? [], request)
  // Its characters are not known here: the canvas tries it first for each one.
  const faces = await packagedFaces(text, { ...request, language })
  const missing = await findMissing(text, async () => [await coverageOf(uploaded)])
  const { name, release } = await borrowFont(uploaded)
  return { ...after(name, faces), language: shapingLanguage, missing, release }
}

/** The fonts of the account among those that a text or a chart uses. Throws `input_invalid` for an unknown font. */
export async function accountFontsIn(
  requests: Pick<FontRequest, 'font' | 'weight' | 'italic'>[],
  context: FontContext,
): Promise<AccountFont[]> {
  const own = requests.filter(({ font }) => familyNamed(font) === undefined)
  if (own.length === 0) return []
  const all = (await context.fonts?.()) ?? []
  const used = new Set(own.map((request) => bestOf(all, request)))
  return all.filter((font) => used.has(font))
}

/** Once for all styles of a text. */
const coverages = new WeakMap<AccountFont, Promise<Coverage>>()

function coverageOf(font: AccountFont): Promise<Coverage> {
  const known = coverages.get(font) ?? font.characters().then(parseCoverage)
  coverages.set(font, known)
  return known
}

function bestOf(
  all: readonly AccountFont[],
  { font, weight, italic }: Pick<FontRequest, 'font' | 'weight' | 'italic'>,
): AccountFont {
  const byId = all.find(({ id }) => id === font)
  if (byId) return byId
  const wanted = font.trim().toLowerCase()
  const faces = all.filter(({ family }) => family.toLowerCase() === wanted)
  const [best] = faces.sort((a, b) => distance(a, weight, italic) - distance(b, weight, italic))
  if (best) return best
  const uploaded = [...new Set(all.map(({ family }) => family))].sort()
  throw failure(
    'input_invalid',
    `Font ${JSON.stringify(font.slice(0, 100))} was not found. ${didYouMean(font, [...families, ...uploaded]) || listed(uploaded)}`,
  )
}

const listedMax = 30

function listed(uploaded: string[]): string {
  const shipped = `Included fonts: ${families.join(', ')}.`
  if (uploaded.length === 0) return `${shipped} This account has no uploaded fonts.`
  const more = uploaded.length > listedMax ? ` and ${uploaded.length - listedMax} more` : ''
  return `${shipped} Uploaded fonts: ${uploaded.slice(0, listedMax).join(', ')}${more}.`
}

/** A wrong slant is worse than any wrong weight. */
function distance({ weightMin, weightMax, italic }: AccountFont, weight: number, wantsItalic: boolean): number {
  const off = Math.max(0, weightMin - weight, weight - weightMax)
  return off + (italic === wantsItalic ? 0 : 1_000)
}
