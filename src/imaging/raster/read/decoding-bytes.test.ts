import assert from 'node:assert/strict'
import { test } from 'node:test'
import { imageFromBytes } from '../image.ts'
import { loadSharp } from '../sharp.ts'
import { contextFor } from '../test-images.ts'

test('the memory of a decoder is known from the header of a file', async () => {
  const sharp = await loadSharp()
  const clear = () =>
    sharp({ create: { width: 200, height: 100, channels: 4, background: { r: 9, g: 8, b: 7, alpha: 0.5 } } })
  const opaque = () => clear().flatten()
  const files = [
    ['a PNG', clear().png(), 0],
    ['an interlaced PNG', clear().png({ progressive: true }), 4],
    ['an interlaced PNG of 16 bits', clear().toColourspace('rgb16').png({ progressive: true }), 8],
    ['a JPEG', opaque().jpeg(), 0],
    ['a rotated JPEG', opaque().withMetadata({ orientation: 6 }).jpeg(), 3],
    ['a progressive JPEG', opaque().jpeg({ progressive: true }), 3],
    ['a progressive JPEG without subsampling', opaque().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }), 6],
    ['a WebP', clear().webp(), 8],
    ['a GIF', opaque().gif(), 8],
    ['an AVIF', opaque().avif({ effort: 0 }), 19],
    ['a TIFF', opaque().tiff(), 6],
  ] as const
  for (const [name, image, bytes] of files) {
    const { decodingBytes } = await imageFromBytes(await image.toBuffer(), contextFor())
    assert.equal(decodingBytes, bytes * 200 * 100, name)
  }
})
