import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checker } from '../../../domain/validate.ts'
import { limits } from '../../../limits.ts'
import { catalogue } from '../../../operations/index.ts'
import type { ImageValue } from '../../types.ts'
import { toRgba } from '../channels.ts'
import { imageFromBytes, imageFromPixels, pixelsOf } from '../image.ts'
import { framesOf, imageFromFrames } from '../read/frames.ts'
import { sniff } from '../read/sniff.ts'
import { moving } from '../test-animations.ts'
import { isFault } from '../test-faults.ts'
import { contextFor, pixelAt } from '../test-images.ts'
import { encode } from './encode.ts'
import { encodeAnimation } from './encode-animation.ts'

const context = contextFor()
const delaysMs = [40, 250, 70, 100]

/** A white square that moves over colours; with alpha, on nothing. */
const square = (x: number, y: number, frame: number) => x >= frame * 8 && x < frame * 8 + 12 && y >= 6 && y < 18
const opaque = moving(
  48,
  24,
  delaysMs,
  (x, y, frame) => (square(x, y, frame) ? [250, 250, 250] : [x * 4, y * 8, 120]),
  3,
)
const clear = moving(48, 24, delaysMs, (x, y, frame) => (square(x, y, frame) ? [250, 60, 60, 255] : [0, 0, 0, 0]), 3)

for (const format of ['gif', 'webp', 'png'] as const) {
  for (const [name, source] of Object.entries({ opaque, clear })) {
    test(`frames, delays and plays of an ${name} animation are kept by resize, adjust and text to ${format}`, async () => {
      const image = await chain(source, [
        ['resize', { width: 96 }],
        ['adjust', { brightness: 1.1 }],
        ['text', { text: 'Hi', size: 16, color: '#00f', box: { x: 0, y: 30, width: 96, height: 18 } }],
      ])
      const { bytes, ...facts } = await encode(image, { format }, context)
      assert.deepEqual(facts, { format, width: 96, height: 48 })
      assert.equal(sniff(bytes), format)
      const back = await imageFromBytes(bytes, context)
      assert.deepEqual([back.width, back.height], [96, 48])
      assert.deepEqual([back.animation?.delaysMs, back.animation?.loops], [delaysMs, 3])
      const [is, was] = [await decoded(back), await decoded(image)]
      for (const [index, frame] of is.entries()) {
        // The middle of the square, and a place that it has left or not reached.
        const [inside, outside] = [
          [index * 16 + 12, 24],
          [index < 2 ? 90 : 4, 20],
        ] as const
        assert.ok(distance(pixelAt(frame, ...inside), pixelAt(was[index] ?? frame, ...inside)) < 24, `frame ${index}`)
        if (name === 'clear') assert.equal(pixelAt(frame, ...outside)[3], 0, `frame ${index}`)
      }
    })
  }
}

test('an animation without a format becomes webp, with or without alpha', async () => {
  for (const image of [opaque, clear]) assert.equal((await encode(image, {}, context)).format, 'webp')
})

for (const format of ['jpeg', 'avif', 'tiff'] as const) {
  test(`${format} uses the first frame`, async () => {
    const back = await imageFromBytes((await encode(opaque, { format, quality: 95 } as never, context)).bytes, context)
    assert.equal(back.animation, undefined)
    const pixels = await pixelsOf(back, context)
    assert.ok(distance(pixelAt(pixels, 6, 12), [250, 250, 250]) < 12)
    assert.ok(distance(pixelAt(pixels, 40, 12), [160, 96, 120]) < 24)
  })
}

test('png and lossless webp keep every pixel of every frame', async () => {
  for (const settings of [
    { format: 'png' },
    { format: 'png', progressive: true, effort: 'high' },
    { format: 'webp', lossless: true },
  ] as const) {
    for (const image of [opaque, clear]) {
      const back = await imageFromBytes((await encode(image, settings, context)).bytes, context)
      const [is, was] = [await decoded(back), await decoded(image)]
      for (const [index, frame] of is.entries()) {
        // A WebP may say that it has alpha where only the changes from frame to frame have.
        const [read, written] = [await toRgba(frame, context), await toRgba(was[index] ?? frame, context)]
        assert.ok(read.data.equals(written.data), `${settings.format}, frame ${index}`)
      }
    }
  }
})

test('combines frames with and without alpha', async () => {
  const mixed = { ...opaque, animation: { delaysMs: [50, 50], loops: 0, frames: [opaque, clear].map(firstOf) } }
  const back = await imageFromBytes((await encode(mixed, { format: 'png' }, context)).bytes, context)
  const [first, second] = await decoded(back)
  assert.ok(first && second)
  assert.deepEqual(
    [pixelAt(first, 6, 12), pixelAt(second, 40, 20)],
    [
      [250, 250, 250, 255],
      [0, 0, 0, 0],
    ],
  )
})

