import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../../test/harness/repetitions.ts'
import { checker } from '../../domain/validate.ts'
import { limits } from '../../limits.ts'
import type { Operation, OperationContext } from '../../operations/define.ts'
import { catalogue } from '../../operations/index.ts'
import type { ImageValue } from '../types.ts'
import { imageFromBytes, imageFromPixels, pixelsOf, sharpOf } from './image.ts'
import { runJob, setJobSlots } from './jobs.ts'
import { loadSharp } from './sharp.ts'
import { contextFor, paint } from './test-images.ts'
import { encode } from './write/encode.ts'

interface Link {
  id: string
  params: Record<string, unknown>
}

const context = contextFor()

function operationOf(id: string): Operation {
  const operation = catalogue.get(id)
  assert.ok(operation)
  return operation
}

/** How many steps joined the call of the one before them. */
let fused = 0

/** `open`: whether the last step stays unfinished too. */
async function runChain(image: ImageValue, chain: Link[], unfinished: boolean, open = false): Promise<ImageValue> {
  let picture = image
  for (const [i, { id, params }] of chain.entries()) {
    const stageContext: OperationContext = { ...context, mayStayPending: unfinished && (open || i < chain.length - 1) }
    const result = await operationOf(id).run({ image: picture } as never, structuredClone(params), stageContext)
    assert.ok(result.image)
    picture = result.image
    if ((picture.pending?.queue.length ?? 0) > 1) fused += 1
  }
  return picture
}

const formats = ['png', 'jpeg', 'webp', 'tiff', 'gif', 'avif'] as const
const color = fc.constantFrom('#ff8000', '#00ff0080', 'transparent', 'white')
const kernels = ['nearest', 'linear', 'cubic', 'mitchell', 'lanczos2', 'lanczos3'] as const

/** Random params of each stage; `side`: the sides of resized images. */
function stageParams(side: fc.Arbitrary<number>): Record<string, fc.Arbitrary<Record<string, unknown>>> {
  return {
    resize: fc
      .oneof(fc.record({ width: side, height: side }), fc.record({ width: side }), fc.record({ height: side }))
      .chain((sides) =>
        fc.record({
          ...Object.fromEntries(Object.entries(sides).map(([name, value]) => [name, fc.constant(value)])),
          fit: fc.constantFrom('cover', 'contain', 'fill', 'inside', 'outside'),
          enlarge: fc.boolean(),
          background: color,
          position: fc.constantFrom('center', 'north', 'south-east'),
          kernel: fc.constantFrom(...kernels),
        }),
      ),
    flip: fc.record({ axis: fc.constantFrom('horizontal', 'vertical') }),
    rotate: fc.record({ angle: fc.constantFrom(90, 180, 270, -90) }),
    extend: fc.record({
      left: fc.integer({ min: 0, max: 9 }),
      top: fc.integer({ min: 1, max: 9 }),
      color,
      fill: fc.constantFrom('color', 'mirror'),
    }),
    blur: fc.record({ sigma: fc.constantFrom(0.5, 1.3, 4) }),
    sharpen: fc.constant({}),
    invert: fc.record({ amount: fc.constantFrom(1, 0.4) }),
  }
}

const small = fc.integer({ min: 4, max: 24 })

/** One of these stages, with params as the engine fills them in. */
function linkOf(params: Record<string, fc.Arbitrary<Record<string, unknown>>>): fc.Arbitrary<Link> {
  return fc.oneof(
    ...Object.entries(params).map(([id, values]) =>
      values.map((given): Link => {
        const filled = { ...given }
        assert.deepEqual(checker(operationOf(id).params)(filled), [])
        return { id, params: filled }
      }),
    ),
  )
}

const chains = fc.array(linkOf(stageParams(small)), { minLength: 2, maxLength: 6 })

