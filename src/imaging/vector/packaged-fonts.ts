/**
 * Bundled fonts: packages of WOFF2 files, one for each script, and also one for each weight and slant unless the font
 * is variable. A face is read and registered when the first text needs it, under a private name, so that it is never
 * confused with a font of the machine.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { loadCanvas } from './canvas.ts'
import { type Coverage, formatCoverage, parseCoverage } from './coverage.ts'
import { withoutSelectors } from './emoji-font.ts'
import { packages } from './families.ts'
import type { Language } from './han.ts'
import { type Families, familiesOf } from './large-fonts.ts'
import { isCommon, isInvisible } from './missing-glyphs.ts'

/** Fallback fonts for missing characters, in this order. */
const fallbacks = [
  packages.Inter,
  '@fontsource/noto-sans-arabic',
  '@fontsource/noto-sans-hebrew',
  '@fontsource-variable/noto-sans-thai',
  '@fontsource-variable/noto-sans-devanagari',
]

/** Fonts of one script each, only for characters of this script. */
const scriptFonts = [
  ['Armenian', '@fontsource-variable/noto-sans-armenian'],
  ['Bengali', '@fontsource-variable/noto-sans-bengali'],
  ['Ethiopic', '@fontsource-variable/noto-sans-ethiopic'],
  ['Georgian', '@fontsource-variable/noto-sans-georgian'],
  ['Gujarati', '@fontsource-variable/noto-sans-gujarati'],
  ['Gurmukhi', '@fontsource-variable/noto-sans-gurmukhi'],
  ['Kannada', '@fontsource-variable/noto-sans-kannada'],
  ['Khmer', '@fontsource-variable/noto-sans-khmer'],
  ['Lao', '@fontsource-variable/noto-sans-lao'],
  ['Malayalam', '@fontsource-variable/noto-sans-malayalam'],
  ['Myanmar', '@fontsource-variable/noto-sans-myanmar'],
  ['Oriya', '@fontsource-variable/noto-sans-oriya'],
  ['Sinhala', '@fontsource-variable/noto-sans-sinhala'],
  ['Tamil', '@fontsource-variable/noto-sans-tamil'],
  ['Telugu', '@fontsource-variable/noto-sans-telugu'],
  ['Thaana', '@fontsource-variable/noto-sans-thaana'],
  ['Tibetan', '@fontsource-variable/noto-serif-tibetan'],
].map(([script = '', name = '']) => ({
  name,
  subset: script.toLowerCase(),
  hasScript: new RegExp(`\\p{sc=${script}}`, 'u'),
}))

/** Their scripts begin after Cyrillic. Other expressions take milliseconds to compile, so most texts don't need them. */
const mayHaveScript = /[\u0530-\u1fff\u2d00-\u2ddf\ua000-\uffff]/

/** These also have glyphs for many emoji, so they follow the emoji font. */
const symbols = '@fontsource/noto-sans-symbols-2'
const japanese = '@fontsource-variable/noto-sans-jp'
const korean = '@fontsource-variable/noto-sans-kr'
const simplified = '@fontsource-variable/noto-sans-sc'
const traditional = '@fontsource-variable/noto-sans-tc'
/** Each has Han characters that the others lack. */
const eastAsian: Record<Exclude<Language, 'auto'>, string[]> = {
  ja: [japanese, simplified, traditional, korean],
  ko: [korean, japanese, simplified, traditional],
  'zh-Hans': [simplified, japanese, traditional, korean],
  'zh-Hant': [traditional, japanese, simplified, korean],
}
/** Subscripts, fractions, combining marks and signs that the other fonts lack. */
const signs = '@fontsource/dejavu-sans'
/** The emoji font as the name of a part. */
export const emojiFile = 'twemoji-colr-font/twemoji.woff2'
/** The name of the emoji font in the result of `packagedFaces`. */
export const emojiFace = nameOf(emojiFile)

export interface FaceStyle {
  /** 100 to 900; falls back to the nearest weight of the font. */
  weight: number
  /** Falls back to upright. */
  italic: boolean
}

interface FontRequest extends FaceStyle {
  /** The package to try first; undefined if the font is not from a package. */
  first?: string | undefined
  language: Exclude<Language, 'auto'>
}

/**
 * Names for canvas font lists, best first, that together cover the characters of the text if any bundled font has
 * them.
 */
