/**
 * The fonts that ship with the project, as packages of WOFF2 files by script. A face is read and registered when the
 * first text needs it, under a name of its own, so that no font of the machine is ever mistaken for it.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { failure } from '../../errors.ts'
import { loadCanvas } from './canvas.ts'

export const families = ['Inter'] as const
export type Family = (typeof families)[number]

export interface FaceStyle {
  font: Family
  /** 100 to 900; the nearest that the family has is taken. */
  weight: number
  /** Upright where the family has no italic. */
  italic: boolean
}

/** Package, and order of trying, of every family; those behind the named ones only lend what the others lack. */
const packages: Record<string, string> = {
  Inter: '@fontsource/inter',
}

/** Names for a canvas font list, best first, that together hold the characters of the text where any font here does. */
export async function facesFor(text: string, style: FaceStyle): Promise<string[]> {
  const missing = new Set(Array.from(text, (char) => char.codePointAt(0) ?? 0))
  const faces: Promise<string>[] = []
  for (const family of [style.font, ...Object.keys(packages).filter((name) => name !== style.font)]) {
    const font = await describe(family)
    for (const subset of font.subsets) {
      const covered = [...missing].filter((codePoint) => isIn(codePoint, subset.ranges))
      // The first face is always there: its metrics are those of the line.
      if (covered.length === 0 && faces.length > 0) continue
      for (const codePoint of covered) missing.delete(codePoint)
      faces.push(register(font, subset.name, style))
    }
    if (missing.size === 0) break
  }
  return Promise.all(faces)
}

interface Font {
  family: string
  /** Name of the package, and of its files. */
  package: string
  id: string
  weights: number[]
  hasItalic: boolean
  subsets: { name: string; ranges: [number, number][] }[]
}

const require = createRequire(import.meta.url)
const fonts = new Map<string, Promise<Font>>()
const registered = new Map<string, Promise<string>>()

function describe(family: string): Promise<Font> {
  const known = fonts.get(family) ?? readDescription(family)
  fonts.set(family, known)
  return known
}

async function readDescription(family: string): Promise<Font> {
  const name = packages[family] ?? ''
  const [metadata, unicode] = await Promise.all([readJson(`${name}/metadata.json`), readJson(`${name}/unicode.json`)])
  const { id, weights, styles, defSubset } = metadata as FontsourceMetadata
  const subsets = Object.entries(unicode as Record<string, string>).map(([subset, ranges]) => ({
    name: subset.replaceAll(/[[\]]/g, ''),
    ranges: parseRanges(ranges),
  }))
  subsets.sort((a, b) => Number(b.name === defSubset) - Number(a.name === defSubset))
  return { family, package: name, id, weights, hasItalic: styles.includes('italic'), subsets }
}

/** The fields of a @fontsource package's metadata.json that are used. */
interface FontsourceMetadata {
  id: string
  weights: number[]
  styles: string[]
  defSubset: string
}

async function readJson(specifier: string): Promise<unknown> {
  return JSON.parse(await readFile(require.resolve(specifier), 'utf8'))
}

function register(font: Font, subset: string, style: FaceStyle): Promise<string> {
  const weight = nearest(font.weights, style.weight)
  const slant = style.italic && font.hasItalic ? 'italic' : 'normal'
  const file = `${font.id}-${subset}-${weight}-${slant}`
  const known = registered.get(file) ?? registerFile(`${font.package}/files/${file}.woff2`, `tintype ${file}`)
  registered.set(file, known)
  return known
}

async function registerFile(specifier: string, name: string): Promise<string> {
  const [{ GlobalFonts }, bytes] = await Promise.all([loadCanvas(), readFile(require.resolve(specifier))])
  if (GlobalFonts.register(bytes, name) === null) throw failure('internal', 'A font could not be loaded.')
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
