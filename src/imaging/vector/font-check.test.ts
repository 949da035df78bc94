import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { repetitions } from '../../../test/harness/repetitions.ts'
import { Fault } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { inUploadTurn, type JobContext, runJob, setJobSlots } from '../raster/jobs.ts'
import { contextFor, testProcesses, withFile } from '../raster/test-images.ts'
import { parseCoverage } from './coverage.ts'
import { inspectFont } from './font-check.ts'
import { ttf, withOutline } from './test-fonts.ts'

const bytesOf = (name: string) => readFileSync(new URL(`../../../node_modules/${name}`, import.meta.url))
const lora = bytesOf('@fontsource/lora/files/lora-latin-600-italic.woff2')
const thai = bytesOf('@fontsource-variable/noto-sans-thai/files/noto-sans-thai-thai-wght-normal.woff2')
const otf = bytesOf('bwip-js/fonts/Inconsolata.otf')

const inspect = (bytes: Buffer) => withFile(bytes, (file) => inspectFont(file, { processes: testProcesses }))

test('detects format, family, weight and slant of a font from its bytes', async () => {
  const { characters, ...facts } = await inspect(lora)
  assert.deepEqual(facts, { format: 'woff2', family: 'Lora', weightMin: 600, weightMax: 600, italic: true })
  const { has } = parseCoverage(characters)
  assert.deepEqual(
    ['a', 'é', '€', 'я', 'あ'].map((char) => has(char.codePointAt(0) ?? 0)),
    [true, true, true, false, false],
  )
  assert.deepEqual([(await inspect(ttf)).format, (await inspect(otf)).format], ['ttf', 'otf'])
})

test('a variable font has all weights of its axis', async () => {
  const { weightMin, weightMax } = await inspect(thai)
  assert.deepEqual([weightMin, weightMax], [100, 900])
})

test('accepts a font of the maximum size, and rejects one more byte', async () => {
  const padded = (bytes: number) => Buffer.concat([ttf, Buffer.alloc(bytes - ttf.length)])
  assert.equal((await inspect(padded(limits.fontBytesMax))).format, 'ttf')
  await refused(padded(limits.fontBytesMax + 1), /10485761 bytes; the maximum is 10485760/)
})

test('accepts a WOFF2 that unpacks to the maximum size, and rejects one that declares one more byte', async () => {
  const saying = (bytes: number) => {
    const copy = Buffer.from(lora)
    copy.writeUInt32BE(bytes, 16)
    return copy
  }
  await inspect(saying(limits.fontUnpackedBytesMax)).catch((error: unknown) =>
    assert.ok(error instanceof Fault && !/unpacked/.test(error.message), `${error}`),
  )
  await refused(saying(limits.fontUnpackedBytesMax + 1), /41943041 bytes; the maximum is 41943040/)
})

test('a font that waits for its turn is not in memory', async () => {
  const turn = Promise.withResolvers<void>()
  setJobSlots(1)
  const hold = (context: JobContext) => runJob(context, () => turn.promise)
  const held = inUploadTurn(contextFor({ processes: testProcesses, account: 'own' }), hold)
  try {
    await withFile(ttf, async (file) => {
      const inspected = inspectFont(file, { processes: testProcesses, account: 'own' })
      // Time to read the file, for a check that doesn't wait.
      for (let reads = 0; reads < 10; reads += 1) await readFile(file)
      await writeFile(file, ttf.subarray(0, 100))
      turn.resolve()
      await assert.rejects(inspected, /corrupt/)
    })
  } finally {
    turn.resolve()
    await held
    setJobSlots(availableParallelism())
  }
})

