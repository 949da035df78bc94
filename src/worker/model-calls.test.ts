import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Execution, ExecutionStore, Step, YieldSlot } from '../domain/executions/execution.ts'
import type { AbortReason, CallOwner, ModelClient, ModelInvocation } from '../domain/models/model.ts'
import type { CheckedNode } from '../engine/check/checked-workflow.ts'
import type { PlannedStep } from '../engine/plan/planned-step.ts'
import { callOf, modelCatalogue } from '../engine/test-models.ts'
import { DependencyUnavailable, failure } from '../errors.ts'
import { isUnavailable, LeaseLost, ShuttingDown } from './interruptions.ts'
import { abortReasonFor, modelCallOptions } from './model-calls.ts'

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
  const node = { operation: modelCatalogue.get(type) } as CheckedNode
  return { steps: [{ node, action: 'run', params: {} }] }
}

const site = { node: 'a', item: -1, ordinal: 0 }
const question: ModelInvocation = {
  capability: 'generate',
  requirements: [],
  onUnknownOutcome: 'fail',
  request: async () => ({ images: [] }),
}
const answer = { model: 'a/plain', images: [] }
const atOnce: YieldSlot = (work) => work()

async function invokeBy(
  invoke: ModelClient['invoke'],
  { meanwhile = atOnce, signal = new AbortController().signal } = {},
) {
  const owner = await modelCallOptions(execution, planOf('paint'), meanwhile, { executions, modelClient: { invoke } })
  assert.ok(owner.invokeModel)
  return owner.invokeModel(site, question, { signal, secondsLeft: () => 5, onCalls: () => undefined })
}

test('a model call names its execution, and the executions that it resumes, the nearest first', async () => {
  let received: CallOwner | undefined
  await invokeBy(async (owner) => {
    received = owner
    return answer
  })
  assert.deepEqual(received, {
    accountId: 'acc',
    executionId: 'exec_3',
    workflowId: 'wf',
    keyId: 'key',
    attempt: 1,
    resumeChain: ['exec_2', 'exec_1'],
  } satisfies CallOwner)
})

test('looks nothing up for a plan without model calls, or if there are no models', async () => {
  const modelClient: ModelClient = { invoke: async () => answer }
  assert.deepEqual(await modelCallOptions(execution, planOf('make'), atOnce, { executions, modelClient }), {})
  assert.deepEqual(await modelCallOptions(execution, planOf('paint'), atOnce, { executions }), {})
})

test('only a later attempt reads the calls of earlier ones', async () => {
  const modelClient: ModelClient = { invoke: async () => answer }
  const calls = async (attempt: number) =>
    (await modelCallOptions({ ...execution, attempt }, planOf('paint'), atOnce, { executions, modelClient }))
      .callsBefore
  assert.deepEqual(await calls(1), new Map())
  assert.deepEqual(await calls(2), new Map([['a', [callOf('a/plain')]]]))
})

test('unreachable records are not a fault of the execution, which is retried; a fault stays a fault', async () => {
  await assert.rejects(
    invokeBy(() => Promise.reject(new Error('the database is away'))),
    isUnavailable,
  )
  const refused = failure('provider_refused', 'No.')
  await assert.rejects(
    invokeBy(() => Promise.reject(refused)),
    (error) => error === refused,
  )
})

const endings: [string, unknown, AbortReason][] = [
  ['another step failed, or the deadline has passed', failure('timeout', 'Too late.'), 'cancelled'],
  ['the output is complete', new Error('the output is there'), 'cancelled'],
  ['the process ends', new ShuttingDown(), 'handed_over'],
  [
    'the records are unreachable',
    failure('internal', 'x', { cause: new DependencyUnavailable(new Error('away')) }),
    'handed_over',
  ],
  ['it was cancelled, or another worker has it', new LeaseLost(), 'lease_lost'],
]
for (const [why, reason, ending] of endings) {
  test(`a running call is ${ending} when ${why}`, async () => {
    assert.equal(abortReasonFor(reason), ending)
    const stop = new AbortController()
    const response = invokeBy(
      async (_asking, _place, _ask, run) => {
        stop.abort(reason)
        return { ...answer, text: run.abortReason() }
      },
      { signal: stop.signal },
    )
    assert.equal((await response).text, ending)
  })
}

test('an execution leaves its slot while it waits for a response, and continues although no slot is free', async () => {
  let isAway = false
  const meanwhile: YieldSlot = async (work) => {
    isAway = true
    await work()
    return new Promise(() => undefined)
  }
  assert.equal(await invokeBy(async () => answer, { meanwhile }), answer)
  assert.ok(isAway)
})
