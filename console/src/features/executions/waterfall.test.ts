import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Execution, Step } from '../../api/types.ts'
import { waterfallOf } from './waterfall.ts'

const at = (milliseconds: number) => new Date(Date.parse('2026-11-21T12:00:00Z') + milliseconds).toISOString()
const execution: Execution = {
  executionId: 'exec_1',
  workflowId: 'wf_1',
  status: 'completed',
  output: { url: 'x', width: 1, height: 1, format: 'png' },
  createdAt: at(0),
  startedAt: at(40),
  completedAt: at(1040),
}
const step = (node: string, rest: Partial<Step>): Step => ({ node, operation: 'blur', status: 'completed', ...rest })

test('steps are sorted by start, and steps that never started come last', () => {
  const { bars, queued, length } = waterfallOf(
    execution,
    [
      step('left-out', { status: 'skipped' }),
      step('second', { startedAt: at(300), duration: 500 }),
      step('first', { startedAt: at(60), duration: 400 }),
    ],
    Date.parse(at(5000)),
  )
  assert.deepEqual(
    bars.map(({ step: { node }, start, end }) => [node, start, end]),
    [
      ['first', 60, 460],
      ['second', 300, 800],
      ['left-out', undefined, undefined],
    ],
  )
  assert.equal(queued, 40)
  assert.equal(length, 1040)
})

test('a running step ends now', () => {
  const { completedAt: _, ...running } = { ...execution, status: 'running' as const }
  const { bars, length } = waterfallOf(
    running,
    [step('a', { status: 'running', startedAt: at(100) })],
    Date.parse(at(700)),
  )
  assert.equal(bars[0]?.end, 700)
  assert.equal(length, 700)
})

test('The axis has a handful of round ticks, for a millisecond and for an hour', () => {
  for (const milliseconds of [1, 38, 1040, 61_000, 3_600_000]) {
    const { ticks, length } = waterfallOf({ ...execution, completedAt: at(milliseconds) }, [], Date.parse(at(0)))
    assert.ok(ticks.length >= 2 && ticks.length <= 8, `${length}: ${ticks}`)
    assert.equal(ticks[0], 0)
    assert.ok((ticks.at(-1) ?? 0) <= length)
  }
})
