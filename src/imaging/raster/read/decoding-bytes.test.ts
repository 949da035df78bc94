import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadSharp } from '../sharp.ts'
import { inspect } from './inspect.ts'

/** The bytes that inspecting an image of 200 x 100 pixels reserves, and whether all of them are released. */
async function reservedFor(file: string): Promise<number> {
  let [most, held] = [0, 0]
  await inspect(file, {
    pixelsMax: 1e6,
    async reserve(bytes) {
      held += bytes
      most = Math.max(most, held)
      return () => {
        held -= bytes
      }
    },
  })
  assert.equal(held, 0)
  return most / (200 * 100)
}

test('an upload reserves the memory of its decoder according to its header, and releases it', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'tintype-'))
  t.after(() => rm(dir, { recursive: true }))
  const sharp = await loadSharp()
  const clear = () =>
    sharp({ create: { width: 200, height: 100, channels: 4, background: { r: 9, g: 8, b: 7, alpha: 0.5 } } })
  const opaque = () => clear().flatten()
  const files = [
    ['a PNG', clear().png(), 0],
    ['an interlaced PNG', clear().png({ progressive: true }), 4],
    ['an interlaced PNG of 16 bits', clear().toColourspace('rgb16').png({ progressive: true }), 8],
    ['a JPEG', opaque().jpeg(), 0],
    ['a rotated JPEG', opaque().withMetadata({ orientation: 6 }).jpeg(), 0],
    ['a progressive JPEG', opaque().jpeg({ progressive: true }), 3],
    ['a progressive JPEG without subsampling', opaque().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }), 6],
    ['a WebP', clear().webp(), 8],
    ['a GIF', opaque().gif(), 8],
    ['an AVIF', opaque().avif({ effort: 0 }), 19],
    ['a TIFF', opaque().tiff(), 6],
  ] as const
  for (const [name, image, bytes] of files) {
    const file = join(dir, 'image')
    await writeFile(file, await image.toBuffer())
    assert.equal(await reservedFor(file), bytes, name)
  }
})
