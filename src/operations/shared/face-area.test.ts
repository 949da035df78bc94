import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { faceArea } from './face-area.ts'

const face = (x: number, y: number, size: number, score = 0.9) => ({ x, y, width: size, height: size, score })
const image = { width: 1_000, height: 800 }

test('zooms to a face with the margin on each side', () => {
  const part = { width: 100, height: 100 }
  assert.deepEqual(faceArea([face(400, 300, 100)], image, part, 0.5), { x: 350, y: 250, width: 200, height: 200 })
  assert.deepEqual(faceArea([face(400, 300, 100)], image, part, 1), { x: 300, y: 200, width: 300, height: 300 })
  assert.deepEqual(faceArea([face(400, 300, 100)], image, part, 20), { x: 50, y: 0, width: 800, height: 800 })
  const wide = faceArea([face(400, 300, 100)], image, { width: 200, height: 100 }, 0.5)
  assert.deepEqual(wide, { x: 250, y: 250, width: 400, height: 200 })
})

test('does not enlarge, unless the image has fewer pixels than the crop', () => {
  const small = [face(400, 300, 20)]
  const area = faceArea(small, image, { width: 300, height: 300 }, 0.5)
  assert.deepEqual([area.width, area.height], [300, 300])
  const largest = faceArea(small, image, { width: 2_000, height: 2_000 }, 0.5)
  assert.deepEqual([largest.width, largest.height], [800, 800])
})

test('shows all faces that fit, the largest first, without people in the background', () => {
  const part = { width: 50, height: 50 }
  const two = faceArea([face(300, 300, 60), face(100, 300, 100)], image, part, 0)
  assert.deepEqual(two, { x: 100, y: 220, width: 260, height: 260 })
  const apart = faceArea([face(900, 300, 80), face(20, 300, 100)], image, part, 0)
  assert.deepEqual(apart, { x: 20, y: 300, width: 100, height: 100 })
  const background = faceArea([face(300, 300, 30), face(100, 300, 100)], image, part, 0)
  assert.deepEqual(background, { x: 100, y: 300, width: 100, height: 100 })
  const unsure = faceArea([face(900, 300, 100, 0.5), face(20, 300, 96, 0.99)], image, part, 0)
  assert.equal(unsure.x, 20)
})

test('stays inside of every image', () => {
  const size = fc.integer({ min: 1, max: 3_000 })
  fc.assert(
    fc.property(
      size,
      size,
      size,
      size,
      fc.double({ min: 0, max: 20, noNaN: true }),
      (width, height, wide, high, margin) => {
        const box = { x: width * 0.9, y: 0, width: width * 0.1, height: height * 0.3, score: 0.7 }
        const area = faceArea([box], { width, height }, { width: wide, height: high }, margin)
        assert.ok(Object.values(area).every(Number.isInteger))
        assert.ok(area.x >= 0 && area.y >= 0 && area.width >= 1 && area.height >= 1)
        assert.ok(area.x + area.width <= width && area.y + area.height <= height)
      },
    ),
  )
})
