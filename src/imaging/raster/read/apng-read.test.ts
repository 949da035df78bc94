import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apngOf } from '../test-animations.ts'
import { paint } from '../test-images.ts'
import { readApng } from './apng-read.ts'

test('rejects an animated PNG whose first chunk is not IHDR as damaged, whatever its first bytes are', async () => {
  const frames = [0, 1].map((at) => ({ pixels: paint(9, 9, () => [at, 0, 0]) }))
  const png = await apngOf(9, 9, frames)
  png.write('zzZz', 12, 'latin1')
  assert.throws(() => readApng(png), /its IHDR chunk is missing/)
})
