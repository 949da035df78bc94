import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checker } from '../../domain/validate.ts'
import { type FailureReason, Fault } from '../../errors.ts'
import { contextFor, pixelAt } from '../../imaging/raster/test-images.ts'
import { runOn } from '../../imaging/raster/test-run.ts'
import type { Pixels } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import { barcode } from './barcode.ts'

test('an EAN-13 can be read from its bars: odd and even digits by the tables of GS1', async () => {
  const pixels = await run({ kind: 'ean13', text: '400638133393', moduleSize: 1 })
  const bits = rowOf(pixels, 20).slice(11, 106)
  assert.equal(readEan13(bits), '4006381333931')
})

test('a Code 128 has its start, stop and check character modulo 103', async () => {
  const pixels = await run({ text: 'Tintype 42!', moduleSize: 1 })
  const row = rowOf(pixels, 12).replace(/^0+|0+$/g, '')
  const widths = [...row.matchAll(/1+|0+/g)].map(([run]) => run.length)
  const groups = Array.from({ length: (widths.length - 7) / 6 }, (_, at) => widths.slice(at * 6, at * 6 + 6).join(''))
  assert.equal(widths.slice(-7).join(''), '2331112')
  assert.equal(groups[0], '211214')
  assert.ok(groups.every((group) => [...group].reduce((sum, digit) => sum + Number(digit), 0) === 11))
  assert.equal(groups.length, 1 + 'Tintype 42!'.length + 1)
})

test('a Data Matrix has its solid left and lower edges and dots on the others', async () => {
  const pixels = await run({ kind: 'datamatrix', text: 'https://example.com', moduleSize: 1, quietZone: 0 })
  const { width, height } = pixels
  const column = (x: number) => Array.from({ length: height }, (_, y) => rowOf(pixels, y)[x]).join('')
  assert.equal(rowOf(pixels, height - 1), '1'.repeat(width))
  assert.equal(column(0), '1'.repeat(height))
  assert.equal(rowOf(pixels, 0), '10'.repeat(width / 2))
  assert.equal(column(width - 1), '01'.repeat(height / 2))
})

test('every row of a PDF417 has its start pattern, and is three modules high', async () => {
  const pixels = await run({ kind: 'pdf417', text: 'Žluťoučký kůň 日本', moduleSize: 1, quietZone: 0 })
  assert.equal(pixels.height % 3, 0)
  for (let y = 0; y < pixels.height; y += 1) {
    assert.ok(rowOf(pixels, y).startsWith('11111111010101000'))
    assert.equal(rowOf(pixels, y), rowOf(pixels, y - (y % 3)))
  }
})

test('the size of a code is a whole number of modules, including the quiet zone and the line of text', async () => {
  const [one, three] = [await run({ text: 'A', moduleSize: 1 }), await run({ text: 'A', moduleSize: 3 })]
  assert.deepEqual([three.width, three.height], [one.width * 3, one.height * 3])
  const bare = await run({ text: 'A', moduleSize: 1, showText: false, quietZone: 0, barHeight: 7 })
  // Start, one character and check of 11 modules, and the stop of 13.
  assert.deepEqual([bare.width, bare.height], [46, 7])
  assert.equal(one.width, 46 + 20)
  assert.equal(one.height, 40 + 9 + 20)
})

test('with text, the guards of an EAN reach down between its digits; without text they do not', async () => {
  const [withText, bare] = [
    await run({ kind: 'ean8', text: '96385074' }),
    await run({ kind: 'ean8', text: '96385074', showText: false }),
  ]
  const below = (60 + 11) * 2 + 6
  assert.ok(rowOf(withText, below).includes('11'))
  assert.equal(rowOf(withText, below).slice(22, 28), '110011')
  assert.equal(bare.height, (60 + 22) * 2)
})

test('draws bars and background in the requested colours, with no others between', async () => {
  const pixels = await run({
    kind: 'code39',
    text: 'AB-1',
    color: '#204060',
    background: 'rgb(250 240 0 / 50%)',
    showText: false,
  })
  const colors = new Set<string>()
  for (let x = 0; x < pixels.width; x += 1) colors.add(String(pixelAt(pixels, x, 30)))
  assert.deepEqual([...colors].sort(), ['250,240,0,128', '32,64,96,255'])
})

