/** Operations that say "each" are held to it: over an animation they give what they give for each of its frames. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { wiresOf } from '../../../test/golden/render.ts'
import { repetitions } from '../../../test/harness/repetitions.ts'
import { checker } from '../../domain/validate.ts'
import { decideOnce } from '../../imaging/raster/decide-once.ts'
import { imageFromBytes, imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { countPixels, framesOf, imageFromFrames } from '../../imaging/raster/read/frames.ts'
import { moving } from '../../imaging/raster/test-animations.ts'
import { isFault } from '../../imaging/raster/test-faults.ts'
import { contextFor, paint, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import type { ImageValue, Pixels } from '../../imaging/types.ts'
import type { Example, Operation, OperationContext } from '../define.ts'
import { catalogue } from '../index.ts'
import { eachFrame } from './each-frame.ts'

const samples = new URL('../../../examples/samples/', import.meta.url)
const context = contextFor({ open: async (source) => ({ bytes: await readFile(new URL(source, samples)) }) })
const delaysMs = [40, 120, 70]

const lifted = [...catalogue.values()].filter(({ frames }) => frames === 'each')

test('most of the catalogue works on every frame', () => {
  assert.ok(lifted.length >= 15, `found ${lifted.length}`)
})

describe('an operation on an animation returns its result for each frame', () => {
  for (const operation of lifted) {
    const examples = operation.examples.filter(({ inputs }) => inputs)
    for (const example of examples.slice(0, repetitions(1, examples.length))) {
      test(`${operation.id}: ${example.name}`, () => check(operation, example))
    }
  }
})

/** Decisions of the first frame for all frames come from it here, too; `same-for-all` lists them. */
async function check(operation: Operation, example: Example): Promise<void> {
  const params = structuredClone(example.params)
  assert.deepEqual(checker(operation.params)(params), [])
  const inputs = await inputsOf(example)
  const wires = wiresOf(operation, example, inputs(animated))
  const { image, ...values } = await operation.run(inputs(animated), params, { ...context, wires })
  assert.ok(image)
  assert.deepEqual([image.animation?.delaysMs, image.animation?.loops], [delaysMs, 2])
  const frames = await framesOf(image, context)
  const alone: OperationContext = { ...context, wires, decisions: new Map() }
  for (const [index, frame] of frames.entries()) {
    const single = await operation.run(
      inputs((file) => variantOf(file, index)),
      params,
      alone,
    )
    assert.ok(single.image)
    const [is, was] = await Promise.all([pixelsOf(frame, context), pixelsOf(single.image, context)])
    assert.deepEqual([is.width, is.height, is.channels], [was.width, was.height, was.channels])
    assert.ok(is.data.equals(was.data), `frame ${index} differs`)
    const { image: _, ...own } = single
    if (index === 0) assert.deepEqual(values, own)
  }
}

type Inputs = Parameters<Operation['run']>[0]

/** The inputs of an example, of which `make` makes something. */
async function inputsOf({ inputs = {} }: Example): Promise<(make: (still: Pixels) => ImageValue) => Inputs> {
  const load = async (file: string) =>
    pixelsOf(await imageFromBytes((await context.open(file)).bytes, context), context)
  const loaded: [string, Pixels | Pixels[]][] = []
  for (const [name, files] of Object.entries(inputs)) {
    loaded.push([name, Array.isArray(files) ? await Promise.all(files.map(load)) : await load(files)])
  }
  return (make) =>
    Object.fromEntries(
      loaded.map(([name, stills]) => [name, Array.isArray(stills) ? stills.map(make) : make(stills)]),
    ) as Inputs
}

function animated(still: Pixels): ImageValue {
  const frames = delaysMs.map((_, index) => variantOf(still, index))
  return imageFromFrames(frames, { delaysMs, loops: 2 })
}

/** The picture with its bytes in another order of rows, and darker: as large, and as opaque. */
function variantOf({ width, height, channels, data }: Pixels, index: number): ImageValue {
  const rowBytes = width * channels
  const rows = Array.from({ length: height }, (_, y) => {
    const from = ((y + index * 7) % height) * rowBytes
    return data.subarray(from, from + rowBytes)
  })
  const moved = Buffer.concat(rows).map((byte, at) => (at % channels === 3 ? byte : byte - (byte >> 3) * index))
  return imageFromPixels({ data: Buffer.from(moved), width, height, channels })
}

const composite = catalogue.get('composite')
assert.ok(composite)
const over = (inputs: Record<string, ImageValue>) =>
  composite.run(inputs as never, { opacity: 1, blend: 'over', x: 0, y: 0 }, context)