export async function packagedFaces(text: string, { first, language, ...style }: FontRequest): Promise<Families> {
  const chosen = await chooseSubsets(text, first, language)
  const faces = await Promise.all(
    chosen.map(async ({ subset, covered }) => {
      const file = subset === emojiFile ? subset : fileOf(subset.font, subset.name, style)
      return { name: await register(file), covered }
    }),
  )
  return familiesOf(faces)
}

/** A part of a font that a text needs. */
export interface FontPart {
  /** Name of the package. */
  font: string
  /** Paths of its files for all weights and slants. */
  files: string[]
  /** The characters that it declares; undefined for all that the files have. */
  ranges: [number, number][] | undefined
}

/** The same fonts as files, with all weights and slants. */
export async function packagedParts(
  text: string,
  { first, language }: Pick<FontRequest, 'first' | 'language'>,
): Promise<FontPart[]> {
  const chosen = await chooseSubsets(text, first, language)
  return chosen.map(({ subset }) => {
    if (subset === emojiFile) return { font: subset, files: [require.resolve(subset)], ranges: undefined }
    const { font, name, ranges } = subset
    return { font: font.name, files: allFilesOf(font, name), ranges }
  })
}

const allFiles = new Map<string, string[]>()

function allFilesOf(font: Font, subset: string): string[] {
  const key = `${font.name} ${subset}`
  const styles = font.weights.flatMap((weight) => [false, true].map((italic) => ({ weight, italic })))
  const files =
    allFiles.get(key) ??
    [...new Set(styles.map((style) => fileOf(font, subset, style)))].map((file) => require.resolve(file))
  allFiles.set(key, files)
  return files
}

interface Subset {
  font: Font
  name: string
  ranges: [number, number][]
}

interface Chosen {
  subset: Subset | typeof emojiFile
  /** The characters of the text that it is for, if these are listed. */
  covered?: number[]
}

/** Best first. */
async function chooseSubsets(
  text: string,
  first: string | undefined,
  language: FontRequest['language'],
): Promise<Chosen[]> {
  const missing = new Set(Array.from(text, (char) => char.codePointAt(0) ?? 0))
  const chosen: Chosen[] = []
  const names = [...(first ? [first] : []), ...fallbacks, symbols, ...eastAsian[language]]
  for (const name of new Set(names)) {
    if (name === symbols) {
      if (mayHaveScript.test(text)) chosen.push(...(await scriptSubsets(text, missing)))
      if (hasEmoji.test(text)) chosen.push({ subset: emojiFile })
      if (missing.size === 0) break
    }
    const font = await describe(name)
    const found = declaredBy(font, missing)
    for (const [index, subset] of font.subsets.entries()) {
      const covered = (found.get(index) ?? []).filter((codePoint) => missing.has(codePoint))
      // The first face is always included: its metrics define the line.
      if (covered.length === 0 && chosen.length > 0) continue
      const lacked = new Set(await lackedBy(font, subset.name, covered))
      for (const codePoint of covered) if (!lacked.has(codePoint)) missing.delete(codePoint)
      chosen.push({ subset: { font, ...subset }, covered })
    }
    if (missing.size === 0) break
  }
  const others = markedIn(text)
  for (const codePoint of missing) if (!(await isDrawn(codePoint, chosen))) others.push(codePoint)
  if (others.length === 0) return chosen
  const font = await describe(signs)
  for (const [index, covered] of declaredBy(font, others)) {
    const subset = font.subsets[index]
    if (subset) chosen.push({ subset: { font, ...subset }, covered })
  }
  return chosen
}

/** Whether one of these fonts has the character, or nothing is drawn for it. */
async function isDrawn(codePoint: number, chosen: readonly Chosen[]): Promise<boolean> {
  const char = String.fromCodePoint(codePoint)
  if (ownScripts.test(char) || isInvisible(char)) return true
  for (const { subset, covered } of chosen) {
    if (subset === emojiFile || !covered?.includes(codePoint)) continue
    const { has } = await coverageOfFile(fileOf(subset.font, subset.name, regular))
    if (has(codePoint)) return true
  }
  return false
}

/** Letters with marks that are not one character: a font that has only one of both can't place the mark. */
function markedIn(text: string): number[] {
  if (!hasMark.test(text)) return []
  const found = text.normalize('NFC').match(marked) ?? []
  return Array.from(found.join(''), (char) => char.codePointAt(0) ?? 0)
}

const hasMark = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20df]/
const marked = /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{N}]\p{M}+/gu

