import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atMostEvery } from './at-most-every.ts'

test('the first error is reported, and another one after the interval', () => {
  const reported: unknown[] = []
  let now = 5
  const report = atMostEvery(
    1_000,
    (error, id: string) => reported.push(`${error} of ${id}`),
    () => now,
  )
  for (const [at, error] of [
    [5, 'first'],
    [6, 'again'],
    [1_004, 'still'],
    [1_005, 'a second later'],
    [1_006, 'again'],
  ] as const) {
    now = at
    report(error, 'evt_1')
  }
  assert.deepEqual(reported, ['first of evt_1', 'a second later of evt_1'])
})
