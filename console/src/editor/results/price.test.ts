import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LiveExecution } from '../../api/execution-events.ts'
import { canExceed, free, priceOf, priceText, priceWithSource, stepCosts, sumOf, times, unknown } from './price.ts'

const range = (node: string, minUsd: number, maxUsd: number) => ({ node, cost: { minUsd, maxUsd } })

function ran(...costs: (number | null)[]): LiveExecution {
  const calls = costs.map((costUsd) => ({ model: 'a/b', outcome: 'done', costUsd, costSource: null }))
  const step = { node: 'scene', operation: 'generate', status: 'completed' as const, calls }
  return { execution: {} as LiveExecution['execution'], steps: [step] }
}

test('a price is one number: of the last five paid runs of the node, otherwise at most the forecast', () => {
  const plan = [range('scene', 0, 0.26), { node: 'small' }]
  const of = (runs: LiveExecution[]) => priceWithSource(priceOf(plan, stepCosts(runs)))
  assert.equal(of([]), 'up to $0.26')
  assert.equal(of([ran(0.03)]), 'about $0.03, as the last run')
  assert.equal(of([ran(0.01, 0.01), ran(0.04)]), 'about $0.03, as the last 2 runs')
  assert.equal(of(Array.from({ length: 9 }, () => ran(0.02))), 'about $0.02, as the last 5 runs')
})

test('earlier costs that the forecast excludes are those of another model, and an unknown cost counts for nothing', () => {
  const costs = stepCosts([ran(0.03)])
  assert.equal(priceText(priceOf([range('scene', 0.1, 0.26)], costs)), 'up to $0.26')
  assert.equal(priceText(priceOf([{ node: 'scene', cost: null }], costs)), 'about $0.03')
  assert.equal(priceText(priceOf([{ node: 'scene', cost: null }], stepCosts([ran(null)]))), 'unknown cost')
  const partly = [
    { node: 'scene', cost: null },
    { node: 'sky', cost: { minUsd: 0, maxUsd: 0.08 } },
  ]
  assert.equal(priceText(priceOf(partly, stepCosts([]))), '$0.08 + unknown cost')
  const [run] = [ran(0.03)]
  const cached = { ...run, steps: run.steps.map((step) => ({ ...step, servedFrom: 'cache' as const })) }
  assert.equal(stepCosts([cached]).size, 0)
})

test('a sum is as certain as its least certain part, and free steps are not named', () => {
  assert.equal(priceText(priceOf([range('scene', 0, 0)], new Map())), '')
  assert.equal(priceText(priceOf([range('scene', 0.04, 0.04)], new Map())), '$0.04')
  const [about, upTo] = [
    priceOf([range('a', 0, 1)], new Map([['a', [0.5, 0.3]]])),
    priceOf([range('b', 0, 1)], new Map()),
  ]
  assert.equal(priceWithSource(sumOf([about, upTo])), 'up to $1.40')
  assert.equal(priceWithSource(times(4, about)), 'about $1.60, as the last 2 runs')
})

test('a run can exceed the limit if it costs more, or if its price is not known', () => {
  const exact = (usd: number) => priceOf([range('scene', usd, usd)], new Map())
  const partly = priceOf([range('scene', 0.1, 0.1), { node: 'other', cost: null }], new Map())
  assert.deepEqual(
    [exact(1), exact(1.01), partly, unknown, free].map((price) => canExceed(1, price, true)),
    [false, true, true, true, false],
  )
  assert.deepEqual(
    [exact(0.01), unknown, free].map((price) => canExceed(0, price, true)),
    [true, true, false],
  )
  assert.deepEqual(
    [exact(1.01), partly, unknown].map((price) => canExceed(1, price, false)),
    [true, false, false],
  )
  assert.equal(canExceed(null, unknown, true), false)
})
