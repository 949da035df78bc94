import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checker } from '../../domain/validate.ts'
import { isFault } from '../../imaging/raster/test-faults.ts'
import { contextFor, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { runOn } from '../../imaging/raster/test-run.ts'
import type { Pixels } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import { thumbnailSheet } from './thumbnail-sheet.ts'

const red = painted(60, 40, () => [200, 0, 0])
const high = painted(20, 40, () => [0, 0, 200])
const small = { columns: 2, thumbnailWidth: 60, thumbnailHeight: 40, gap: 10, padding: 5 }

test('thumbnails are in rows on an opaque page, complete and at the bottom of their cells', async () => {
  const images = [red, high, red]
  const pixels = await runOn(thumbnailSheet, { images }, { ...small, columns: 2, thumbnailHeight: 50 })
  assert.deepEqual([pixels.width, pixels.height, pixels.channels], [5 + 60 + 10 + 60 + 5, 5 + 50 + 10 + 50 + 5, 3])
  const white = [255, 255, 255]
  // 60 x 40 in 60 x 50; 20 x 40 becomes 25 x 50, in the middle of 60.
  assert.deepEqual(
    [pixelAt(pixels, 5, 14), pixelAt(pixels, 5, 15), pixelAt(pixels, 64, 54)],
    [white, [200, 0, 0], [200, 0, 0]],
  )
  assert.deepEqual(
    [91, 92, 116, 117].map((x) => pixelAt(pixels, x, 30)),
    [white, [0, 0, 200], [0, 0, 200], white],
  )
  assert.deepEqual(pixelAt(pixels, 100, 100), white)
})

test('there are at most as many columns as images', async () => {
  const { width } = await runOn(thumbnailSheet, { images: [red] }, { ...small, columns: 9 })
  assert.equal(width, 70)
})

test('captions are below their images, within their width, and truncated if they do not fit', async () => {
  const captions = ['', 'a caption that is far too long for a thumbnail']
  const params = { ...small, captionSize: 10, captions }
  const pixels = await runOn(thumbnailSheet, { images: [red, red, red] }, params)
  assert.equal(pixels.height, 5 + 58 + 10 + 58 + 5)
  assert.ok(!isWritten(pixels, 0, 45, 75, 18), 'nothing under the first')
  assert.ok(isWritten(pixels, 75, 45, 60, 18), 'something under the second')
  assert.ok(
    !isWritten(pixels, 135, 0, 5, 136) && !isWritten(pixels, 0, 113, 140, 23),
    'nothing beside, nor under the third',
  )
})

test('numbers count the images, and a title is at the top of the page', async () => {
  const plain = await runOn(thumbnailSheet, { images: [red, red] }, { ...small, captionSize: 10 })
  const numbered = await runOn(thumbnailSheet, { images: [red, red] }, { ...small, captionSize: 10, numbers: true })
  assert.equal(numbered.height, plain.height + 18)
  assert.ok(isWritten(numbered, 5, 45, 60, 18) && isWritten(numbered, 75, 45, 60, 18))
  const titled = await runOn(thumbnailSheet, { images: [red, red] }, { ...small, captionSize: 10, title: 'Title' })
  assert.equal(titled.height, plain.height + 36 + 10)
  assert.ok(isWritten(titled, 5, 5, 130, 36))
  assert.deepEqual(pixelAt(titled, 5, 51), [200, 0, 0])
})

test('rejects more captions than images, with both numbers', async () => {
  const params = { ...small, captions: ['a', 'b'] }
  await assert.rejects(
    runOn(thumbnailSheet, { images: [red] }, params),
    isFault('input_invalid', /2 captions for 1 image;/),
  )
})

test('rejects a page with more pixels than allowed', async () => {
  const params = { ...small, gap: 0, padding: 0 }
  const context = contextFor({ pixelsMax: 4_800 })
  assert.equal((await runOn(thumbnailSheet, { images: [red, red] }, params, context)).width, 120)
  await assert.rejects(
    runOn(thumbnailSheet, { images: [red, red] }, { ...params, gap: 1 }, context),
    isFault('limit_exceeded', /121 x 40/),
  )
})

test('accepts captions and titles up to the length limit of labels', () => {
  const [just, over] = ['a'.repeat(limits.labelCharsMax), 'a'.repeat(limits.labelCharsMax + 1)]
  const issues = (params: object) => checker(thumbnailSheet.params)(params).map(({ path }) => path)
  assert.deepEqual(issues({ title: just, captions: [just] }), [])
  assert.deepEqual(issues({ title: over, captions: [just, over] }), ['captions.1', 'title'])
})

/** Whether anything is neither page nor image: text is grey. */
function isWritten(pixels: Pixels, x: number, y: number, width: number, height: number): boolean {
  for (let row = y; row < y + height; row += 1) {
    for (let column = x; column < x + width; column += 1) {
      const [r = 0, g = 0, b = 0] = pixelAt(pixels, column, row)
      if (Math.max(r, g, b) < 200 && Math.max(r, g, b) - Math.min(r, g, b) < 30) return true
    }
  }
  return false
}
