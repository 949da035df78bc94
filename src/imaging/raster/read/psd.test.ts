import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PsdOptions, psdOf } from '../../../../test/harness/psds.ts'
import { repetitions } from '../../../../test/harness/repetitions.ts'
import { Fault } from '../../../errors.ts'
import { imageFromBytes, pixelsOf } from '../image.ts'
import { loadSharp } from '../sharp.ts'
import { isFault } from '../test-faults.ts'
import { contextFor, pixelAt, testProcesses, withFile } from '../test-images.ts'
import { inspect } from './inspect.ts'

const context = contextFor()
const [width, height] = [3, 2]

/** A channel whose samples all have this value. */
function plane(value: number, depth = 8, size = { width, height }): Buffer {
  if (depth === 1) return Buffer.alloc(Math.ceil(size.width / 8) * size.height, value)
  const out = Buffer.alloc((size.width * size.height * depth) / 8)
  for (let at = 0; at < out.length; at += depth / 8) {
    if (depth === 32) out.writeFloatBE(value, at)
    else out.writeUIntBE(value, at, depth / 8)
  }
  return out
}

const rgb = [plane(200), plane(100), plane(50)]

const files: [name: string, options: Omit<PsdOptions, 'width' | 'height'>, color: number[], tolerance?: number][] = [
  ['RGB', { channels: rgb }, [200, 100, 50]],
  [
    'RGB of 16 bits',
    { depth: 16, channels: [51_400, 25_700, 12_850].map((value) => plane(value, 16)) },
    [200, 100, 50],
  ],
  // Linear light: 0.5 is 188 in sRGB.
  ['RGB of 32 bits', { depth: 32, channels: [1, 0.5, 0].map((value) => plane(value, 32)) }, [255, 188, 0], 1],
  ['grayscale', { mode: 1, channels: [plane(77)] }, [77, 77, 77]],
  ['grayscale of 16 bits', { mode: 1, depth: 16, channels: [plane(0x4d4d, 16)] }, [77, 77, 77]],
  ['a duotone, as grayscale', { mode: 8, channels: [plane(77)] }, [77, 77, 77]],
  ['a bitmap, where 1 is black', { mode: 0, depth: 1, channels: [plane(0xff, 1)] }, [0, 0, 0]],
  ['indexed color', { mode: 2, palette: paletteWith(9, [10, 20, 30]), channels: [plane(9)] }, [10, 20, 30]],
  // Paper is 255, so this is 0 % of each ink, and then full black.
  ['CMYK without ink', { mode: 4, channels: [255, 255, 255, 255].map((value) => plane(value)) }, [255, 255, 255], 1],
  ['CMYK in black', { mode: 4, channels: [255, 255, 255, 0].map((value) => plane(value)) }, [20, 5, 0], 3],
  [
    'CMYK of 16 bits',
    { mode: 4, depth: 16, channels: Array.from({ length: 4 }, () => plane(65_535, 16)) },
    [255, 255, 255],
    1,
  ],
  ['a selection that someone saved, which is not transparency', { channels: [...rgb, plane(10)] }, [200, 100, 50]],
  ['layers', { channels: rgb, layers: 3, layerBytes: 5_000 }, [200, 100, 50]],
]

for (const [name, options, color, tolerance = 0] of files) {
  for (const [kind, more] of Object.entries({
    'a PSD': {},
    'a PSD with PackBits': { compression: 1 },
    'a PSB': { isLarge: true, compression: 1 },
  })) {
    test(`${kind}: ${name}`, async () => {
      const bytes = psdOf({ width, height, ...options, ...more })
      const image = await imageFromBytes(bytes, context)
      assert.deepEqual([image.format, image.width, image.height, image.hasAlpha], ['psd', width, height, false])
      const pixels = await pixelsOf(image, context)
      for (const [x, y] of [
        [0, 0],
        [2, 1],
      ] as const) {
        const actual = pixelAt(pixels, x, y)
        const isClose = actual.every((value, at) => Math.abs(value - (color[at] ?? 0)) <= tolerance)
        assert.ok(isClose, `${actual} instead of ${color}`)
      }
      const facts = await withFile(bytes, (file) => inspect(file, { processes: testProcesses, pixelsMax: 1e6 }))
      assert.deepEqual(facts, { format: 'psd', width, height })
    })
  }
}

