import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../domain/clock.ts'
import type { Step } from '../../domain/executions/execution.ts'
import { limits } from '../../limits.ts'
import { pack, readFacts, unpack } from '../cache/packed.ts'
import type { PlannedStep } from '../plan/planned-step.ts'
import type { StepResult } from '../plan/step-result.ts'
import { collectWarnings } from './result-warnings.ts'
import { createStepRecords } from './step-records.ts'

const nodeOf = (id: string, operation: string) => ({ id, operation: { id: operation } }) as PlannedStep['node']
const pixels = { data: Buffer.alloc(3), width: 1, height: 1, channels: 3 as const }
const plain: StepResult = {
  image: { width: 1, height: 1, hasAlpha: false, format: 'raw', pixels },
  values: { width: 1, height: 1 },
  skipped: false,
}

test('a result has the warnings of its operation and of its inputs, each once', () => {
  const words = collectWarnings(nodeOf('words', 'text'), new Map())
  for (const message of ['A box.', 'A box.', 'Another.']) words.warn(message)
  const drawn = words.added(plain)
  assert.deepEqual(
    drawn.warnings?.map(({ node, message }) => [node, message]),
    [
      ['words', 'A box.'],
      ['words', 'Another.'],
    ],
  )
  const small = collectWarnings(
    nodeOf('small', 'resize'),
    new Map([
      ['words', drawn],
      ['again', drawn],
    ]),
  )
  assert.deepEqual(small.added(plain).warnings, drawn.warnings)
  assert.equal(collectWarnings(nodeOf('a', 'flip'), new Map([['b', plain]])).added(plain), plain)
})

test('an operation that warns for each of many items has a bounded number of warnings', () => {
  const { warn, added } = collectWarnings(nodeOf('words', 'text'), new Map())
  for (let item = 0; item < 1_000; item += 1) warn(`Item ${item}.`)
  assert.equal(added(plain).warnings?.length, limits.stepWarningsMax)
})

test('a stored result keeps its warnings, and shows them at the node that caused them', () => {
  const { warn, added } = collectWarnings(nodeOf('words', 'text'), new Map())
  warn('A box.')
  const packed = pack(added(plain))
  const facts = readFacts(JSON.stringify(packed?.facts))
  assert.ok(packed && facts)
  assert.deepEqual(unpack(facts, Buffer.concat(packed.parts), undefined)?.warnings, added(plain).warnings)

  const stored = { facts, read: async () => Buffer.concat(packed.parts) }
  const warningsOf = (steps: Step[]) => {
    createStepRecords(steps, systemClock, () => undefined).reused('small', 'cache', stored)
    return steps.map(({ node, warnings }) => [node, warnings])
  }
  assert.deepEqual(warningsOf([stepOf('words', 'text'), stepOf('small', 'resize')]), [
    ['words', ['A box.']],
    ['small', undefined],
  ])
  // In another workflow, the node with this id is another step.
  assert.deepEqual(warningsOf([stepOf('words', 'canvas'), stepOf('small', 'resize')]), [
    ['words', undefined],
    ['small', ['A box.']],
  ])
})

function stepOf(node: string, operation: string): Step {
  const none = { startedAt: null, durationMs: null, width: null, height: null, error: null }
  return { node, operation, status: 'pending', ...none }
}