/** Characters that each subset of the font declares, by the index of the subset. */
function declaredBy({ pages }: Font, codePoints: Iterable<number>): Map<number, number[]> {
  const found = new Map<number, number[]>()
  for (const codePoint of codePoints) {
    for (const { from, to, subset } of pages.get(pageOf(codePoint)) ?? []) {
      if (codePoint < from || codePoint > to) continue
      const covered = found.get(subset) ?? []
      covered.push(codePoint)
      found.set(subset, covered)
    }
  }
  return found
}

/** Removes the characters that the fonts have from `missing`. */
async function scriptSubsets(text: string, missing: Set<number>): Promise<Chosen[]> {
  const used = scriptFonts.filter(({ hasScript }) => hasScript.test(text))
  return Promise.all(
    used.map(async ({ name, subset, hasScript }) => {
      const font = await describe(name)
      const { ranges = [] } = font.subsets.find((known) => known.name === subset) ?? {}
      for (const codePoint of missing)
        if (hasScript.test(String.fromCodePoint(codePoint)) && isIn(codePoint, ranges)) missing.delete(codePoint)
      return { subset: { font, name: subset, ranges } }
    }),
  )
}

/**
 * The characters that the file doesn't surely have, although the font declares them, so that other fonts follow. In numbers (5.3.1): the Chinese
 * fonts lack 2,196 and 44 of the Han characters that they declare, the Japanese and Korean ones 0 and 3; all but the Japanese one lack signs and
 * letters of other scripts. Theirs are in a hundred files, which are not read.
 */
async function lackedBy(font: Font, subset: string, covered: readonly number[]): Promise<number[]> {
  const { name } = font
  if (name === simplified || name === traditional) return [...covered]
  if (name === japanese || name === korean)
    return covered.filter((each) => !ownScripts.test(String.fromCodePoint(each)))
  const doubtful = covered.filter(
    (each) => !isCommon(String.fromCodePoint(each)) && !isInvisible(String.fromCodePoint(each)),
  )
  if (doubtful.length === 0) return []
  const { has } = await coverageOfFile(fileOf(font, subset, regular))
  return doubtful.filter((each) => !has(each))
}

const regular: FaceStyle = { weight: 400, italic: false }

const ownScripts = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u

const hasEmoji = /\p{Emoji_Presentation}|[\ufe0f\u20e3]/u

/** The characters of the files of a family that declare any of the given ones. */
export async function coverageOfFamily(name: string, text: string): Promise<Coverage[]> {
  const font = await describe(name)
  const codePoints = Array.from(text, (char) => char.codePointAt(0) ?? 0)
  const subsets = font.subsets.filter(({ ranges }) => codePoints.some((codePoint) => isIn(codePoint, ranges)))
  return Promise.all(subsets.map((subset) => coverageOfFile(fileOf(font, subset.name, regular))))
}

export interface PackagedFile {
  path: string
  /** `name@version` */
  fontPackage: string
  declares(codePoint: number): boolean
}

/** All files of the fonts that any text may use, in regular weight, with the characters that they declare. */
export async function packagedFiles(): Promise<PackagedFile[]> {
  const names = [...fallbacks, symbols, ...eastAsian.ja, signs]
  const all = await Promise.all([...names, ...scriptFonts.map(({ name }) => name)].map(describe))
  const files = all.flatMap((font) => {
    const script = scriptFonts.find(({ name }) => name === font.name)
    const subsets = font.subsets.filter(({ name }) => script === undefined || name === script.subset)
    return subsets.map(({ name, ranges }) => ({
      path: require.resolve(fileOf(font, name, regular)),
      fontPackage: versioned(font.name),
      declares: (codePoint: number) =>
        isIn(codePoint, ranges) && script?.hasScript.test(String.fromCodePoint(codePoint)) !== false,
    }))
  })
  const emoji = { path: require.resolve(emojiFile), fontPackage: versioned('twemoji-colr-font'), declares: () => true }
  return [...files, emoji]
}

function versioned(name: string): string {
  return `${name}@${(require(`${name}/package.json`) as { version: string }).version}`
}

interface Font {
  /** Name of the package. */
  name: string
  /** Prefix of its files. */
  id: string
  weights: number[]
  hasItalic: boolean
  /** All weights in one file. */
  isVariable: boolean
  subsets: { name: string; ranges: [number, number][] }[]
  /** The ranges of the subsets by blocks of characters: an East Asian font has thousands. */
  pages: Map<number, { from: number; to: number; subset: number }[]>
}

/** The fields of a @fontsource package's metadata.json that are used. */
interface FontsourceMetadata {
  id: string
  weights: number[]
  styles: string[]
  defSubset: string
}

