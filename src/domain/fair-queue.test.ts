import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { createFairQueue, type Entry, type FairQueue } from './fair-queue.ts'

interface Started {
  name: string
  free(): void
}

/** Enters and records the order of the starts. */
function follow(queue: FairQueue) {
  const started: Started[] = []
  return {
    started,
    names: () => started.map(({ name }) => name),
    enter: (name: string, entry: Entry) => queue.enter(entry).then((free) => void started.push({ name, free })),
  }
}

test('the entry of an account is among the next two, while another account has 1,000 waiting', async () => {
  const queue = createFairQueue({ slots: 1 })
  const { started, names, enter } = follow(queue)
  for (let i = 0; i < 1_000; i++) void enter(`a${i}`, { account: 'a' })
  void enter('b0', { account: 'b' })
  await setImmediate()
  assert.deepEqual(names(), ['a0'])
  started[0]?.free()
  await setImmediate()
  started[1]?.free()
  await setImmediate()
  assert.ok(names().slice(1, 3).includes('b0'), names().join())
  assert.equal(queue.waiting(), 1_001 - started.length)
})

test('accounts alternate, also one whose entries arrive after all others', async () => {
  const queue = createFairQueue({ slots: 1 })
  const { started, names, enter } = follow(queue)
  for (const name of ['a0', 'a1', 'a2', 'b0', 'b1', 'c0']) void enter(name, { account: name[0] })
  for (let i = 0; i < 6; i++) {
    await setImmediate()
    started[i]?.free()
  }
  assert.deepEqual(names(), ['a0', 'b0', 'c0', 'a1', 'b1', 'a2'])
})

test('an account whose oldest entry has waited too long starts its newest one, and accounts alternate', async () => {
  for (const [newestFirstAfterMs, order] of [
    [0, ['a0', 'b1', 'a3', 'b0', 'a2', 'a1']],
    [60_000, ['a0', 'b0', 'a1', 'b1', 'a2', 'a3']],
  ] as const) {
    const queue = createFairQueue({ slots: 1, newestFirstAfterMs })
    const { started, names, enter } = follow(queue)
    for (const name of order.toSorted()) void enter(name, { account: name[0] })
    for (let i = 0; i < 6; i++) {
      await setImmediate()
      started[i]?.free()
    }
    assert.deepEqual(names(), order)
  }
})

test('a free slot goes to the account with the fewest slots', async () => {
  const queue = createFairQueue({ slots: 3 })
  const { started, names, enter } = follow(queue)
  for (const name of ['a0', 'a1', 'a2', 'a3', 'b0', 'b1']) void enter(name, { account: name[0] })
  await setImmediate()
  started[0]?.free()
  await setImmediate()
  started[1]?.free()
  await setImmediate()
  assert.deepEqual(names(), ['a0', 'a1', 'a2', 'b0', 'b1'])
})

test('one account has at most its share, and other accounts have the rest', async () => {
  const queue = createFairQueue({ slots: 4, perAccount: 2 })
  const { names, enter } = follow(queue)
  for (const name of ['a0', 'a1', 'a2', 'b0', 'b1', 'b2']) void enter(name, { account: name[0] })
  await setImmediate()
  assert.deepEqual(names(), ['a0', 'a1', 'b0', 'b1'])
})

test('long entries have a share of their own, and do not delay short ones of their account', async () => {
  const queue = createFairQueue({ slots: 3, perAccount: (slots, isLong) => (isLong ? slots - 1 : slots) })
  const { names, enter } = follow(queue)
  for (const name of ['l0', 'l1', 'l2']) void enter(name, { account: 'a', isLong: true })
  void enter('short', { account: 'a' })
  await setImmediate()
  assert.deepEqual(names(), ['l0', 'l1', 'short'])
})

test('an aborted entry leaves the queue with the reason, and takes no slot', async () => {
  const queue = createFairQueue({ slots: 1 })
  const free = await queue.enter({ account: 'a' })
  const abort = new AbortController()
  const aborted = queue.enter({ account: 'a', signal: abort.signal })
  const next = queue.enter({ account: 'a' })
  abort.abort(new Error('gone'))
  await assert.rejects(aborted, /gone/)
  assert.equal(queue.waiting(), 1)
  await assert.rejects(queue.enter({ signal: abort.signal }), /gone/)
  free()
  ;(await next)()
  assert.ok(queue.tryEnter({}))
})

test('an abort after the start does not free the slot', async () => {
  const queue = createFairQueue({ slots: 1 })
  const abort = new AbortController()
  const free = await queue.enter({ signal: abort.signal })
  abort.abort()
  assert.equal(queue.tryEnter({}), undefined)
  free()
  assert.ok(queue.tryEnter({}))
})

