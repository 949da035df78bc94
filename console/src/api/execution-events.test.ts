import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterEvent, type ExecutionEvent, type LiveExecution } from './execution-events.ts'
import type { Execution, Step } from './types.ts'

const execution: Execution = { executionId: 'exec_1', workflowId: 'wf_1', status: 'pending' }
const step = (node: string, status: Step['status']): Step => ({ node, operation: 'resize', status })

function after(events: ExecutionEvent[]): LiveExecution | undefined {
  let live: LiveExecution | undefined
  for (const event of events) live = afterEvent(live, event)
  return live
}

test('an event of a step replaces the earlier state of the step', () => {
  const live = after([
    { type: 'snapshot', execution, steps: [step('a', 'running')] },
    { type: 'execution', execution: { status: 'running' } },
    { type: 'step', step: step('b', 'running') },
    { type: 'step', step: step('a', 'completed') },
  ])
  assert.equal(live?.execution.status, 'running')
  assert.equal(live?.execution.workflowId, 'wf_1')
  assert.deepEqual(Object.fromEntries(live?.steps.map(({ node, status }) => [node, status]) ?? []), {
    a: 'completed',
    b: 'running',
  })
})

test('an execution that waits again has no steps of the attempt before', () => {
  const live = after([
    { type: 'snapshot', execution: { ...execution, status: 'running' }, steps: [step('a', 'completed')] },
    { type: 'execution', execution: { status: 'pending' } },
  ])
  assert.deepEqual(live?.steps, [])
})

test('nothing is known before the first snapshot', () => {
  assert.equal(after([{ type: 'step', step: step('a', 'running') }]), undefined)
})
