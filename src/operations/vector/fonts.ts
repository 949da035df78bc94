/**
 * The fonts that ship with the project: packages of WOFF2 files, one for each script, weight and slant. A face is read
 * and registered when the first text needs it, under a name of its own, so that no font of the machine is mistaken for it.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { loadCanvas } from './canvas.ts'
import { type Family, packages } from './families.ts'

/** Where characters are taken from that the wanted font lacks, in this order. */
const fallbacks = [packages.Inter, '@fontsource/noto-sans-arabic', '@fontsource/noto-sans-hebrew'] as const

/** These have signs of their own for many emoji, so they come behind them. */
const symbols = ['@fontsource/noto-sans-symbols-2', '@fontsource/kosugi'] as const
const emojiFile = 'twemoji-colr-font/twemoji.woff2'

export interface FaceStyle {
  font: Family
  /** 100 to 900; the nearest that the font has is taken. */
  weight: number
  /** Upright where the font has no italic. */
  italic: boolean
}

/** Names for a canvas font list, best first, that together hold the characters of the text where any font here does. */
export async function facesFor(text: string, style: FaceStyle): Promise<string[]> {
  const missing = new Set(Array.from(text, (char) => char.codePointAt(0) ?? 0))
  const files: string[] = []
  for (const name of new Set<string>([packages[style.font], ...fallbacks, ...symbols])) {
    if (name === symbols[0] && hasEmoji.test(text)) files.push(emojiFile)
    const font = await describe(name)
    for (const subset of font.subsets) {
      const covered = [...missing].filter((codePoint) => isIn(codePoint, subset.ranges))
      // The first face is always there: its metrics are those of the line.
      if (covered.length === 0 && files.length > 0) continue
      if (!generous.includes(subset.name)) for (const codePoint of covered) missing.delete(codePoint)
      files.push(fileOf(font, subset.name, style))
    }
    if (missing.size === 0) break
  }
  return Promise.all(files.map(register))
}

/** Subsets that are declared with all characters of their kind, whichever of them the font has: others are asked too. */
const generous = ['math', 'symbols']

const hasEmoji = /\p{Emoji_Presentation}|\ufe0f/u

interface Font {
  /** Name of the package. */
  name: string
  /** How its files begin. */
  id: string
  weights: number[]
  hasItalic: boolean
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
    // Numbered ones are written `[12]`, and are plain numbers in names of files.
    name: subset.replaceAll(/[[\]]/g, ''),
    ranges: parseRanges(ranges),
  }))
  subsets.sort((a, b) => Number(b.name === defSubset) - Number(a.name === defSubset))
  return { name, id, weights, hasItalic: styles.includes('italic'), subsets }
}

async function readJson<T>(specifier: string): Promise<T> {
  return JSON.parse(await readFile(require.resolve(specifier), 'utf8')) as T
}

function fileOf(font: Font, subset: string, style: FaceStyle): string {
  const slant = style.italic && font.hasItalic ? 'italic' : 'normal'
  return `${font.name}/files/${font.id}-${subset}-${nearest(font.weights, style.weight)}-${slant}.woff2`
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
