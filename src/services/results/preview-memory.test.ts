import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResultFacts } from '../../engine/cache/packed.ts'
import type { StepCache } from '../../engine/cache/ports.ts'
import type { StepResult } from '../../engine/plan/step-result.ts'
import { createPixelBudget } from '../../engine/run/pixel-budget.ts'
import { createPreviewMemory } from './preview-memory.ts'

const never = new AbortController().signal
const facts = { values: {}, skipped: false } as ResultFacts

/** An image of 100 x 100: 40,000 bytes. */
const result = (): StepResult => ({
  image: { width: 100, height: 100, hasAlpha: false, format: 'raw' },
  values: {},
  skipped: false,
})

function memoryOf({ bytesMax = 1_000_000, accountBytesMax = 1_000_000, pixelsMax = 1_000_000 } = {}) {
  const pixels = createPixelBudget(pixelsMax, pixelsMax)
  const opened: string[] = []
  const sources = {
    async open(_: string, source: string) {
      opened.push(source)
      return { bytes: Buffer.alloc(10), sha256: `hash of ${source}` }
    },
    identify: async (_: string, source: string) => (source.startsWith('img_') ? `known ${source}` : undefined),
    isForeign: async (source: string) => source.startsWith('http'),
  }
  const memory = createPreviewMemory({ sources, bounds: { bytesMax, accountBytesMax }, pixels, idleSeconds: 60 })
  return { memory, opened, pixels }
}

test('a remembered result is found as it is, by its account only', async () => {
  const { memory } = memoryOf()
  const made = result()
  memory.cacheOf('a', undefined).remember?.('key', made, facts)
  assert.equal((await memory.cacheOf('a', undefined).find(['key', 'other'])).get('key')?.result, made)
  assert.equal((await memory.cacheOf('b', undefined).find(['key'])).size, 0)
})

test('stored results are read for keys that are not in memory, and nothing is stored', async () => {
  const { memory } = memoryOf()
  const asked: string[][] = []
  const stored = {
    async find(keys: readonly string[]) {
      asked.push([...keys])
      return new Map([['b', { facts, read: async () => undefined }]])
    },
  } as unknown as StepCache
  const cache = memory.cacheOf('a', stored)
  cache.remember?.('a', result(), facts)
  assert.deepEqual([...(await cache.find(['a', 'b'])).keys()], ['a', 'b'])
  assert.deepEqual(asked, [['b']])
  assert.equal((await cache.findOutputs(['a'])).size, 0)
})

test('an account that exceeds its share loses its oldest results, and no other account does', async () => {
  const { memory } = memoryOf({ bytesMax: 200_000, accountBytesMax: 100_000 })
  const [own, other] = [memory.cacheOf('own', undefined), memory.cacheOf('other', undefined)]
  other.remember?.('1', result(), facts)
  for (const key of ['1', '2', '3']) own.remember?.(key, result(), facts)
  assert.deepEqual([...(await own.find(['1', '2', '3'])).keys()], ['2', '3'])
  assert.equal((await other.find(['1'])).size, 1)
})

test('a file of another host is downloaded once, and identified from then on', async () => {
  const { memory, opened } = memoryOf()
  const sources = memory.sourcesOf('a')
  assert.equal(await sources.identify('a', 'http://x/y.png'), undefined)
  for (let i = 0; i < 2; i++) await sources.open('a', 'http://x/y.png', never)
  assert.equal(await sources.identify('a', 'http://x/y.png'), 'hash of http://x/y.png')
  for (let i = 0; i < 2; i++) await sources.open('a', 'img_1', never)
  assert.equal(await sources.identify('a', 'img_1'), 'known img_1')
  assert.deepEqual(opened, ['http://x/y.png', 'img_1', 'img_1'])
})

test('everything is released some time after the last use', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { memory } = memoryOf()
  const cache = memory.cacheOf('a', undefined)
  cache.remember?.('key', result(), facts)
  t.mock.timers.tick(59_000)
  assert.equal((await cache.find(['key'])).size, 1)
  t.mock.timers.tick(59_000)
  assert.equal((await cache.find(['key'])).size, 1)
  t.mock.timers.tick(60_000)
  assert.equal((await cache.find(['key'])).size, 0)
})

test('memory that an execution needs is released before the execution waits', async () => {
  const { memory, pixels } = memoryOf({ pixelsMax: 30_000 })
  const cache = memory.cacheOf('a', undefined)
  const kept = async () => (await cache.find(['key'])).size
  // 11,024 pixels: the image, and 4 KiB of values.
  cache.remember?.('key', result(), facts)
  const first = pixels.open('b')
  await first.reserve(18_000, never)
  const second = pixels.open('c')
  await second.reserve(2_000, never)
  assert.equal(await kept(), 0)
  // All of it is free again: nothing is counted twice.
  for (const share of [first, second]) share.close()
  cache.remember?.('key', result(), facts)
  cache.remember?.('key', result(), facts)
  await pixels.open('b').reserve(18_000, never)
  assert.equal(await kept(), 1)
})
