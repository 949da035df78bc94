import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blurred, type Shade } from './shade.ts'

/** A rectangle as an opaque silhouette, and the same one by its alpha. */
const rectangle = { x: 11, y: -7, width: 83, height: 46 }
const shape = { ...rectangle, alpha: new Uint8Array(83 * 46).fill(255) }

for (const sigma of [0, 0.7, 3, 6, 11, 12.5, 40, 150]) {
  test(`a shape blurred with sigma ${sigma} equals the product of its two blurred lines, within half a percent`, () => {
    const [exact, found] = [read(blurred(rectangle, sigma)), read(blurred(shape, sigma))]
    let worst = 0
    for (let y = -560; y < 560; y += 3) {
      for (let x = -500; x < 620; x += 3) worst = Math.max(worst, Math.abs(exact(x, y) - found(x, y)))
    }
    assert.ok(worst < 0.005, `off by ${worst}`)
  })
}

function read(shade: Shade): (x: number, y: number) => number {
  const rows = Array.from({ length: shade.height }, () => {
    const row = new Float32Array(shade.width)
    shade.rows(row)
    return row
  })
  return (x, y) => rows[y - shade.y]?.[x - shade.x] ?? 0
}
