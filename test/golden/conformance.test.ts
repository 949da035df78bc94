/**
 * Requirements of every operation for every kind of image, derived from the catalogue, so that a new operation is tested
 * too. The first example runs with other images in place of its first image.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checker } from '../../src/domain/validate.ts'
import { imageFromBytes, imageFromPixels, pixelsOf, sharpOf, toPixels } from '../../src/imaging/raster/image.ts'
import type { Sharp } from '../../src/imaging/raster/sharp.ts'
import type { ImageValue, Pixels } from '../../src/imaging/types.ts'
import type { Operation } from '../../src/operations/define.ts'
import { catalogue } from '../../src/operations/index.ts'
import { context, inputsOf, wiresOf } from './render.ts'

/** Except local models, which take seconds, and operations that need an animation. Both have their own tests. */
const operations = [...catalogue.values()].filter(
  ({ inputs, examples, group }) =>
    Object.keys(inputs).length > 0 && examples[0]?.requires === undefined && group !== 'animation',
)

/** The sample photo, small enough for thousands of runs and large enough for the params of the examples. */
const upright = await sample('coffee.jpg')
const soft = await sample('badge.png')

describe('the 8 orientations of EXIF: an image that is stored rotated gives exactly the same result', () => {
  for (const operation of operations) {
    test(operation.id, async () => {
      const expected = await runWith(operation, imageFromPixels(upright))
      for (const [index, turn] of orientations.entries()) {
        if (!scalesBytes(operation) && index !== 5) continue
        const picture = await withOrientation(index, turn)
        assert.deepEqual([picture.width, picture.height], [upright.width, upright.height])
        const actual = await runWith(operation, picture)
        assertAlike(actual, expected, scalesBytes(operation) ? 2 : 0, `orientation ${index + 1}`)
      }
    })
  }
})

describe('16 bits, grey, CMYK and Display P3 are converted to 8-bit sRGB before an operation', () => {
  for (const operation of operations) {
    test(operation.id, async () => {
      for (const [kind, make] of Object.entries(kinds)) {
        if (!scalesBytes(operation) && kind !== 'CMYK') continue
        const picture = await fromFile(kind, make)
        const expected = await runWith(operation, imageFromPixels(await pixelsOf(picture, context)))
        // Decoded again, because decoded pixels are cached, and an operation that scales while decoding should do so.
        const again = await fromFile(kind, make)
        assertAlike(await runWith(operation, again), expected, scalesBytes(operation) ? 2 : 0, kind)
      }
    })
  }

  test('decoding returns the entire upright image for every orientation', async () => {
    for (const [index, turn] of orientations.entries()) {
      const picture = await withOrientation(index, turn)
      assertAlike(await pixelsOf(picture, context), upright, 0, `orientation ${index + 1}`)
    }
  })

  test('and look the same: the mean difference of a channel is small', async () => {
    for (const [kind, make] of Object.entries(kinds)) {
      const expected = kind === 'grey' ? await greyOf(upright) : upright
      const picture = await fromFile(kind, make)
      // The gamut of CMYK is smaller, so strong colours are weaker.
      assertAlike(await pixelsOf(picture, context), expected, kind === 'CMYK' ? 10 : 2.5, kind)
    }
  })
})

describe('transparency follows the declaration of the operation', () => {
  for (const operation of operations.filter(({ alpha }) => alpha === 'kept')) {
    test(`${operation.id} keeps the alpha of every pixel`, async () => {
      const result = await runWith(operation, imageFromPixels(soft))
      assert.deepEqual([result.width, result.height, result.channels], [soft.width, soft.height, 4])
      for (let at = 3; at < soft.data.length; at += 4) {
        if (result.data[at] !== soft.data[at]) assert.fail(`alpha ${soft.data[at]} became ${result.data[at]}`)
      }
      assert.equal((await runWith(operation, imageFromPixels(upright))).channels, 3, 'opaque stays without alpha')
    })
  }

  for (const operation of operations.filter(({ alpha }) => alpha === 'moved')) {
    test(`${operation.id} keeps opaque images opaque, and adds no colour at edges`, async () => {
      const opaque = await runWith(operation, imageFromPixels(upright))
      assert.ok(opaque.channels === 3 || !someAlpha(opaque, (alpha) => alpha < 255))
      if (operation.inputs.reference) return
      // White with a soft edge on transparent black: an operation that mixes invisible colours makes it grey.
      const result = await runWith(operation, imageFromPixels(whiteDisc))
      for (let at = 0; at < result.data.length; at += 4) {
        const [red = 0, green = 0, blue = 0, alpha = 0] = result.data.subarray(at, at + 4)
        if (alpha < 32 || result.channels === 3) continue
        const darkest = Math.min(red, green, blue)
        if (darkest < 240 && !coloured.has(operation.id)) assert.fail(`white became ${darkest} at alpha ${alpha}`)
      }
    })
  }
})

