import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { imageFromBytes, imageFromPixels, pixelsOf, sharpOf, toPixels } from '../../imaging/raster/image.ts'
import { contextFor, paint, pixelAt } from '../../imaging/raster/test-images.ts'
import type { ImageValue, Pixels } from '../../imaging/types.ts'
import { type Face, suppressOverlaps } from '../../local-models/faces.ts'
import { testWithModels } from '../../local-models/test-models.ts'
import { faces } from './faces.ts'

const context = contextFor({ secondsLeft: () => 120 })
const portrait = await sample('portrait.jpg')
const person = await pixelsOf(portrait, context)

testWithModels('finds the face of a portrait at its position', async () => {
  const { count, faces: found } = await look(portrait)
  assert.equal(count, 1)
  const [{ x, y, width, height, score }] = found as [Face]
  // Eyes and mouth are in it, the hair's outline and the collar are not.
  assert.ok(x > 50 && x < 85 && y > 30 && y < 70, `${x}, ${y}`)
  assert.ok(x + width > 110 && x + width < 145 && y + height > 105 && y + height < 135, `${width} x ${height}`)
  assert.ok(score > 0.9 && score <= 1)
})

testWithModels('finds two faces in a wide image, in its pixels', async () => {
  const pair = paint(400, 200, (x, y) => pixelAt(person, x < 200 ? x : 399 - x, y))
  const twice = await toPixels(context, (await sharpOf(pair)).resize(800, 400))
  const { faces: found } = await look(imageFromPixels(twice))
  assert.equal((found as Face[]).length, 2)
  const [left, right] = (found as Face[]).sort((a, b) => a.x - b.x) as [Face, Face]
  assert.ok(Math.abs(800 - (right.x + right.width) - left.x) < 20, `${left.x}, ${right.x} + ${right.width}`)
})

testWithModels('finds no face in an image without one, and passes the image on', async () => {
  for (const file of ['cat.jpg', 'coffee.jpg', 'badge.png']) {
    const image = await sample(file)
    const { count, image: after } = await look(image, { draw: 'blur' })
    assert.deepEqual([count, after === image], [0, true], file)
  }
})

testWithModels('draws over the face and changes nothing else, including transparency', async () => {
  const pixels = paint(200, 200, (x, y) => [...pixelAt(person, x, y), 100 + ((x + y) % 156)])
  for (const draw of ['blur', 'pixelate', 'frame']) {
    const { image, faces: found } = await look(imageFromPixels(pixels), { draw, minScore: 0.3 })
    const [face] = found as [Face]
    assert.ok(image)
    const drawn = await pixelsOf(image, context)
    assert.ok(changed(pixels, drawn, (x, y) => isIn(face, x, y, 0)) > (draw === 'frame' ? 300 : 2_000), draw)
    assert.equal(
      changed(pixels, drawn, (x, y) => !isIn(face, x, y, 0.21)),
      0,
      draw,
    )
    for (let at = 3; at < drawn.data.length; at += 4) assert.equal(drawn.data[at], pixels.data[at])
  }
})

test('keeps the most certain of overlapping boxes, and separates adjacent faces', () => {
  const box = { x: 0, y: 0, width: 10, height: 10 }
  const found = suppressOverlaps([
    { ...box, score: 0.6 },
    { ...box, x: 2, score: 0.9 },
    { ...box, x: 9, score: 0.7 },
  ])
  assert.deepEqual(
    found.map(({ score }) => score),
    [0.9, 0.7],
  )
})

async function look(image: ImageValue, params: Record<string, unknown> = {}) {
  return faces.run({ image }, { draw: 'nothing', color: '#f00', minScore: 0.5, ...params }, context)
}

async function sample(file: string): Promise<ImageValue> {
  return imageFromBytes(await readFile(new URL(`../../../examples/samples/${file}`, import.meta.url)), context)
}

function isIn({ x, y, width, height }: Face, atX: number, atY: number, margin: number): boolean {
  const [wide, high] = [width * margin + 1, height * margin + 1]
  return atX >= x - wide && atX < x + width + wide && atY >= y - high && atY < y + height + high
}

function changed(a: Pixels, b: Pixels, where: (x: number, y: number) => boolean): number {
  let count = 0
  for (let y = 0; y < a.height; y += 1) {
    for (let x = 0; x < a.width; x += 1) {
      if (where(x, y) && pixelAt(a, x, y).some((value, at) => value !== pixelAt(b, x, y)[at])) count += 1
    }
  }
  return count
}
