import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import type { ImageValue } from '../../types.ts'
import { imageFromBytes } from '../image.ts'
import { createImaging } from '../imaging.ts'
import { testProcesses } from '../test-images.ts'
import { originOfFile } from '../xmp.ts'
import { shrink } from './shrink.ts'

const context = { signal: new AbortController().signal, secondsLeft: () => 9, pixelsMax: 1e7, processes: testProcesses }
const sheet = (width: number, height: number, background: object = { r: 255, g: 0, b: 0, alpha: 0.5 }) =>
  sharp({ create: { width, height, channels: 4, background } })

async function shown(image: ImageValue) {
  const { bytes, width, height } = await shrink(image, context)
  const { format, hasAlpha, pages = 1, ...metadata } = await sharp(bytes).metadata()
  assert.deepEqual([format, metadata.width, metadata.height, pages], ['webp', width, height, 1])
  const [red = 0, , blue = 0, alpha = 255] = await sharp(bytes).ensureAlpha().raw().toBuffer()
  return { size: [width, height], hasAlpha, red, blue, alpha }
}

test('shrinks an image to 512 pixels a side, keeps its shape and transparency, and never enlarges it', async () => {
  const png = async (width: number, height: number) =>
    imageFromBytes(await sheet(width, height).png().toBuffer(), context)
  assert.deepEqual((await shown(await png(1000, 600))).size, [512, 307])
  assert.deepEqual((await shown(await png(3, 2000))).size, [1, 512])
  const small = await shown(await png(40, 30))
  assert.deepEqual([small.size, small.hasAlpha], [[40, 30], true])
  assert.ok(Math.abs(small.alpha - 128) < 3)
})

test('gives the same result for pixels and for bytes with an orientation', async () => {
  const bytes = await sheet(800, 400).flatten().jpeg().withMetadata({ orientation: 6 }).toBuffer()
  assert.deepEqual((await shown(await imageFromBytes(bytes, context))).size, [256, 512])
  const { data } = await sheet(800, 400).raw().toBuffer({ resolveWithObject: true })
  const pixels = { data, width: 800, height: 400, channels: 4 as const }
  assert.deepEqual((await shown({ ...pixels, hasAlpha: true, format: 'raw', pixels })).size, [512, 256])
})

test('draws the file of an SVG at the size of a thumbnail, whatever its own size', async () => {
  const { renderFile } = createImaging({ processes: testProcesses, pixelsMax: 1e7 })
  const svg = (width: number, height: number) =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="99999" height="99999" fill="red"/></svg>`,
    )
  for (const [width, height, size] of [
    [20, 10, [512, 256]],
    [16_000, 16_000, [512, 512]],
    [300, 600, [256, 512]],
  ] as const) {
    const drawn = await renderFile(svg(width, height), { width, height, origin: null }, undefined, {
      ...context,
      pixelsMax: 300_000,
    })
    assert.deepEqual([drawn.width, drawn.height], size)
  }
  const file = await sheet(1000, 600).png().toBuffer()
  assert.deepEqual(
    await renderFile(file, { width: 1000, height: 600, origin: null }, undefined, context),
    await shrink(await imageFromBytes(file, context), context),
  )
})

test('shows an SVG as drawn, and the first frame of an animation', async () => {
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="20" height="10" fill="red"/></svg>',
  )
  const { pixels: _, ...undrawn } = await imageFromBytes(svg, context)
  const drawn = await shown(undrawn)
  assert.deepEqual(drawn.size, [20, 10])
  assert.ok(drawn.red > 240)
  const frames = [
    await sheet(30, 20, { r: 0, g: 0, b: 255, alpha: 1 }).png().toBuffer(),
    await sheet(30, 20).png().toBuffer(),
  ]
  const moving = await imageFromBytes(
    await sharp(frames, { join: { animated: true } })
      .webp({ lossless: true })
      .toBuffer(),
    context,
  )
  const first = await shown(moving)
  assert.deepEqual([first.size, first.blue > 200, first.red < 60], [[30, 20], true, true])
})

test('the thumbnail of a file has the mark of its recorded origin, or of the origin in the file', async () => {
  const file = await sheet(20, 10).png().toBuffer()
  const originOf = async (bytes: Buffer) => originOfFile('webp', await sharp(bytes).metadata())
  const size = { width: 20, height: 10 }
  const marking = createImaging({ processes: testProcesses, pixelsMax: 1e7 })
  const marked = await marking.renderFile(file, { ...size, origin: 'generated' }, undefined, context)
  assert.equal(await originOf(marked.bytes), 'generated')
  assert.equal(
    await originOf((await marking.renderFile(marked.bytes, { ...size, origin: null }, undefined, context)).bytes),
    'generated',
  )
  assert.equal(
    await originOf((await marking.renderFile(file, { ...size, origin: null }, undefined, context)).bytes),
    undefined,
  )
  const unmarked = createImaging({ processes: testProcesses, pixelsMax: 1e7, marksAiImages: false })
  assert.equal(
    await originOf((await unmarked.renderFile(file, { ...size, origin: 'generated' }, undefined, context)).bytes),
    undefined,
  )
})
