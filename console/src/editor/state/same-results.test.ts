import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSameResults } from './same-results.ts'

const nodes = ['scene', 'soft', 'small']
const forecast = (...fingerprints: string[]) =>
  new Map(fingerprints.map((fingerprint, at) => [nodes[at] ?? '', fingerprint]))

test('a pin to the own result leaves the node and those after it the same, in both directions', () => {
  const same = createSameResults()
  assert.equal(same.areSame('a1', 'p1'), false)
  same.note(forecast('a1', 'a2', 'a3'), forecast('p1', 'p2', 'p3'))
  assert.deepEqual(
    [same.areSame('a1', 'p1'), same.areSame('p3', 'a3'), same.areSame('p2', 'p2'), same.areSame('p2', 'a3')],
    [true, true, true, false],
  )
  // Another prompt, and another setting after the pin.
  assert.deepEqual([same.areSame('b1', 'p1'), same.areSame('a3', 'c3')], [false, false])
})

test('a pin of a node after a pinned one is the same as no pin, and nodes without a fingerprint are left out', () => {
  const same = createSameResults()
  same.note(forecast('a1', 'a2', 'a3'), forecast('p1', 'p2', 'p3'))
  // Nothing needs the first node now.
  same.note(forecast('p1', 'p2', 'p3'), new Map([...forecast('', 'q2', 'q3')].slice(1)))
  assert.deepEqual([same.areSame('a2', 'q2'), same.areSame('p3', 'q3'), same.areSame('a3', 'q3')], [true, true, true])
  same.note(new Map(), forecast('x1'))
  assert.equal(same.areSame('x1', 'a1'), false)
  // A node that the pin doesn't change.
  same.note(forecast('p1', 'p2'), forecast('p1', 'r2'))
  assert.deepEqual([same.areSame('p1', 'a1'), same.areSame('r2', 'a2')], [true, true])
})