test('the rows of a channel stay in order', async () => {
  const channels = [
    Buffer.from([1, 2, 3, 4, 5, 6]),
    Buffer.from([11, 12, 13, 14, 15, 16]),
    Buffer.from([21, 22, 23, 24, 25, 26]),
  ]
  const pixels = await pixelsOf(
    await imageFromBytes(psdOf({ width, height, channels, compression: 1 }), context),
    context,
  )
  assert.deepEqual(
    [pixelAt(pixels, 0, 0), pixelAt(pixels, 1, 0), pixelAt(pixels, 2, 1)],
    [
      [1, 11, 21],
      [2, 12, 22],
      [6, 16, 26],
    ],
  )
})

for (const [where, options] of Object.entries({
  'in the layers': { layers: -1 },
  'in a block of its own': { layers: -1, isTagged: true, depth: 16 },
  'in a block of a PSB': { layers: -1, isTagged: true, depth: 16, isLarge: true },
})) {
  test(`transparency that is declared ${where}: colors are no longer blended with white`, async () => {
    const depth = 'depth' in options ? 16 : 8
    const values = [228, 178, 153, 127].map((value) => plane(depth === 16 ? value * 257 : value, depth))
    const image = await imageFromBytes(psdOf({ width, height, channels: values, ...options }), context)
    assert.equal(image.hasAlpha, true)
    assert.deepEqual(pixelAt(await pixelsOf(image, context), 1, 1), [201, 100, 50, 127])
  })
}

test('colors that can not be blended with white stay as they are', async () => {
  const channels = [200, 100, 50, 127].map((value) => plane(value))
  const image = await imageFromBytes(psdOf({ width, height, channels, layers: -1 }), context)
  assert.deepEqual(pixelAt(await pixelsOf(image, context), 1, 1), [200, 100, 50, 127])
})

test('uses the profile, and keeps XMP and resolution', async () => {
  const sharp = await loadSharp()
  const plain = sharp({ create: { width: 9, height: 9, channels: 3, background: { r: 200, g: 100, b: 50 } } })
  const icc = (await sharp(await plain.withIccProfile('p3').png().toBuffer()).metadata()).icc ?? Buffer.alloc(0)
  const xmp = Buffer.from('<x:xmpmeta xmlns:x="adobe:ns:meta/"></x:xmpmeta>')
  const resolution = Buffer.from([0x01, 0x2c, 0, 0, 0, 1, 0, 1, 0x01, 0x2c, 0, 0, 0, 1, 0, 1])
  const bytes = psdOf({ width, height, channels: rgb, resources: { 1005: resolution, 1039: icc, 1060: xmp } })
  const { metadata, ...image } = await imageFromBytes(bytes, context)
  assert.equal(metadata?.density, 300)
  assert.deepEqual(metadata?.xmp, xmp)
  assert.deepEqual(metadata?.icc, icc)
  // Display P3 has a larger gamut: the same numbers are more saturated.
  assert.deepEqual(pixelAt(await pixelsOf(image, context), 0, 0), [215, 93, 32])
})

const whole = psdOf({
  width,
  height,
  channels: rgb,
  compression: 1,
  layers: 1,
  layerBytes: 40,
  resources: { 1005: Buffer.alloc(16) },
})

