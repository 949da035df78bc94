import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import Type from 'typebox'
import { systemClock } from '../../domain/clock.ts'
import { failure } from '../../errors.ts'
import { testProcesses } from '../../imaging/raster/test-images.ts'
import { limits } from '../../limits.ts'
import { defineOperation } from '../../operations/define.ts'
import type { StoredCheckpoint } from '../cache/ports.ts'
import { closed, common, plannerOf } from '../test-catalogue.ts'
import { createPixelBudget, type PixelBudget } from './pixel-budget.ts'
import { runPlan } from './run.ts'

const make = defineOperation({
  ...common,
  id: 'make',
  group: 'source',
  inputs: {},
  params: Type.Object({ pixels: Type.Integer() }, closed),
  outputs: { image: 'I.' },
  run: async (_, { pixels }) => ({ image: { width: pixels, height: 1, hasAlpha: false, format: 'raw' as const } }),
})
const planOf = plannerOf([make])

interface Options {
  outputs: object
  /** Pixels of node `a`. */
  pixels?: number
  /** Bytes of each file and each page. */
  bytes?: number
  totalMax?: number
  checkpoints?: Map<string, StoredCheckpoint>
  /** The outputs with this path can't be encoded. */
  fails?: string
}

/** Records the bytes that are counted when a file is encoded, stored and bound. */
async function run({ outputs, pixels = 1, bytes = 8, totalMax, checkpoints, fails }: Options) {
  const counted = { now: 0, storing: [] as number[], binding: [] as number[] }
  const encoding = { now: 0, most: 0 }
  const budget = createPixelBudget(1e9, 1e9, totalMax)
  const count = (more: number, release: () => void) => {
    counted.now += more
    let isReleased = false
    return () => {
      if (!isReleased) counted.now -= more
      isReleased = true
      release()
    }
  }
  const recording: PixelBudget = {
    ...budget,
    open(account) {
      const share = budget.open(account)
      return {
        ...share,
        reserve: async (most, signal) => count(most * 4, await share.reserve(most, signal)),
        reserveBytes: async (most, signal) => count(most, await share.reserveBytes(most, signal)),
        hold: (most) => count(most, share.hold(most)),
      }
    },
  }
  const nodes = { a: { type: 'make', params: { pixels } }, b: { type: 'make', params: { pixels: 2 } } }
  const plan = planOf({ nodes, output: { node: 'a', format: 'png' }, outputs })
  const blobs = new Map<string, Buffer>()
  const result = await runPlan(plan, {
    processes: testProcesses,
    signal: new AbortController().signal,
    timeoutSeconds: 10,
    pixelsMax: 1e9,
    pixels: recording,
    open: () => assert.fail('there is no source'),
    reuse: {
      keyContext: { fingerprint: 'here', identify: async () => undefined, fonts: async () => [] },
      checkpoints,
    },
    async encode({ width, height }, { format = 'png' }, { outputPath = 'output' }) {
      encoding.now += 1
      encoding.most = Math.max(encoding.most, encoding.now)
      await setImmediate()
      if (outputPath === fails) throw failure('limit_exceeded', 'It is too large.')
      return { bytes: Buffer.alloc(bytes), format: format as 'png', width, height }
    },
    named: {
      scale: () => assert.fail('nothing is scaled'),
      placeholder: () => assert.fail('there is no set'),
      async encodePage({ width, height }, page) {
        return { page, bytes: Buffer.alloc(bytes), format: 'jpeg', width, height }
      },
      async bindPages(pages) {
        counted.binding.push(counted.now)
        return Buffer.alloc(bytes * pages.length)
      },
      async store({ bytes, format }) {
        counted.storing.push(counted.now)
        await setImmediate()
        encoding.now -= 1
        const stored = { id: `img_${blobs.size}`, size: bytes.length, sha256: '' }
        blobs.set(`${stored.id}.${format}`, bytes)
        return stored
      },
    },
    clock: systemClock,
    onProgress: () => undefined,
  })
  return { result, counted, encoding, blobs }
}

const formats = {
  one: { node: 'a', format: 'jpeg' },
  two: { node: 'a', format: 'webp' },
  three: { node: 'a', format: 'tiff' },
}

test('large files are encoded and stored one at a time, and count until they are stored', async () => {
  const { result, counted, encoding } = await run({ outputs: formats, pixels: 2e7, bytes: limits.unstoredBytesMax + 4 })
  assert.equal(result.fault, undefined)
  assert.equal(encoding.most, 1)
  // With the primary output, which is stored like the others.
  assert.deepEqual(counted.storing, Array(4).fill(limits.unstoredBytesMax + 4))
  assert.deepEqual([result.output?.bytes, result.output?.stored?.size], [undefined, limits.unstoredBytesMax + 4])
  assert.equal(counted.now, 0)
})

test('small files are made at the same time, and the primary output stays in memory', async () => {
  const { result, encoding } = await run({ outputs: formats })
  assert.equal(encoding.most, 4)
  assert.equal(result.output?.bytes?.length, 8)
})

test('the pages of a PDF count until they are bound, and the file until it is stored', async () => {
  const { result, counted } = await run({ outputs: { book: { node: ['a', 'b'], format: 'pdf' } }, bytes: 1_000 })
  assert.equal(result.fault, undefined)
  // Two pages, once more in the file, and before that in its objects.
  assert.deepEqual(counted.binding, [2_000 + 4_000])
  assert.deepEqual(counted.storing, [2_000])
  assert.equal(counted.now, 0)
})

test('pages that are too large together fail before they are bound', async () => {
  const outputs = { book: { node: ['a', 'b'], format: 'pdf' } }
  const { result, counted } = await run({ outputs, bytes: 1_000, totalMax: 400 })
  assert.equal(result.fault?.details.reason, 'limit_exceeded')
  assert.deepEqual(counted.binding, [])
})

test('the files of a resumed execution are read one at a time, when there is memory for them', async () => {
  const failed = await run({ outputs: formats, bytes: 1_000, fails: 'outputs.three' })
  assert.ok(failed.result.fault)
  const { finished } = failed.result
  assert.equal(finished.filter(({ stored }) => stored).length, 2)
  const reading = { now: 0, most: 0, files: 0 }
  const checkpoints = new Map(
    finished.map(({ task, key, facts, stored }): [string, StoredCheckpoint] => {
      const bytes = stored && failed.blobs.get(`${stored.id}.${stored.format}`)
      const read = async () => {
        reading.files += 1
        reading.now += 1
        reading.most = Math.max(reading.most, reading.now)
        await setImmediate()
        reading.now -= 1
        return bytes
      }
      return [task, { key, facts: JSON.parse(JSON.stringify(facts)), hasImages: bytes !== undefined, read }]
    }),
  )
  const { result, counted } = await run({ outputs: formats, bytes: 1_000, checkpoints })
  assert.equal(result.fault, undefined)
  assert.deepEqual(reading, { now: 0, most: 1, files: 2 })
  // The read files with their reserved bytes, and the new one.
  assert.deepEqual(counted.storing, [1_000, 1_000, 1_000])
})