/** Colours and soft alpha that change with every pixel, from a seed. */
function pictureFor(seed: number, channels: 3 | 4, width = 13, height = 9): ImageValue {
  let state = seed >>> 0
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  }
  return imageFromPixels(paint(width, height, () => Array.from({ length: channels }, next)))
}

test('covers every stage that an operation declares', () => {
  const declared = [...catalogue.values()].filter(({ stage }) => stage !== undefined).map(({ id }) => id)
  assert.deepEqual(declared.sort(), Object.keys(stageParams(small)).sort())
})

test('random chains of fused stages return exactly the pixels of separate steps', async () => {
  fused = 0
  const sources = fc.record({
    seed: fc.integer(),
    channels: fc.constantFrom(3, 4),
    format: fc.constantFrom('raw', 'png', 'jpeg'),
  })
  await fc.assert(
    fc.asyncProperty(sources, chains, async ({ seed, channels, format }, chain) => {
      await holdsFused(pictureFor(seed, channels as 3 | 4), format, chain)
    }),
    { numRuns: repetitions(150, 1_000), seed: 20_261_121 },
  )
  assert.ok(fused > repetitions(50, 400), `only ${fused} steps were fused with the one before`)
})

test('fused stages return the same pixels for images of several tiles and strips of libvips, with every kernel', async () => {
  fused = 0
  const requested = new Set<unknown>()
  // Round ratios: there places fall between two pixels, and which one is taken may hang on the tile.
  const large = stageParams(fc.integer({ min: 2, max: 20 }).map((count) => count * 20))
  const oneOf = (id: string) => linkOf({ [id]: large[id] ?? assert.fail(`there is no stage ${id}`) })
  // In the order of sharp, so that much of it is fused.
  const after = fc
    .subarray(['extend', 'blur', 'sharpen', 'invert'], { minLength: 1 })
    .chain((ids) => fc.tuple(...ids.map(oneOf)))
  const runs = fc.record({
    seed: fc.integer(),
    channels: fc.constantFrom(3, 3, 4),
    width: fc.constantFrom(300, 320, 360),
    height: fc.constantFrom(180, 200, 240),
    format: fc.constantFrom('raw', 'png', 'jpeg'),
    before: fc.array(linkOf(large), { maxLength: 1 }),
    resize: oneOf('resize'),
    after,
  })
  await fc.assert(
    fc.asyncProperty(runs, async ({ seed, channels, width, height, format, before, resize, after }) => {
      requested.add(resize.params.kernel)
      const drawn = pictureFor(seed, channels as 3 | 4, width, height)
      await holdsFused(drawn, format, [...before, resize, ...after])
    }),
    { numRuns: repetitions(24, 60), seed: 20_261_121 },
  )
  assert.deepEqual([...requested].sort(), [...kernels].sort())
  assert.ok(fused > repetitions(4, 10), `only ${fused} steps were fused with the one before`)
})

test('nearest neighbour resampling of a large image does not depend on the next stage', async () => {
  const photograph = imageFromPixels(paint(480, 320, (x, y) => [(x * 37 + y * 11) % 256, (x * y) % 256, (x * 7) % 256]))
  const near = { id: 'resize', params: { width: 60, height: 75, kernel: 'nearest' } }
  for (const next of [
    { id: 'sharpen', params: {} },
    { id: 'blur', params: { sigma: 1.2 } },
  ]) {
    const chain = [near, next]
    for (const { id, params } of chain) assert.deepEqual(checker(operationOf(id).params)(params), [])
    const [apart, together] = [await runChain(photograph, chain, false), await runChain(photograph, chain, true)]
    const [expected, actual] = [await pixelsOf(apart, context), await pixelsOf(together, context)]
    assert.ok(expected.data.equals(actual.data), next.id)
  }
})

