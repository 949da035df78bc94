import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PastRun, Step } from '../../domain/executions/execution.ts'
import { createChecker } from '../../engine/check/check.ts'
import { planExecution } from '../../engine/plan/plan.ts'
import { testCatalogue } from '../../engine/test-catalogue.ts'
import { estimateBy, mediansOf } from './estimates.ts'

const nodes = {
  a: { type: 'make' },
  slow: { type: 'wait', inputs: { image: 'a' }, params: { name: 'x', ms: 1 } },
  both: { type: 'join', inputs: { image: 'a', overlay: 'slow' } },
}

function planOf(node: string) {
  const { workflow } = createChecker(testCatalogue)({ name: 'Test', nodes, output: { node } })
  assert.ok(workflow)
  const { plan } = planExecution(workflow, {})
  assert.ok(plan)
  return plan
}

function step(operation: string, startedAt: number, durationMs: number): Step {
  return { node: 'n', operation, status: 'completed', startedAt, durationMs, width: 1, height: 1, error: null }
}

const runs: PastRun[] = [1, 2, 9].map((factor) => ({
  steps: [step('make', 0, 10 * factor), step('wait', 0, 100 * factor), step('join', 100, 20 * factor)],
  completedAt: 1_000 + factor,
}))

test('an estimate is the longest path through the medians of the operations, plus the time after the last step', () => {
  const { duration, steps } = estimateBy(mediansOf(runs), planOf('both'))
  assert.deepEqual(Object.fromEntries(steps), { a: 20, slow: 200, both: 40 })
  // 1001 - 120, 1002 - 200, 1009 - 900: the median is 802.
  assert.equal(duration, 20 + 200 + 40 + 802)
})

test('an operation that has not run yet makes the total unknown, and is reported', () => {
  const without = runs.map((run) => ({ ...run, steps: run.steps.filter(({ operation }) => operation !== 'wait') }))
  const { duration, steps } = estimateBy(mediansOf(without), planOf('both'))
  assert.equal(duration, null)
  assert.deepEqual([steps.get('a'), steps.get('slow')], [20, null])
  assert.notEqual(estimateBy(mediansOf(without), planOf('a')).duration, null)
})

test('a hundred thousand steps of earlier executions are read once for many plans', () => {
  let reads = 0
  const counted = (startedAt: number) => {
    const value = step('make', startedAt, 10)
    Object.defineProperty(value, 'operation', {
      get() {
        reads += 1
        return 'make'
      },
    })
    return value
  }
  const long: PastRun = { steps: Array.from({ length: 1_000 }, (_, i) => counted(i)), completedAt: 2_000 }
  const medians = mediansOf(Array.from({ length: 100 }, () => long))
  for (let i = 0; i < 50; i += 1) assert.equal(estimateBy(medians, planOf('a')).steps.get('a'), 10)
  assert.equal(reads, 100_000)
})
