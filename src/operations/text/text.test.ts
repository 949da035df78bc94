import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checker } from '../../domain/validate.ts'
import { Fault } from '../../errors.ts'
import { solidColor } from '../../imaging/raster/draw/fill.ts'
import { pixelsOf } from '../../imaging/raster/image.ts'
import { contextFor, painted } from '../../imaging/raster/test-images.ts'
import type { ImageValue, Pixels } from '../../imaging/types.ts'
import { drawText } from '../../imaging/vector/draw-text.ts'
import { facesFor } from '../../imaging/vector/fonts.ts'
import type { TextStyle } from '../../imaging/vector/text-style.ts'
import { limits } from '../../limits.ts'
import { text } from './text.ts'

const context = contextFor()
const white = painted(200, 100, () => [255, 255, 255])

test('a text without an image and a box has its own size, and is transparent around its characters', async () => {
  const short = await draw({ text: 'Hi', size: 40 })
  const long = await draw({ text: 'Hi there', size: 40 })
  assert.equal(short.channels, 4)
  assert.equal(short.height, 48)
  assert.ok(long.width > short.width + 40)
  assert.equal(short.data[3], 0)
  assert.ok(short.data.some((value, at) => at % 4 === 3 && value === 255))
})

test('a text alone is not cropped, including its slant and its outline', async () => {
  for (const style of [{ italic: true, font: 'Playfair Display' }, { outlineWidth: 12 }]) {
    const pixels = await draw({ text: 'fjord', size: 60, ...style })
    const { width, height, data } = pixels
    for (let y = 0; y < height; y += 1) {
      assert.ok((data[y * width * 4 + 3] ?? 0) < 200, `cut on the left at ${y}`)
      assert.ok((data[(y * width + width - 1) * 4 + 3] ?? 0) < 200, `cut on the right at ${y}`)
    }
  }
})

test('a text in a box without an image is an image of the size of the box', async () => {
  const pixels = await draw({ text: 'Hello', box: { x: 300, y: 40, width: 70, height: 30 } })
  assert.deepEqual([pixels.width, pixels.height], [70, 30])
  assert.ok(inkRows(pixels).length > 5)
})

test('a text on an image changes only the surroundings of its box', async () => {
  const pixels = await draw({ text: 'Hello', size: 20, box: { x: 100, y: 60, width: 90, height: 30 } }, white)
  assert.deepEqual([pixels.width, pixels.height, pixels.channels], [200, 100, 3])
  const dark = darkPixels(pixels)
  assert.ok(dark.length > 20)
  assert.ok(dark.every(([x, y]) => x >= 100 && x < 190 && y >= 60 && y < 90))
})

const positions = [
  ['left', 'top', (x: number, y: number) => x < 100 && y < 50],
  ['right', 'bottom', (x: number, y: number) => x >= 100 && y >= 50],
  ['center', 'middle', (x: number, y: number) => x > 60 && x < 140 && y > 25 && y < 75],
] as const

for (const [align, verticalAlign, isThere] of positions) {
  test(`align ${align} and ${verticalAlign} position the text`, async () => {
    const dark = darkPixels(await draw({ text: 'Hello', size: 20, align, verticalAlign }, white))
    assert.ok(dark.length > 20 && dark.every(([x, y]) => isThere(x, y)))
  })
}

test('an empty text does not change the image', async () => {
  const { image } = await text.run({ image: white }, params({ text: '' }), context)
  assert.equal(image, white)
})

test('rejects an empty text without a box and an image', async () => {
  await assert.rejects(
    draw({ text: ' ' }),
    (error: unknown) => error instanceof Fault && /"text" is empty/.test(error.message),
  )
})

test('rejects a text above the length limit before it is drawn', () => {
  const issues = checker(text.params)({ text: 'a'.repeat(limits.textCharsMax + 1) })
  assert.equal(issues[0]?.path, 'text')
})

test('draws the longest text, with and without words', async () => {
  for (const long of ['a'.repeat(limits.textCharsMax), 'lorem ipsum '.repeat(400)]) {
    const pixels = await draw({ text: long, box: { width: 300, height: 300 } })
    assert.ok(inkRows(pixels).length > 100)
  }
})