test('stages fused with the encoder return exactly the same bytes in every format', async () => {
  const wanted = formats.flatMap((format) => [{ format }, { format, profile: 'p3' as const, density: 144 }])
  let direct = 0
  await fc.assert(
    fc.asyncProperty(fc.integer(), chains, fc.constantFrom(...wanted), async (seed, chain, settings) => {
      const apart = await runChain(pictureFor(seed, 3), chain, false)
      const together = await runChain(pictureFor(seed, 3), chain, true, true)
      if (together.pending && !together.hasAlpha) direct += 1
      const [expected, actual] = [await encode(apart, settings, context), await encode(together, settings, context)]
      assert.ok(actual.bytes.equals(expected.bytes), `other bytes of ${settings.format}`)
    }),
    { numRuns: repetitions(40, 150), seed: 20_261_121 },
  )
  assert.ok(direct > repetitions(8, 30), `only ${direct} were encoded directly`)
})

test('the density of a file does not change the bytes of an output that is encoded in the same call', async () => {
  const pixels = await sharpOf(await pixelsOf(pictureFor(7, 3, 64, 40), context))
  const file = await pixels.withDensity(300).jpeg().toBuffer()
  const chain = [
    {
      id: 'resize',
      params: { width: 20, fit: 'cover', enlarge: true, background: 'white', position: 'center', kernel: 'lanczos3' },
    },
  ]
  for (const format of formats)
    for (const settings of [{ format }, { format, density: 144 }]) {
      const apart = await runChain(await imageFromBytes(file, context), chain, false)
      const together = await runChain(await imageFromBytes(file, context), chain, true, true)
      assert.ok(together.pending)
      const [expected, actual] = [await encode(apart, settings, context), await encode(together, settings, context)]
      assert.ok(actual.bytes.equals(expected.bytes), `other bytes of ${format}`)
    }
})

test('a small size of a large image leaves a slot free for others while a long job of its account runs', async () => {
  const sharp = await loadSharp()
  const png = await sharp({ create: { width: 8_000, height: 5_000, channels: 3, background: '#8a4' } })
    .png({ compressionLevel: 1 })
    .toBuffer()
  const resize = {
    id: 'resize',
    params: { width: 20, fit: 'inside', enlarge: true, background: 'white', position: 'center', kernel: 'lanczos3' },
  }
  const asFile = (small: ImageValue, account: string) => encode(small, { format: 'jpeg' }, contextFor({ account }))
  const asPixels = (small: ImageValue, account: string) => pixelsOf(small, contextFor({ account }))
  for (const work of [asFile, asPixels]) {
    const [own, other] = await Promise.all(
      [0, 1].map(async () => runChain(await imageFromBytes(png, context), [resize], true, true)),
    )
    assert.ok(own?.pending && other?.pending)
    const long = Promise.withResolvers<void>()
    setJobSlots(2)
    const held = runJob(contextFor({ account: 'own', pixels: limits.imagePixelsMax }), () => long.promise)
    try {
      const works = [work(own, 'own').then(() => 'own'), work(other, 'other').then(() => 'other')]
      assert.equal(await Promise.race(works), 'other')
      long.resolve()
      await Promise.all(works)
    } finally {
      long.resolve()
      await held
      setJobSlots(availableParallelism())
    }
  }
})

async function encoded(picture: ImageValue, format: 'png' | 'jpeg' | string): Promise<ImageValue> {
  const image = await sharpOf(await pixelsOf(picture, context))
  return imageFromBytes(await (format === 'png' ? image.png() : image.jpeg()).toBuffer(), context)
}

/** Separate steps and fused steps return the same pixels. */
async function holdsFused(drawn: ImageValue, format: string, chain: Link[]): Promise<void> {
  const open = async () => (format === 'raw' ? drawn : encoded(drawn, format))
  const [apart, together] = [await runChain(await open(), chain, false), await runChain(await open(), chain, true)]
  const [expected, actual] = [await pixelsOf(apart, context), await pixelsOf(together, context)]
  assert.deepEqual([actual.width, actual.height, actual.channels], [expected.width, expected.height, expected.channels])
  assert.ok(actual.data.equals(expected.data), 'other pixels')
}
