import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { systemClock } from '../../domain/clock.ts'
import { createChecker } from '../../engine/check/check.ts'
import type { EncodedImage } from '../../engine/run/output-ports.ts'
import { createPixelBudget, type PixelBudget } from '../../engine/run/pixel-budget.ts'
import { testCatalogue } from '../../engine/test-catalogue.ts'
import { Fault } from '../../errors.ts'
import { testProcesses } from '../../imaging/raster/test-images.ts'
import { createFsBlobs } from '../../storage/blobs/fs.ts'
import { compareExamples } from './comparisons.ts'
import { createDryRunFiles } from './dry-run-files.ts'
import { createDryRuns } from './dry-runs.ts'

const { signal } = new AbortController()

function folderOf(t: TestContext): { stage: ReturnType<typeof createFsBlobs>['stage']; files(): string[] } {
  const dir = mkdtempSync(join(tmpdir(), 'tintype-'))
  t.after(() => rmSync(dir, { recursive: true }))
  return { stage: createFsBlobs({ dir }).stage, files: () => readdirSync(join(dir, 'tmp')) }
}

/** A budget that records the bytes that are reserved for jobs, and their sum. */
function recordingBudget(totalMax?: number) {
  const budget = createPixelBudget(1e9, 1e9, totalMax)
  const recorded = { now: 0, all: [] as number[] }
  const pixels: PixelBudget = {
    ...budget,
    open(account) {
      const share = budget.open(account)
      return {
        ...share,
        async reserveBytes(bytes, signal) {
          const release = await share.reserveBytes(bytes, signal)
          recorded.now += bytes
          recorded.all.push(bytes)
          return () => {
            recorded.now -= bytes
            release()
          }
        },
      }
    },
  }
  return { pixels, recorded }
}

function setup(t: TestContext, { totalMax }: { totalMax?: number } = {}) {
  const { stage, files } = folderOf(t)
  const { pixels, recorded } = recordingBudget(totalMax)
  /**
   * Observations of each lossless file: the reserved bytes while it was encoded, and the number of lossless files that
   * were encoded then.
   */
  const lossless: { reserved: number; atOnce: number }[] = []
  let atOnce = 0
  async function encodeExact(width: number): Promise<EncodedImage> {
    atOnce += 1
    await setImmediate()
    lossless.push({ reserved: recorded.now, atOnce })
    atOnce -= 1
    return { bytes: Buffer.from(`exact ${width}`), format: 'png', width, height: width }
  }
  const dryRuns = createDryRuns({
    processes: testProcesses,
    check: createChecker(testCatalogue),
    async encode({ width, height }, settings) {
      if (settings.format !== 'auto' && settings.lossless) return encodeExact(width)
      return { bytes: Buffer.from(`${width} ${settings.quality}`), format: 'jpeg', width, height }
    },
    named: {
      scale: () => assert.fail('nothing is scaled'),
      placeholder: () => assert.fail('there is no set'),
      encodePage: async ({ width }, page) => ({ page, ...(await encodeExact(width)), format: 'png' }),
      bindPages: () => assert.fail('a PDF is not bound: its pages are compared'),
    },
    stage,
    pixels,
    pixelsMax: 1e6,
    clock: systemClock,
  })
  return { dryRuns, pixels, lossless, files }
}

const output = { node: 'a', format: 'jpeg' }

function documentOf(width: number, outputs: object) {
  return { name: 'T', nodes: { a: { type: 'make', params: { width } }, b: { type: 'make' } }, output, outputs }
}

const bounds = { open: () => assert.fail('there is no source'), timeoutSeconds: 10, signal }

