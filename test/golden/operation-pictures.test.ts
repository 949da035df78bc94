/** The pictures of operations in the console's palette are the golden images. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { list, pictureOf, picturesOfOperations, side, sprite } from '../../scripts/operation-pictures.ts'

const fix = 'run node scripts/operation-pictures.ts'

test('every picture in the file is the golden image of its operation', async () => {
  const { columns, operations } = JSON.parse(readFileSync(list, 'utf8')) as { columns: number; operations: string[] }
  const pictures = picturesOfOperations()
  assert.deepEqual(operations, [...pictures.keys()], fix)
  assert.ok(operations.length > 55, `${operations.length} pictures`)
  const { data, info } = await sharp(fileURLToPath(sprite)).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  for (const [index, [id, name]] of [...pictures].entries()) {
    const golden = await pictureOf(name)
    const [left, top] = [(index % columns) * side, Math.floor(index / columns) * side]
    let sum = 0
    for (let y = 0; y < side; y++)
      for (let x = 0; x < side; x++) {
        const [a, b] = [((top + y) * info.width + left + x) * 4, (y * side + x) * 4]
        const [alphaA = 0, alphaB = 0] = [data[a + 3], golden[b + 3]]
        for (let channel = 0; channel < 3; channel++)
          sum += Math.abs((data[a + channel] ?? 0) * alphaA - (golden[b + channel] ?? 0) * alphaB) / 255
      }
    const mean = sum / (side * side * 3)
    assert.ok(mean < 12, `${id} differs by ${mean.toFixed(1)}: ${fix}`)
  }
})
