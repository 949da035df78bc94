import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { Fault } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { imageFromBytes, pixelsOf } from '../image.ts'
import { loadSharp } from '../sharp.ts'
import { pngWith } from '../test-costly-files.ts'
import { isFault } from '../test-faults.ts'
import { contextFor, withFile } from '../test-images.ts'
import { checkProfile } from './color-profile.ts'
import { inspect } from './inspect.ts'
import { chunk } from './png-chunks.ts'

const context = contextFor()

function u16(...values: number[]): Buffer {
  return Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])))
}

function u32(...values: number[]): Buffer {
  return Buffer.concat(values.map((value) => u16(value >>> 16, value & 0xffff)))
}

function floats(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeFloatBE(value, at * 4)
  return bytes
}

function fixed(...values: number[]): Buffer {
  return u32(...values.map((value) => Math.round(value * 65_536)))
}

function typed(type: string, ...data: Buffer[]): Buffer {
  return Buffer.concat([Buffer.from(`${type}\0\0\0\0`), ...data])
}

/** A profile of an RGB display with these tags. */
function profileOf(...tags: [name: string, data: Buffer][]): Buffer {
  const curve = typed('curv', u32(1), u16(0x0233), u16(0))
  const all: [string, Buffer][] = [
    ['wtpt', typed('XYZ ', fixed(0.9642, 1, 0.8249))],
    ['rXYZ', typed('XYZ ', fixed(0.436, 0.2225, 0.0139))],
    ['gXYZ', typed('XYZ ', fixed(0.3851, 0.7169, 0.0971))],
    ['bXYZ', typed('XYZ ', fixed(0.1431, 0.0606, 0.7141))],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
    ...tags,
  ]
  let end = 132 + 12 * all.length
  const table = all.map(([name, data]) => {
    const entry = Buffer.concat([Buffer.from(name), u32(end, data.length)])
    end += data.length
    return entry
  })
  const header = Buffer.alloc(128)
  header.writeUInt32BE(end, 0)
  header.writeUInt32BE(0x04_30_00_00, 8)
  header.write('mntrRGB XYZ ', 12, 'latin1')
  header.write('acsp', 36, 'latin1')
  fixed(0.9642, 1, 0.8249).copy(header, 68)
  return Buffer.concat([header, u32(all.length), ...table, ...all.map(([, data]) => data)])
}

/** Each number is the index of an element, which may occur several times. */
function chainOf(elements: Buffer[], order = elements.map((_, at) => at)): Buffer {
  const starts = elements.map((_, at) => 16 + 8 * order.length + Buffer.concat(elements.slice(0, at)).length)
  const places = order.map((at) => u32(starts[at] ?? 0, elements[at]?.length ?? 0))
  return typed('mpet', u16(3, 3), u32(order.length), ...places, ...elements)
}

function tableOf(inputs: number, side: number): Buffer {
  const values = Buffer.alloc(side ** Math.min(inputs, 3) * 12, floats(0, 0.9, 0.3, 0.7, 0.1))
  return typed('clut', u16(inputs, 3), Buffer.alloc(inputs, side), Buffer.alloc(16 - inputs), values)
}

function curvesOf(segments: number): Buffer {
  const formula = typed('parf', u16(0, 0), floats(1, 1, 0, 0))
  const bounds = floats(...Array.from({ length: segments - 1 }, (_, at) => at / segments))
  const curve = typed('curf', u16(segments, 0), bounds, ...Array<Buffer>(segments).fill(formula))
  return typed('cvst', u16(3, 3), u32(36, curve.length, 36, curve.length, 36, curve.length), curve)
}

const matrix = typed('matf', u16(3, 3), floats(1, 0, 0, 0, 1, 0, 0, 0, 1, 0.1, 0, 0))
const usual = chainOf([curvesOf(3), matrix, curvesOf(3), tableOf(3, 17), curvesOf(3), matrix, curvesOf(3)])

function pngOf(profile: Buffer): Buffer {
  return pngWith([chunk('iCCP', Buffer.from('x\0\0'), deflateSync(profile))])
}

const costly: [string, Buffer][] = [
  ['20,000 uses of a table', chainOf([tableOf(3, 2)], Array(20_000).fill(0))],
  ['3,000 uses of a table of 768 kB', chainOf([tableOf(3, 40)], Array(3_000).fill(0))],
  ['a table of 15 dimensions', chainOf([tableOf(15, 2)])],
  ['tables that are larger together than allowed', chainOf([tableOf(3, 75)], Array(4).fill(0))],
  ['curves of 20,000 segments', chainOf([curvesOf(20_000)])],
  ['65,535 curves', chainOf([typed('cvst', u16(65_535, 65_535), Buffer.alloc(65_535 * 8))])],
  ['samples that are larger than allowed', chainOf([samplesOf(0x7fff_ffff)])],
]

function samplesOf(count: number): Buffer {
  const curve = typed('curf', u16(1, 0), typed('samf', u32(count)))
  return typed('cvst', u16(1, 1), u32(20, curve.length), curve)
}

for (const [label, chain] of costly) {
  test(`a colour profile with ${label} is refused, as an upload and as a source`, async () => {
    const limit = isFault('limit_exceeded', /colour profile .* takes too long .* sRGB/)
    for (const tag of ['D2B0', 'B2D1']) {
      const png = pngOf(profileOf([tag, chain]))
      await assert.rejects(imageFromBytes(png, context), limit)
      await withFile(png, (file) =>
        assert.rejects(inspect(file, { pixelsMax: 1_000 }), /colour profile of the image takes too long/),
      )
    }
  })
}

test('a chain whose last element ends too early is refused', () => {
  const damaged = chainOf([matrix]).subarray(0, 33)
  assert.throws(() => checkProfile(profileOf(['D2B3', damaged])), isFault('input_invalid', /profile .* is corrupt/))
})

test('a chain of the usual length is applied', async () => {
  const image = await imageFromBytes(pngOf(profileOf(['D2B0', usual])), context)
  const plain = await imageFromBytes(pngOf(profileOf()), context)
  assert.equal(image.metadata?.icc?.includes('mpet'), true)
  assert.notDeepEqual((await pixelsOf(image, context)).data, (await pixelsOf(plain, context)).data)
})

test('the profiles of libvips, and bytes without a profile, are accepted', async () => {
  const sharp = await loadSharp()
  for (const name of ['srgb', 'p3', 'cmyk']) {
    const image = sharp({ create: { width: 2, height: 2, channels: 3, background: '#8a4' } })
    const { icc } = await sharp(await image.withIccProfile(name).jpeg().toBuffer()).metadata()
    assert.ok(icc)
    checkProfile(icc)
  }
  for (const bytes of [undefined, Buffer.alloc(0), Buffer.alloc(131), Buffer.alloc(140, 255)]) checkProfile(bytes)
})

test('every truncation of a chain ends with a fault or without one', () => {
  const profile = profileOf(['D2B0', usual])
  for (let end = 0; end < profile.length; end += 7) {
    try {
      checkProfile(profile.subarray(0, end))
    } catch (error) {
      assert.equal(error instanceof Fault, true, String(error))
    }
  }
})

test('the limit of steps allows twelve tables', () => {
  const most = Math.floor(limits.profileStepsMax / (32 + 8))
  checkProfile(profileOf(['D2B0', chainOf([tableOf(3, 2)], Array(most).fill(0))]))
  assert.throws(() => checkProfile(profileOf(['D2B0', chainOf([tableOf(3, 2)], Array(most + 1).fill(0))])))
})
