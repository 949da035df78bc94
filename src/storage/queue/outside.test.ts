import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOutside } from './outside.ts'

test('with two executions outside of slots, the next one leaves its slot when one of them has ended', () => {
  const outside = createOutside({ executionsMax: 2, bytesMax: 1_000 })
  const left: string[] = []
  const [endA, , endC] = ['a', 'b', 'c', 'd'].map((id) => outside.enter(1, () => left.push(id)))
  assert.deepEqual(left, ['a', 'b'])
  // It ends in its slot.
  endC?.()
  assert.deepEqual(left, ['a', 'b'])
  endA?.()
  assert.deepEqual(left, ['a', 'b', 'd'])
})

test('the bytes outside of slots are limited, and small files do not wait for a large one', () => {
  const outside = createOutside({ executionsMax: 10, bytesMax: 100 })
  const left: string[] = []
  const endA = outside.enter(60, () => left.push('a'))
  outside.enter(50, () => left.push('b'))
  outside.enter(40, () => left.push('c'))
  outside.enter(101, () => left.push('too large'))
  assert.deepEqual(left, ['a', 'c'])
  endA()
  assert.deepEqual(left, ['a', 'c', 'b'])
})
