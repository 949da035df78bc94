/** Pictures of shapes that no model was trained on go through each operation that runs one. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checker } from '../domain/validate.ts'
import { imageFromPixels, pixelsOf } from '../imaging/raster/image.ts'
import { contextFor, paint } from '../imaging/raster/test-images.ts'
import type { ImageValue } from '../imaging/types.ts'
import type { Operation } from '../operations/define.ts'
import { catalogue } from '../operations/index.ts'
import { packagedModels } from './registry.ts'
import { isInstalled } from './store.ts'
import { noModels } from './test-models.ts'

const context = contextFor({ secondsLeft: () => 120 })

const images: Record<string, ImageValue> = {
  'one pixel': imageFromPixels(paint(1, 1, () => [200, 10, 10])),
  'one translucent pixel': imageFromPixels(paint(1, 1, () => [200, 10, 10, 77])),
  'a horizontal line': imageFromPixels(paint(600, 1, (x) => [x % 256, 0, 0])),
  'a vertical line': imageFromPixels(paint(2, 600, (_, y) => [y % 256, 0, 0, y % 200])),
  'a fully transparent image': imageFromPixels(paint(40, 30, () => [0, 0, 0, 0])),
}

for (const model of packagedModels.values()) {
  const operation = catalogue.get(model.operation)
  assert.ok(operation)
  describe(`${operation.id} by ${model.name}`, {
    skip: !isInstalled(model) && (model.permissive ? noModels : missing(model.name)),
  }, () => {
    for (const [label, image] of Object.entries(images)) test(label, () => check(operation, model.name, image))
  })
}

function missing(name: string): string {
  return `the model ${name} is not installed: "npx tintype models add ${name}" installs it`
}

async function check(operation: Operation, model: string, image: ImageValue): Promise<void> {
  const params: Record<string, unknown> = { model, minScore: 0.1, draw: 'frame' }
  for (const param of Object.keys(params)) if (!(param in operation.params.properties)) delete params[param]
  assert.deepEqual(checker(operation.params)(params), [])
  const { image: result } = await operation.run({ image }, params, context)
  assert.ok(result)
  const pixels = await pixelsOf(result, context)
  assert.equal(pixels.data.length, pixels.width * pixels.height * pixels.channels)
  assert.equal(pixels.width * image.height, pixels.height * image.width)
  if (operation.alpha === 'kept') assert.deepEqual(alphaOf(pixels.data, pixels.channels), alphaOf(...source(image)))
  if (!image.hasAlpha && operation.alpha !== 'made') assert.equal(pixels.channels, 3)
}

function source({ pixels }: ImageValue): [Buffer, number] {
  assert.ok(pixels)
  return [pixels.data, pixels.channels]
}

function alphaOf(data: Buffer, channels: number): number[] {
  return channels === 3 ? [] : [...data].filter((_, at) => at % 4 === 3)
}
