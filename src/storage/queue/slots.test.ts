import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createSlots } from './slots.ts'

function slots(atOnce: number, awayMax = 10) {
  let rooms = 0
  const created = createSlots({ atOnce, parkedMax: awayMax, onRoom: () => (rooms += 1) })
  return {
    ...created,
    begin: (accountId = 'acct_1') => created.begin(accountId),
    /** Whether there is room for anyone. */
    hasRoom: () => created.room()?.except.length === 0,
    rooms: () => rooms,
  }
}

test('a waiting job makes room, and takes a slot again when it continues', async () => {
  const { begin, hasRoom, counts, rooms } = slots(1)
  const slot = begin()
  assert.equal(hasRoom(), false)
  const { promise, resolve } = Promise.withResolvers<string>()
  const waiting = slot.yieldSlot(() => promise)
  assert.deepEqual([hasRoom(), counts(), rooms()], [true, { started: 1, away: 1 }, 1])
  resolve('there')
  assert.equal(await waiting, 'there')
  assert.deepEqual([hasRoom(), counts()], [false, { started: 1, away: 0 }])
  slot.end()
  assert.deepEqual([hasRoom(), counts()], [true, { started: 0, away: 0 }])
})

test('a returning job waits while the slot is reserved for a claim, and takes it if nothing was claimed', async () => {
  const { begin, reserve, room, counts } = slots(1)
  const first = begin()
  const { promise, resolve } = Promise.withResolvers<void>()
  let isBack = false
  const waiting = first.yieldSlot(() => promise).then(() => (isBack = true))
  const claim = reserve()
  assert.equal(room(), undefined)
  resolve()
  await setImmediate()
  assert.equal(isBack, false)
  const second = claim.begin('acct_2')
  await setImmediate()
  assert.deepEqual([isBack, counts()], [false, { started: 2, away: 1 }])
  second.end()
  await waiting
  const third = reserve()
  third.release()
  assert.deepEqual([isBack, room(), counts()], [true, undefined, { started: 1, away: 0 }])
})

test('a returning job waits until there is room, and precedes new ones', async () => {
  const { begin, hasRoom, counts } = slots(1)
  const first = begin()
  const { promise, resolve } = Promise.withResolvers<void>()
  let isBack = false
  const waiting = first.yieldSlot(() => promise).then(() => (isBack = true))
  const second = begin()
  resolve()
  await setImmediate()
  assert.deepEqual([isBack, counts()], [false, { started: 2, away: 1 }])
  second.end()
  await waiting
  assert.deepEqual([isBack, hasRoom(), counts()], [true, false, { started: 1, away: 0 }])
})

test('a job that waits for two things at the same time returns when both are done', async () => {
  const { begin, counts } = slots(1)
  const slot = begin()
  const [a, b] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const both = [slot.yieldSlot(() => a.promise), slot.yieldSlot(() => b.promise)]
  a.resolve()
  await both[0]
  assert.equal(counts().away, 1)
  b.resolve()
  await both[1]
  assert.equal(counts().away, 0)
})

test('a job returns if the awaited work fails, too', async () => {
  const { begin, counts } = slots(1)
  const slot = begin()
  await assert.rejects(
    slot.yieldSlot(() => Promise.reject(new Error('no answer'))),
    /no answer/,
  )
  assert.deepEqual(counts(), { started: 1, away: 0 })
  slot.end()
  assert.deepEqual(counts(), { started: 0, away: 0 })
})

test('at most the limit of jobs are parked: the rest keep their slots', async () => {
  const { begin, hasRoom, counts } = slots(2, 1)
  const [first, second] = [begin(), begin()]
  const { promise, resolve } = Promise.withResolvers<void>()
  const waiting = [first.yieldSlot(() => promise), second.yieldSlot(() => promise)]
  assert.deepEqual([hasRoom(), counts()], [true, { started: 2, away: 1 }])
  resolve()
  await Promise.all(waiting)
  assert.deepEqual([hasRoom(), counts()], [false, { started: 2, away: 0 }])
})

test('a job that ends while it is parked releases no slot that it does not have', () => {
  const { begin, hasRoom, counts } = slots(1)
  const slot = begin()
  void slot.yieldSlot(() => new Promise(() => {}))
  const other = begin()
  slot.end()
  assert.deepEqual([hasRoom(), counts()], [false, { started: 1, away: 0 }])
  other.end()
  assert.deepEqual([hasRoom(), counts()], [true, { started: 0, away: 0 }])
})

test('a job that ends while it waits for its slot leaves no slot taken', async () => {
  const { begin, hasRoom, counts } = slots(1)
  const first = begin()
  const waiting = first.yieldSlot(async () => {})
  const second = begin()
  await setImmediate()
  first.end()
  await waiting
  second.end()
  assert.deepEqual([hasRoom(), counts()], [true, { started: 0, away: 0 }])
})