test('one transparent frame makes an animation transparent, at any index among large opaque frames', async () => {
  // Large enough to be looked at in several turns, so that frames are looked at at the same time.
  const [width, height] = [2_200, 2_000]
  const frame = (byte: number) =>
    imageFromPixels({ data: Buffer.alloc(width * height * 4, byte), width, height, channels: 4 })
  const [solid, hollow] = [frame(255), frame(0)]
  for (const frames of [
    [hollow, solid],
    [solid, hollow],
    [solid, solid],
  ]) {
    const { animation, ...image } = imageFromFrames(frames, { delaysMs: [50, 50], loops: 0 })
    assert.ok(animation)
    let isTransparent: boolean | undefined
    const note = async (_: unknown, transparent: boolean) => {
      isTransparent = transparent
      return Buffer.alloc(0)
    }
    await encodeAnimation({ ...image, animation }, animation, 'webp', note, context)
    assert.equal(isTransparent, frames.includes(hollow))
  }
})

test('a GIF has the right duration, although it counts in hundredths', async () => {
  const image = moving(4, 4, [33, 33, 33, 33, 33, 35], (x, y, frame) => [x * 60, y * 60, frame * 40])
  const { animation } = await imageFromBytes((await encode(image, { format: 'gif' }, context)).bytes, context)
  assert.deepEqual(animation?.delaysMs, [30, 40, 30, 30, 40, 30])
})

test('maxBytes limits all frames together', async () => {
  const noisy = moving(64, 64, delaysMs, (x, y, frame) => [(x * 37 + frame * 90) % 256, (y * 91) % 256, (x * y) % 256])
  for (const format of ['webp', 'gif'] as const) {
    const large = await encode(noisy, { format }, context)
    const maxBytes = Math.round(large.bytes.length * 0.7)
    const { bytes } = await encode(noisy, { format, maxBytes }, context)
    assert.ok(bytes.length <= maxBytes)
    assert.equal((await imageFromBytes(bytes, context)).animation?.delaysMs.length, 4)
  }
})

const refused = [
  [{ format: 'png', maxBytes: 1_000 }, /"output.maxBytes" is not supported for an animated PNG/],
  [{ format: 'png', lossless: false }, /"output.lossless" is false, which an animated PNG/],
  [{ metadata: 'keep' }, /"output.metadata" is "keep", which only still images support/],
] as const

const described = { ...opaque, metadata: { xmp: Buffer.from('<x/>') } }

for (const [settings, message] of refused) {
  test(`rejects ${JSON.stringify(settings)} for an animation`, async () => {
    await assert.rejects(encode(described, settings, context), isFault('input_invalid', message))
  })
}

test('accepts metadata options for a source without metadata', async () => {
  const image = { ...opaque, metadata: { density: 300 } }
  const { bytes } = await encode(image, { format: 'webp', metadata: 'keep' }, context)
  assert.equal((await imageFromBytes(bytes, context)).animation?.delaysMs.length, 4)
})

test(`a frame is shown for at most ${limits.frameMsMax} milliseconds`, async () => {
  const lasting = (ms: number) => moving(2, 2, [ms, 50], (x, y, frame) => [x, y, frame * 200])
  for (const format of ['gif', 'webp', 'png'] as const) {
    const { bytes } = await encode(lasting(limits.frameMsMax), { format }, context)
    const [shown = 0] = (await imageFromBytes(bytes, context)).animation?.delaysMs ?? []
    assert.ok(Math.abs(shown - limits.frameMsMax) <= 5, `${format}: ${shown}`)
    await assert.rejects(
      encode(lasting(limits.frameMsMax + 1), { format }, context),
      isFault('limit_exceeded', /60001/),
    )
  }
})

test('encoding stops when the execution is cancelled', async () => {
  for (const format of ['gif', 'webp', 'png'] as const) {
    const aborted = contextFor({ signal: AbortSignal.abort() })
    await assert.rejects(encode(opaque, { format }, aborted), isFault('cancelled'))
  }
})

async function chain(picture: ImageValue, steps: [string, Record<string, unknown>][]): Promise<ImageValue> {
  let image = picture
  for (const [id, params] of steps) image = await run(id, image, params)
  return image
}

async function run(id: string, image: ImageValue, values: Record<string, unknown>): Promise<ImageValue> {
  const operation = catalogue.get(id)
  assert.ok(operation)
  const params = structuredClone(values)
  assert.deepEqual(checker(operation.params)(params), [])
  const outputs = await operation.run({ image }, params, context)
  assert.ok(outputs.image)
  return outputs.image
}

async function decoded(image: ImageValue) {
  return Promise.all((await framesOf(image, context)).map((frame) => pixelsOf(frame, context)))
}

function firstOf({ animation }: ImageValue): ImageValue {
  const [first] = animation?.frames ?? []
  assert.ok(first)
  return first
}

function distance(a: number[], b: number[]): number {
  return Math.max(...[0, 1, 2].map((channel) => Math.abs((a[channel] ?? 0) - (b[channel] ?? 0))))
}
