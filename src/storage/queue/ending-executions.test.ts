import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEndingExecutions } from './ending-executions.ts'

test('with two executions outside of slots, the next one leaves its slot when one of them has ended', () => {
  const ending = createEndingExecutions({ executionsMax: 2, bytesMax: 1_000 })
  const left: string[] = []
  const [endA, , endC] = ['a', 'b', 'c', 'd'].map((id) => ending.enter(1, () => left.push(id)))
  assert.deepEqual(left, ['a', 'b'])
  // It ends in its slot.
  endC?.()
  assert.deepEqual(left, ['a', 'b'])
  endA?.()
  assert.deepEqual(left, ['a', 'b', 'd'])
})

test('the bytes outside of slots are limited, and small files do not wait for a large one', () => {
  const ending = createEndingExecutions({ executionsMax: 10, bytesMax: 100 })
  const left: string[] = []
  const endA = ending.enter(60, () => left.push('a'))
  ending.enter(50, () => left.push('b'))
  ending.enter(40, () => left.push('c'))
  ending.enter(101, () => left.push('too large'))
  assert.deepEqual(left, ['a', 'c'])
  endA()
  assert.deepEqual(left, ['a', 'c', 'b'])
})
