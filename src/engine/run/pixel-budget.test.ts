import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { imageOf } from '../test-catalogue.ts'
import { createPixelBudget } from './pixel-budget.ts'

const never = new AbortController().signal

/** Whether a promise has been settled once everything that was due has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  promise.then(
    () => {
      settled = true
    },
    () => {
      settled = true
    },
  )
  await setImmediate()
  return settled
}

/** A budget that one share exceeds already, so that no other may. */
async function taken(pixelsMax: number, eachMax = 1e9) {
  const budget = createPixelBudget(pixelsMax, eachMax)
  const exempt = budget.open()
  await exempt.reserve(pixelsMax + 1, never)
  return { budget, exempt }
}

test('an execution waits for its share until another one releases pixels', async () => {
  const { budget } = await taken(100)
  const [first, second] = [budget.open(), budget.open()]
  const release = await first.reserve(80, never)
  const waits = second.reserve(30, never)
  assert.equal(await isSettled(waits), false)
  release()
  assert.equal(await isSettled(waits), true)
})

test('the first waiting execution may exceed the budget by any amount, and the next one only after it has ended', async () => {
  const { budget, exempt } = await taken(100)
  const second = budget.open()
  second.keep(imageOf(9))
  assert.equal(await isSettled(exempt.reserve(1_000, never)), true)
  const waits = second.reserve(50, never)
  assert.equal(await isSettled(waits), false)
  exempt.close()
  assert.equal(await isSettled(waits), true)
})

test('an execution above the budget takes no room from the others', async () => {
  const { budget } = await taken(100)
  assert.equal(await isSettled(budget.open().reserve(100, never)), true)
})

test('one account leaves a quarter of the budget to the others', async () => {
  const { budget } = await taken(100)
  const [first, second] = [budget.open('a'), budget.open('a')]
  await first.reserve(60, never)
  const waits = second.reserve(30, never)
  assert.equal(await isSettled(waits), false)
  assert.equal(await isSettled(budget.open('b').reserve(25, never)), true)
})

test('the account with the smallest share is next', async () => {
  const { budget } = await taken(100)
  const release = await budget.open('c').reserve(70, never)
  await budget.open('a').reserve(30, never)
  const [ofA, ofB] = [budget.open('a').reserve(40, never), budget.open('b').reserve(40, never)]
  release()
  assert.deepEqual(await Promise.all([ofA, ofB].map(isSettled)), [false, true])
})

test('the memory of a job counts until the job is done, even after the end of its execution', async () => {
  const { budget } = await taken(100)
  const first = budget.open()
  const release = await first.reserveBytes(4 * 80, never)
  first.close()
  const waits = budget.open().reserve(30, never)
  assert.equal(await isSettled(waits), false)
  release()
  release()
  assert.equal(await isSettled(waits), true)
})

test('an execution that needs more memory than allowed fails and reports how much', async () => {
  const share = createPixelBudget(1e6, 1e6, 2_000_000).open()
  await share.reserve(500_000, never)
  await assert.rejects(
    share.reserveBytes(6_000_001, never),
    /needs 7 MB of memory in addition to the 2 MB .* maximum is 8 MB/,
  )
  await share.reserveBytes(6_000_000, never)
})

test('the bytes of a file count as well as its pixels', async () => {
  const { budget } = await taken(100)
  const [first, second] = [budget.open(), budget.open()]
  first.keep({ ...imageOf(5), encoded: Buffer.alloc(4 * 60) })
  assert.equal(await isSettled(second.reserve(16, never)), false)
  assert.equal(await isSettled(second.reserve(15, never)), true)
})

test('room for one admits only one of the waiting executions', async () => {
  const { budget } = await taken(100)
  const [first, second, third] = [budget.open(), budget.open(), budget.open()]
  const release = await first.reserve(100, never)
  const waits = [second.reserve(60, never), third.reserve(60, never)]
  release()
  assert.deepEqual(await Promise.all(waits.map(isSettled)), [true, false])
})

test('an image counts once, until the last reference is dropped', async () => {
  const { budget } = await taken(100)
  const [first, second] = [budget.open(), budget.open()]
  const shared = imageOf(10)
  first.keep(shared)
  first.keep(shared)
  first.drop(shared)
  const waits = second.reserve(1, never)
  assert.equal(await isSettled(waits), false)
  first.drop(shared)
  assert.equal(await isSettled(waits), true)
})

