/** Params that pass the schema of an operation return an image, or an error with a message. Derived from the catalogue. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { checker } from '../domain/validate.ts'
import { Fault } from '../errors.ts'
import { imageFromPixels, pixelsOf } from '../imaging/raster/image.ts'
import { contextFor, paint } from '../imaging/raster/test-images.ts'
import type { ImageValue } from '../imaging/types.ts'
import type { Operation } from './define.ts'
import { catalogue } from './index.ts'

interface Schema {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

const colors = ['#0af', '#ff000080', 'transparent', 'white', 'black', 'hsl(200 50% 40%)']
const texts = [
  '',
  'a',
  'Text',
  '<b>x</b>',
  '100%',
  '{"a":1}',
  'a,1\nb,2',
  '\u202eabc',
  '日本語 😀',
  '4006381333931',
  '__proto__',
  'img_1',
]

/** Values that the schema takes, small ones more often: sides of thousands of pixels would only take time. */
function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.anyOf && schema.type !== 'object') return fc.oneof(...schema.anyOf.map(valuesOf))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'integer':
    case 'number': {
      const [min, max] = [schema.minimum ?? -1_000, schema.maximum ?? 1_000]
      const near = { min: Math.max(min, Math.min(0, max)), max: Math.min(max, Math.max(60, min)) }
      const within = schema.type === 'integer' ? fc.integer(near) : fc.double({ ...near, noNaN: true })
      const rim = [min, Math.abs(max) > 4_000 ? near.max : max].filter((value) => Math.abs(value) <= 4_000)
      return fc.oneof({ weight: 6, arbitrary: within }, { weight: 1, arbitrary: fc.constantFrom(near.min, ...rim) })
    }
    case 'boolean':
      return fc.boolean()
    case 'string':
      return schema.format === 'color' ? fc.constantFrom(...colors) : fc.constantFrom(...texts)
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, Math.max(5, schema.minItems ?? 0)),
      })
    case 'object': {
      const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [name, valuesOf(property)])
      const requiredKeys = (schema.required ?? []).filter((name) => schema.properties?.[name] !== undefined)
      return fc.record<Record<string, unknown>>(Object.fromEntries(properties), {
        requiredKeys: requiredKeys as never[],
      })
    }
    default:
      return fc.constantFrom(...texts, 1, null)
  }
}

/** The least there is, lines, odd sizes, and soft alpha. */
const images: ImageValue[] = [
  imageFromPixels(paint(1, 1, () => [200, 10, 30])),
  imageFromPixels(paint(1, 1, () => [200, 10, 30, 0])),
  imageFromPixels(paint(1, 37, (_, y) => [y * 6, 255 - y, 9])),
  imageFromPixels(paint(41, 2, (x, y) => [x * 6, y * 90, 9, x * 6])),
  imageFromPixels(paint(23, 19, (x, y) => [x * 11, y * 13, 128])),
  imageFromPixels(paint(23, 19, (x, y) => [x * 11, y * 13, 128, (x * 29 + y * 7) % 256])),
]

const context = contextFor({
  pixelsMax: 4_000_000,
  open: async (source) => ({
    bytes: await readFile(new URL(`../../examples/samples/${source === '' ? 'coffee' : 'cat'}.jpg`, import.meta.url)),
  }),
})

/** Fewer, and of some operations no random params pass the schema. */
const runs = 60

for (const operation of catalogue.values()) {
  if (operation.examples.some(({ requires }) => requires !== undefined)) continue
  test(`${operation.id} accepts any params that match its schema, or reports the problem`, async () => {
    const check = checker(operation.params)
    let ran = 0
    await fc.assert(
      fc.asyncProperty(
        valuesOf(operation.params as Schema),
        fc.array(fc.constantFrom(...images), { minLength: 3, maxLength: 3 }),
        async (values, images) => {
          const params = structuredClone(values) as Record<string, unknown>
          // The schema also has the combinations of properties that exclude each other, and rejects them when the workflow is saved.
          if (check(params).length > 0) return
          const bytes = images.map((image) => image.pixels?.data.toString('base64'))
          ran += 1
          await runOnce(operation, params, images)
          assert.deepEqual(
            images.map((image) => image.pixels?.data.toString('base64')),
            bytes,
            'an input was changed',
          )
        },
      ),
      { numRuns: runs, seed: 20_261_121 },
    )
    assert.ok(ran >= 1, `only ${ran} of ${runs} passed the schema`)
  })
}

async function runOnce(operation: Operation, params: Record<string, unknown>, sources: ImageValue[]): Promise<void> {
  const inputs = Object.fromEntries(
    Object.entries(operation.inputs).map(([name, { many }], i) => [name, many ? sources : sources[i % sources.length]]),
  )
  try {
    const { image, drawn, ...values } = await operation.run(inputs as never, params as never, context)
    const frames = drawn ?? operation.drawn?.(params as never, inputs as never, image) ?? []
    const numbers = frames.flatMap(({ points, rotation = 0, binds }) => [
      ...points.flat(),
      rotation,
      ...Object.values(binds).flatMap(({ origin = 0, scale = 1 }) => [origin, 1 / scale]),
    ])
    assert.ok(numbers.every(Number.isFinite), `a frame has ${numbers.find((number) => !Number.isFinite(number))}`)
    const declared = (operation.outputs.values ?? {}) as Record<string, TSchema>
    for (const [name, value] of Object.entries(values)) {
      assert.ok(declared[name], `gives the value ${name}, which it does not declare`)
      assert.deepEqual(
        checker(declared[name])(structuredClone(value) as never),
        [],
        `${name} is ${JSON.stringify(value)}`,
      )
    }
    if (image === undefined) return
    const pixels = await pixelsOf(image, context)
    assert.deepEqual([pixels.width, pixels.height], [image.width, image.height])
    assert.equal(pixels.data.length, pixels.width * pixels.height * pixels.channels)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    assert.notEqual(error.details.reason, 'internal', error.message)
    assert.ok(error.message.length > 10, error.message)
  }
}
