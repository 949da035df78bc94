/** docs/characters.md: the scripts and the emoji that the bundled fonts have. */
import { readFileSync } from 'node:fs'
import { loadCoverage } from '../../src/imaging/vector/coverage.ts'
import { unsplit } from '../../src/imaging/vector/emoji-font.ts'
import { createRuler } from '../../src/imaging/vector/measure-text.ts'
import { emojiFace, packagedFaces } from '../../src/imaging/vector/packaged-fonts.ts'
import { presentations } from '../../src/imaging/vector/prepare-text.ts'
import { grouped, pageHead, table } from './markdown.ts'

/** UAX #31, table 5: the scripts that Unicode recommends for general use. */
export const recommendedScripts = [
  ...[
    'Arabic',
    'Armenian',
    'Bengali',
    'Bopomofo',
    'Cyrillic',
    'Devanagari',
    'Ethiopic',
    'Georgian',
    'Greek',
    'Gujarati',
  ],
  ...['Gurmukhi', 'Han', 'Hangul', 'Hebrew', 'Hiragana', 'Kannada', 'Katakana', 'Khmer', 'Lao', 'Latin', 'Malayalam'],
  ...['Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thaana', 'Thai', 'Tibetan'],
]

/** The fully-qualified sequences of Unicode's emoji-test.txt. */
export const emojiSequences = readFileSync(new URL('../../src/imaging/vector/test-emoji.txt', import.meta.url), 'utf8')
  .replace(/^#.*\n/, '')
  .trim()
  .split(/\s+/)

/** Sequences that the emoji font doesn't have: they are drawn as several glyphs, or as a box. */
export async function missingSequences(): Promise<string[]> {
  const { names } = await packagedFaces(emojiSequences.join(''), { weight: 400, italic: false, language: 'ja' })
  const plain = {
    ...{ names, language: 'en', weight: 400, size: 1 },
    ...{ color: undefined, background: undefined, underline: false, strike: false },
  }
  const emoji = { ...plain, names: [emojiFace], line: plain }
  const ruler = await createRuler(0)
  return emojiSequences.filter((sequence) => {
    const [run, ...more] = presentations(sequence)
    return run === undefined || more.length > 0 || ruler.widthOf(unsplit(run.text), emoji) !== 1
  })
}

export async function charactersPage(): Promise<string> {
  const { has } = await loadCoverage()
  const scripts = recommendedScripts.map((script) => {
    const isOf = new RegExp(`\\p{sc=${script}}`, 'u')
    const all = allCodePoints.filter((codePoint) => isOf.test(String.fromCodePoint(codePoint)))
    const found = all.filter(has).length
    return [script, grouped(found), grouped(all.length)]
  })
  const missing = await missingSequences()
  const lines = Array.from({ length: Math.ceil(missing.length / 25) }, (_, line) =>
    missing.slice(line * 25, line * 25 + 25).join(' '),
  )
  return `${pageHead('Characters of the included fonts', 'the fonts and scripts/derive/characters.ts')}
Text in any of these scripts needs no other font. A character that no font has may be drawn as a box, and
[a warning names it](guide/text.md#missing-characters).

## Scripts

The scripts that [Unicode recommends for general use](https://www.unicode.org/reports/tr31/#Table_Recommended_Scripts). The missing characters of a
script are historical, phonetic or used by minority languages.

${table(['Script', 'Included characters', 'Characters in Unicode'], scripts)}
## Emoji

Of the ${grouped(emojiSequences.length)} fully-qualified sequences of Unicode 17.0, ${grouped(emojiSequences.length - missing.length)} are drawn as one glyph. The emoji font is Twemoji 15.0, which
doesn't have these ${missing.length} sequences of later versions:

${lines.join('\n')}
`
}

const allCodePoints = Array.from({ length: 0x32000 }, (_, codePoint) => codePoint).filter(
  (codePoint) => codePoint < 0xd800 || codePoint > 0xdfff,
)
