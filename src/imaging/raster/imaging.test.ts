import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layoutPage } from '../../domain/workflows/page-layout.ts'
import { createPixelBudget } from '../../engine/run/pixel-budget.ts'
import type { ImageValue } from '../types.ts'
import type { ImageContext } from './image.ts'
import { createImaging, type Imaging } from './imaging.ts'
import { imageFromFrames } from './read/frames.ts'
import { contextFor, painted, testProcesses } from './test-images.ts'

const { encode, encodePage, shrink, render } = createImaging({
  processes: testProcesses,
  pixelsMax: 1e7,
  isOfTests: (account) => account === 'tests',
})

const still = painted(60, 40, () => [200, 0, 0])
const copyBytes = 60 * 40 * 4
const moving = imageFromFrames([still, painted(60, 40, () => [190, 0, 0])], { delaysMs: [50, 50], loops: 0 })

/** The memory of each reservation, and how much of it isn't released. */
function counted(account: string) {
  const reserved: number[] = []
  let held = 0
  const reserve = async (bytes: number) => {
    reserved.push(bytes)
    held += bytes
    return () => {
      held -= bytes
    }
  }
  return { context: contextFor({ account, reserve }), reserved, held: () => held }
}

type Write = (image: ImageValue, context: ImageContext) => Promise<unknown>

const writes: Record<string, Write> = {
  'an output': (image, context) => encode(image, { format: 'webp' }, context),
  'a page of a PDF': (image, context) => encodePage(image, layoutPage({}, image), {}, context),
  'a preview': shrink,
  'another size': (image, context) =>
    render(image, { width: 30, fit: 'inside', format: 'png' } as Parameters<Imaging['render']>[1], context),
}

for (const [name, write] of Object.entries(writes))
  test(`${name} for a test key reserves the memory of its marked copy before all other memory, and releases it`, async () => {
    for (const [image, bytes] of [
      [still, copyBytes],
      [moving, 2 * copyBytes],
    ] as const) {
      const [tested, live] = [counted('tests'), counted('live')]
      await write(image, tested.context)
      await write(image, live.context)
      assert.equal(tested.reserved[0], bytes)
      assert.notEqual(live.reserved[0], bytes)
      assert.deepEqual([tested.held(), live.held()], [0, 0])
    }
  })

test('the copy waits for the memory of others, and is released after an error', async () => {
  const budget = createPixelBudget(3 * 60 * 40, 1e6)
  const [first, other, own] = [budget.open(), budget.open(), budget.open('tests')]
  // The first one that exceeds the budget may.
  await first.reserve(3 * 60 * 40, contextFor().signal)
  await other.reserve(60 * 40, contextFor().signal)
  const stop = new AbortController()
  const context = contextFor({ account: 'tests', reserve: own.reserveBytes, signal: stop.signal })
  let isDone = false
  const waiting = encode(still, { format: 'png' }, context).finally(() => {
    isDone = true
  })
  await encode(still, { format: 'png' }, contextFor({ account: 'live' }))
  assert.equal(isDone, false)
  stop.abort(new Error('stopped'))
  await assert.rejects(waiting, /stopped/)

  const tooWide = counted('tests')
  await assert.rejects(encode(still, { format: 'webp', maxBytes: 20 }, tooWide.context), /smallest possible webp/)
  assert.deepEqual([tooWide.reserved[0], tooWide.held()], [copyBytes, 0])
})
