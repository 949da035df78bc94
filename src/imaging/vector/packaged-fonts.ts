/**
 * Bundled fonts: packages of WOFF2 files, one for each script, and also one for each weight and slant unless the font
 * is variable. A face is read and registered when the first text needs it, under a private name, so that it is never
 * confused with a font of the machine.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { loadCanvas } from './canvas.ts'
import { packages } from './families.ts'
import type { Language } from './han.ts'

/** Fallback fonts for missing characters, in this order. */
const fallbacks = [
  packages.Inter,
  '@fontsource/noto-sans-arabic',
  '@fontsource/noto-sans-hebrew',
  '@fontsource-variable/noto-sans-thai',
  '@fontsource-variable/noto-sans-devanagari',
]

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
const emojiFile = 'twemoji-colr-font/twemoji.woff2'

export interface FaceStyle {
  /** 100 to 900; falls back to the nearest weight of the font. */
  weight: number
  /** Falls back to upright. */
  italic: boolean
}

interface Wanted extends FaceStyle {
  /** The package to try first; undefined if the font is not from a package. */
  first?: string | undefined
  language: Exclude<Language, 'auto'>
}

/**
 * Names for a canvas font list, best first, that together cover the characters of the text if any bundled font has
 * them.
 */
export async function packagedFaces(text: string, { first, language, ...style }: Wanted): Promise<string[]> {
  const missing = new Set(Array.from(text, (char) => char.codePointAt(0) ?? 0))
  const files: string[] = []
  const names = [...(first ? [first] : []), ...fallbacks, symbols, ...eastAsian[language]]
  for (const name of new Set(names)) {
    if (name === symbols && hasEmoji.test(text)) files.push(emojiFile)
    const font = await describe(name)
    for (const subset of font.subsets) {
      const covered = [...missing].filter((codePoint) => isIn(codePoint, subset.ranges))
      // The first face is always included: its metrics define the line.
      if (covered.length === 0 && files.length > 0) continue
      for (const codePoint of covered) if (isSure(font, subset.name, codePoint)) missing.delete(codePoint)
      files.push(fileOf(font, subset.name, style))
    }
    if (missing.size === 0) break
  }
  return Promise.all(files.map(register))
}

/**
 * Some fonts declare all characters of a script, including missing ones, so other fonts follow. In numbers (5.3.1):
 * the Chinese fonts lack 2,196 and 44 of the Han characters that they declare, the Japanese and Korean ones 0 and 3;
 * all but the Japanese one lack signs and letters of other scripts.
 */
function isSure({ name }: Font, subset: string, codePoint: number): boolean {
  if (subset === 'math' || subset === 'symbols' || name === simplified || name === traditional) return false
  return (name !== japanese && name !== korean) || ownScripts.test(String.fromCodePoint(codePoint))
}

const ownScripts = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u

const hasEmoji = /\p{Emoji_Presentation}|\ufe0f/u

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
  subsets.sort((a, b) => Number(b.name === defSubset) - Number(a.name === defSubset))
  const isVariable = name.startsWith('@fontsource-variable/')
  return { name, id, weights, hasItalic: styles.includes('italic'), isVariable, subsets }
}

async function readJson<T>(specifier: string): Promise<T> {
  return JSON.parse(await readFile(require.resolve(specifier), 'utf8')) as T
}

function fileOf(font: Font, subset: string, style: FaceStyle): string {
  const slant = style.italic && font.hasItalic ? 'italic' : 'normal'
  const weight = font.isVariable ? 'wght' : nearest(font.weights, style.weight)
  return `${font.name}/files/${font.id}-${subset}-${weight}-${slant}.woff2`
}

function register(file: string): Promise<string> {
  const known = registered.get(file) ?? load(file)
  registered.set(file, known)
  return known
}

async function load(file: string): Promise<string> {
  const [{ GlobalFonts }, bytes] = await Promise.all([loadCanvas(), readFile(require.resolve(file))])
  const name = `tintype ${file}`
  if (GlobalFonts.register(bytes, name) === null) throw new Error(`the font ${file} could not be read`)
  return name
}

function nearest(weights: number[], wanted: number): number {
  return weights.reduce((best, weight) => (Math.abs(weight - wanted) < Math.abs(best - wanted) ? weight : best))
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
