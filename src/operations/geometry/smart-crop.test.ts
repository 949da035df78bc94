import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checker } from '../../domain/validate.ts'
import { imageFromPixels } from '../../imaging/raster/image.ts'
import { imageFromFrames } from '../../imaging/raster/read/frames.ts'
import { isFault } from '../../imaging/raster/test-faults.ts'
import { contextFor, noise, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { disc, runOn, softColors } from '../../imaging/raster/test-run.ts'
import { eachFrame } from '../shared/each-frame.ts'
import { resize } from './resize.ts'
import { smartCrop } from './smart-crop.ts'

/** Grey, with a red spot right of the middle: what draws the eye, whatever the rest is like. */
const spotted = painted(200, 80, (x, y) =>
  Math.hypot(x - 150, y - 40) < 14 ? [230, 40, 30] : [118 + ((x + y) % 2) * 4, 120, 120],
)

test('attention and entropy keep the same parts as resize', async () => {
  const { data, info } = await (await noise(120, 70)).raw().toBuffer({ resolveWithObject: true })
  const busy = imageFromPixels({ data, width: info.width, height: info.height, channels: 3 })
  for (const image of [spotted, busy]) {
    for (const strategy of ['attention', 'entropy']) {
      for (const size of [
        { width: 40, height: 40 },
        { width: 60, height: 12 },
        { width: 90, height: 160 },
      ]) {
        const found = await runOn(smartCrop, { image }, { ...size, strategy })
        const expected = await runOn(resize, { image }, { ...size, position: strategy })
        assert.deepEqual([found.width, found.height], [size.width, size.height])
        assert.ok(found.data.equals(expected.data), `${strategy} ${size.width} x ${size.height}`)
      }
    }
  }
})

test('keeps the most salient part, and returns its x and y', async () => {
  const { image, ...region } = await smartCrop.run({ image: spotted }, { width: 40, height: 40 }, contextFor())
  assert.ok(image?.pixels)
  const { x, y } = region as { x?: number; y?: number }
  assert.ok(x !== undefined && x >= 70 && x <= 120 && y === 0, `${x}, ${y}`)
  assert.deepEqual(pixelAt(image.pixels, (150 - x) / 2, 20), [230, 40, 30])
})

test('a focus is in the middle, or as near as the edges allow', async () => {
  const image = painted(100, 40, (x, y) => [x, y, 7])
  for (const [focus, left, top] of [
    [{ x: 0.5, y: 0.5 }, 30, 0],
    [{ x: 0.62, y: 0 }, 42, 0],
    [{ x: 0, y: 1 }, 0, 0],
    [{ x: 1, y: 0.2 }, 60, 0],
  ] as const) {
    const pixels = await runOn(smartCrop, { image }, { width: 40, height: 40, focus })
    assert.deepEqual(pixelAt(pixels, 0, 0), [left, top, 7])
  }
  const wide = await runOn(smartCrop, { image }, { width: 100, height: 10, focus: { x: 0.1, y: 0.75 } })
  assert.deepEqual(pixelAt(wide, 0, 0), [0, 25, 7])
})

// A frame after the first one of an animation, so that it needs no model: the first one has decided.
test('faces scales the area around the faces to the size, and without faces keeps the subject', async () => {
  const image = painted(100, 40, (x, y) => [x, y, 7])
  const runAfter = (area: object | undefined) =>
    smartCrop.run(
      { image },
      { width: 10, height: 10, strategy: 'faces' },
      contextFor({ decisions: new Map([['faces', Promise.resolve(area)]]) }),
    )
  const { image: cropped, drawn, ...area } = await runAfter({ x: 60, y: 10, width: 20, height: 20 })
  assert.ok(cropped?.pixels)
  assert.deepEqual(area, { x: 60, y: 10, areaWidth: 20, areaHeight: 20 })
  assert.deepEqual(drawn?.[0]?.points, [
    [60, 10],
    [80, 30],
  ])
  assert.deepEqual([cropped.width, cropped.height], [10, 10])
  const [red = 0, green = 0] = pixelAt(cropped.pixels, 5, 5)
  assert.ok(Math.abs(red - 71) <= 1 && Math.abs(green - 21) <= 1, `${red}, ${green}`)
  const { image: _, ...without } = await runAfter(undefined)
  const { image: __, ...subject } = await smartCrop.run(
    { image },
    { width: 10, height: 10, strategy: 'subject' },
    contextFor(),
  )
  assert.deepEqual(without, subject)
})

test('soft edges stay white', async () => {
  for (const color of softColors(await runOn(smartCrop, { image: disc }, { width: 31, height: 20 }))) {
    assert.ok(Math.min(...color) > 240, `${color}`)
  }
})

test('crops every frame of an animation like the first one', async () => {
  const frame = (spot: number) =>
    painted(90, 30, (x, y) => (Math.hypot(x - spot, y - 15) < 8 ? [230, 30, 30] : [x, 120, 120]))
  const animated = imageFromFrames([frame(15), frame(75)], { delaysMs: [100, 100], loops: 0 })
  const { image } = await eachFrame(smartCrop).run({ image: animated }, { width: 30, height: 30 }, contextFor())
  const [first, second] = image?.animation?.frames ?? []
  assert.ok(first?.pixels && second?.pixels)
  assert.deepEqual(pixelAt(first.pixels, 0, 0), pixelAt(second.pixels, 0, 0))
  assert.ok((pixelAt(first.pixels, 0, 0)[0] ?? 99) < 20)
})

test('rejects a size above the limit, even if only the scaled image would exceed it', async () => {
  const context = contextFor({ pixelsMax: 10_000 })
  const wide = painted(200, 20, () => [0, 0, 0])
  await assert.rejects(
    runOn(smartCrop, { image: wide }, { width: 101, height: 100 }, context),
    isFault('limit_exceeded', /101 x 100/),
  )
  await assert.rejects(
    runOn(smartCrop, { image: wide }, { width: 20, height: 100 }, context),
    isFault('limit_exceeded', /1000 x 100/),
  )
})

test('rejects a focus together with a strategy', () => {
  const issues = (params: object) => checker(smartCrop.params)({ width: 9, height: 9, ...params }).length
  assert.deepEqual([issues({}), issues({ strategy: 'entropy' }), issues({ focus: { x: 0, y: 1 } })], [0, 0, 0])
  assert.equal(issues({ strategy: 'entropy', focus: { x: 0, y: 1 } }), 1)
  assert.ok(issues({ focus: { x: 1.01, y: 1 } }) > 0)
})

test('subject keeps the object on a plain background, and the middle of a flat image', async () => {
  const { image, ...region } = await smartCrop.run(
    { image: spotted },
    { width: 40, height: 40, strategy: 'subject' },
    contextFor(),
  )
  assert.ok(image?.pixels)
  const { x, areaWidth, areaHeight } = region as { x?: number; areaWidth?: number; areaHeight?: number }
  assert.ok(x !== undefined && x >= 100 && x <= 120, `${x}`)
  assert.deepEqual([areaWidth, areaHeight], [80, 80])
  const flat = painted(200, 80, () => [90, 90, 90])
  const { x: middle } = (await smartCrop.run(
    { image: flat },
    { width: 40, height: 40, strategy: 'subject' },
    contextFor(),
  )) as { x?: number }
  assert.equal(middle, 60)
})

test('subject keeps two objects rather than the brighter one', async () => {
  const spots = [
    { x: 40, color: [250, 30, 20] },
    { x: 130, color: [190, 60, 60] },
    { x: 190, color: [190, 60, 60] },
  ]
  const image = painted(
    300,
    60,
    (x, y) => spots.find((spot) => Math.hypot(x - spot.x, y - 30) < 12)?.color ?? [120, 120, 120],
  )
  const { x } = (await smartCrop.run({ image }, { width: 100, height: 60, strategy: 'subject' }, contextFor())) as {
    x?: number
  }
  assert.ok(x !== undefined && x >= 103 && x <= 117, `${x}`)
})

test('subject crops images of one pixel and lines', async () => {
  for (const [width, height] of [
    [1, 1],
    [1, 500],
    [500, 1],
    [2, 3],
  ] as const) {
    const image = painted(width, height, (x, y) => [x % 256, y % 256, 0, 200])
    const pixels = await runOn(smartCrop, { image }, { width: 20, height: 30, strategy: 'subject' })
    assert.deepEqual([pixels.width, pixels.height], [20, 30])
  }
})

test('subject keeps an opaque object that has the colour of the transparent pixels', async () => {
  const image = painted(300, 60, (x, y) => [128, 128, 128, Math.hypot(x - 220, y - 30) < 20 ? 255 : 0])
  const { x } = (await smartCrop.run({ image }, { width: 60, height: 60, strategy: 'subject' }, contextFor())) as {
    x?: number
  }
  assert.ok(x !== undefined && x >= 180 && x <= 200, `${x}`)
})
