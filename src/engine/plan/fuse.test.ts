import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import type { Stage } from '../../imaging/types.ts'
import { defineOperation, socket } from '../../operations/define.ts'
import { createChecker } from '../check/check.ts'
import { testCatalogue } from '../test-catalogue.ts'
import { planExecution } from './plan.ts'

/** A stage that may follow those of a lower place. */
function stageAt(order: number): Stage & { order: number } {
  return {
    name: `place ${order}`,
    order,
    follows: (before) => before.every((each) => (each as ReturnType<typeof stageAt>).order < order),
  }
}

const staged = defineOperation({
  id: 'staged',
  version: 1,
  title: 'Staged',
  summary: 'Is one stage at a place.',
  keywords: [],
  group: 'filter',
  inputs: { image: socket.one('It.') },
  params: Type.Object({ place: Type.Integer({ default: 1 }) }, { additionalProperties: false }),
  outputs: { image: 'It.' },
  alpha: 'moved',
  frames: 'each',
  deterministic: true,
  examples: [],
  stage: ({ place: order }) => (order === 0 ? undefined : stageAt(order)),
  run: async ({ image }) => ({ image }),
})

const check = createChecker(new Map([...testCatalogue, ['staged', staged]]))

function fusedOf(nodes: Record<string, unknown>, node: string, values = {}): Record<string, string> {
  const parameters = [{ name: 'on', type: 'string', default: 'yes' }]
  const { workflow, issues } = check({ name: 'Test', nodes, output: { node }, parameters })
  assert.ok(workflow, JSON.stringify(issues))
  const { plan } = planExecution(workflow, values)
  assert.ok(plan)
  return Object.fromEntries(plan.fused)
}

const start = { type: 'make' }
const at = (order: unknown, image: string, more = {}) => ({
  type: 'staged',
  inputs: { image },
  params: { place: order },
  ...more,
})

test('fuses steps in the order of the stages with their reader, and the last one with the encoder', () => {
  const nodes = { a: start, b: at(1, 'a'), c: at(2, 'b'), d: at(3, 'c') }
  assert.deepEqual(fusedOf(nodes, 'd'), { b: 'c', c: 'd', d: 'd' })
})

test('starts a new pipeline if the stages are in another order', () => {
  const nodes = { a: start, b: at(2, 'a'), c: at(3, 'b'), d: at(2, 'c'), e: at(3, 'd') }
  assert.deepEqual(fusedOf(nodes, 'e'), { b: 'c', d: 'e', e: 'e' })
})

test('finishes an image first if another step reads it or a template names its values', () => {
  const twice = { a: start, b: at(1, 'a'), c: at(2, 'b'), d: { type: 'join', inputs: { image: 'c', overlay: 'b' } } }
  assert.deepEqual(fusedOf(twice, 'd'), {})
  const named = { a: start, b: at(1, 'a'), c: at('{{ nodes.b.width }}', 'b') }
  assert.deepEqual(fusedOf(named, 'c'), {})
  const whenNamed = { a: start, b: at(1, 'a'), c: at(2, 'b', { when: '{{ nodes.b.width }}' }) }
  assert.deepEqual(fusedOf(whenNamed, 'c'), {})
})

test('does not fuse a step that is conditional, runs over a list, or is not a stage with its params', () => {
  const nodes = { a: start, b: at(1, 'a'), c: at(2, 'b', { when: '{{ on }}' }), d: at(3, 'c') }
  assert.deepEqual(fusedOf(nodes, 'd'), { b: 'c', c: 'd', d: 'd' })
  assert.deepEqual(fusedOf(nodes, 'd', { on: 'false' }), { d: 'd' })
  assert.deepEqual(fusedOf({ a: start, b: at(0, 'a'), c: at(2, 'b') }, 'c'), { c: 'c' })
  const list = {
    a: start,
    b: at(1, 'a', { each: 2 }),
    c: at(2, 'b'),
    d: { type: 'join', inputs: { image: 'a', more: ['c'] } },
  }
  assert.deepEqual(fusedOf(list, 'd'), {})
})
