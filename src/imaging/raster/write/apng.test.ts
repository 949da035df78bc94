import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import type { Pixels } from '../../types.ts'
import { imageFromBytes, pixelsOf, sharpOf } from '../image.ts'
import { readApng } from '../read/apng-read.ts'
import { framesOf } from '../read/frames.ts'
import { loadSharp } from '../sharp.ts'
import { apngOf, bytesOf, type PngOptions, type RawChunk } from '../test-animations.ts'
import { contextFor, paint, pixelAt } from '../test-images.ts'
import { writeApng } from './apng-write.ts'

const context = contextFor()

const whole = (...color: number[]) => paint(6, 4, () => color)
const patch = (...color: number[]) => paint(2, 2, () => color)
const [red, green, half, clear] = [
  [200, 0, 0, 255],
  [0, 200, 0, 255],
  [0, 0, 200, 128],
  [0, 0, 0, 0],
]

test('draws a frame on the previous one: kept, cleared, or restored', async () => {
  const png = await apngOf(6, 4, [
    { pixels: whole(...red) },
    { pixels: patch(...green), x: 1, y: 1, dispose: 2 },
    { pixels: patch(...green), x: 3, y: 1, dispose: 1 },
    { pixels: patch(...green), x: 4, y: 2 },
  ])
  // At 1, 1: seen for one frame. At 3, 1: seen for one, then a hole. At 4, 2: a hole, then drawn over.
  assert.deepEqual(await seenAt(png, [0, 0]), [red, red, red, red])
  assert.deepEqual(await seenAt(png, [1, 1]), [red, green, red, red])
  assert.deepEqual(await seenAt(png, [3, 1]), [red, red, green, clear])
  assert.deepEqual(await seenAt(png, [4, 2]), [red, red, green, green])
})

test('restoring before the first frame gives an empty canvas', async () => {
  const png = await apngOf(6, 4, [
    { pixels: whole(...red), dispose: 2 },
    { pixels: patch(...green), x: 0, y: 0 },
  ])
  assert.deepEqual(await seenAt(png, [5, 3]), [red, clear])
})

test('blend source replaces pixels and alpha; blend over mixes them as section 13.16 of the specification defines', async () => {
  const replaced = await apngOf(6, 4, [{ pixels: whole(...red) }, { pixels: patch(...half), x: 2, y: 1, blend: 0 }])
  assert.deepEqual(await seenAt(replaced, [2, 1]), [red, half])
  const mixed = await apngOf(6, 4, [{ pixels: whole(...red) }, { pixels: patch(...half), x: 2, y: 1, blend: 1 }])
  const share = 128 / 255
  assert.deepEqual(await seenAt(mixed, [2, 1]), [red, [Math.round(200 * (1 - share)), 0, Math.round(200 * share), 255]])
  const twice = await apngOf(6, 4, [{ pixels: whole(...half) }, { pixels: patch(...half), x: 0, y: 0, blend: 1 }])
  const alpha = share + share * (1 - share)
  assert.deepEqual(await seenAt(twice, [0, 0]), [half, [0, 0, 200, Math.round(alpha * 255)]])
})

test('an animation has alpha only if a transparent pixel is visible', async () => {
  const opaque = [{ pixels: paint(6, 4, () => [9, 9, 9]) }, { pixels: paint(2, 2, () => [1, 2, 3]), x: 4, y: 2 }]
  const kept = await framesOf(await imageFromBytes(await apngOf(6, 4, opaque), context), context)
  assert.deepEqual(
    kept.map(({ hasAlpha }) => hasAlpha),
    [false, false],
  )
  const cleared = opaque.map((frame) => ({ ...frame, dispose: 1 }))
  assert.deepEqual(await seenAt(await apngOf(6, 4, cleared), [0, 0]), [[9, 9, 9, 255], clear])
})

test('delays are fractions of a second, and a delay of zero is a tenth', async () => {
  const delays: [number, number][] = [
    [1, 4],
    [3, 0],
    [0, 100],
    [1, 30],
  ]
  const png = await apngOf(
    6,
    4,
    delays.map((delay) => ({ pixels: whole(...red), delay })),
    { plays: 7 },
  )
  const { animation } = await imageFromBytes(png, context)
  assert.deepEqual([animation?.delaysMs, animation?.loops], [[250, 30, 100, 33], 7])
})

