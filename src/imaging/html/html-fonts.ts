/** The fonts of a document: the parts of packaged fonts that its characters need, and the fonts of the account that it names. */
import { readFile } from 'node:fs/promises'
import { Renderer } from '@takumi-rs/core'
import { parseCoverage } from '../vector/coverage.ts'
import { type Family, packages } from '../vector/families.ts'
import { type Language, languageOf, languages } from '../vector/han.ts'
import { findMissing } from '../vector/missing-glyphs.ts'
import { coverageOfFamily, emojiFile, type FontPart, packagedParts } from '../vector/packaged-fonts.ts'
import type { JobFont } from './messages.ts'

export interface FontRequest {
  text: string
  /** Packaged families and families of the account that the CSS names. */
  families: ReadonlySet<string>
  /** BCP 47. */
  language: string | undefined
  fonts: readonly JobFont[]
}

export interface DocumentFonts {
  renderer: Renderer
  /** Names of families for characters that the named families lack, best first. */
  fallbacks: string[]
  /** Characters that no font has. */
  missing: string[]
  /** The same families without emoji, which follow; undefined if no emoji are needed. */
  textFamilies: string[] | undefined
  /** Whether a font of the account that the document names has the character. */
  isNamed(codePoint: number): boolean
}

/** A renderer keeps its fonts, so documents with the same account fonts share one. */
const renderers = new Map<string, { renderer: Renderer; loaded: Map<string, Promise<unknown>> }>()
/** Each has its own copy of the packaged fonts that its documents use. */
const renderersMax = 4

export async function fontsFor({ text, families, language, fonts }: FontRequest): Promise<DocumentFonts> {
  const lowerCase = new Set([...families].map((name) => name.toLowerCase()))
  const accountFonts = fonts.filter(({ family }) => lowerCase.has(family.toLowerCase()))
  const entry = await rendererFor(accountFonts)
  const named = [...families].filter((name): name is Family => Object.hasOwn(packages, name))
  const chain = languageFor(language, text)
  const firsts = [...new Set<Family>([...named, 'Inter'])]
  const lists = await Promise.all(
    firsts.map((family) => packagedParts(text, { first: packages[family], language: chain })),
  )
  const parts = new Map(lists.flat().map((part) => [`${part.font} ${part.files[0]}`, part]))
  // In sequence, so that the order of the fonts is always the same.
  for (const part of parts.values()) await load(entry, part)
  const missing = await findMissing(text, async (chars) => [
    ...accountFonts.map(({ characters }) => parseCoverage(characters)),
    ...(await Promise.all(named.map((family) => coverageOfFamily(packages[family], chars)))).flat(),
  ])
  // The last list starts with Inter, the default.
  const fallbacks = [...new Set([...(lists.at(-1) ?? []), ...parts.values()].map(({ font }) => familyOf(font)))]
  const others = fallbacks.filter((name) => name !== emojiFamily)
  return {
    renderer: entry.renderer,
    fallbacks,
    missing,
    textFamilies: others.length < fallbacks.length ? [...others, emojiFamily] : undefined,
    isNamed: (codePoint) => accountFonts.some(({ characters }) => parseCoverage(characters).has(codePoint)),
  }
}

const emojiFamily = familyOf(emojiFile)

function languageFor(language: string | undefined, text: string): Exclude<Language, 'auto'> {
  if (language === undefined) return languageOf(text)
  if (/^zh\b/i.test(language)) return /hant|tw|hk|mo/i.test(language) ? 'zh-Hant' : 'zh-Hans'
  const known = languages.find((name) => name !== 'auto' && language.toLowerCase().startsWith(name.toLowerCase()))
  return known === undefined || known === 'auto' ? languageOf(text) : known
}

type Entry = typeof renderers extends Map<string, infer Value> ? Value : never

async function rendererFor(fonts: readonly JobFont[]): Promise<Entry> {
  const key = fonts
    .map(({ id }) => id)
    .sort()
    .join(' ')
  const known = renderers.get(key)
  if (known) {
    // Moves it to the end, so that the one that was used least recently is removed.
    renderers.delete(key)
    renderers.set(key, known)
    return known
  }
  const entry: Entry = { renderer: new Renderer({ cacheMaxBytes: 0 }), loaded: new Map() }
  for (const { family, bytes, weightMin, weightMax, italic } of fonts)
    await entry.renderer.registerFont({
      data: bytes,
      name: family,
      style: italic ? 'italic' : 'normal',
      ...(weightMin === weightMax && { weight: weightMin }),
    })
  renderers.set(key, entry)
  const [eldest] = renderers.keys()
  if (renderers.size > renderersMax && eldest !== undefined) renderers.delete(eldest)
  return entry
}

async function load({ renderer, loaded }: Entry, { font, files, ranges }: FontPart): Promise<void> {
  for (const file of files) {
    const loading = loaded.get(file) ?? register(renderer, file, familyOf(font), ranges)
    loaded.set(file, loading)
    await loading
  }
}

async function register(renderer: Renderer, file: string, name: string, ranges: FontPart['ranges']): Promise<void> {
  await renderer.registerFont({
    data: await readFile(file),
    name,
    style: /italic\.woff2$/.test(file) ? 'italic' : 'normal',
    ...weightOf(file),
    ...(ranges && { unicodeRange: ranges }),
  })
}

/** `inter-latin-400-normal.woff2`; a variable font has `wght` in place of the number. */
function weightOf(file: string): { weight?: number } {
  const [, weight] = /-(\d+)-(?:normal|italic)\.woff2$/.exec(file) ?? []
  return weight === undefined ? {} : { weight: Number(weight) }
}

/** Fonts that CSS can't name have private names, so that a document looks the same whichever fonts earlier ones have used. */
function familyOf(font: string): string {
  return Object.entries(packages).find(([, fontOfPackage]) => fontOfPackage === font)?.[0] ?? `tintype ${font}`
}
