import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Execution, ExecutionStore, Meanwhile, Step } from '../domain/execution.ts'
import type { Ask, AskEnding, Asker, Asking } from '../domain/model.ts'
import type { CheckedNode } from '../engine/check/checked-workflow.ts'
import type { PlannedStep } from '../engine/plan/planned-step.ts'
import { askingCatalogue, callOf } from '../engine/test-asks.ts'
import { failure } from '../errors.ts'
import { isUnavailable, RightLost, ShuttingDown, Unavailable } from './interruptions.ts'
import { askingOf, endingFor } from './model-waits.ts'

const execution: Execution = {
  id: 'exec_3',
  accountId: 'acc',
  workflowId: 'wf',
  workflowVersion: 1,
  parameters: {},
  status: 'running',
  attempt: 1,
  output: null,
  error: null,
  createdAt: 0,
  startedAt: 0,
  completedAt: null,
  resumedFrom: 'exec_2',
  keyId: 'key',
}

/** `exec_3` resumes `exec_2`, and that `exec_1`. */
const executions: Pick<ExecutionStore, 'find' | 'listSteps'> = {
  async find(_accountId, id) {
    return id === 'exec_2' ? { ...execution, id, resumedFrom: 'exec_1' } : undefined
  },
  async listSteps() {
    const step = {
      operation: 'paint',
      status: 'running',
      startedAt: 0,
      durationMs: 0,
      width: 1,
      height: 1,
      error: null,
    }
    return [
      { ...step, node: 'a', calls: [callOf('a/plain')] },
      { ...step, node: 'b' },
    ] as Step[]
  },
}

function planOf(type: string): { steps: PlannedStep[] } {
  const node = { operation: askingCatalogue.get(type) } as CheckedNode
  return { steps: [{ node, action: 'run', params: {} }] }
}

const place = { node: 'a', item: -1, ordinal: 0 }
const question: Ask = {
  capability: 'generate',
  wants: [],
  onUnknownOutcome: 'fail',
  request: async () => ({ images: [] }),
}
const answer = { model: 'a/plain', images: [] }
const atOnce: Meanwhile = (work) => work()

async function askBy(ask: Asker['ask'], { meanwhile = atOnce, signal = new AbortController().signal } = {}) {
  const asking = await askingOf(execution, planOf('paint'), meanwhile, { executions, asker: { ask } })
  assert.ok(asking.ask)
  return asking.ask(place, question, { signal, secondsLeft: () => 5, note: () => undefined })
}

test('whoever asks says whose execution it is, and which ones it resumes, the nearest first', async () => {
  let told: Asking | undefined
  await askBy(async (asking) => {
    told = asking
    return answer
  })
  assert.deepEqual(told, {
    accountId: 'acc',
    executionId: 'exec_3',
    workflowId: 'wf',
    keyId: 'key',
    attempt: 1,
    resumes: ['exec_2', 'exec_1'],
  } satisfies Asking)
})

test('nothing is looked up for a plan that asks nobody, nor where there is nobody to ask', async () => {
  const asker: Asker = { ask: async () => answer }
  assert.deepEqual(await askingOf(execution, planOf('make'), atOnce, { executions, asker }), {})
  assert.deepEqual(await askingOf(execution, planOf('paint'), atOnce, { executions }), {})
})

test('only a later attempt knows what earlier ones have told of their calls', async () => {
  const asker: Asker = { ask: async () => answer }
  const calls = async (attempt: number) =>
    (await askingOf({ ...execution, attempt }, planOf('paint'), atOnce, { executions, asker })).callsBefore
  assert.deepEqual(await calls(1), new Map())
  assert.deepEqual(await calls(2), new Map([['a', [callOf('a/plain')]]]))
})

test('records that cannot be reached are no fault of the execution, which is tried again; a fault stays one', async () => {
  await assert.rejects(
    askBy(() => Promise.reject(new Error('the database is away'))),
    isUnavailable,
  )
  const refused = failure('provider_refused', 'No.')
  await assert.rejects(
    askBy(() => Promise.reject(refused)),
    (error) => error === refused,
  )
})

const endings: [string, unknown, AskEnding][] = [
  ['another step failed, or the time is over', failure('timeout', 'Too late.'), 'given_up'],
  ['all that was wanted is there', new Error('the output is there'), 'given_up'],
  ['the process ends', new ShuttingDown(), 'handed_on'],
  ['records cannot be reached', failure('internal', 'x', { cause: new Unavailable(new Error('away')) }), 'handed_on'],
  ['it was cancelled, or another worker has it', new RightLost(), 'lost'],
]
for (const [why, reason, ending] of endings) {
  test(`a call under way is ${ending} when ${why}`, async () => {
    assert.equal(endingFor(reason), ending)
    const stop = new AbortController()
    const told = askBy(
      async (_asking, _place, _ask, run) => {
        stop.abort(reason)
        return { ...answer, text: run.ending() }
      },
      { signal: stop.signal },
    )
    assert.equal((await told).text, ending)
  })
}

test('an execution leaves its place while it waits for an answer, and goes on with it although nobody makes room', async () => {
  let isAway = false
  const meanwhile: Meanwhile = async (work) => {
    isAway = true
    await work()
    return new Promise(() => undefined)
  }
  assert.equal(await askBy(async () => answer, { meanwhile }), answer)
  assert.ok(isAway)
})