test('accepts characters up to the limit', () => {
  const check = (count: number) => checker(barcode.params)({ kind: 'pdf417', text: 'a'.repeat(count) })
  assert.deepEqual(check(limits.barcodeCharsMax), [])
  assert.equal(check(limits.barcodeCharsMax + 1).length, 1)
})

const refused: [string, Record<string, unknown>, FailureReason, RegExp][] = [
  [
    'a wrong check digit',
    { kind: 'ean13', text: '4006381333932' },
    'input_invalid',
    /EAN-13.*check digit would be 1, not 2/,
  ],
  ['a wrong check digit of a UPC', { kind: 'upca', text: '036000291453' }, 'input_invalid', /check digit.*2, not 3/],
  ['a wrong check digit of an ITF-14', { kind: 'itf14', text: '15400141288764' }, 'input_invalid', /3, not 4/],
  ['too few digits', { kind: 'ean8', text: '12' }, 'input_invalid', /EAN-8 requires 7 digits, or 8 with/],
  ['letters among digits', { kind: 'ean13', text: '40063813339ab' }, 'input_invalid', /12 digits.*"40063813339ab"/],
  ['an add-on code', { kind: 'ean13', text: '4006381333931 12' }, 'input_invalid', /13 with the check digit/],
  ['a UPC-E', { kind: 'upca', text: '01234565' }, 'input_invalid', /11 digits/],
  ['small letters', { kind: 'code39', text: 'abc' }, 'input_invalid', /capital letters/],
  ['other scripts', { text: '日本' }, 'input_invalid', /ASCII/],
  [
    'more text than the code can contain',
    { kind: 'pdf417', text: 'é'.repeat(1_000) },
    'input_invalid',
    /too long|capacity/,
  ],
  ['no room for the digit outside', { kind: 'ean13', text: '400638133393', quietZone: 9 }, 'input_invalid', /9 .*10/],
  ['too many pixels', { text: 'abcdefgh', moduleSize: 64 }, 'limit_exceeded', /pixels/],
]

for (const [name, params, reason, message] of refused) {
  test(`rejects a code with ${name} as ${reason}, with a clear message`, async () => {
    await assert.rejects(runOn(barcode, {}, params, contextFor({ pixelsMax: 1_000_000 })), (error) => {
      assert.ok(error instanceof Fault && error.details.reason === reason, String(error))
      assert.match(error.message, message)
      assert.doesNotMatch(error.message, /bwipp/)
      return true
    })
  })
}

function run(params: Record<string, unknown>): Promise<Pixels> {
  return runOn(barcode, {}, params)
}

/** 1 for dark, 0 for light. */
function rowOf(pixels: Pixels, y: number): string {
  return Array.from({ length: pixels.width }, (_, x) => ((pixelAt(pixels, x, y)[0] ?? 255) < 128 ? '1' : '0')).join('')
}

/** GS1 General Specifications, 5.2.1.2: number sets A, B (A mirrored and turned over) and C (A turned over). */
function readEan13(bits: string): string {
  const a = [
    '0001101',
    '0011001',
    '0010011',
    '0111101',
    '0100011',
    '0110001',
    '0101111',
    '0111011',
    '0110111',
    '0001011',
  ]
  const turned = (code: string) => code.replaceAll(/./g, (bit) => (bit === '1' ? '0' : '1'))
  const c = a.map(turned)
  const b = c.map((code) => [...code].reverse().join(''))
  const parities = ['AAAAAA', 'AABABB', 'AABBAB', 'AABBBA', 'ABAABB', 'ABBAAB', 'ABBBAA', 'ABABAB', 'ABABBA', 'ABBABA']
  assert.equal(bits.slice(0, 3) + bits.slice(45, 50) + bits.slice(92), '10101010101')
  const left = Array.from({ length: 6 }, (_, at) => bits.slice(3 + at * 7, 10 + at * 7))
  const right = Array.from({ length: 6 }, (_, at) => bits.slice(50 + at * 7, 57 + at * 7))
  const first = parities.indexOf(left.map((code) => (a.includes(code) ? 'A' : 'B')).join(''))
  return [
    first,
    ...left.map((code) => Math.max(a.indexOf(code), b.indexOf(code))),
    ...right.map((code) => c.indexOf(code)),
  ].join('')
}
