import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checker } from '../../domain/validate.ts'
import { Fault } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Picture, Pixels } from '../define.ts'
import { pixelsOf } from '../raster/picture.ts'
import { contextFor, painted } from '../raster/test-pictures.ts'
import { facesFor } from '../vector/fonts.ts'
import { text } from './text.ts'

const context = contextFor()
const white = painted(200, 100, () => [255, 255, 255])

test('a text without an image and a box is as large as it is, and transparent around its characters', async () => {
  const short = await draw({ text: 'Hi', size: 40 })
  const long = await draw({ text: 'Hi there', size: 40 })
  assert.equal(short.channels, 4)
  assert.equal(short.height, 48)
  assert.ok(long.width > short.width + 40)
  assert.equal(short.data[3], 0)
  assert.ok(short.data.some((value, at) => at % 4 === 3 && value === 255))
})

test('a text alone is not cut by its own picture, neither its slant nor its outline', async () => {
  for (const style of [{ italic: true, font: 'Playfair Display' }, { outlineWidth: 12 }]) {
    const pixels = await draw({ text: 'fjord', size: 60, ...style })
    const { width, height, data } = pixels
    for (let y = 0; y < height; y += 1) {
      assert.ok((data[y * width * 4 + 3] ?? 0) < 200, `cut on the left at ${y}`)
      assert.ok((data[(y * width + width - 1) * 4 + 3] ?? 0) < 200, `cut on the right at ${y}`)
    }
  }
})

test('a text in a box without an image is a picture of the size of the box', async () => {
  const pixels = await draw({ text: 'Hello', box: { x: 300, y: 40, width: 70, height: 30 } })
  assert.deepEqual([pixels.width, pixels.height], [70, 30])
  assert.ok(inkRows(pixels).length > 5)
})

test('a text on an image changes only what lies around its box', async () => {
  const pixels = await draw({ text: 'Hello', size: 20, box: { x: 100, y: 60, width: 90, height: 30 } }, white)
  assert.deepEqual([pixels.width, pixels.height, pixels.channels], [200, 100, 3])
  const dark = darkPixels(pixels)
  assert.ok(dark.length > 20)
  assert.ok(dark.every(([x, y]) => x >= 100 && x < 190 && y >= 60 && y < 90))
})

const places = [
  ['left', 'top', (x: number, y: number) => x < 100 && y < 50],
  ['right', 'bottom', (x: number, y: number) => x >= 100 && y >= 50],
  ['center', 'middle', (x: number, y: number) => x > 60 && x < 140 && y > 25 && y < 75],
] as const

for (const [align, verticalAlign, isThere] of places) {
  test(`align ${align} and ${verticalAlign} put the text there`, async () => {
    const dark = darkPixels(await draw({ text: 'Hello', size: 20, align, verticalAlign }, white))
    assert.ok(dark.length > 20 && dark.every(([x, y]) => isThere(x, y)))
  })
}

test('an empty text leaves the image as it is', async () => {
  const { image } = await text.run({ image: white }, params({ text: '' }), context)
  assert.equal(image, white)
})

test('no text, no box and no image is refused', async () => {
  await assert.rejects(draw({ text: ' ' }), (error: unknown) => error instanceof Fault && /no text/.test(error.message))
})

test('a text longer than allowed is refused before it is drawn', () => {
  const issues = checker(text.params)({ text: 'a'.repeat(limits.textCharsMax + 1) })
  assert.equal(issues[0]?.path, 'text')
})

test('the longest text is laid out and drawn, with words and without', async () => {
  for (const long of ['a'.repeat(limits.textCharsMax), 'lorem ipsum '.repeat(400)]) {
    const pixels = await draw({ text: long, box: { width: 300, height: 300 } })
    assert.ok(inkRows(pixels).length > 100)
  }
})

test('every weight and family gives other characters', async () => {
  const seen = new Set<string>()
  for (const style of [
    { weight: 400 },
    { weight: 900 },
    { italic: true },
    { font: 'Lora' },
    { font: 'Anton' },
    { font: 'JetBrains Mono' },
    { font: 'Oswald' },
    { font: 'Playfair Display' },
  ]) {
    const { data } = await draw({ text: 'Rag', size: 40, box: { width: 120, height: 60 }, ...style })
    seen.add(data.toString('base64'))
  }
  assert.equal(seen.size, 8)
})

test('only the fonts of the scripts of a text are loaded', async () => {
  const style = { font: 'Inter', weight: 400, italic: false, language: 'auto' } as const
  const { names } = await facesFor('Hello', style, context)
  assert.deepEqual(names, ['tintype @fontsource/inter/files/inter-latin-400-normal.woff2'])
  const mixed = (await facesFor('Hi Привет 日 שלום 😀', { ...style, weight: 650 }, context)).names
  for (const script of ['latin-600', 'cyrillic-600', 'noto-sans-sc', 'hebrew-600', 'twemoji']) {
    assert.ok(
      mixed.some((face) => face.includes(script)),
      `${script} in ${mixed.join(' ')}`,
    )
  }
})

function params(given: Record<string, unknown>) {
  const filled = structuredClone(given)
  assert.deepEqual(checker(text.params)(filled), [])
  return filled
}

async function draw(given: Record<string, unknown>, image?: Picture): Promise<Pixels> {
  const result = await text.run({ image }, params(given), context)
  assert.ok(result.image)
  return pixelsOf(result.image, context)
}

function darkPixels({ data, width, channels }: Pixels): [number, number][] {
  const found: [number, number][] = []
  for (let at = 0; at < data.length; at += channels) {
    const pixel = at / channels
    if ((data[at] ?? 255) < 100) found.push([pixel % width, Math.floor(pixel / width)])
  }
  return found
}

function inkRows({ data, width, height }: Pixels): number[] {
  return Array.from({ length: height }, (_, y) => y).filter((y) =>
    data.subarray(y * width * 4, (y + 1) * width * 4).some((value, at) => at % 4 === 3 && value > 50),
  )
}
