/** Answers of the validation are enough to repair a document, without a model. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureRepairs } from '../../bench/agents/repairs.ts'

test('the first problem of a document repairs 95 % of 10,000 seeded faults', () => {
  const { seeded, repaired, kinds, failures } = measureRepairs(10_000)
  assert.equal(seeded, 10_000)
  const missed = failures.slice(0, 10).map(({ fault: { kind }, problem }) => `${kind}: ${JSON.stringify(problem)}`)
  assert.ok(repaired >= 9_500, `${repaired} of ${seeded}\n${missed.join('\n')}`)
  assert.ok(Object.keys(kinds).length >= 35, 'of many kinds')
  for (const [kind, counts] of Object.entries(kinds))
    assert.ok(counts.repaired >= 0.9 * counts.seeded, `${kind}: ${counts.repaired} of ${counts.seeded}`)
})
