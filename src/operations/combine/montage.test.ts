import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wallOf } from '../../imaging/raster/layer/justified-rows.ts'
import { isFault } from '../../imaging/raster/test-faults.ts'
import { painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { runOn } from '../../imaging/raster/test-run.ts'
import { montage } from './montage.ts'

/** Shapes as of a camera and of a phone, in an order that is not regular. */
const sizes = Array.from({ length: 37 }, (_, at) =>
  at % 3 === 0 ? { width: 300, height: 400 } : at % 5 === 0 ? { width: 900, height: 300 } : { width: 600, height: 400 },
)

test('every row fills the width exactly, and its images keep their shapes to the pixel', () => {
  for (const gap of [0, 7]) {
    const placements = wallOf(sizes, { width: 1_000, rowHeight: 150, gap, fillLast: true })
    assert.ok(placements)
    const rows = Map.groupBy(placements, ({ y }) => y)
    assert.ok(rows.size > 4)
    for (const row of rows.values()) {
      row.forEach(({ x, width }, at) => {
        const next = row[at + 1]?.x ?? 1_000 + gap
        assert.equal(x + width + gap, next)
      })
    }
    placements.forEach(({ width, height }, at) => {
      const { width: imageWidth = 1, height: high = 1 } = sizes[at] ?? {}
      // Half a pixel of rounding at each end, and half of one of the height, times the shape.
      assert.ok(
        Math.abs(width - (height * imageWidth) / high) <= 1 + imageWidth / high / 2,
        `${at}: ${width} x ${height}`,
      )
    })
  }
})

test('row heights are closer to the requested height than with greedy filling', () => {
  const options = { width: 1_000, rowHeight: 150, gap: 0, fillLast: true }
  const heights = [...new Map(wallOf(sizes, options)?.map(({ y, height }) => [y, height])).values()]
  const worst = Math.max(...heights.map((height) => Math.max(height / 150, 150 / height)))
  assert.ok(worst < 1.25, `${heights}`)
})

test('a last row of few images keeps the row height, or fills the width on request', () => {
  const few = [sizes[1], sizes[2]].flatMap((size) => (size ? [size] : []))
  const options = { width: 3_000, rowHeight: 200, gap: 10 }
  assert.deepEqual(wallOf(few, { ...options, fillLast: false }), [
    { x: 0, y: 0, width: 300, height: 200 },
    { x: 310, y: 0, width: 300, height: 200 },
  ])
  assert.deepEqual(
    wallOf(few, { ...options, fillLast: true })?.map(({ height }) => height),
    [997, 997],
  )
})

test('the width includes the padding, and the height follows from the rows', async () => {
  const images = [painted(30, 20, () => [200, 0, 0]), painted(30, 20, () => [0, 200, 0])]
  const params = { width: 130, rowHeight: 40, gap: 4, padding: 3, background: 'white' }
  const pixels = await runOn(montage, { images }, params)
  assert.deepEqual([pixels.width, pixels.height, pixels.channels], [130, 46, 3])
  assert.deepEqual(
    [2, 3, 62, 63, 66, 67, 126, 127].map((x) => pixelAt(pixels, x, 20).join()),
    ['255,255,255', '200,0,0', '200,0,0', '255,255,255', '255,255,255', '0,200,0', '0,200,0', '255,255,255'],
  )
})

test('rejects a montage without room for its images', async () => {
  const thin = painted(1, 400, () => [0, 0, 0])
  await assert.rejects(
    runOn(montage, { images: [thin] }, { rowHeight: 100 }),
    isFault('input_invalid', /narrower than one pixel/),
  )
  await assert.rejects(
    runOn(montage, { images: [thin] }, { width: 20, padding: 10 }),
    isFault('input_invalid', /20 px/),
  )
})
