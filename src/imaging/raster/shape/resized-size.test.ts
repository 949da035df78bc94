import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../../../test/harness/repetitions.ts'
import { imageFromBytes } from '../image.ts'
import { loadSharp, type Sharp, sourceOptions } from '../sharp.ts'
import { contextFor } from '../test-images.ts'
import { resizedSize } from './resized-size.ts'

const context = contextFor()

const side = fc
  .oneof({ weight: 3, arbitrary: fc.integer({ min: 1, max: 700 }) }, { weight: 1, arbitrary: fc.nat(2_000) })
  .map((value) => Math.max(1, value))
const files = fc.record({
  width: side,
  height: side,
  format: fc.constantFrom('jpeg', 'jpeg', 'webp', 'webp', 'png', 'tiff', 'gif', 'avif'),
  orientation: fc.integer({ min: 1, max: 8 }),
})
const share = fc.double({ min: 0, max: 1, noNaN: true })
const wishes = fc.array(
  fc.record({ across: fc.option(share), down: fc.option(share), fit: fc.constantFrom('inside', 'outside') }),
  { minLength: 4, maxLength: 4 },
)

async function sizesOf(
  file: { width: number; height: number; format: string; orientation: number },
  wanted: { width?: number; height?: number; fit: 'inside' | 'outside' }[],
) {
  const sharp = await loadSharp()
  const { width, height, format, orientation } = file
  const drawn = sharp({ create: { width, height, channels: 3, background: '#a53' } }).withMetadata({ orientation })
  const image = await imageFromBytes(await drawn.toFormat(format as 'jpeg').toBuffer(), context)
  assert.ok(image.encoded)
  for (const size of wanted) {
    const resized: Sharp = sharp(image.encoded, sourceOptions(context.pixelsMax)).resize({
      ...size,
      withoutEnlargement: true,
    })
    const { info }: { info: { width: number; height: number } } = await resized
      .raw()
      .toBuffer({ resolveWithObject: true })
    const found = resizedSize(image, { ...size, enlarge: false })
    const details = `${format} ${width} x ${height}, orientation ${orientation}, ${JSON.stringify(size)}`
    assert.deepEqual(found, { width: info.width, height: info.height }, details)
  }
}

test('is the size that sharp returns, for every format, orientation and fit', async () => {
  await fc.assert(
    fc.asyncProperty(files, wishes, async (file, wanted) => {
      const { width, height } = file
      const atMost = (bound: number, part: number) => 1 + Math.floor((bound - 1) * part)
      await sizesOf(
        file,
        wanted.map(({ across, down, fit }) => ({
          ...(across === null && down !== null ? {} : { width: atMost(width, across ?? 0.5) }),
          ...(down === null ? {} : { height: atMost(height, down) }),
          fit: fit as 'inside',
        })),
      )
    }),
    { numRuns: repetitions(60, 250), seed: 20_261_124 },
  )
})

// Each is half a pixel in one of the divisions: found among 50,000 random sizes.
for (const [format, width, height, wanted] of [
  ['webp', 652, 326, { width: 193 }],
  ['webp', 1074, 64, { height: 16 }],
  ['jpeg', 645, 115, { height: 18 }],
  ['jpeg', 85, 1005, { width: 9 }],
  ['jpeg', 339, 226, { height: 197 }],
  ['jpeg', 1232, 230, { height: 23 }],
  ['jpeg', 319, 1005, { width: 94 }],
  ['png', 1000, 1, { width: 1 }],
] as const) {
  test(`is rounded as by libvips: ${format} ${width} x ${height} to ${JSON.stringify(wanted)}`, () =>
    sizesOf({ width, height, format, orientation: 1 }, [{ ...wanted, fit: 'inside' }]))
}