const refused: [string, Buffer, RegExp][] = [
  ['only its first bytes', Buffer.from('8BPS'), /corrupt or truncated/],
  ['a missing end', whole.subarray(0, -3), /corrupt or truncated/],
  [
    'a size of 300,000 x 300,000 pixels',
    psdOf({ width: 300_000, height: 300_000, channels: rgb, isLarge: true }),
    /300000 pixels; the maximum|per side/,
  ],
  ['too few pixels for its size', psdOf({ width: 16_000, height: 6_000, channels: rgb }), /corrupt or truncated/],
  ['a side of 0', psdOf({ width: 0, height: 9, channels: rgb }), /corrupt/],
  ['57 channels', psdOf({ width: 1, height: 1, channels: Array(57).fill(Buffer.alloc(1)) }), /corrupt/],
  ['two channels in RGB', psdOf({ width, height, channels: rgb.slice(0, 2) }), /corrupt/],
  [
    'multichannel mode',
    psdOf({ width, height, mode: 7, channels: rgb }),
    /color mode that is not supported\. Convert it to RGB/,
  ],
  [
    '32 bits in CMYK',
    psdOf({ width, height, mode: 4, depth: 32, channels: Array(4).fill(plane(0, 32)) }),
    /32 bits per channel in CMYK/,
  ],
  [
    'a palette of 3 bytes',
    psdOf({ width, height, mode: 2, palette: Buffer.alloc(3), channels: [plane(1)] }),
    /corrupt/,
  ],
  ['an unknown compression', psdOf({ width, height, channels: rgb, compression: 3 }), /unknown compression/],
  [
    'no composite',
    psdOf({ width, height, channels: rgb, resources: { 1057: Buffer.from([0, 0, 0, 1, 0]) } }),
    /Maximize Compatibility/,
  ],
  ['10,001 resources', psdOf({ width, height, channels: rgb, resources: emptyResources(10_001) }), /corrupt/],
  ['rows that unpack to too few pixels', broken(), /corrupt|truncated|decoded/],
  ['a packed row that is far longer than its pixels', padded(200), /corrupt/],
]

for (const [name, bytes, message] of refused) {
  test(`rejects a PSD with ${name}`, async () => {
    await assert.rejects(
      withFile(bytes, (file) => inspect(file, { processes: testProcesses, pixelsMax: 100_000_000 })),
      (error: unknown) => {
        assert.ok(error instanceof Fault && error.code === 'invalid_request', String(error))
        assert.match(error.message, message)
        return true
      },
    )
  })
}

test('rejects damage anywhere in a PSD, or reads an image of its size', async () => {
  for (let round = 0; round < repetitions(150, 3_000); round += 1) {
    const bytes = Buffer.from(whole)
    // Different in each round, and the same in each run.
    const at = (round * 7_919) % bytes.length
    bytes[at] = (bytes[at] ?? 0) ^ (1 + ((round * 31) % 255))
    try {
      const image = await imageFromBytes(bytes, contextFor({ pixelsMax: 10_000 }))
      if (image.format === 'psd') await pixelsOf(image, context)
    } catch (error) {
      assert.ok(
        error instanceof Fault && ['input_invalid', 'limit_exceeded'].includes(String(error.details.reason)),
        `byte ${at}: ${error}`,
      )
    }
  }
})

test('reads a packed row with some bytes that unpack to nothing', async () => {
  const image = await imageFromBytes(padded(100), context)
  assert.deepEqual(pixelAt(await pixelsOf(image, context), 2, 0).slice(0, 3), [77, 77, 77])
})

test('is read only as far as its size if that exceeds the limit', async () => {
  const bytes = psdOf({ width: 5_000, height: 5_000, channels: [] })
  await assert.rejects(
    imageFromBytes(bytes, contextFor({ pixelsMax: 1_000 })),
    isFault('limit_exceeded', /5000 x 5000/),
  )
})

function paletteWith(index: number, [red = 0, green = 0, blue = 0]: number[]): Buffer {
  const palette = Buffer.alloc(768)
  palette[index] = red
  palette[256 + index] = green
  palette[512 + index] = blue
  return palette
}

function emptyResources(count: number): Record<number, Buffer> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [2_000 + i, Buffer.alloc(0)]))
}

/** A packed row of three grey pixels, and after it bytes that unpack to nothing. */
function padded(count: number): Buffer {
  const bytes = psdOf({ width, height: 1, mode: 1, channels: [plane(77, 8, { width, height: 1 })], compression: 1 })
  const rowBytes = 2
  bytes.writeUInt16BE(rowBytes + count, bytes.length - rowBytes - 2)
  return Buffer.concat([bytes, Buffer.alloc(count, 0x80)])
}

/** The last row repeats a byte twice instead of three times. */
function broken(): Buffer {
  const bytes = psdOf({ width, height, channels: rgb, compression: 1 })
  bytes[bytes.length - 2] = 255
  return bytes
}