const require = createRequire(import.meta.url)
const fonts = new Map<string, Promise<Font>>()
const registered = new Map<string, Promise<string>>()
const coverages = new Map<string, Promise<Coverage>>()

function describe(name: string): Promise<Font> {
  const known = fonts.get(name) ?? readDescription(name)
  fonts.set(name, known)
  return known
}

async function readDescription(name: string): Promise<Font> {
  const { id, weights, styles, defSubset } = await readJson<FontsourceMetadata>(`${name}/metadata.json`)
  const unicode = await readJson<Record<string, string>>(`${name}/unicode.json`)
  const subsets = Object.entries(unicode).map(([subset, ranges]) => ({
    // Numbered subsets are written `[12]`, and as plain numbers in file names.
    name: subset.replaceAll(/[[\]]/g, ''),
    ranges: parseRanges(ranges),
  }))
  // A font that isn't divided declares nothing: the bold and italic files have the characters of most texts of the regular one.
  if (subsets.length === 0)
    subsets.push({
      name: defSubset,
      ranges: rangesOf(await charactersOfFile(`${name}/files/${id}-${defSubset}-400-normal.woff2`)),
    })
  subsets.sort((a, b) => Number(b.name === defSubset) - Number(a.name === defSubset))
  const isVariable = name.startsWith('@fontsource-variable/')
  return { name, id, weights, hasItalic: styles.includes('italic'), isVariable, subsets, pages: pagesOf(subsets) }
}

function pagesOf(subsets: Font['subsets']): Font['pages'] {
  const pages: Font['pages'] = new Map()
  for (const [subset, { ranges }] of subsets.entries()) {
    for (const [from, to] of ranges) {
      for (let page = pageOf(from); page <= pageOf(to); page += 1) {
        pages.set(page, [...(pages.get(page) ?? []), { from, to, subset }])
      }
    }
  }
  return pages
}

function pageOf(codePoint: number): number {
  return codePoint >> 8
}

async function readJson<T>(specifier: string): Promise<T> {
  return JSON.parse(await readFile(require.resolve(specifier), 'utf8')) as T
}

function fileOf(font: Font, subset: string, style: FaceStyle): string {
  const slant = style.italic && font.hasItalic ? 'italic' : 'normal'
  const weight = font.isVariable ? 'wght' : nearest(font.weights, style.weight)
  return `${font.name}/files/${font.id}-${subset}-${weight}-${slant}.woff2`
}

function coverageOfFile(file: string): Promise<Coverage> {
  const known = coverages.get(file) ?? readCoverage(file)
  coverages.set(file, known)
  return known
}

async function readCoverage(file: string): Promise<Coverage> {
  return parseCoverage(formatCoverage(await charactersOfFile(file)))
}

async function charactersOfFile(file: string): Promise<Set<number>> {
  const [{ charactersOf }, bytes] = await Promise.all([import('./font-characters.ts'), readFile(require.resolve(file))])
  return charactersOf(bytes)
}

function rangesOf(codePoints: ReadonlySet<number>): [number, number][] {
  const ranges: [number, number][] = []
  for (const codePoint of [...codePoints].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last?.[1] === codePoint - 1) last[1] = codePoint
    else ranges.push([codePoint, codePoint])
  }
  return ranges
}

function register(file: string): Promise<string> {
  const known = registered.get(file) ?? load(file)
  registered.set(file, known)
  return known
}

async function load(file: string): Promise<string> {
  const [{ GlobalFonts }, packed] = await Promise.all([loadCanvas(), readFile(require.resolve(file))])
  const bytes = file === emojiFile ? await withoutSelectors(packed) : packed
  const name = nameOf(file)
  if (GlobalFonts.register(bytes, name) === null) throw new Error(`the font ${file} could not be read`)
  return name
}

function nameOf(file: string): string {
  return `tintype ${file}`
}

function nearest(weights: number[], target: number): number {
  return weights.reduce((best, weight) => (Math.abs(weight - target) < Math.abs(best - target) ? weight : best))
}

/** CSS unicode-range: `U+0000-00FF,U+0131`. */
function parseRanges(ranges: string): [number, number][] {
  return ranges.split(',').map((range) => {
    const [from = '0', to = from] = range.trim().replace(/^U\+/i, '').split('-')
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
  })
}

function isIn(codePoint: number, ranges: [number, number][]): boolean {
  return ranges.some(([from, to]) => codePoint >= from && codePoint <= to)
}
