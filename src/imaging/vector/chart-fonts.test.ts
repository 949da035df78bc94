import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadCanvas } from './canvas.ts'
import { createChartFonts } from './chart-fonts.ts'
import { facesFor } from './fonts.ts'
import { familyList } from './text-style.ts'

const text = `Q1 ${Array.from({ length: 30 }, (_, i) => String.fromCodePoint(0x4e00 + i * 97)).join('')} 2026`

async function prepared() {
  const { createCanvas } = await loadCanvas()
  const faces = await facesFor(text, { font: 'Inter', weight: 400, italic: false, language: 'ja' }, {})
  assert.ok(faces.namesOfLarge, 'more families than one list has')
  const fonts = createChartFonts(createCanvas(1, 1).getContext('2d'), [faces])
  return { createCanvas, fonts, font: `20px ${familyList(faces.names)}` }
}

for (const [align, share] of [
  ['left', 0],
  ['center', 0.5],
  ['right', 1],
] as const) {
  test(`a text in many families is drawn as wide as it is measured, aligned ${align}`, async () => {
    const { createCanvas, fonts, font } = await prepared()
    const canvas = createCanvas(2_000, 40)
    const pen = canvas.getContext('2d')
    fonts.useFor(pen)
    pen.font = font
    pen.textAlign = align
    const before = pen.font
    pen.fillText(text, 1_000, 30)
    assert.deepEqual([pen.font, pen.textAlign], [before, align])
    const width = fonts.widthsOf(font).of(text)
    assert.ok(width > 30 * 20)
    const columns = [...canvas.data()].flatMap((value, at) => (at % 4 === 3 && value > 100 ? [(at >> 2) % 2_000] : []))
    const [first, last] = [columns.reduce((a, b) => Math.min(a, b)), columns.reduce((a, b) => Math.max(a, b))]
    assert.ok(Math.abs(first - (1_000 - width * share)) < 4, `${first}`)
    assert.ok(Math.abs(last - (1_000 + width * (1 - share))) < 4, `${last}`)
  })
}
