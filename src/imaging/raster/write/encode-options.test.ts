import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { type EncodeSettings, outputFormats } from '../../../domain/workflows/output.ts'
import { Fault } from '../../../errors.ts'
import type { ImageValue, Pixels } from '../../types.ts'
import { imageFromBytes, pixelsOf } from '../image.ts'
import { loadSharp } from '../sharp.ts'
import { contextFor, painted, pixelAt } from '../test-images.ts'
import { encode } from './encode.ts'
import { formatRows } from './encode-formats.ts'
import { bestThatFits } from './encode-to-fit.ts'

const context = contextFor()
const sample = async (name: string) => readFile(new URL(`../../../../examples/samples/${name}`, import.meta.url))
const coffee = await imageFromBytes(await sample('coffee.jpg'), context)
const badge = await imageFromBytes(await sample('badge.png'), context)
/** Alternating red and blue columns, which chroma subsampling blurs. */
const stripes = painted(64, 64, (x) => (x % 2 ? [255, 0, 0] : [0, 0, 255]))

async function bytesOf(image: ImageValue, settings: EncodeSettings): Promise<Buffer> {
  return (await encode(image, settings, context)).bytes
}

async function headerOf(image: ImageValue, settings: EncodeSettings) {
  return (await loadSharp())(await bytesOf(image, settings)).metadata()
}

async function backOf(image: ImageValue, settings: EncodeSettings): Promise<Pixels> {
  return pixelsOf(await imageFromBytes(await bytesOf(image, settings), context), context)
}

const lossless: EncodeSettings[] = [
  { format: 'png' },
  { format: 'png', effort: 'low' },
  { format: 'png', effort: 'high', progressive: true },
  { format: 'webp', lossless: true },
  { format: 'avif', lossless: true },
  { format: 'tiff', effort: 'low' },
  { format: 'tiff' },
  { format: 'tiff', effort: 'high' },
]

for (const settings of lossless) {
  test(`${JSON.stringify(settings)} keeps every pixel`, async () => {
    for (const image of [coffee, badge]) {
      const [before, after] = [await pixelsOf(image, context), await backOf(image, settings)]
      assert.equal(after.channels, before.channels)
      for (let at = 0; at < before.data.length; at += before.channels) {
        // Fully transparent pixels have no colour to keep.
        if (before.channels === 4 && before.data[at + 3] === 0) assert.equal(after.data[at + 3], 0)
        else if (!before.data.subarray(at, at + before.channels).equals(after.data.subarray(at, at + before.channels)))
          assert.fail(`pixel ${at / before.channels}`)
      }
    }
  })
}

for (const format of ['png', 'jpeg', 'webp', 'avif'] as const) {
  test(`more effort makes a ${format} of a photo smaller`, async () => {
    const [low, medium, high] = await Promise.all(
      (['low', 'medium', 'high'] as const).map(async (effort) => (await bytesOf(coffee, { format, effort })).length),
    )
    assert.ok(low && medium && high && high < medium && medium <= low, `${low} ${medium} ${high}`)
  })
}

test('effort high never makes a PNG larger than medium', async () => {
  for (const image of [coffee, badge, stripes]) {
    const [medium, high] = [
      await bytesOf(image, { format: 'png' }),
      await bytesOf(image, { format: 'png', effort: 'high' }),
    ]
    assert.ok(high.length <= medium.length, `${high.length} > ${medium.length}`)
  }
})

