import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resize } from '../../../operations/geometry/resize.ts'
import type { ImageValue } from '../../types.ts'
import { imageFromBytes, imageFromPixels, pixelsOf } from '../image.ts'
import { drawBlurhash } from '../measure/blurhash.ts'
import { imageFromFrames } from '../read/frames.ts'
import { contextFor, noise, painted, pixelAt } from '../test-images.ts'
import { runOn } from '../test-run.ts'
import { placeholderOf, scaleToWidth } from './scale.ts'

const context = contextFor()

test('a smaller image has the pixels that a resize with this width returns', async () => {
  const pixels = await pixelsOf(await imageFromBytes(await (await noise(301, 199)).png().toBuffer(), context), context)
  for (const width of [300, 150, 33, 1]) {
    const scaled = await scaleToWidth(imageFromPixels(pixels), width, context)
    const expected = await runOn(resize, { image: imageFromPixels(pixels) }, { width })
    assert.deepEqual([scaled.width, scaled.height], [expected.width, expected.height])
    assert.ok((await pixelsOf(scaled, context)).data.equals(expected.data), `${width}`)
  }
})

test('a smaller image does not depend on whether its source was decoded before', async () => {
  const bytes = await (await noise(400, 300)).jpeg().toBuffer()
  const [fresh, decoded] = [await imageFromBytes(bytes, context), await imageFromBytes(bytes, context)]
  await pixelsOf(decoded, context)
  const [one, other] = await Promise.all([scaleToWidth(fresh, 40, context), scaleToWidth(decoded, 40, context)])
  assert.ok((await pixelsOf(one, context)).data.equals((await pixelsOf(other, context)).data))
})

test('a smaller image keeps its origin, its sources, its metadata and its frames', async () => {
  const frames = [painted(40, 20, () => [255, 0, 0]), painted(40, 20, () => [0, 0, 255])]
  const facts: Partial<ImageValue> = {
    origin: 'composite',
    madeFrom: { models: ['a/b'], sources: [] },
    metadata: { density: 300 },
  }
  const still = await scaleToWidth({ ...painted(40, 20, () => [1, 2, 3]), ...facts }, 10, context)
  assert.deepEqual({ origin: still.origin, madeFrom: still.madeFrom, metadata: still.metadata }, facts)
  const played = await scaleToWidth(imageFromFrames(frames, { delaysMs: [50, 60], loops: 0 }), 10, context)
  assert.deepEqual([played.width, played.height, played.animation?.delaysMs], [10, 5, [50, 60]])
  const [, second] = played.animation?.frames ?? []
  assert.ok(second)
  assert.deepEqual(pixelAt(await pixelsOf(second, context), 5, 2), [0, 0, 255])
})

test('a placeholder has the dominant colour and a BlurHash, with transparent parts on white', async () => {
  const sky = painted(300, 200, (_, y) => (y < 150 ? [40, 90, 200] : [30, 160, 40]))
  const { color, blurhash } = await placeholderOf(sky, context)
  assert.equal(color, '#285ac8')
  assert.equal(blurhash.length, 4 + 2 * 4 * 3)
  const drawn = await drawBlurhash(blurhash, { width: 12, height: 8 }, context)
  const [top, bottom] = [pixelAt(drawn, 6, 1), pixelAt(drawn, 6, 7)]
  assert.ok((top[2] ?? 0) > (bottom[2] ?? 0) && (bottom[1] ?? 0) > (top[1] ?? 0), `${top} ${bottom}`)
  const clear = await placeholderOf(
    painted(20, 40, () => [0, 0, 0, 0]),
    context,
  )
  assert.equal(clear.color, '#ffffff')
})
