import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChecker } from '../../engine/check/check.ts'
import { type Plan, planExecution } from '../../engine/plan/plan.ts'
import { catalogue } from '../../operations/index.ts'
import { planTo, repeatableSteps } from './repeatable-steps.ts'

const check = createChecker(catalogue)

function planOf(nodes: object, output: object): Plan {
  const { workflow, issues } = check({ name: 'Test', nodes, output })
  assert.ok(workflow, JSON.stringify(issues))
  const { plan } = planExecution(workflow, {})
  return plan ?? assert.fail('the plan has issues')
}

const model = { type: 'generate', params: { prompt: 'A table' } }
const canvas = { type: 'canvas', params: { width: 8, height: 8 } }
const blurred = (image: string, more = {}) => ({ type: 'blur', inputs: { image }, params: { sigma: 1 }, ...more })

test('without a model the output is the only target', () => {
  const plan = planOf({ sheet: canvas, soft: blurred('sheet') }, { node: 'soft' })
  const { hasOutput, targets, modelBefore } = repeatableSteps(plan)
  assert.deepEqual([hasOutput, targets, modelBefore.size], [true, ['soft'], 0])
})

test('the targets are the last images before models, and every step after a model names it', () => {
  const plan = planOf(
    {
      sheet: canvas,
      soft: blurred('sheet'),
      colors: { type: 'palette', inputs: { image: 'sheet' } },
      other: canvas,
      painted: { type: 'edit', inputs: { images: ['soft'] }, params: { prompt: 'Rain' } },
      both: { type: 'composite', inputs: { image: 'painted', overlay: 'other' } },
      last: blurred('both', { when: '{{ nodes.colors.dominant }}' }),
    },
    { node: 'last' },
  )
  const { hasOutput, targets, modelBefore } = repeatableSteps(plan)
  assert.deepEqual([hasOutput, targets.sort()], [false, ['colors', 'other', 'soft']])
  assert.deepEqual(Object.fromEntries(modelBefore), { painted: 'painted', both: 'painted', last: 'painted' })
})

test('a template that reads the text of a model depends on it, also in the settings of the output', () => {
  const words = { type: 'write', params: { prompt: 'A headline' } }
  const titled = { type: 'text', inputs: { image: 'sheet' }, params: { text: '{{ nodes.words.text }}' } }
  const inParams = repeatableSteps(planOf({ sheet: canvas, words, titled }, { node: 'titled' }))
  assert.deepEqual([inParams.hasOutput, inParams.targets], [false, ['sheet']])
  const inOutput = repeatableSteps(planOf({ sheet: canvas, words }, { node: 'sheet', name: '{{ nodes.words.text }}' }))
  assert.deepEqual([inOutput.hasOutput, inOutput.targets], [false, ['sheet']])
})

test('a model that is skipped is not asked', () => {
  const painted = { type: 'edit', inputs: { images: ['sheet'] }, params: { prompt: 'Rain' }, when: false }
  const { hasOutput } = repeatableSteps(planOf({ sheet: canvas, painted }, { node: 'painted' }))
  assert.equal(hasOutput, true)
})

test('a plan to a step needs nothing else, and fuses nothing', () => {
  const plan = planOf(
    {
      sheet: canvas,
      soft: blurred('sheet'),
      scene: model,
      both: { type: 'composite', inputs: { image: 'scene', overlay: 'soft' } },
    },
    { node: 'both' },
  )
  const to = planTo(plan, 'soft')
  const actions = Object.fromEntries(to.steps.map(({ node, action }) => [node.id, action]))
  assert.deepEqual(actions, { sheet: 'run', soft: 'run', scene: 'unneeded', both: 'unneeded' })
  assert.deepEqual([to.workflow.output.node, to.fused.size], ['soft', 0])
})
