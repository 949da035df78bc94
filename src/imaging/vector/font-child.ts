/** A program of a process pool: draws every character of a font, and returns its properties. */
import { createCanvas, GlobalFonts, type TextMetrics } from '@napi-rs/canvas'
import { create, type Font } from 'fontkitten'
import { Fault, failure } from '../../errors.ts'
import { serveJobs } from '../../processes/pool-program.ts'
import { formatCoverage } from './coverage.ts'
import type { FontJob } from './font-check.ts'

/** Multiples of the size. Noto Nastaliq Urdu, the tallest of the common fonts, has a line height of 2.5. */
const heightMax = 8

const charactersAtOnce = 64

/**
 * CPU time for a line of characters at one size. Common fonts take 5 to 10 ms; outlines of many thousand crossing
 * points take minutes, and drawing text blocks others.
 */
const microsecondsMax = 400_000

serveJobs(async ({ bytes: sent, charactersBytesMax }: FontJob) => {
  const bytes = Buffer.from(sent.buffer, sent.byteOffset, sent.length)
  try {
    const font = create(bytes) as Font & { directory: { tables: Record<string, unknown> } }
    checkTables(font.directory.tables)
    const facts = factsOf(font)
    if (GlobalFonts.register(bytes, 'uploaded') === null) refuse("The font is corrupt: it can't be read.")
    const characters = formatCoverage(new Set(font.characterSet))
    if (characters.length > charactersBytesMax)
      refuse('The characters of the font are in too many separate ranges. Use a font with fewer characters.')
    drawAll(font.characterSet, [facts.weightMin, facts.weightMax])
    return { ...facts, characters }
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    throw failure('input_invalid', "The font is corrupt: it can't be drawn.", { cause })
  }
})

/** Outlines only: embedded bitmaps and SVG drawings would be decoded without any checks. */
function checkTables(tables: Record<string, unknown>): void {
  const images = ['sbix', 'CBDT', 'EBDT', 'SVG '].filter((tag) => tag in tables)
  if (images.length > 0)
    refuse(
      `The font contains images (${images.map((tag) => tag.trim()).join(', ')}), which are not supported. Use a font with outlines.`,
    )
  if (!['glyf', 'CFF ', 'CFF2'].some((tag) => tag in tables)) refuse('The font has no outlines.')
  for (const tag of ['cmap', 'head', 'hhea', 'hmtx', 'maxp', 'name'])
    if (!(tag in tables)) refuse(`The font is corrupt: its table ${tag} is missing.`)
}

function factsOf(font: Font) {
  // Families with more than four styles have a preferred name in addition to the old one.
  const family = plain(font.getName('preferredFamily') ?? font.familyName)
  if (family === '') refuse('The font has no name of a family.')
  if (font.characterSet.length === 0) refuse('The font has no characters.')
  const os2 = font['OS/2'] as Partial<Font['OS/2']> | undefined
  const { min, max } = font.variationAxes.wght ?? { min: os2?.usWeightClass ?? 400, max: os2?.usWeightClass ?? 400 }
  const italic = os2?.fsSelection?.italic === true || os2?.fsSelection?.oblique === true || font.italicAngle !== 0
  return { family, weightMin: weight(min), weightMax: weight(max), italic }
}

/** The bounds of CSS. */
function weight(value: number): number {
  return Math.min(1_000, Math.max(1, Math.round(value)))
}

function plain(name: string | null): string {
  return [...(name ?? '').replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim()].slice(0, 100).join('')
}

/** All characters in every way that text is drawn: filled and outlined, small and large, thin and bold. */
function drawAll(characters: number[], weights: number[]): void {
  const texts = Array.from({ length: Math.ceil(characters.length / charactersAtOnce) }, (_, line) =>
    String.fromCodePoint(...characters.slice(line * charactersAtOnce, (line + 1) * charactersAtOnce).filter(isScalar)),
  )
  const pen = createCanvas(2_000, 100).getContext('2d')
  for (const value of new Set(weights)) {
    pen.fontVariationSettings = `"wght" ${value}`
    for (const size of [11, 60]) {
      pen.font = `${size}px "uploaded"`
      for (const text of texts) {
        const before = process.cpuUsage()
        checkHeights(pen.measureText(text), size)
        pen.fillText(text, 0, 50)
        pen.strokeText(text, 0, 50)
        // Drawing is deferred until pixels are read.
        pen.getImageData(0, 0, 1, 1)
        const { user, system } = process.cpuUsage(before)
        if (user + system > microsecondsMax) refuse('The font is too complex: drawing its outlines takes too long.')
      }
    }
  }
}

/** Extreme heights are damage, and would make images of thousands of lines. */
function checkHeights(measured: TextMetrics, size: number): void {
  const line = measured.fontBoundingBoxAscent + measured.fontBoundingBoxDescent
  const ink = Math.max(measured.actualBoundingBoxAscent, measured.actualBoundingBoxDescent)
  if (!(line > size / 4 && line < size * heightMax && ink < size * heightMax))
    refuse('The font is corrupt: its characters or lines have an invalid height.')
}

function isScalar(codePoint: number): boolean {
  return codePoint <= 0x10ffff && (codePoint < 0xd800 || codePoint > 0xdfff)
}

function refuse(message: string): never {
  throw failure('input_invalid', message)
}
