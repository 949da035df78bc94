import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatFor } from './delivery.ts'

test('auto is the best format that the client names, without those of weight 0', () => {
  for (const [accept, format] of [
    ['image/avif,image/webp,*/*', 'avif'],
    ['image/webp,*/*', 'webp'],
    ['*/*', 'default'],
    ['', 'default'],
    ['image/webp;q=0', 'default'],
    ['image/avif; Q=0.000, IMAGE/WebP ;v=1; q=0.001', 'webp'],
    ['image/avif;q=0,image/webp;q=0.0,*/*', 'default'],
    ['image/avif;q=1', 'avif'],
    ['image/webpx, text/image/avif', 'default'],
  ] as const)
    assert.equal(formatFor('auto', accept), format, accept)
  assert.equal(formatFor('jpg', 'image/webp'), 'jpeg')
})