/** Operations whose first example adds a colour. */
const coloured = new Set(['extend'])

/** The stored pixels for which orientation 1 to 8 gives the upright image: the inverse of the EXIF orientation. */
const orientations: ((image: Sharp) => Sharp)[] = [
  (image) => image,
  (image) => image.flop(),
  (image) => image.rotate(180),
  (image) => image.flip(),
  (image) => image.flip().rotate(90),
  (image) => image.rotate(270),
  (image) => image.flop().rotate(90),
  (image) => image.rotate(90),
]

const kinds: Record<string, (image: Sharp) => Sharp> = {
  '16 bits': (image) => image.toColourspace('rgb16').png(),
  grey: (image) => image.grayscale().toColourspace('b-w').png(),
  CMYK: (image) => image.toColourspace('cmyk').tiff({ compression: 'none' }),
  'Display P3': (image) => image.withIccProfile('p3').png(),
}

/** Decoded each time, from a file that is created once. */
async function withOrientation(index: number, turn: (image: Sharp) => Sharp): Promise<ImageValue> {
  return fromFile(`orientation ${index + 1}`, (image) =>
    turn(image)
      .withMetadata({ orientation: index + 1 })
      .webp({ lossless: true, effort: 0 }),
  )
}

const files = new Map<string, Promise<Buffer>>()

async function fromFile(name: string, make: (image: Sharp) => Sharp): Promise<ImageValue> {
  const file = files.get(name) ?? sharpOf(upright).then((image) => make(image).toBuffer())
  files.set(name, file)
  return imageFromBytes(await file, context)
}

/** Whether it may decode an encoded image at a smaller size: then rounding differs. */
function scalesBytes({ id }: Operation): boolean {
  return !exact.has(id)
}

/** Operations that only read pixels give exactly equal results. */
const exact = new Set(operations.filter(({ alpha }) => alpha === 'kept').map(({ id }) => id))

async function runWith(operation: Operation, picture: ImageValue): Promise<Pixels> {
  const [example] = operation.examples
  assert.ok(example)
  const [socket = ''] = Object.keys(operation.inputs)
  const params = structuredClone(example.params)
  assert.deepEqual(checker(operation.params)(params), [])
  const { [socket]: _, ...others } = example.inputs ?? {}
  const inputs = othersOf.get(operation.id) ?? inputsOf({ ...example, inputs: others })
  othersOf.set(operation.id, inputs)
  const given = operation.inputs[socket]?.many ? [picture, picture] : picture
  const all = { ...(await inputs), [socket]: given }
  const wires = wiresOf(operation, example, all)
  const { image } = await operation.run(all as never, params, { ...context, wires })
  assert.ok(image)
  return pixelsOf(image, context)
}

/** The images of the other sockets, read once. */
const othersOf = new Map<string, ReturnType<typeof inputsOf>>()

function assertAlike(actual: Pixels, expected: Pixels, meanMax: number, label: string): void {
  const shape = ({ width, height, channels }: Pixels) => `${width} x ${height} x ${channels}`
  assert.equal(shape(actual), shape(expected), label)
  let sum = 0
  for (let at = 0; at < expected.data.length; at += 1)
    sum += Math.abs((actual.data[at] ?? 0) - (expected.data[at] ?? 0))
  const mean = sum / expected.data.length
  assert.ok(mean <= meanMax, `${label}: the mean difference is ${mean}, more than ${meanMax}`)
}

function someAlpha({ data }: Pixels, fits: (alpha: number) => boolean): boolean {
  for (let at = 3; at < data.length; at += 4) if (fits(data[at] ?? 0)) return true
  return false
}

async function sample(name: string): Promise<Pixels> {
  return pixelsOf(await imageFromBytes((await context.open(name)).bytes, context), context)
}

async function greyOf(pixels: Pixels): Promise<Pixels> {
  const { data } = await toPixels(context, (await sharpOf(pixels)).grayscale().toColourspace('b-w'))
  return { ...pixels, data }
}

const whiteDisc: Pixels = (() => {
  const { width, height } = upright
  const data = Buffer.alloc(width * height * 4)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4
      const alpha = Math.max(0, Math.min(1, 50 - Math.hypot(x - 99.5, y - 79.5)))
      if (alpha > 0) data.fill(255, at, at + 3)
      data[at + 3] = Math.round(alpha * 255)
    }
  }
  return { data, width, height, channels: 4 }
})()
