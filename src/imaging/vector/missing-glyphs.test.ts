import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import fc from 'fast-check'
import { Fault } from '../../errors.ts'
import { formatCoverage, loadCoverage, parseCoverage } from './coverage.ts'
import { charactersOf } from './font-characters.ts'
import { facesFor } from './fonts.ts'
import { findMissing, reportMissing } from './missing-glyphs.ts'
import { packagedFiles } from './packaged-fonts.ts'

const languages = [
  ...['Zażółć gęślą jaźń', 'Đẹp tuyệt vời', 'Çalışkan ığdır', 'Ẹ káàbọ̀ ọ̀rẹ́', 'Þú ætlar', 'Ħobża Malti', 'Ɗan Hausa'],
  ...['Ξεσκεπάζω τὴν ψυχοφθόρα', 'Съешь же ещё этих', 'Ґанок їжак', 'Қазақ тілі ңғү', 'Монгол хэл өү'],
  ...['Բարեւ աշխարհ', 'გამარჯობა მსოფლიო', 'שָׁלוֹם עוֹלָם', 'مَرْحَبًا بالعالم', 'سلام دنیا چگونه', 'ہیلو دنیا ٹھیک'],
  ...['ދިވެހި ބަސް', 'ሰላም ዓለም፣ እንዴት', 'नमस्ते दुनिया क्ष', 'मराठी ळ ऱ्य', 'ওহে বিশ্ব ক্ষমা', 'অসমীয়া ৰ ৱ', 'ਸਤ ਸ੍ਰੀ ਅਕਾਲ'],
  ...['નમસ્તે દુનિયા', 'ନମସ୍କାର ଓଡ଼ିଆ', 'வணக்கம் உலகம்', 'హలో ప్రపంచం', 'ನಮಸ್ಕಾರ ಪ್ರಪಂಚ', 'ഹലോ ലോകം', 'හෙලෝ ශ්‍රී'],
  ...['สวัสดีชาวโลก', 'ສະບາຍດີຊາວໂລກ', 'សួស្តីពិភពលោក', 'မင်္ဂလာပါကမ္ဘာလောက', 'བཀྲ་ཤིས་བདེ་ལེགས།', '你好世界', '臺灣ㄅㄆㄇ'],
  ...['こんにちはカナ', '안녕하세요', '→ ★ ✓ ☕ 😀 3️⃣ ❤️‍🔥 ₹ ৳ €'],
]

const noFont = async () => []

test('the included fonts have the characters of forty languages', async () => {
  assert.ok(languages.length >= 40)
  for (const text of languages) assert.deepEqual(await findMissing(text, noFont), [], text)
})

test('finds characters that no font has, each once, and no invisible ones', async () => {
  assert.deepEqual(await findMissing('a ꦗꦗꦮ b \u{e000}\u{10ffff}\u200b\u200d\ufe0f\t\n\u3000\ud800', noFont), [
    'ꦗ',
    'ꦮ',
    '\u{e000}',
    '\u{10ffff}',
  ])
})

test('an accent counts with its letter: as one character, or as parts if a font has both', async () => {
  for (const text of ['g\u0306', 'a\u030a', 'Vie\u0323\u0302t', 'e\u0302\u0300', 'o\u031b'])
    assert.deepEqual(await findMissing(text, noFont), [], text)
  const parts = 'A\u030a'
  assert.deepEqual(
    await findMissing('\u212b', async () => [parseCoverage(formatCoverage(new Set(charCodes(parts))))]),
    [],
  )
  assert.deepEqual(await findMissing('ꦗ\u0301', noFont), ['ꦗ'])
})

const charCodes = (text: string) => [...text].map((char) => char.codePointAt(0) ?? 0)

