import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { AccountFont } from '../types.ts'
import { borrowFont } from './account-fonts.ts'
import { loadCanvas } from './canvas.ts'
import { packages } from './families.ts'
import { packagedFaces } from './packaged-fonts.ts'

const bytes = readFileSync(
  new URL('../../../node_modules/@fontsource/anton/files/anton-latin-400-normal.woff2', import.meta.url),
)
/** A file as large as an upload may be: a font, and room behind its end. */
const large = Buffer.concat([
  readFileSync(new URL('../../../node_modules/bwip-js/fonts/OCRB7.ttf', import.meta.url)),
  Buffer.alloc(10_000_000),
])
let reads = 0

function font(id: string, of = bytes, accountId = 'acct'): AccountFont {
  return {
    id,
    accountId,
    family: 'House',
    weightMin: 400,
    weightMax: 400,
    italic: false,
    async read() {
      reads += 1
      return of
    },
    characters: async () => '',
  }
}

test('reads a font once for all borrowers, and keeps it for the next one', async () => {
  const before = reads
  const [first, second] = await Promise.all([borrowFont(font('font_a')), borrowFont(font('font_a'))])
  assert.equal(first.name, second.name)
  first.release()
  second.release()
  ;(await borrowFont(font('font_a'))).release()
  assert.equal(reads, before + 1)
})

test('two fonts of one family have different names', async () => {
  const [first, second] = [await borrowFont(font('font_b')), await borrowFont(font('font_c'))]
  assert.notEqual(first.name, second.name)
  first.release()
  second.release()
})

test('removing a font removes no other font, not even one with the same bytes', async () => {
  const { GlobalFonts } = await loadCanvas()
  const { names: shipped } = await packagedFaces('A', {
    first: packages.Anton,
    weight: 400,
    italic: false,
    language: 'ja',
  })
  const kept = await borrowFont(font('font_kept'))
  const fillers = Array.from({ length: 8 }, (_, i) => font(`font_filler_${i}`, large))
  ;(await borrowFont(font('font_gone'))).release()
  for (const filler of fillers) (await borrowFont(filler)).release()
  const there = (name = '') => GlobalFonts.has(name)
  assert.deepEqual([there('tintype font_gone'), there(kept.name), there(shipped[0])], [false, true, true])
  kept.release()
})

test('an account with many fonts takes no memory from the fonts of another account', async () => {
  const { GlobalFonts } = await loadCanvas()
  ;(await borrowFont(font('font_other', bytes, 'other'))).release()
  for (let i = 0; i < 10; i += 1) (await borrowFont(font(`font_many_${i}`, large))).release()
  assert.ok(GlobalFonts.has('tintype font_other'))
  assert.ok(!GlobalFonts.has('tintype font_many_5'))
})

test('a font that cannot be read is requested again the next time', async () => {
  await assert.rejects(borrowFont(font('font_d', Buffer.from('none'))), /"font_d" \(House\) can't be read/)
  ;(await borrowFont(font('font_d'))).release()
})

test('keeps a limited number of bytes of unused fonts, and all fonts in use', async () => {
  const { GlobalFonts } = await loadCanvas()
  const used = await borrowFont(font('font_used', large))
  for (let i = 0; i < 10; i += 1) (await borrowFont(font(`font_${i}`, large))).release()
  const there = (id: string) => GlobalFonts.has(`tintype ${id}`)
  assert.ok(there('font_used') && there('font_9') && !there('font_0') && !there('font_1'))
  used.release()
})
