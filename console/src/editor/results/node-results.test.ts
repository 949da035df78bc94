import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LiveExecution } from '../../api/execution-events.ts'
import { resultsOf } from './node-results.ts'

function run(executionId: string, fingerprint: string, more: object = {}): LiveExecution {
  const preview = { url: '', width: 1, height: 1 }
  const step = { node: 'scene', operation: 'generate', status: 'completed' as const, fingerprint, preview }
  const execution = { executionId, workflowId: 'wf_1', status: 'completed', variations: { scene: fingerprint } }
  return { execution: execution as never, steps: [{ ...step, ...more }] }
}

test('each result is listed once, those with a star first, then the newest first', () => {
  const runs = [run('exec_4', 'c'), run('exec_3', 'a'), run('exec_2', 'b'), run('exec_1', 'a')]
  const results = resultsOf(runs, 'scene', ['exec_1'])
  assert.deepEqual(
    results.map(({ fingerprint, executionIds, hasStar }) => [fingerprint, executionIds, hasStar]),
    [
      ['a', ['exec_3', 'exec_1'], true],
      ['c', ['exec_4'], false],
      ['b', ['exec_2'], false],
    ],
  )
})

test("steps without a stored image, failed steps and other nodes aren't results", () => {
  const runs = [
    run('exec_1', 'a', { preview: undefined }),
    run('exec_2', 'b', { status: 'failed' }),
    run('exec_3', 'c', { node: 'sky' }),
  ]
  assert.deepEqual(resultsOf(runs, 'scene', []), [])
})