test('a check reserves memory, and leaves a slot free for others while a long job of its account runs', async () => {
  const long = Promise.withResolvers<void>()
  setJobSlots(2)
  const held = runJob(contextFor({ account: 'own', pixels: limits.imagePixelsMax }), () => long.promise)
  const reserved: number[] = []
  try {
    await withFile(ttf, async (file) => {
      const { promise: isWaiting, resolve } = Promise.withResolvers<void>()
      const reserve = async (bytes: number) => {
        reserved.push(bytes)
        resolve()
        return () => void reserved.pop()
      }
      const inspected = inspectFont(file, { processes: testProcesses, account: 'own', reserve })
      await Promise.race([isWaiting, inspected])
      await setImmediate()
      assert.ok((reserved[0] ?? 0) > 200_000_000)
      const other = async () => 'not kept waiting'
      // If the check had the second slot, a job of another account would wait for it.
      const order = [inspected.then(() => 'the font'), runJob(contextFor({ account: 'other' }), other)]
      assert.equal(await Promise.race(order), 'not kept waiting')
      long.resolve()
      assert.equal((await inspected).format, 'ttf')
    })
  } finally {
    long.resolve()
    await held
    setJobSlots(availableParallelism())
  }
  assert.deepEqual(reserved, [])
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
  ['a WOFF font of the first version', Buffer.from('wOFF0000'), /WOFF 1 font/],
  ['the header of a font', ttf.subarray(0, 200), /corrupt|no /],
  ['a font with bitmap glyphs', renamed('gasp', 'sbix'), /contains images \(sbix\)/],
  ['a font with SVG glyphs', renamed('gasp', 'SVG '), /contains images \(SVG\)/],
  ['a font without outlines', renamed('glyf', 'xxxx'), /no outlines/],
  ['a font without a character map', renamed('cmap', 'xxxx'), /table cmap is missing/],
]
for (const [label, bytes, message] of wrong) {
  test(`rejects ${label} with the reason`, () => refused(bytes, message))
}

test('rejects lines of a thousand times the size as damaged', async () => {
  const copy = Buffer.from(ttf)
  for (const tag of ['hhea', 'OS/2']) {
    const at = copy.readUInt32BE(copy.indexOf(tag, 12, 'latin1') + 8)
    // Ascender of hhea; typographic and Windows ascender of OS/2 (OpenType 1.9).
    for (const offset of tag === 'hhea' ? [4] : [68, 74]) copy.writeInt16BE(32_000, at + offset)
  }
  await refused(copy, /have an invalid height/)
})

test('rejects a font with characters in more ranges than the maximum', () =>
  refused(withRanges(limits.fontCharactersBytesMax / 4 + 1), /too many separate ranges/))

/** Replaces the character map: `ranges` characters, none next to another (OpenType 1.9, cmap format 12). */
function withRanges(ranges: number): Buffer {
  const cmap = Buffer.alloc(28 + ranges * 12)
  // One encoding record, for all of Unicode on Windows, and its table.
  for (const [at, value] of [0, 1, 3, 10].entries()) cmap.writeUInt16BE(value, at * 2)
  cmap.writeUInt32BE(12, 8)
  cmap.writeUInt16BE(12, 12)
  cmap.writeUInt32BE(16 + ranges * 12, 16)
  cmap.writeUInt32BE(ranges, 24)
  for (let i = 0; i < ranges; i += 1)
    for (const [field, value] of [0x4e00 + i * 2, 0x4e00 + i * 2, 1].entries())
      cmap.writeUInt32BE(value, 28 + i * 12 + field * 4)
  const start = ttf.length + (-ttf.length & 3)
  const copy = Buffer.concat([ttf, Buffer.alloc(start - ttf.length), cmap])
  const record = ttf.indexOf('cmap', 12, 'latin1') + 8
  copy.writeUInt32BE(start, record)
  copy.writeUInt32BE(cmap.length, record + 4)
  return copy
}

test('rejects a font whose outlines cross themselves thousands of times', () =>
  refused(withOutline(4_000), /takes too long/))

test('accepts or rejects a font with random changes, without a crash of this process', async () => {
  const change = fc.record({ at: fc.nat(ttf.length - 1), byte: fc.nat(255) })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 40 }), async (changes) => {
      const copy = Buffer.from(ttf)
      for (const { at, byte } of changes) copy[at] = byte
      await inspect(copy).catch((error: unknown) =>
        assert.ok(error instanceof Fault && error.code === 'invalid_request'),
      )
    }),
    { numRuns: repetitions(3, 8), seed: 7, endOnFailure: true },
  )
})

function refused(bytes: Buffer, message: RegExp): Promise<void> {
  return assert.rejects(
    inspect(bytes),
    (error: unknown) => error instanceof Fault && error.code === 'invalid_request' && message.test(error.message),
  )
}
