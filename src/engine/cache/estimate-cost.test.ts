import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Models } from '../../domain/models/model.ts'
import { createChecker } from '../check/check.ts'
import { planExecution } from '../plan/plan.ts'
import { modelCatalogue, scriptedModels } from '../test-models.ts'
import { estimateCost } from './estimate-cost.ts'

const models = scriptedModels()
const make = { type: 'make' }
const paint = (params: object = {}, more: object = {}) => ({ type: 'paint', params, ...more })
const look = (image: string, more: object = {}) => ({ type: 'look', inputs: { image }, ...more })
const join = (image: string, other: string, more: object = {}) => ({ type: 'join', inputs: { image, other }, ...more })

/** Least and most, in micro-dollars, of each node and of all. */
async function costOf(
  nodes: object,
  { values = {}, served = [] as string[], parameters = [] as object[], known = models } = {},
) {
  const check = createChecker(modelCatalogue, known)
  const { workflow, issues } = check({ name: 'T', parameters, nodes, output: { node: 'a' } })
  assert.ok(workflow, JSON.stringify(issues))
  const { plan, issues: wrong } = planExecution(workflow, values)
  assert.ok(plan, JSON.stringify(wrong))
  const { steps, total } = await estimateCost(plan, new Set(served), known)
  const range = (cost: typeof total) => cost && [cost.minMicros, cost.maxMicros]
  return { steps: Object.fromEntries([...steps].map(([id, cost]) => [id, range(cost)])), total: range(total) }
}

test('every step with a model call has a price, the total is their sum, and steps without calls cost nothing', async () => {
  assert.deepEqual(await costOf({ m: make, l: look('m'), p: paint({ model: 'a/rich' }), a: join('l', 'p') }), {
    steps: { l: [10, 20], p: [100, 100] },
    total: [110, 120],
  })
  assert.deepEqual(await costOf({ a: make }), { steps: {}, total: [0, 0] })
})

test('the range goes from the cheapest to the most expensive of the models that can be used', async () => {
  const { total } = await costOf({ a: paint({ model: 'a/plain', fallback: ['a/rich'] }) })
  assert.deepEqual(total, [10, 100])
})

test('unavailable models cost nothing', async () => {
  const known: Models = { ...models, ready: () => [{ model: 'a/plain' }] }
  const { total } = await costOf({ a: paint({ model: 'a/rich', fallback: ['a/plain'] }) }, { known })
  assert.deepEqual(total, [10, 20])
})

test('cached and skipped steps cost nothing', async () => {
  const nodes = { m: make, p: paint({ model: 'a/rich' }), l: look('m'), a: join('l', 'p') }
  assert.deepEqual((await costOf(nodes, { served: ['p'] })).steps, { l: [10, 20], p: [0, 0] })
  const skipped = { ...nodes, a: join('l', 'p', { when: false }) }
  assert.deepEqual(await costOf(skipped), { steps: { l: [10, 20], p: [0, 0] }, total: [10, 20] })
})

test('steps that depend on a decision during the execution have a minimum of nothing, and so do the steps that only they need', async () => {
  const nodes = { m: make, p: paint(), a: join('m', 'p', { when: '{{ nodes.m.tone }}' }) }
  assert.deepEqual((await costOf(nodes)).steps, { p: [0, 20] })
  const own = { m: make, a: look('m', { when: '{{ nodes.m.tone }}' }) }
  assert.deepEqual((await costOf(own)).total, [0, 20])
})

test('a step over a list costs as much as all its items', async () => {
  const parameters = [{ name: 'n', type: 'number', default: 3 }]
  const nodes = {
    m: { ...make, each: '{{ n }}' },
    l: look('m'),
    a: paint({ model: 'a/rich' }, { inputs: { images: ['l'] } }),
  }
  assert.deepEqual((await costOf(nodes, { parameters })).steps, { l: [30, 60], a: [100, 100] })
  const some = { ...nodes, l: look('m', { when: '{{ index }}' }) }
  assert.deepEqual((await costOf(some, { parameters })).steps.l, [20, 40])
  const late = { ...nodes, m: { ...make, params: { tone: '{{ nodes.x.tone }}' }, each: '{{ n }}' }, x: make }
  assert.deepEqual((await costOf(late, { parameters })).steps.l, [30, 60])
})

test('the cost of a step is unknown if its count, model or price is unknown, and so is the total', async () => {
  const gather = paint({ model: 'a/rich' }, { inputs: { images: ['l'] } })
  const often = { x: make, m: { ...make, each: '{{ nodes.x.tone }}' }, l: look('m'), a: gather }
  assert.deepEqual(await costOf(often), { steps: { l: null, a: [100, 100] }, total: null })
  const which = { x: look('m'), m: make, a: paint({ model: '{{ nodes.x.text }}' }) }
  assert.deepEqual((await costOf(which)).steps, { x: [10, 20], a: null })
})

test('a step that makes no call for a single image has no cost for one, and a minimum of nothing for an unknown number', async () => {
  const judge = (images: string[]) => ({ type: 'judge', inputs: { images }, params: { model: 'a/rich' } })
  const totalOf = async (nodes: object) => (await costOf(nodes)).total
  assert.deepEqual(await totalOf({ m: make, a: judge(['m']) }), [0, 0])
  assert.deepEqual(await totalOf({ m: make, n: make, a: judge(['m', 'n']) }), [100, 100])
  assert.deepEqual(await totalOf({ m: { ...make, each: 1 }, a: judge(['m']) }), [0, 0])
  assert.deepEqual(await totalOf({ m: { ...make, each: 2 }, a: judge(['m']) }), [100, 100])
  const unknown = { ...make, each: '{{ nodes.x.tone }}' }
  assert.deepEqual(await totalOf({ x: make, m: unknown, a: judge(['m']) }), [0, 100])
  assert.deepEqual(await totalOf({ x: make, m: unknown, n: make, o: make, a: judge(['m', 'n', 'o']) }), [100, 100])
})

test('a step that waits for values of nodes is priced by its known params', async () => {
  const parameters = [{ name: 'model', type: 'string', default: 'a/rich' }]
  const nodes = { m: make, a: paint({ model: '{{ model }}', seed: '{{ nodes.m.tone }}' }) }
  assert.deepEqual((await costOf(nodes, { parameters })).total, [100, 100])
})

test('the cost is unknown if there are no models', async () => {
  const { workflow } = createChecker(modelCatalogue)({ name: 'T', nodes: { a: paint() }, output: { node: 'a' } })
  assert.ok(workflow)
  const { plan } = planExecution(workflow, {})
  assert.ok(plan)
  assert.equal((await estimateCost(plan, new Set(), undefined)).total, null)
})