test('every weight and family has different glyphs', async () => {
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

test('a gradient spans the entire text, and stays inside its characters', async () => {
  const params = { text: 'HHHH\nHHHH', size: 40, weight: 900, lineHeight: 1 }
  const plain = await draw(params)
  const pixels = await draw({ ...params, gradient: { from: '#f00', to: '#00f', angle: 90 } })
  const solid = solidPixels(pixels)
  assert.deepEqual(
    solid.map(([x, y]) => [x, y]),
    solidPixels(plain).map(([x, y]) => [x, y]),
  )
  for (const [x, , red, , blue] of solid) {
    const share = x / pixels.width
    assert.ok(Math.abs(red - 255 * (1 - share)) < 12 && Math.abs(blue - 255 * share) < 12, `${x}: ${red}, ${blue}`)
  }
})

test('a shadow is behind the text, with its offset and blur', async () => {
  const params = { text: 'Ill', size: 40, weight: 900, color: '#f00' }
  const [plain, sharp] = [await draw(params), await draw({ ...params, shadow: { x: 7, y: 5, color: '#00f' } })]
  assert.deepEqual([sharp.width, sharp.height], [plain.width + 7, plain.height + 5])
  const red = solidPixels(sharp).filter(([, , r]) => r > 250)
  assert.deepEqual(
    red.map(([x, y]) => `${x},${y}`),
    solidPixels(plain).map(([x, y]) => `${x},${y}`),
  )
  const inRed = new Set(red.map(([x, y]) => `${x},${y}`))
  const blue = solidPixels(sharp).filter(([, , r, , b]) => r < 5 && b > 250)
  assert.ok(blue.length > 50 && blue.every(([x, y]) => inRed.has(`${x - 7},${y - 5}`)))
  const soft = await draw({ ...params, shadow: { blur: 20, color: '#00f' } })
  assert.deepEqual([soft.width, soft.height], [plain.width + 60, plain.height + 60])
})

test('an image with a background ends with it, however much a shadow is blurred', async () => {
  const { width, height, data } = await draw({ text: 'a', size: 40, shadow: { blur: 90 }, background: { padding: 5 } })
  for (const at of [0, width - 1, (height - 1) * width, height * width - 1]) assert.equal(data[at * 4 + 3], 255)
})

for (const per of ['text', 'box'] as const) {
  test(`a background per ${per} is one shape around the text`, async () => {
    const frame = { x: 10, y: 0, width: 140, height: 100 }
    const style = { text: 'one\ntwo', size: 28, align: 'center', verticalAlign: 'middle', box: frame }
    const pixels = await draw({ ...style, color: '#f00', background: { color: '#00f', padding: 8, per } }, white)
    const blue = solidPixels(pixels).filter(([, , r, g]) => g < 100 && r < 250)
    const [xs, ys] = [blue.map(([x]) => x), blue.map(([, y]) => y)]
    const [left, right] = [Math.min(...xs), Math.max(...xs)]
    const [top, bottom] = [Math.min(...ys), Math.max(...ys)]
    if (per === 'box') assert.deepEqual([left, top, right, bottom], [10, 0, 149, 99])
    else assert.ok(left > 40 && right < 120 && top >= 8 && bottom < 92, `${left}, ${top}, ${right}, ${bottom}`)
  })
}

test('a translucent background is applied once where lines meet', async () => {
  const background = { color: '#0000ff80', padding: 10, per: 'line' }
  const { data } = await draw({ text: 'one\ntwo\nthree', size: 30, color: 'transparent', background })
  assert.ok(data.every((alpha, at) => at % 4 !== 3 || alpha <= 128))
  assert.ok(data.some((alpha, at) => at % 4 === 3 && alpha === 128))
})

test('a translucent outline is applied once, and is not visible through a translucent fill', async () => {
  const style = { text: 'overlap', size: 60, weight: 800, letterSpacing: -0.05, outlineWidth: 8, outlineColor: '#0008' }
  const outlined = await draw({ ...style, color: 'transparent' })
  assert.ok(outlined.data.every((alpha, at) => at % 4 !== 3 || alpha <= 137))
  const filled = await draw({ ...style, color: '#fff' })
  // But for their soft edges.
  const inside = solidPixels(filled).map(([x, y]) => outlined.data[(y * outlined.width + x) * 4 + 3])
  assert.ok(
    inside.length > 500 && inside.every((alpha = 255) => alpha <= 12),
    `${Math.max(...inside.map((alpha) => alpha ?? 255))}`,
  )
})

test('justified lines reach from edge to edge, except the last one of a paragraph', async () => {
  const box = { width: 200, height: 200 }
  const pixels = await draw({
    text: 'one two three four five six seven eight nine ten',
    size: 20,
    box,
    align: 'justify',
  })
  const rows = linesOf(pixels)
  assert.ok(rows.length > 2)
  for (const { left, right } of rows.slice(0, -1)) assert.ok(left <= 3 && right >= 196, `${left} to ${right}`)
  assert.ok((rows.at(-1)?.right ?? 200) < 190)
})

test('a justified line without spaces reaches from edge to edge', async () => {
  const [first] = linesOf(
    await draw({ text: '国国国国国国国', size: 40, box: { width: 238, height: 200 }, align: 'justify' }),
  )
  assert.ok(first && first.left <= 5 && first.right >= 232, `${first?.left} to ${first?.right}`)
})

test('underlines are below their text, with gaps at descenders', async () => {
  const row = ({ data, width }: Pixels, y: number) =>
    Array.from({ length: width }, (_, x) => (data[(y * width + x) * 4 + 3] ?? 0) > 128)
  const line = await draw({ text: 'nnnn', size: 60, underline: true })
  const bare = await draw({ text: 'nnnn', size: 60 })
  const added = Array.from({ length: line.height }, (_, y) => y).filter(
    (y) => row(line, y).filter(Boolean).length > row(bare, y).filter(Boolean).length,
  )
  assert.ok(added.length >= 2 && added.length <= 4, `${added}`)
  const y = added[1] ?? 0
  assert.ok(row(line, y).filter(Boolean).length > line.width - 4)
  const gaps = row(await draw({ text: 'nggn', size: 60, underline: true }), y)
  assert.ok(gaps.filter((is) => !is).length > 8)
})

test('text with markup on a part looks like text with markup on everything, part by part', async () => {
  const bold = await draw({ text: 'Rag', size: 40, weight: 700, color: '#f00' })
  const marked = await draw({ text: '<b><span color="#f00">Rag</span></b>', markup: true, size: 40 })
  assert.deepEqual(marked, bold)
})

test('without markup, tags are text', async () => {
  const box = { width: 400, height: 60 }
  assert.notDeepEqual(await draw({ text: '<b>a</b>', box }), await draw({ text: '<b>a</b>', markup: true, box }))
})

test('a text that is drawn in bands equals a text in one piece', async () => {
  const style = { text: 'One\nBand\nafter\nanother', weight: 900, lineHeight: 1, underline: true, size: 200 }
  const shadow = { x: 3, y: 9, blur: 24, color: '#00f' }
  const box = { x: 60, y: 60, width: 900, height: 840 }
  const banded = await sheet(1_000, 960)
  await (await drawText(filledIn({ ...style, shadow }), context, { box })).drawOn(banded, context)
  // A strip of it is one band, wherever it is cut.
  for (const y of [150, 390, 610]) {
    const strip = await sheet(1_000, 60)
    const moved = await drawText(filledIn({ ...style, shadow }), context, { box: { ...box, y: box.y - y } })
    await moved.drawOn(strip, context)
    const same = banded.data.subarray(y * 4_000, (y + 60) * 4_000)
    // The colours of transparent pixels aren't compared.
    const premultiplied = (data: Buffer, at: number) => ((data[at] ?? 0) * (data[at | 3] ?? 0)) / 255
    const off = strip.data.reduce(
      (most, _, at) => Math.max(most, Math.abs(premultiplied(strip.data, at) - premultiplied(same, at))),
      0,
    )
    assert.ok(off <= 2, `${off} at ${y}`)
  }
})

for (const [transform, text] of [
  ['uppercase', 'ÉLAN VITAL'],
  ['lowercase', 'élan vital'],
  ['capitalize', 'Élan Vital'],
] as const) {
  test(`${transform} writes ${text}`, async () => {
    assert.deepEqual(
      await draw({ text: 'élan vitaL'.replace('L', transform === 'capitalize' ? 'l' : 'L'), transform }),
      await draw({ text }),
    )
  })
}

test('Chinese, Japanese, Korean, Thai and Hindi need no fonts of the machine, in every weight', async () => {
  for (const text of ['简体中文', '繁體中文', '日本語かな', '한국어', 'ภาษาไทย', 'हिन्दी']) {
    const { names } = await facesFor(text, { font: 'Lora', weight: 400, italic: false, language: 'auto' }, context)
    assert.ok(names.length > 1)
    const [thin, black] = [await draw({ text, weight: 100 }), await draw({ text, weight: 900 })]
    assert.ok(inkOf(black) > inkOf(thin) * 1.6, `${text}: ${inkOf(thin)} to ${inkOf(black)}`)
  }
})

test('a language selects the glyphs of shared characters', async () => {
  const [ja, zh] = [await draw({ text: '直骨誤', language: 'ja' }), await draw({ text: '直骨誤', language: 'zh-Hans' })]
  assert.notDeepEqual(ja.data, zh.data)
})

test('rejects an unknown font, with the available ones', async () => {
  const fonts = async () => [
    {
      id: 'font_1',
      accountId: 'acct',
      family: 'House',
      weightMin: 400,
      weightMax: 400,
      italic: false,
      read: () => Promise.reject(new Error()),
      characters: () => Promise.reject(new Error()),
    },
  ]
  for (const value of [
    { text: 'a', font: 'Nope' },
    { text: '<span font="Nope">a</span>', markup: true },
  ]) {
    await assert.rejects(
      text.run({}, params(value), contextFor({ fonts })),
      (error: unknown) =>
        error instanceof Fault &&
        error.details.reason === 'input_invalid' &&
        /"Nope".*Inter.*House/.test(error.message),
    )
  }
})

test('loads only the fonts for the scripts of a text', async () => {
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

function params(value: Record<string, unknown>) {
  const filled = structuredClone(value)
  assert.deepEqual(checker(text.params)(filled), [])
  return filled
}

async function draw(value: Record<string, unknown>, image?: ImageValue): Promise<Pixels> {
  const result = await text.run({ image }, params(value), context)
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

function filledIn(value: Record<string, unknown>): TextStyle {
  return params(value) as unknown as TextStyle
}

function sheet(width: number, height: number): Promise<Pixels> {
  return solidColor(width, height, { r: 0, g: 0, b: 0, alpha: 0 }, context)
}

/** x, y, red, green, blue of each pixel that is not transparent at all. */
function solidPixels({ data, width, channels }: Pixels): [number, number, number, number, number][] {
  const found: [number, number, number, number, number][] = []
  for (let at = 0; at < data.length; at += channels) {
    if (channels === 4 && data[at + 3] !== 255) continue
    const pixel = at / channels
    const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3)
    found.push([pixel % width, Math.floor(pixel / width), r, g, b])
  }
  return found
}

/** Sum of alpha. */
function inkOf({ data }: Pixels): number {
  return data.reduce((sum, value, at) => sum + (at % 4 === 3 ? value : 0), 0)
}

/** The first and last row with ink of each line. Rows without ink separate the lines. */
function linesOf(pixels: Pixels): { left: number; right: number }[] {
  const lines: { left: number; right: number }[] = []
  let before = -2
  for (const y of inkRows(pixels)) {
    if (y !== before + 1) lines.push({ left: pixels.width, right: 0 })
    before = y
    const line = lines.at(-1)
    for (let x = 0; line && x < pixels.width; x += 1) {
      if ((pixels.data[(y * pixels.width + x) * 4 + 3] ?? 0) < 50) continue
      line.left = Math.min(line.left, x)
      line.right = Math.max(line.right, x)
    }
  }
  return lines
}