test('does not show an image that is not one of the frames', async () => {
  const hidden = whole(...red)
  const png = await apngOf(6, 4, [{ pixels: patch(...green), x: 1, y: 1 }, { pixels: whole(...half) }], { hidden })
  const image = await imageFromBytes(png, context)
  assert.deepEqual(pixelAt(await pixelsOf(image, context), 1, 1), green)
  assert.deepEqual(pixelAt(await pixelsOf(image, context), 0, 0), clear)
  assert.deepEqual(await seenAt(png, [1, 1]), [green, half])
  const [only] = await framesOf(
    await imageFromBytes(await apngOf(6, 4, [{ pixels: whole(...green) }], { hidden }), context),
    context,
  )
  assert.ok(only && only.animation === undefined)
  assert.deepEqual(pixelAt(await pixelsOf(only, context), 0, 0), green)
})

test('applies palettes, greys and 16 bits to every frame', async () => {
  const encodings: PngOptions['encode'][] = [
    (image) => image.png({ palette: true }),
    (image) => image.toColourspace('rgb16').png(),
    (image) => image.toColourspace('b-w').png(),
  ]
  const frames = [{ pixels: whole(90, 90, 90, 128) }, { pixels: patch(90, 90, 90, 128), x: 1, y: 1 }]
  for (const encode of encodings) {
    const png = await apngOf(6, 4, frames, { encode })
    assert.deepEqual(await seenAt(png, [1, 1]), [
      [90, 90, 90, 128],
      [90, 90, 90, 128],
    ])
  }
})

const two = [{ pixels: whole(...red) }, { pixels: patch(...green), x: 4, y: 2 }]
const edit =
  (type: string, at: number, value: number, number = 0) =>
  (chunks: RawChunk[]) => {
    const found = chunks.filter((each) => each.type === type)[number]
    assert.ok(found)
    found.data.writeUInt32BE(value, at)
    return chunks
  }
const without =
  (type: string, number = 0) =>
  (chunks: RawChunk[]) => {
    const found = chunks.filter((each) => each.type === type)[number]
    return chunks.filter((each) => each !== found)
  }

const broken: [string, PngOptions, RegExp][] = [
  ['too high a number of frames', { count: 3 }, /declares 3 frames, but has 2/],
  ['too low a number of frames', { count: 1 }, /more than the 1 frame/],
  ['no frames', { count: 0 }, /declares 0 frames/],
  ['the largest possible number of frames', { count: 2 ** 31 - 1 }, /2147483647 frames; the maximum is 1000/],
  ['a sequence that starts at 1', { change: edit('fcTL', 0, 1) }, /sequence number 1 instead of 0/],
  ['a frame in the wrong order', { change: edit('fcTL', 0, 9, 1) }, /sequence number 9 instead of 1/],
  ['data in the wrong order', { change: edit('fdAT', 0, 5) }, /sequence number 5 instead of 2/],
  ['a frame that exceeds the right edge', { change: edit('fcTL', 12, 5, 1) }, /2 x 2 at 5, 2, is not inside/],
  [
    'a frame that exceeds the bottom edge',
    { change: edit('fcTL', 16, 2 ** 32 - 1, 1) },
    /is not inside the image of 6 x 4/,
  ],
  ['a frame without width', { change: edit('fcTL', 4, 0, 1) }, /frame 2, 0 x 2/],
  ['a first frame that is smaller than the image', { change: edit('fcTL', 4, 3) }, /default image, but is 3 x 4/],
  ['a frame without data', { change: without('fdAT') }, /frame 2 has no data/],
  ['no image', { change: without('IDAT') }, /frame 1 has no data/],
  ['data without a frame', { change: without('fcTL', 1) }, /sequence number 2 instead of 1/],
  [
    'two beginnings',
    { change: (chunks) => chunks.flatMap((each) => (each.type === 'acTL' ? [each, each] : [each])) },
    /two acTL/,
  ],
  [
    'an acTL that is too long',
    { change: (chunks) => chunks.map((each) => (each.type === 'acTL' ? { ...each, data: Buffer.alloc(9) } : each)) },
    /acTL/,
  ],
  [
    'an fcTL that is too short',
    {
      change: (chunks) =>
        chunks.map((each) => (each.type === 'fcTL' ? { ...each, data: each.data.subarray(0, 25) } : each)),
    },
    /fcTL/,
  ],
  [
    'an unknown way of mixing',
    {
      change: (chunks) =>
        chunks.map((each) =>
          each.type === 'fcTL' ? { ...each, data: Buffer.concat([each.data.subarray(0, 25), bytesOf([2, 1])]) } : each,
        ),
    },
    /unknown blend mode/,
  ],
  ['no end', { change: without('IEND') }, /is truncated/],
]

