import assert from 'node:assert/strict'
import { test } from 'node:test'
import { imageFromBytes, pixelsOf } from '../image.ts'
import { type GifFrame, gifOf } from '../test-animations.ts'
import { assertPixels, contextFor, testProcesses, withFile } from '../test-images.ts'
import { encode } from '../write/encode.ts'
import { framesOf } from './frames.ts'
import { inspect } from './inspect.ts'

const context = contextFor()
const [red, green, blue] = [
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 255, 255],
] as const
const clear = [0, 0, 0, 0]

const frame = (over: Partial<GifFrame>): GifFrame => {
  const { width = 4, height = 4, color = 1 } = over as Partial<GifFrame> & { color?: number }
  return {
    x: 2,
    y: 2,
    width,
    height,
    disposal: 0,
    delayHundredths: 10,
    colors: Array(width * height).fill(color),
    ...over,
  }
}
const colored = (color: number, over: Partial<GifFrame> = {}) => {
  const { width = 4, height = 4 } = over
  return frame({ ...over, colors: Array(width * height).fill(color) })
}

/** A GIF without transparent colours. */
function opaque(frames: GifFrame[]): Buffer {
  const gif = gifOf(8, 8, 0, frames)
  for (let at = gif.indexOf('\x21\xf9\x04', 0, 'latin1'); at >= 0; at = gif.indexOf('\x21\xf9\x04', at + 1, 'latin1')) {
    gif[at + 3] = (gif[at + 3] as number) & ~1
  }
  return gif
}

const isMiddle = (x: number, y: number) => x >= 2 && y >= 2 && x < 6 && y < 6

async function seen(gif: Buffer) {
  const image = await imageFromBytes(gif, context)
  const frames = await Promise.all((await framesOf(image, context)).map((each) => pixelsOf(each, context)))
  return { image, first: await pixelsOf(image, context), frames }
}

test('the canvas around a frame without transparent colours is transparent, in each frame', async () => {
  const { image, first, frames } = await seen(opaque([colored(1), colored(2)]))
  assert.equal(image.hasAlpha, true)
  assertPixels(first, (x, y) => (isMiddle(x, y) ? green : clear))
  assert.equal(frames.length, 2)
  assertPixels(frames[0] as never, (x, y) => (isMiddle(x, y) ? green : clear))
  assertPixels(frames[1] as never, (x, y) => (isMiddle(x, y) ? blue : clear))
})

test('a still GIF whose frame is smaller than its canvas is transparent around it', async () => {
  const { image, first } = await seen(opaque([colored(1)]))
  assert.equal(image.animation, undefined)
  assertPixels(first, (x, y) => (isMiddle(x, y) ? green : clear))
})

test('the place of a frame that is removed is transparent, not the background colour', async () => {
  const full = { x: 0, y: 0, width: 8, height: 8 }
  const { frames } = await seen(
    opaque([colored(0, full), colored(1, { disposal: 2 }), colored(2, { x: 0, y: 0, width: 2, height: 2 })]),
  )
  assertPixels(frames[1] as never, (x, y) => (isMiddle(x, y) ? green : red))
  assertPixels(frames[2] as never, (x, y) => (isMiddle(x, y) ? clear : x < 2 && y < 2 ? blue : red))
})

test('a frame that is removed for the previous one shows it again', async () => {
  const { frames } = await seen(
    opaque([colored(0), colored(1, { disposal: 3 }), colored(2, { x: 0, y: 0, width: 2, height: 2 })]),
  )
  assertPixels(frames[2] as never, (x, y) => (isMiddle(x, y) ? red : x < 2 && y < 2 ? blue : clear))
})

test('an opaque GIF stays opaque', async () => {
  const { image, first } = await seen(opaque([colored(0, { x: 0, y: 0, width: 8, height: 8 }), colored(1)]))
  assert.equal(image.hasAlpha, false)
  assert.equal(first.channels, 3)
})

for (const format of ['png', 'webp', 'gif', 'avif'] as const) {
  test(`a transparent canvas stays transparent in ${format}`, async () => {
    const image = await imageFromBytes(opaque([colored(1), colored(2)]), context)
    const { bytes } = await encode(image, { format, lossless: format !== 'gif' }, context)
    const again = await pixelsOf(await imageFromBytes(bytes, context), context)
    assertPixels(again, (x, y) =>
      isMiddle(x, y)
        ? undefined
        : ([
            again.data[(y * 8 + x) * 4],
            again.data[(y * 8 + x) * 4 + 1],
            again.data[(y * 8 + x) * 4 + 2],
            0,
          ] as number[]),
    )
  })
}

test('such a GIF can be uploaded', async () => {
  await withFile(opaque([colored(1), colored(2)]), async (file) => {
    const { format, width, height } = await inspect(file, { processes: testProcesses, pixelsMax: 1_000_000 })
    assert.deepEqual([format, width, height], ['gif', 8, 8])
  })
})