test('the font of the text has characters that the fallback fonts lack', async () => {
  // U+0526 is in Lora, not in the fonts that the list covers.
  const style = { weight: 400, italic: false, language: 'auto' } as const
  assert.deepEqual((await facesFor('Ԧꦗ', { ...style, font: 'Lora' }, {})).missing, ['ꦗ'])
  assert.deepEqual((await facesFor('Ԧꦗ', { ...style, font: 'Inter' }, {})).missing, ['Ԧ', 'ꦗ'])
  const file = createRequire(import.meta.url).resolve('@fontsource/lora/files/lora-cyrillic-ext-400-normal.woff2')
  const uploaded = { id: 'font_1', accountId: 'acct', family: 'House', weightMin: 400, weightMax: 400, italic: false }
  const read = () => readFile(file)
  let reads = 0
  const characters = async () => {
    reads += 1
    return formatCoverage(charactersOf(await read()))
  }
  const fonts = async () => [{ ...uploaded, read, characters }]
  const all = await fonts()
  const faces = await facesFor('Ԧꦗ', { ...style, font: 'House' }, { fonts: async () => all })
  const again = await facesFor('Ԧ', { ...style, font: 'House', weight: 700 }, { fonts: async () => all })
  again.release()
  assert.deepEqual([again.missing, reads], [[], 1])
  faces.release()
  assert.deepEqual(faces.missing, ['ꦗ'])
})

test('the list is that of the installed packages', async () => {
  const text = readFileSync(new URL('glyph-coverage.txt', import.meta.url), 'utf8')
  const listed = [...text.matchAll(/^# (.+@[\d.]+)$/gm)].map(([, name]) => name)
  const files = await packagedFiles()
  assert.deepEqual(listed, [...new Set(files.map(({ fontPackage }) => fontPackage))].sort())
  const { has } = await loadCoverage()
  for (const name of ['inter-latin-400', 'tamil-tamil', 'noto-sans-sc-4-', 'twemoji', 'symbols-2-symbols']) {
    const file = files.find(({ path }) => path.includes(name))
    assert.ok(file, name)
    for (const codePoint of charactersOf(await readFile(file.path)))
      if (file.declares(codePoint)) assert.ok(has(codePoint), `${name} U+${codePoint.toString(16)}`)
  }
})

test('the fonts have all characters for which the list is not read', async () => {
  const { has } = await loadCoverage()
  for (const [from, to] of [
    [0xa1, 0xac],
    [0xae, 0x148],
    [0x14a, 0x17f],
    [0x2013, 0x2014],
    [0x2018, 0x201a],
    [0x201c, 0x201e],
    [0x2022, 0x2022],
    [0x2026, 0x2026],
    [0x20ac, 0x20ac],
    [0x2122, 0x2122],
  ] as const)
    for (let codePoint = from; codePoint <= to; codePoint += 1) assert.ok(has(codePoint), codePoint.toString(16))
})

test('a list of characters survives being written and read', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(0x10ffff)), (codePoints) => {
      const { has } = parseCoverage(formatCoverage(new Set(codePoints)))
      for (const codePoint of codePoints) {
        assert.ok(has(codePoint))
        if (!codePoints.includes(codePoint + 1)) assert.ok(!has(codePoint + 1))
        if (!codePoints.includes(codePoint - 1)) assert.ok(!has(codePoint - 1))
      }
    }),
  )
})

test('reports missing characters as a warning or as an error, and never more than a few by name', () => {
  const warnings: string[] = []
  const context = { warn: (warning: string) => void warnings.push(warning) }
  reportMissing([], 'error', context)
  reportMissing(['ꦗ', 'ꦗ'], 'warn', context)
  reportMissing([...'ꦗꦮꦏꦒꦔꦕꦖꦘꦙꦚ'], 'warn', context)
  assert.equal(warnings.length, 2)
  assert.match(warnings[0] ?? '', /^No font has the character ꦗ \(U\+A997\)\./)
  assert.match(warnings[1] ?? '', /U\+A9AE.* and 2 more\./)
  assert.throws(
    () => reportMissing(['\u{e000}'], 'error', context),
    (error) => error instanceof Fault && error.details.reason === 'input_invalid' && /U\+E000/.test(error.message),
  )
  assert.equal(warnings.length, 2)
})