for (const [label, options, message] of broken) {
  test(`rejects an animated PNG with ${label} and names the reason`, async () => {
    const png = await apngOf(6, 4, two, options)
    assert.throws(
      () => readApng(png),
      (error: unknown) => error instanceof Fault && error.code === 'workflow_failed' && message.test(error.message),
    )
  })
}

test('rejects a chunk with a wrong checksum: control chunks immediately, data when they are decoded', async () => {
  const png = await apngOf(6, 4, two)
  const control = Buffer.from(png)
  control.writeUInt8(7, png.indexOf('fcTL') + 4 + 21)
  assert.throws(() => readApng(control), /corrupt/)
  const data = Buffer.from(png)
  const at = png.indexOf('fdAT') + 12
  data.writeUInt8(data.readUInt8(at) ^ 1, at)
  await assert.rejects(framesOf(await imageFromBytes(data, context), context), /corrupt/)
})

test('rejects a truncated file as damaged, or finds no animation in it', async () => {
  const png = await apngOf(6, 4, two)
  for (let end = 57; end < png.length - 1; end += 3) {
    assert.throws(
      () => readApng(png.subarray(0, end)),
      (error: unknown) => error instanceof Fault,
      `cut at ${end}`,
    )
  }
})

test('rejects a frame whose data have another size', async () => {
  const png = await apngOf(6, 4, [two[0] ?? { pixels: whole(...red) }, { pixels: patch(...green), x: 0, y: 0 }], {
    change: (chunks) => edit('fcTL', 8, 4, 1)(chunks),
  })
  await assert.rejects(
    framesOf(await imageFromBytes(png, context), context),
    (error: unknown) => error instanceof Fault,
  )
})

test(`reads ${limits.framesMax} frames, and rejects one more`, async () => {
  const dot = paint(1, 1, () => [1, 2, 3])
  const make = (count: number) =>
    apngOf(
      1,
      1,
      Array.from({ length: count }, () => ({ pixels: dot })),
    )
  assert.equal(readApng(await make(limits.framesMax))?.frames.length, limits.framesMax)
  const more = await make(limits.framesMax + 1)
  assert.throws(() => readApng(more), /1001 frames; the maximum is 1000/)
})

test('reads its own files with equal pixels, delays and number of plays', async () => {
  const frames = Array.from({ length: 5 }, (_, at) =>
    paint(20, 12, (x, y) => [x * 9, y * 9, at * 30, x > at && x < at + 4 ? 200 - y * 9 : 40]),
  )
  const delaysMs = [40, 33, 1_000, 65_535, 100_000]
  const png = await writeApng(frames, { delaysMs, loops: 3 }, encodePng, context)
  const image = await imageFromBytes(png, context)
  assert.deepEqual([image.animation?.delaysMs, image.animation?.loops], [delaysMs, 3])
  for (const [at, frame] of (await framesOf(image, context)).entries()) {
    assert.deepEqual((await pixelsOf(frame, context)).data, frames[at]?.data)
  }
})

test('writes only changed pixels, and an unchanged frame extends the previous one', async () => {
  const still = paint(40, 40, () => [9, 90, 200])
  const dotted = paint(40, 40, (x, y) => (x >= 7 && x <= 9 && y === 30 ? [250, 0, 0] : [9, 90, 200]))
  const png = await writeApng([still, still, dotted], { delaysMs: [50, 60, 70], loops: 0 }, encodePng, context)
  const [first, second, ...none] = readApng(png)?.frames ?? []
  assert.deepEqual([first?.delay, second?.delay, none], [[110, 1_000], [70, 1_000], []])
  assert.deepEqual([second?.x, second?.y, second?.width, second?.height], [7, 30, 3, 1])
})

test('a reader without support for animations gets the first frame', async () => {
  const frames = [paint(9, 9, () => [1, 2, 3]), paint(9, 9, () => [200, 2, 3])]
  const sharp = await loadSharp()
  const png = await writeApng(frames, { delaysMs: [50, 50], loops: 0 }, encodePng, context)
  assert.deepEqual(await sharp(png).raw().toBuffer(), frames[0]?.data)
})

async function encodePng(pixels: Pixels): Promise<Buffer> {
  return (await sharpOf(pixels)).png().toBuffer()
}

/** The pixel at a place, with alpha, in each frame. */
async function seenAt(png: Buffer, [x, y]: [number, number]): Promise<number[][]> {
  const frames = await framesOf(await imageFromBytes(png, context), context)
  return Promise.all(
    frames.map(async (frame) => {
      const [r = 0, g = 0, b = 0, alpha = 255] = pixelAt(await pixelsOf(frame, context), x, y)
      return [r, g, b, alpha]
    }),
  )
}
