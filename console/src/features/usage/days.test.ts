import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysOf, dayText, everyDay } from './days.ts'

test('a range ends today and has the given number of days, in UTC', () => {
  assert.deepEqual(daysOf('7', new Date('2026-03-02T23:30:00-05:00')), { from: '2026-02-25', to: '2026-03-03' })
})

test('days without calls cost nothing, and are listed', () => {
  const range = { from: '2026-02-27', to: '2026-03-02' }
  assert.deepEqual(everyDay([{ day: '2026-02-28', costUsd: 1.5 }], range), [
    { day: '2026-02-27', costUsd: 0 },
    { day: '2026-02-28', costUsd: 1.5 },
    { day: '2026-03-01', costUsd: 0 },
    { day: '2026-03-02', costUsd: 0 },
  ])
  assert.equal(dayText('2026-03-01'), '1 Mar')
})