test('writes the requested chroma subsampling, and 4:4:4 separates colours that 4:2:0 mixes', async () => {
  for (const [settings, expected] of [
    [{ format: 'jpeg' }, '4:2:0'],
    [{ format: 'jpeg', chroma: '4:4:4' }, '4:4:4'],
    [{ format: 'jpeg', chroma: '4:4:4', effort: 'high' }, '4:4:4'],
  ] as const) {
    assert.equal((await headerOf(stripes, settings)).chromaSubsampling, expected)
  }
  for (const format of ['jpeg', 'avif'] as const) {
    const [fine, coarse] = await Promise.all(
      (['4:4:4', '4:2:0'] as const).map((chroma) => backOf(stripes, { format, chroma, quality: 90 })),
    )
    assert.ok(fine && coarse)
    const [red = 0, , blue = 0] = pixelAt(fine, 33, 30)
    assert.ok(red > 220 && blue < 40, `${format}: ${pixelAt(fine, 33, 30)}`)
    const [mixedRed = 0, , mixedBlue = 0] = pixelAt(coarse, 33, 30)
    assert.ok(mixedRed < 200 && mixedBlue > 60, `${format}: ${pixelAt(coarse, 33, 30)}`)
  }
})

test('writes a progressive file on request', async () => {
  for (const format of ['png', 'jpeg', 'gif'] as const) {
    for (const progressive of [true, false]) {
      assert.equal((await headerOf(coffee, { format, progressive })).isProgressive, progressive, format)
    }
  }
  assert.equal((await headerOf(coffee, { format: 'jpeg', effort: 'high' })).isProgressive, true)
  assert.equal((await headerOf(coffee, { format: 'jpeg', effort: 'high', progressive: false })).isProgressive, false)
})

test('a lossy PNG has a palette, fewer bytes, and still soft alpha', async () => {
  const header = await headerOf(badge, { format: 'png', lossless: false })
  assert.equal(header.isPalette, true)
  const [whole, small] = [
    await bytesOf(badge, { format: 'png' }),
    await bytesOf(badge, { format: 'png', lossless: false }),
  ]
  assert.ok(small.length < whole.length, `${small.length} ${whole.length}`)
  const alphas = new Set((await backOf(badge, { format: 'png', lossless: false })).data.filter((_, at) => at % 4 === 3))
  assert.ok(alphas.size > 8, `${alphas.size}`)
})

for (const format of ['jpeg', 'webp', 'avif'] as const) {
  for (const maxBytes of [2_500, 6_000, 9_000]) {
    test(`the ${format} of at most ${maxBytes} bytes is the best: the next quality exceeds the limit`, async () => {
      const bytes = await bytesOf(coffee, { format, maxBytes })
      assert.ok(bytes.length <= maxBytes, `${bytes.length}`)
      const sizes = await sizesOf(format)
      const used = [...sizes].findLast(([, size]) => size === bytes.length)?.[0] ?? 0
      assert.ok(used >= 1 && used < 100, `${used}`)
      assert.ok((sizes.get(used + 1) ?? 0) > maxBytes, `${used} has ${bytes.length}, the next ${sizes.get(used + 1)}`)
      assert.deepEqual(await bytesOf(coffee, { format, maxBytes }), bytes)
    })
  }

  test(`finds a ${format} in at most seven encodes`, async () => {
    const scale = formatRows[format].toFit?.({})?.scale
    assert.ok(scale)
    for (const bytesMax of [2_000, 3_000, 5_000, 8_000, 12_000]) {
      let encodes = 0
      await bestThatFits(scale, bytesMax, (quality) => {
        encodes += 1
        return bytesOf(coffee, { format, quality })
      })
      assert.ok(encodes <= 7, `${encodes} for ${bytesMax}`)
    }
  })
}

test('finds a level that fits before one that does not, for any sizes', async () => {
  let seed = 7
  for (let round = 0; round < 200; round += 1) {
    const sizes = Array.from({ length: 101 }, (_, level) => {
      seed = (seed * 48_271) % 2_147_483_647
      return 100 + level * (1 + (round % 9)) + (seed % (1 + (round % 13) * 3))
    })
    for (const scale of [{ highest: 100 }, { highest: 100, growth: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20] }]) {
      const bytesMax = 90 + round * 5
      const found = await bestThatFits(scale, bytesMax, async (level) => Buffer.alloc(sizes[level] ?? 0))
      if ('level' in found) {
        assert.ok(found.bytes.length <= bytesMax)
        assert.ok(found.level === 100 || (sizes[found.level + 1] ?? 0) > bytesMax)
      } else assert.ok((sizes[1] ?? 0) > bytesMax)
    }
  }
})

