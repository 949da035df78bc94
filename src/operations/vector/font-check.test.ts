import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { Fault } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { withFile } from '../raster/test-pictures.ts'
import { inspectFont } from './font-check.ts'

const bytesOf = (name: string) => readFileSync(new URL(`../../../node_modules/${name}`, import.meta.url))
const lora = bytesOf('@fontsource/lora/files/lora-latin-600-italic.woff2')
const thai = bytesOf('@fontsource-variable/noto-sans-thai/files/noto-sans-thai-thai-wght-normal.woff2')
const ttf = bytesOf('bwip-js/fonts/OCRB7.ttf')
const otf = bytesOf('bwip-js/fonts/Inconsolata.otf')

const inspect = (bytes: Buffer) => withFile(bytes, (file) => inspectFont(file))

test('a font is told by its bytes: format, family, weight and slant', async () => {
  const facts = { format: 'woff2', family: 'Lora', weightMin: 600, weightMax: 600, italic: true }
  assert.deepEqual(await inspect(lora), facts)
  assert.deepEqual([(await inspect(ttf)).format, (await inspect(otf)).format], ['ttf', 'otf'])
})

test('a variable font has all weights of its axis', async () => {
  const { weightMin, weightMax } = await inspect(thai)
  assert.deepEqual([weightMin, weightMax], [100, 900])
})

test('a font of the most bytes is looked at, one of a byte more is not', async () => {
  const padded = (bytes: number) => Buffer.concat([ttf, Buffer.alloc(bytes - ttf.length)])
  assert.equal((await inspect(padded(limits.fontBytesMax))).format, 'ttf')
  await refused(padded(limits.fontBytesMax + 1), /10485761 bytes; at most 10485760/)
})

test('a WOFF2 that unpacks to the most bytes is looked at, one that says a byte more is not', async () => {
  const saying = (bytes: number) => {
    const copy = Buffer.from(lora)
    copy.writeUInt32BE(bytes, 16)
    return copy
  }
  await inspect(saying(limits.fontUnpackedBytesMax)).catch((error: unknown) =>
    assert.ok(error instanceof Fault && !/unpacked/.test(error.message), `${error}`),
  )
  await refused(saying(limits.fontUnpackedBytesMax + 1), /41943041 bytes when it is unpacked; at most 41943040/)
})

/** The same with a table called otherwise. */
function renamed(tag: string, other: string): Buffer {
  const copy = Buffer.from(ttf)
  const at = copy.indexOf(tag, 12, 'latin1')
  copy.write(other, at, 'latin1')
  return copy
}

const wrong: [what: string, bytes: Buffer, message: RegExp][] = [
  ['an empty file', Buffer.alloc(0), /not a font/],
  ['text', Buffer.from('no font'), /not a font/],
  ['a collection', Buffer.from('ttcf0000'), /collection of fonts/],
  ['a font of the first WOFF', Buffer.from('wOFF0000'), /WOFF font of the first version/],
  ['the head of a font', ttf.subarray(0, 200), /damaged|no /],
  ['a font with pictures', renamed('gasp', 'sbix'), /pictures in it \(sbix\)/],
  ['a font with drawings', renamed('gasp', 'SVG '), /pictures in it \(SVG\)/],
  ['a font without outlines', renamed('glyf', 'xxxx'), /no outlines/],
  ['a font without a map of characters', renamed('cmap', 'xxxx'), /no table cmap/],
]
for (const [what, bytes, message] of wrong) {
  test(`${what} is refused, and it is said why`, () => refused(bytes, message))
}

test('lines of a thousand times the size are damage', async () => {
  const copy = Buffer.from(ttf)
  for (const tag of ['hhea', 'OS/2']) {
    const at = copy.readUInt32BE(copy.indexOf(tag, 12, 'latin1') + 8)
    // Ascender of hhea; typographic and Windows ascender of OS/2 (OpenType 1.9).
    for (const offset of tag === 'hhea' ? [4] : [68, 74]) copy.writeInt16BE(32_000, at + offset)
  }
  await refused(copy, /no height that letters have/)
})

test('a font with any bytes changed is taken or refused, and this process goes on', async () => {
  const change = fc.record({ at: fc.nat(ttf.length - 1), byte: fc.nat(255) })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 40 }), async (changes) => {
      const copy = Buffer.from(ttf)
      for (const { at, byte } of changes) copy[at] = byte
      await inspect(copy).catch((error: unknown) =>
        assert.ok(error instanceof Fault && error.code === 'invalid_request'),
      )
    }),
    { numRuns: 8, seed: 7, endOnFailure: true },
  )
})

function refused(bytes: Buffer, message: RegExp): Promise<void> {
  return assert.rejects(
    inspect(bytes),
    (error: unknown) => error instanceof Fault && error.code === 'invalid_request' && message.test(error.message),
  )
}
