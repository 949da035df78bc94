import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { imageFromBytes, imageFromPixels, pixelsOf, sharpOf, toPixels } from '../../imaging/raster/image.ts'
import { contextFor } from '../../imaging/raster/test-images.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import { checkLines } from '../../local-models/read-text.ts'
import { rowsOf, type TextLine } from '../../local-models/reading-order.ts'
import { cornersOf, smallestAround } from '../../local-models/slanted.ts'
import { decodeText } from '../../local-models/spelling.ts'
import { testWithModels } from '../../local-models/test-models.ts'
import { regionsOf } from '../../local-models/text-regions.ts'
import { wordGaps } from '../../local-models/word-gaps.ts'
import { ocr } from './ocr.ts'

const context = contextFor({ secondsLeft: () => 120 })
const receipt = await imageFromBytes(
  await readFile(new URL('../../../examples/samples/receipt.png', import.meta.url)),
  context,
)

testWithModels('reads a tilted receipt row by row, with its spaces', async () => {
  const { text, count, lines } = await read(receipt)
  assert.equal(text, 'BLUE DOOR CAFE\n2 Espresso 4.80\n1 Oat latte 3.90\n1 Walnut cake 4.50\nTOTAL 13.20')
  assert.equal(count, (lines as TextLine[]).length)
  const total = (lines as TextLine[]).at(-1)
  assert.ok(total && total.text === '13.20' && total.x > 190 && total.y > 165 && total.x + total.width <= 300)
})

testWithModels('reads text that runs downwards', async () => {
  const turned = await toPixels(context, (await sharpOf(await pixelsOf(receipt, context))).rotate(90))
  const { text } = await read(imageFromPixels(turned))
  for (const word of ['TOTAL', 'Walnut', 'BLUE DOOR CAFE']) assert.ok(String(text).includes(word), String(text))
})

testWithModels('reads nothing from an image without text', async () => {
  const cat = await imageFromBytes(
    await readFile(new URL('../../../examples/samples/cat.jpg', import.meta.url)),
    context,
  )
  const { text, count, lines, image } = await read(cat)
  assert.deepEqual([text, count, lines, image === cat], ['', 0, [], true])
})

test('rejects more pieces of text than the limit, with both numbers', () => {
  checkLines(limits.ocrLinesMax)
  assert.throws(() => checkLines(limits.ocrLinesMax + 1), /501 areas of text; the maximum is 500/)
})

test('decodes steps without blanks and repetitions, with spaces in gaps between words only', () => {
  const letters = ['', 'a', 'b', '.', '中']
  const spell = (indexes: number[], gaps: number[] = []) =>
    decodeText({ indexes, values: indexes.map(() => 0.5) }, letters, gaps).text
  assert.equal(spell([1, 1, 0, 1, 2, 2]), 'aab')
  assert.equal(spell([1, 0, 0, 0, 2], [2]), 'a b')
  assert.equal(spell([1, 0, 0, 0, 3], [2]), 'a.')
  assert.equal(spell([4, 0, 0, 0, 4], [2]), '中中')
})

test('gaps between words are wider than the usual ones', () => {
  // Strokes of 4 pixels, 3 apart; after every third, 12.
  const starts = [0, 7, 14, 30, 37, 44, 60, 67, 74]
  const [width, height] = [80, 48]
  const data = new Uint8Array(width * height * 3).fill(240)
  for (let y = 10; y < 40; y += 1) {
    for (const start of starts) data.fill(20, (y * width + start) * 3, (y * width + start + 4) * 3)
  }
  assert.deepEqual(wordGaps({ data, width, height }, width), [24, 54])
})

test('the region of a slanted bar is that bar, extended on all sides', async () => {
  const [width, height, angle] = [200, 120, Math.PI / 9]
  const levels = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const along = (x + 0.5 - 100) * Math.cos(angle) + (y + 0.5 - 60) * Math.sin(angle)
      const across = (y + 0.5 - 60) * Math.cos(angle) - (x + 0.5 - 100) * Math.sin(angle)
      if (Math.abs(along) <= 60 && Math.abs(across) <= 8) levels[y * width + x] = 255
    }
  }
  const [region, ...others] = await regionsOf(levels, { width, height }, context)
  assert.ok(region && others.length === 0)
  const grown = (120 * 16 * 1.6) / (120 + 16)
  assert.ok(
    Math.abs(region.width - 120 - grown) < 4 && Math.abs(region.height - 16 - grown) < 4,
    JSON.stringify(region),
  )
  assert.ok(Math.abs(Math.atan2(region.along.y, region.along.x) - angle) < 0.03)
  assert.ok(Math.hypot(region.center.x - 100, region.center.y - 60) < 1)
})

test('the smallest rectangle around the corners of a rectangle is itself, rotated by at most 45 degrees', () => {
  for (const angle of [0, 0.3, -0.6, 1.2, 3]) {
    const along = { x: Math.cos(angle), y: Math.sin(angle) }
    const found = smallestAround(cornersOf({ center: { x: 5, y: 7 }, along, width: 30, height: 10 }))
    assert.ok(Math.abs(found.width * found.height - 300) < 1e-6)
    assert.ok(found.along.x > 0 && Math.abs(found.along.y) <= found.along.x + 1e-6)
    assert.ok(Math.hypot(found.center.x - 5, found.center.y - 7) < 1e-6)
  }
})

test('sorts pieces of one row from the left, and rows from the top', () => {
  const piece = (text: string, x: number, y: number): TextLine => ({ text, x, y, width: 10, height: 10, score: 1 })
  const rows = rowsOf([piece('d', 0, 30), piece('b', 50, 2), piece('c', 90, 0), piece('a', 0, 4)])
  assert.deepEqual(
    rows.map((row) => row.map(({ text }) => text).join('')),
    ['abc', 'd'],
  )
})

async function read(image: ImageValue) {
  return ocr.run({ image }, { draw: 'nothing', color: '#f00', minScore: 0.65 }, context)
}