test('the first of two animations sets the frame times, and the other one loops and shows its current frame', async () => {
  const image = moving(4, 4, [100, 100, 100, 100, 100], (_x, _y, frame) => [frame, 0, 0])
  // Red for 150 ms, then green for 100 ms.
  const overlay = moving(2, 2, [150, 100], (_x, _y, frame) => [0, 0, 100 + frame])
  const { image: result } = await over({ image, overlay })
  assert.ok(result)
  assert.deepEqual(result.animation?.delaysMs, [100, 100, 100, 100, 100])
  const pixelValues = await Promise.all(
    (await framesOf(result, context)).map(async (frame) => {
      const pixels = await pixelsOf(frame, context)
      return [pixelAt(pixels, 0, 0)[2], pixelAt(pixels, 3, 3)[0]]
    }),
  )
  // At 0, 100, 200, 300 and 400 ms; the overlay starts again at 250.
  assert.deepEqual(pixelValues, [
    [100, 0],
    [100, 1],
    [101, 2],
    [100, 3],
    [101, 4],
  ])
})

test('a still image is the same in every frame, even if it is the first input', async () => {
  const still = painted(4, 4, () => [9, 9, 9])
  const overlay = moving(2, 2, [50, 60], (_x, _y, frame) => [frame * 100, 0, 0], 4)
  const { image } = await over({ image: still, overlay })
  assert.deepEqual([image?.animation?.delaysMs, image?.animation?.loops], [[50, 60], 4])
  assert.ok(image)
  for (const [index, frame] of (await framesOf(image, context)).entries()) {
    const pixels = await pixelsOf(frame, context)
    assert.deepEqual(
      [pixelAt(pixels, 0, 0), pixelAt(pixels, 3, 3)],
      [
        [index * 100, 0, 0],
        [9, 9, 9],
      ],
    )
  }
})

test('still inputs use the path without frames', async () => {
  const { image } = await over({ image: painted(4, 4, () => [9, 9, 9]), overlay: painted(2, 2, () => [1, 1, 1]) })
  assert.ok(image)
  assert.equal(image.animation, undefined)
  assert.equal(countPixels(image), 16)
})

const crop = catalogue.get('crop')
assert.ok(crop)

test('rejects frames that come out in different sizes', async () => {
  const growing = eachFrame({
    ...crop,
    run: async ({ image }) => {
      const pixels = await pixelsOf(image as ImageValue, context)
      return { image: painted(1 + (pixels.data[0] ?? 0), 4, () => [0, 0, 0]) }
    },
  })
  const image = moving(4, 4, [50, 50], (_x, _y, frame) => [frame, 0, 0])
  await assert.rejects(
    growing.run({ image }, {}, context),
    isFault('input_invalid', /Frame 2 is 2 x 4, but the first is 1 x 4/),
  )
})

test('decisions of the first frame apply to all, however many are processed at the same time', async () => {
  let calls = 0
  const deciding = eachFrame({
    ...crop,
    run: async ({ image }, _, frameContext) => {
      const pixels = await pixelsOf(image as ImageValue, frameContext)
      const level = await decideOnce(frameContext, 'level', async () => {
        calls += 1
        return pixels.data[0] ?? 0
      })
      return { image: imageFromPixels(paint(1, 1, () => [level, 0, 0])) }
    },
  })
  const image = moving(4, 4, Array(12).fill(50), (_x, _y, frame) => [90 + frame, 0, 0])
  const { image: result } = await deciding.run({ image }, {}, context)
  assert.ok(result)
  for (const frame of await framesOf(result, context)) {
    assert.deepEqual([...(await pixelsOf(frame, context)).data], [90, 0, 0])
  }
  assert.equal(calls, 1)
})

test('a resize by content crops every frame like the first, and like a still image', async () => {
  const still = await pixelsOf(await imageFromBytes((await context.open('coffee.jpg')).bytes, context), context)
  const resize = catalogue.get('resize')
  assert.ok(resize)
  for (const position of ['attention', 'entropy']) {
    const params = {
      width: 60,
      height: 100,
      fit: 'cover',
      position,
      background: 'white',
      enlarge: true,
      kernel: 'cubic',
    }
    const alone = await resize.run({ image: imageFromPixels(still) }, params, context)
    // The second frame has its content elsewhere.
    const frames = [imageFromPixels(still), variantOf(still, 9), imageFromPixels(still)]
    const { image } = await resize.run({ image: imageFromFrames(frames, { delaysMs, loops: 0 }) }, params, context)
    assert.ok(image && alone.image)
    const [first, , third] = await framesOf(image, context)
    const expected = (await pixelsOf(alone.image, context)).data
    for (const frame of [first, third])
      assert.ok(frame && (await pixelsOf(frame, context)).data.equals(expected), position)
  }
})
