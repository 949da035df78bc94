import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { processorMs, timed } from '../../domain/clock.ts'
import { limits } from '../../limits.ts'
import { createPlanTurns } from './plan-turns.ts'

/** Uses CPU, as a long plan does. */
function spin(ms: number): void {
  const endMs = processorMs() + ms
  while (processorMs() < endMs);
}

test('after a long plan, the next one of the account waits, and those of other accounts do not', async () => {
  const pauses: number[] = []
  let resume = () => {}
  const turns = createPlanTurns(60, (ms) => {
    pauses.push(ms)
    return new Promise<void>((resolve) => {
      resume = resolve
    })
  })
  assert.equal(await turns.run('acct_1', async () => 'short'), 'short')
  assert.deepEqual(pauses, [])
  // The result does not wait for the pause.
  await turns.run('acct_1', async (time) => timed(time, () => spin(20)))
  let isNext = false
  const next = turns.run('acct_1', async () => {
    isNext = true
  })
  assert.equal(await turns.run('acct_2', async () => 'other'), 'other')
  assert.equal(isNext, false)
  assert.ok((pauses[0] ?? 0) >= 20 * limits.deliveryPlanPauses)
  resume()
  await next
  assert.ok(isNext)
})

test('work of others while a plan waits does not pause its account', async () => {
  const pauses: number[] = []
  const turns = createPlanTurns(60, async (ms) => void pauses.push(ms))
  await turns.run('acct_1', async (time) => {
    timed(time, () => {})
    const waiting = setImmediate()
    spin(20)
    await waiting
  })
  await turns.run('acct_1', async () => {})
  assert.deepEqual(pauses, [])
})

test('an error ends the turn, and without a turn in time the file is unavailable', async () => {
  const turns = createPlanTurns(0.01)
  await assert.rejects(
    turns.run('acct_1', async () => {
      throw new Error('failed')
    }),
    /failed/,
  )
  let finish = () => {}
  const first = turns.run('acct_1', () => new Promise<void>((resolve) => (finish = resolve)))
  await assert.rejects(
    turns.run('acct_1', async () => {}),
    { code: 'unavailable' },
  )
  finish()
  await first
})