test('a job that waits again before it has returned has one slot, not two', async () => {
  const { begin, counts } = slots(1)
  const first = begin()
  const waits = [first.yieldSlot(async () => {})]
  const second = begin()
  await setImmediate()
  waits.push(first.yieldSlot(async () => {}))
  await setImmediate()
  second.end()
  await Promise.all(waits)
  assert.deepEqual(counts(), { started: 1, away: 0 })
  first.end()
  assert.deepEqual(counts(), { started: 0, away: 0 })
})

test('work that ends after its job takes no slot', async () => {
  const { begin, hasRoom, counts } = slots(1)
  const slot = begin()
  const { promise, resolve } = Promise.withResolvers<void>()
  const waiting = slot.yieldSlot(() => promise)
  slot.end()
  resolve()
  await waiting
  await slot.yieldSlot(async () => {})
  assert.deepEqual([hasRoom(), counts()], [true, { started: 0, away: 0 }])
})

test('an account that fills the slots leaves the spare one to others, and there is one spare slot', () => {
  const { begin, room } = slots(2)
  begin('acct_1')
  const second = begin('acct_1')
  assert.deepEqual(room(), { except: ['acct_1'] })
  const other = begin('acct_2')
  assert.equal(room(), undefined)
  second.end()
  // The slots are full again without the spare one.
  assert.deepEqual(room(), { except: ['acct_1', 'acct_2'] })
  other.end()
  assert.deepEqual(room(), { except: [] })
})

test('a worker with one slot has no spare one', () => {
  const { begin, room } = slots(1)
  begin('acct_1')
  assert.equal(room(), undefined)
})

test('of the returning jobs, one of the account with the fewest slots is first, for the spare slot too', async () => {
  const { begin } = slots(2)
  const back: string[] = []
  const wait = (accountId: string) => {
    const slot = begin(accountId)
    const { promise, resolve } = Promise.withResolvers<void>()
    void slot.yieldSlot(() => promise).then(() => back.push(accountId))
    return resolve
  }
  const resolves = ['acct_1', 'acct_1', 'acct_1', 'acct_2'].map(wait)
  const full = [begin('acct_1'), begin('acct_1')]
  for (const resolve of resolves) resolve()
  await setImmediate()
  assert.deepEqual(back, ['acct_2'])
  full[0]?.end()
  await setImmediate()
  assert.deepEqual(back, ['acct_2'])
  full[1]?.end()
  await setImmediate()
  assert.deepEqual(back, ['acct_2', 'acct_1'])
})

test('executions that wait for downloads do not keep out accounts without one, but the accounts that have one', async () => {
  for (const atOnce of [1, 2]) {
    const { begin, room, rooms } = slots(atOnce)
    const held = Promise.withResolvers<string>()
    const accounts = ['acct_1', 'acct_2'].slice(0, atOnce)
    const downloads = [...accounts, ...accounts.slice(1)].map((account) =>
      begin(account).whileDownloading(() => held.promise),
    )
    assert.deepEqual(room(), { except: accounts }, `${atOnce} at once`)
    assert.ok(rooms() > 0)
    const other = begin('acct_3')
    const isFull = atOnce === 1
    assert.equal(room() === undefined, isFull)
    held.resolve('bytes')
    assert.deepEqual([...new Set(await Promise.all(downloads))], ['bytes'])
    assert.equal(room(), undefined)
    other.end()
    assert.equal(room(), undefined)
  }
})

test('of executions next to downloads, as many start as may be parked', () => {
  const { begin, room } = slots(1, 2)
  for (const account of ['acct_1', 'acct_2', 'acct_3']) {
    assert.ok(room())
    void begin(account).whileDownloading(() => new Promise(() => {}))
  }
  assert.equal(room(), undefined)
})

test('a download of an execution that has left its slot, or has ended, does not count', async () => {
  const { begin, room } = slots(1)
  const slot = begin('acct_1')
  const held = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const both = [slot.whileDownloading(() => held.promise), slot.yieldSlot(() => answered.promise)]
  assert.deepEqual(room(), { except: [] })
  const other = begin('acct_2')
  assert.equal(room(), undefined)
  other.end()
  answered.resolve()
  await setImmediate()
  assert.deepEqual(room(), { except: ['acct_1'] })
  slot.end()
  assert.deepEqual(room(), { except: [] })
  held.resolve()
  await Promise.all(both)
  assert.deepEqual(room(), { except: [] })
})

test('an execution that was handed over to full slots waits before new ones, and leaves the spare slot to others', async () => {
  const { room, counts, enter } = slots(2)
  const [first] = [await enter('a'), await enter('a')]
  let hasEntered = false
  const third = enter('a').then((slot) => {
    hasEntered = true
    return slot
  })
  await setImmediate()
  assert.deepEqual([hasEntered, room()], [false, { except: ['a'] }])
  const ofOther = await enter('b')
  assert.equal(room(), undefined)
  first.end()
  await setImmediate()
  assert.deepEqual([hasEntered, room()], [false, { except: ['a', 'b'] }])
  ofOther.end()
  ;(await third).end()
  assert.deepEqual(counts(), { started: 1, away: 0 })
})