test('the files of a rendering are on the disk, and only one at a time is encoded without loss', async (t) => {
  const { dryRuns, lossless, files } = setup(t)
  const outputs = {
    low: { ...output, quality: 5 },
    other: { node: 'b', format: 'jpeg' },
    book: { node: ['b', 'a'], format: 'pdf' },
  }
  const workflow = await dryRuns.check(documentOf(20, outputs))
  const { images, discard } = await dryRuns.render(workflow, {}, bounds)
  const found = await Promise.all(
    images.map(async ({ output, image }) => [output?.name, output?.page, `${await image.exact.read()}`]),
  )
  assert.deepEqual(found, [
    [undefined, undefined, 'exact 20'],
    ['low', undefined, 'exact 20'],
    ['other', undefined, 'exact 10'],
    ['book', 1, 'exact 10'],
    ['book', 2, 'exact 20'],
  ])
  assert.equal(`${await images[1]?.image.file.read()}`, '20 5')
  // The primary output and `low` share one.
  assert.equal(lossless.length, 4)
  // Three channels.
  for (const { reserved, atOnce } of lossless) {
    assert.equal(atOnce, 1)
    assert.ok(reserved === 20 * 20 * 3 || reserved === 10 * 10 * 3)
  }
  assert.ok(files().length > 0)
  await discard()
  assert.deepEqual(files(), [])
})

test('a rendering whose lossless files are too large for the memory fails, and leaves no file', async (t) => {
  const { dryRuns, files } = setup(t, { totalMax: 150 })
  const workflow = await dryRuns.check(documentOf(15, { other: { node: 'b', format: 'jpeg' } }))
  await assert.rejects(
    dryRuns.render(workflow, {}, bounds),
    (error: unknown) => error instanceof Fault && error.details.reason === 'limit_exceeded',
  )
  assert.deepEqual(files(), [])
})

test('the files of a rendering have a limit together', async (t) => {
  const { stage, files } = folderOf(t)
  const rendered = createDryRunFiles(stage, 10)
  await rendered.add(Buffer.alloc(6))
  await assert.rejects(
    rendered.add(Buffer.alloc(6)),
    (error: unknown) => error instanceof Fault && error.details.reason === 'limit_exceeded',
  )
  await rendered.discard()
  assert.deepEqual(files(), [])
})

test('a file of an encoding that ends after the rendering is removed', async (t) => {
  const { stage, files } = folderOf(t)
  const rendered = createDryRunFiles(stage)
  const late = rendered.add(Buffer.alloc(6))
  await rendered.discard()
  await assert.rejects(late, /has ended/)
  assert.deepEqual(files(), [])
})

test('a comparison has the two lossless files of one output in memory, and removes all files after the example', async (t) => {
  const { dryRuns, files } = setup(t)
  const outputs = { other: { node: 'b', format: 'jpeg' } }
  const [before, after] = await Promise.all([20, 30].map((width) => dryRuns.check(documentOf(width, outputs))))
  assert.ok(before && after)
  const compared: [string, string][] = []
  const reserved: number[] = []
  const budget = createPixelBudget(1e9, 1e9)
  const pixels: PixelBudget = {
    ...budget,
    open(account) {
      const share = budget.open(account)
      return {
        ...share,
        reserve(count, signal) {
          reserved.push(count)
          return share.reserve(count, signal)
        },
      }
    },
  }
  const examples = compareExamples(
    { workflow: before, open: bounds.open },
    { workflow: after, open: bounds.open },
    {
      dryRuns,
      async compare(old, now) {
        compared.push([`${old}`, `${now}`])
        return { sameSize: true, differing: 0, maxDifference: 0, psnr: null }
      },
      pixels,
      signal,
      secondsLeft: () => 10,
      secondsEach: 10,
      tolerance: 0,
    },
  )
  let count = 0
  for await (const { before } of examples) {
    count += 1
    assert.ok(`${await before.image?.file.read()}`.length > 0)
  }
  assert.equal(count, 2)
  assert.deepEqual(compared, [
    ['exact 20', 'exact 30'],
    ['exact 10', 'exact 10'],
  ])
  // Both files of an output, at 4 bytes each.
  assert.deepEqual(reserved, [4, 4])
  assert.deepEqual(files(), [])
})
