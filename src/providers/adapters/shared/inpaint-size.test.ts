import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Call } from '../../define.ts'
import { inpaintSize } from './inpaint-size.ts'
import { requestImage } from './test-provider.ts'

function sizeFor(width: number, height: number, capability: 'inpaint' | 'edit' = 'inpaint') {
  const sizes = { listed: ['1024x1024', '1536x1024', '1024x1536'] }
  const call: Call = {
    id: 'call_1',
    capability,
    model: { name: 'm', can: { inpaint: { sizes }, edit: { sizes } } },
    request: { capability, images: [{ ...requestImage(), width, height }] },
  }
  const size = inpaintSize(call, 'Acme')
  return size && `${size.width}x${size.height}`
}

test('an inpainted image keeps its shape', () => {
  assert.equal(sizeFor(300, 300), '1024x1024')
  assert.equal(sizeFor(2400, 1600), '1536x1024')
  assert.equal(sizeFor(1000, 1510), '1024x1536')
  assert.equal(sizeFor(640, 400, 'edit'), undefined)
})

test('rejects an image that no response would fit before it is billed', () => {
  assert.throws(() => sizeFor(640, 400), /the aspect ratio of 1024x1024, .* is 640x400. Crop or pad it/)
})