test('a lent image counts until it is returned, even if all others have dropped it', async () => {
  const { budget } = await taken(100)
  const [first, second] = [budget.open(), budget.open()]
  const shared = imageOf(10)
  first.keep(shared)
  const giveBack = first.lend(shared)
  first.drop(shared)
  first.drop(shared)
  const waits = second.reserve(1, never)
  assert.equal(await isSettled(waits), false)
  giveBack()
  assert.equal(await isSettled(waits), true)
  first.close()
  first.lend(shared)()
  assert.equal(await isSettled(second.reserve(99, never)), true)
})

test('the end of an execution releases everything that it had reserved or used, once', async () => {
  const { budget } = await taken(100)
  const [first, second, third] = [budget.open(), budget.open(), budget.open()]
  first.keep(imageOf(5))
  const release = await first.reserve(75, never)
  first.close()
  release()
  await second.reserve(50, never)
  assert.equal(await isSettled(third.reserve(60, never)), false)
  assert.equal(await isSettled(third.reserve(50, never)), true)
})

test('an image with deferred work counts with its sources while it is retained', async () => {
  const { budget } = await taken(130)
  const [first, second] = [budget.open(), budget.open()]
  const small = { ...imageOf(5), pending: { from: imageOf(10), queue: [] } }
  first.keep(small)
  const waits = second.reserve(30, never)
  assert.equal(await isSettled(waits), false)
  // Done meanwhile: what was counted is given back, no more and no less.
  const { pending: _, ...done } = small
  Object.assign(small, done, { pending: undefined })
  first.drop(small)
  assert.equal(await isSettled(waits), true)
  assert.equal(await isSettled(second.reserve(100, never)), true)
})

test('allocations after the end of an execution do not count', async () => {
  const budget = createPixelBudget(10, 10_000)
  const [first, second, third] = [budget.open(), budget.open(), budget.open()]
  first.close()
  first.keep(imageOf(50))
  await first.reserve(1_000, never)
  await second.reserve(1, never)
  assert.equal(await isSettled(third.reserve(9, never)), true)
})

test('an aborted reservation stops waiting', async () => {
  const { budget } = await taken(10)
  const [first, second] = [budget.open(), budget.open()]
  await first.reserve(10, never)
  const stop = new AbortController()
  const waits = second.reserve(1, stop.signal)
  stop.abort(new Error('enough'))
  await assert.rejects(waits, /enough/)
})

test('an execution keeps pixels in memory up to the limit, even the oldest one, and fails above it', async () => {
  const share = createPixelBudget(100, 1_000).open()
  const decoded = { ...imageOf(10), pixels: { data: Buffer.alloc(300), width: 10, height: 10, channels: 3 as const } }
  const photograph = { ...imageOf(100), encoded: Buffer.alloc(1) }
  for (const each of [decoded, { ...decoded }, photograph]) share.keep(each)
  const release = await share.reserve(800, never)
  await assert.rejects(share.reserve(1, never), /needs 1001 pixels in memory; the maximum is 1000/)
  release()
  Object.assign(photograph, { pixels: decoded.pixels })
  await assert.rejects(share.reserve(0, never), /needs 10200 pixels/)
  share.drop(photograph)
  await share.reserve(800, never)
})

test('metadata and the gain map of an image count as its memory', async () => {
  const share = createPixelBudget(10_000, 1_000).open()
  const toMap = { xx: 1, xy: 0, yx: 0, yy: 1, x: 0, y: 0 }
  const gainMap = { jpeg: Buffer.alloc(400), width: 1, height: 1, toMap }
  const [exif, xmp, iptc, icc] = [400, 1_200, 800, 800].map((size) => Buffer.alloc(size))
  share.keep({ ...imageOf(10), metadata: { exif, xmp, iptc, icc } as object, gainMap })
  await share.reserve(100, never)
  await assert.rejects(share.reserve(1, never), /needs 1001 pixels in memory/)
})

test('memory that others can release is requested when the budget is short, and not at the limit of an account', async () => {
  const budget = createPixelBudget(1_000, 10_000)
  const other = budget.open()
  const release = other.hold(400)
  let shortages = 0
  budget.onShortage(() => {
    shortages += 1
    release()
  })
  const first = budget.open('a')
  await first.reserve(740, never)
  // Above three quarters, and the budget has room.
  await first.reserve(40, never)
  await budget.open('b').reserve(700, never)
  assert.equal(shortages, 0)
  await budget.open('c').reserve(250, never)
  assert.equal(shortages, 1)
})