test('quality limits the qualities of maxBytes', async () => {
  const bytes = await bytesOf(coffee, { format: 'jpeg', quality: 40, maxBytes: 1_000_000 })
  assert.deepEqual(bytes, await bytesOf(coffee, { format: 'jpeg', quality: 40 }))
})

test('keeps a PNG lossless if it fits, and uses a palette only if necessary', async () => {
  const whole = await bytesOf(coffee, { format: 'png' })
  assert.deepEqual(await bytesOf(coffee, { format: 'png', maxBytes: whole.length }), whole)
  const { length } = await bytesOf(coffee, { format: 'png', effort: 'high' })
  const settings: EncodeSettings = { format: 'png', maxBytes: length - 1 }
  assert.ok((await bytesOf(coffee, settings)).length < length)
  assert.equal((await headerOf(coffee, settings)).isPalette, true)
  await assert.rejects(bytesOf(coffee, { ...settings, lossless: true }), isLimit)
})

test('reduces the colours of a GIF until it fits', async () => {
  const { length } = await bytesOf(coffee, { format: 'gif' })
  const bytes = await bytesOf(coffee, { format: 'gif', maxBytes: Math.floor(length / 2) })
  assert.ok(bytes.length <= length / 2)
})

test('reports the smallest size and a width that fits, if not even the lowest quality fits', async () => {
  for (const format of ['jpeg', 'webp', 'avif', 'png', 'gif'] as const) {
    const error: unknown = await bytesOf(coffee, { format, maxBytes: 300 }).catch((caught) => caught)
    assert.ok(isLimit(error), format)
    assert.equal(error.details.issues?.[0]?.path, 'output.maxBytes')
    assert.match(
      error.message,
      /is 300 bytes, but the smallest possible \w+ of this image \((quality|bits of colour) 1\) has \d+/,
    )
    const width = Number(/A width of about (\d+) pixels/.exec(error.message)?.[1] ?? 0)
    assert.ok(width === 0 || (width >= 16 && width < coffee.width), error.message)
  }
})

test('stops between two encodes when the execution is cancelled', async () => {
  const stop = new AbortController()
  const work = encode(coffee, { format: 'webp', maxBytes: 4_000 }, contextFor({ signal: stop.signal }))
  stop.abort()
  await assert.rejects(work, (error) => error instanceof Fault && error.details.reason === 'cancelled')
})

test('rejects an AVIF with more pixels than effort high allows, and accepts the limit', async () => {
  const wide = (width: number): ImageValue => ({ ...coffee, width, height: 2_160, pixels: undefined as never })
  const pixels = (width: number): Pixels => ({
    data: Buffer.alloc(width * 2_160 * 3),
    width,
    height: 2_160,
    channels: 3,
  })
  const over = { ...wide(4_097), pixels: pixels(4_097) }
  await assert.rejects(encode(over, { format: 'avif', effort: 'high' }, context), isLimit)
  const at = { ...wide(4_096), pixels: pixels(4_096) }
  assert.equal((await encode(at, { format: 'avif', effort: 'high' }, context)).width, 4_096)
})

test('every format has its encoder and its limits', () => {
  assert.deepEqual(Object.keys(formatRows).sort(), [...outputFormats].sort())
})

/** Quality -> bytes. */
const sizesByFormat = new Map<string, Map<number, number>>()
async function sizesOf(format: 'jpeg' | 'webp' | 'avif'): Promise<Map<number, number>> {
  const sizes = sizesByFormat.get(format) ?? new Map<number, number>()
  sizesByFormat.set(format, sizes)
  for (let quality = sizes.size + 1; quality <= 100; quality += 1)
    sizes.set(quality, (await bytesOf(coffee, { format, quality })).length)
  return sizes
}

function isLimit(error: unknown): error is Fault {
  return error instanceof Fault && error.details.reason === 'limit_exceeded'
}