test('an entry leaves the queue at its deadline with its error', async () => {
  const queue = createFairQueue({ slots: 1 })
  const free = await queue.enter({})
  await assert.rejects(queue.enter({ deadline: { seconds: 0.001, error: () => new Error('late') } }), /late/)
  assert.equal(queue.waiting(), 0)
  free()
  const started = queue.enter({ deadline: { seconds: 0.001, error: () => new Error('late') } })
  ;(await started)()
})

test('work that throws frees its slot, and a slot is freed once', async () => {
  const queue = createFairQueue({ slots: 1 })
  await assert.rejects(
    queue.run({ account: 'a' }, async () => {
      throw new Error('failed')
    }),
    /failed/,
  )
  assert.equal(await queue.run({ account: 'a' }, async () => 'done'), 'done')
  const free = await queue.enter({})
  free()
  free()
  await queue.enter({})
  assert.equal(queue.tryEnter({}), undefined)
})

test('an entry that must be alone waits until no other has a slot, and none starts before it or next to it', async () => {
  const queue = createFairQueue({})
  const { started, names, enter } = follow(queue)
  void enter('a', {})
  void enter('suspect', { account: 'b', isAlone: true })
  void enter('second suspect', { account: 'c', isAlone: true })
  void enter('d', { account: 'd' })
  await setImmediate()
  assert.deepEqual(names(), ['a'])
  for (const more of ['suspect', 'second suspect', 'd']) {
    started.at(-1)?.free()
    await setImmediate()
    assert.equal(names().at(-1), more)
  }
  assert.equal(names().length, 4)
})

test('while an entry that must be alone has left its slot the rest starts, and it returns without waiting', async () => {
  const queue = createFairQueue({})
  const { names, enter } = follow(queue)
  const leave = await queue.enter({ isAlone: true })
  leave()
  const free = await queue.enter({})
  const leaveAgain = queue.reenter({ isAlone: true })
  void enter('waits', {})
  free()
  await setImmediate()
  assert.deepEqual(names(), [])
  leaveAgain()
  await setImmediate()
  assert.deepEqual(names(), ['waits'])
})

test('an entry that must be alone lets others start when it stops waiting', async () => {
  const queue = createFairQueue({})
  await queue.enter({})
  const abort = new AbortController()
  const suspect = queue.enter({ isAlone: true, signal: abort.signal })
  const other = queue.enter({})
  abort.abort(new Error('gone'))
  await assert.rejects(suspect, /gone/)
  await other
})

test('more slots start entries that wait', async () => {
  const queue = createFairQueue({ slots: 1 })
  const { names, enter } = follow(queue)
  void enter('first', {})
  void enter('second', {})
  queue.resize(2)
  await setImmediate()
  assert.deepEqual(names(), ['first', 'second'])
})

test('whatever enters, leaves and aborts, no limit is exceeded, no slot is lost and all that wait start', async () => {
  const actions = fc.array(
    fc.record({
      account: fc.constantFrom('a', 'b', 'c', undefined),
      isLong: fc.boolean(),
      isAlone: fc.boolean(),
      after: fc.constantFrom('wait', 'free the oldest', 'abort'),
    }),
    { maxLength: 60 },
  )
  await fc.assert(
    fc.asyncProperty(actions, fc.integer({ min: 1, max: 4 }), async (all, slots) => {
      const queue = createFairQueue({ slots, perAccount: (most, isLong) => (isLong ? most : most + 1) })
      const running: { account: string | undefined; isAlone: boolean; free: () => void }[] = []
      let starts = 0
      let aborted = 0
      for (const { account, isLong, isAlone, after } of all) {
        const abort = new AbortController()
        queue.enter({ account, isLong, isAlone, signal: abort.signal }).then(
          (free) => {
            starts += 1
            running.push({ account, isAlone, free })
          },
          () => {
            aborted += 1
          },
        )
        if (after === 'free the oldest') running.shift()?.free()
        if (after === 'abort') abort.abort()
        await setImmediate()
        assert.ok(running.length <= slots)
        assert.ok(running.length === 1 || !running.some((each) => each.isAlone))
        assert.ok(running.length > 0 || queue.waiting() === 0)
      }
      while (running.length > 0) {
        running.shift()?.free()
        await setImmediate()
      }
      assert.equal(queue.waiting(), 0)
      assert.equal(starts + aborted, all.length)
    }),
    { numRuns: 50 },
  )
})
