import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, execution, project, workflow } from '../../../test/contract/records.ts'
import { until } from '../../../test/harness/wait.ts'
import { DerivedFileTaken, type NewDerivedFile } from '../../domain/delivery/derived-file.ts'
import type { FoundWorkflow, FoundWorkflowUrl } from '../../domain/delivery/derived-file-store.ts'
import type { Execution } from '../../domain/executions/execution.ts'
import { createFairQueue } from '../../domain/fair-queue.ts'
import type { CheckedWorkflow } from '../../engine/check/checked-workflow.ts'
import { Fault } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { createWorkflowFiles, type WorkflowRequest } from './workflow-files.ts'

const owner = account()
const card = workflow({ accountId: owner.id, projectId: project({ accountId: owner.id }).id })
const url = { keyId: 'skey_1', workflow: card.id, variant: 'v' }
const fallback = 'img_fallback'

const waitingMax = 20

/** Workflow files over one file in memory. `outcome` is how each execution ends. */
function open(outcome: Execution['status'] = 'failed', fallbackSeconds = 60) {
  const clock = { ms: 1_795_000_000_000, now: () => clock.ms }
  const started: NewDerivedFile[] = []
  const added: [accountId: string, bytes: number][] = []
  const kept = new Set<string>()
  const state = {
    outcome,
    planned: 0,
    isInvalid: false,
    hasFallback: true,
    checked: 0,
    isFull: false,
    refuse: undefined as Fault | undefined,
    taken: 0,
    end: undefined as Promise<void> | undefined,
    takenBy: 'running' as Execution['status'],
  }
  let known: Execution | undefined
  const found = (): FoundWorkflowUrl & { workflow: FoundWorkflow } => ({
    plan: 'pro',
    key: {
      ...{ id: 'skey_1', accountId: owner.id, secret: 's', workflowIds: null, images: true, monthlyBudget: null },
      ...{ expiresAt: null, revokedAt: null, lastUsedAt: null },
    },
    workflow: { id: card.id, projectId: card.projectId, isPrivate: false, version: 1 },
    file: known && {
      ...{ key: 'k', ownerId: card.id, accountId: owner.id, executionId: known.id, maxAge: 60, readsUrls: false },
      ...{ isPaid: false, redirects: false, createdAt: 1, usedAt: 1 },
      image:
        known.status === 'completed' ? { id: 'i', format: 'png', size: 1, width: 1, height: 1, sha256: 's' } : null,
      execution: { status: known.status, completedAt: known.completedAt },
    },
  })
  const files = createWorkflowFiles({
    derivedFiles: { findWorkflowUrl: async () => found() },
    versionCache: {
      get: async () => {
        state.checked += 1
        return { document: { delivery: state.hasFallback ? { fallback } : {} } } as unknown as CheckedWorkflow
      },
      keep: ({ workflowId, outputFormat }) => void kept.add(`${workflowId}.${outputFormat}`),
    },
    planFile: async () => {
      state.planned += 1
      if (state.isInvalid) return { kind: 'invalid', issues: [] }
      return { kind: 'planned', values: {}, facts: { maxAge: 60, readsUrls: false, isPaid: false, redirects: false } }
    },
    executions: {
      find: async () => known as Execution,
      async startForFile(_by, _run, _checked, claim) {
        if (state.refuse) throw state.refuse
        if (state.taken > 0) {
          state.taken -= 1
          known = execution(card, { status: state.takenBy })
          throw new DerivedFileTaken()
        }
        started.push(claim)
        known = execution(card, { status: 'running' })
        return known
      },
      async wait(of) {
        await state.end
        known = { ...of, status: state.outcome, completedAt: clock.ms }
        return known
      },
    },
    derivedBytes: {
      isFull: () => state.isFull,
      add: (accountId, bytes) => void added.push([accountId, bytes]),
    },
    planSeconds: 60,
    waiting: createFairQueue({ perAccount: waitingMax }),
    clock,
    waitSeconds: 1,
    fallbackSeconds,
  })
  const request = (): WorkflowRequest => ({ url, parameters: [], format: 'png', found: found() })
  const make = (name = 'v') => files.make({ ...request(), url: { ...url, variant: name } })
  return { clock, started, added, kept, state, make, known: () => known }
}

test('a failed execution is not repeated for 30 seconds, and its parameters are not planned again', async () => {
  const { make, started, state, clock, known } = open()
  assert.equal((await make()).kind, 'failed')
  const first = known()?.id
  clock.ms += limits.deliveryFailureSeconds * 1_000 - 1
  const again = await make()
  assert.deepEqual(again, { kind: 'failed', executionId: first, fallback })
  assert.deepEqual([started.length, state.planned], [1, 1])
  clock.ms += 1
  state.outcome = 'completed'
  assert.equal((await make()).kind, 'ready')
  assert.deepEqual(
    started.map(({ replaces }) => replaces),
    [null, first],
  )
})

test('concurrent requests share the work, and requests that another process was faster than wait for its execution', async () => {
  const { make, started, state } = open('completed')
  state.taken = 1
  const all = await Promise.all(Array.from({ length: 20 }, make))
  assert.deepEqual([...new Set(all.map(({ kind }) => kind))], ['ready'])
  assert.deepEqual([started.length, state.planned], [0, 1])
})

test('a file that another process has made since the look-up is not made again', async () => {
  const { make, started, state } = open()
  Object.assign(state, { taken: 1, takenBy: 'completed' })
  assert.equal((await make()).kind, 'ready')
  assert.equal(started.length, 0)
})

test('an execution that has not ended in time is pending, and is found by the next request', async () => {
  const { make, started, state, known } = open('running')
  const pending = await make()
  assert.deepEqual(pending, { kind: 'pending', executionId: known()?.id, fallback })
  state.outcome = 'completed'
  assert.equal((await make()).kind, 'ready')
  assert.equal(started.length, 1)
})

test('too many waiting executions are the status busy, and another fault is thrown', async () => {
  const { make, state } = open()
  state.refuse = new Fault('rate_limited', 'Too many executions wait.')
  assert.deepEqual(await make(), { kind: 'busy', fallback })
  state.refuse = new Fault('internal_error', 'A defect.')
  await assert.rejects(make(), /A defect/)
})

test('an account with too many bytes of files is busy without a plan, and the bytes of a file count when it is made', async () => {
  const { make, added, state } = open('completed')
  state.isFull = true
  assert.deepEqual(await make(), { kind: 'busy', fallback })
  assert.deepEqual([state.planned, added], [0, []])
  state.isFull = false
  assert.equal((await make()).kind, 'ready')
  assert.deepEqual(added, [[owner.id, 1]])
})

test('the checked workflow of a rejected request is kept, because any number of such requests can follow', async () => {
  const { make, kept, state } = open()
  state.isInvalid = true
  assert.deepEqual(await make(), { kind: 'invalid', issues: [], fallback })
  assert.deepEqual([...kept], [`${card.id}.png`])
})

test('rejected parameters are not planned again for 30 seconds, and others are', async () => {
  const { clock, make, state } = open()
  state.isInvalid = true
  for (let i = 0; i < 3; i += 1) assert.deepEqual(await make(), { kind: 'invalid', issues: [], fallback })
  assert.equal(state.planned, 1)
  await make('other')
  assert.equal(state.planned, 2)
  clock.ms += limits.deliveryFailureSeconds * 1_000
  await make()
  assert.equal(state.planned, 3)
})

test('if too many requests of the account wait, the next one is busy immediately, also for a file that is made', async () => {
  const { make, started, state } = open('completed')
  let finish = () => {}
  state.end = new Promise((resolve) => {
    finish = resolve
  })
  const waiting = Array.from({ length: waitingMax }, () => make())
  for (const variant of ['v', 'other']) assert.deepEqual(await make(variant), { kind: 'busy', fallback })
  finish()
  assert.deepEqual(
    (await Promise.all(waiting)).map(({ kind }) => kind),
    waiting.map(() => 'ready'),
  )
  assert.equal(started.length, 1)
  assert.equal((await make()).kind, 'ready')
})

test('a request with a fallback image waits a short time, and the same execution makes the file for later requests', async () => {
  const { make, started, state, added } = open('completed', 0)
  const { promise: end, resolve: finish } = Promise.withResolvers<void>()
  state.end = end
  for (let i = 0; i < 3; i += 1) assert.deepEqual(await make(), { kind: 'pending', fallback })
  finish()
  await until('the file', () => added.length > 0 || undefined)
  assert.deepEqual([started.length, state.planned, added.length], [1, 1, 1])
})

test('a request without a fallback image and without a former file waits for its file', async () => {
  const { make, state } = open('completed', 0)
  state.hasFallback = false
  const { promise: end, resolve: finish } = Promise.withResolvers<void>()
  state.end = end
  const waiting = make()
  await until('the end of the short time', () => state.checked === 2 || undefined)
  finish()
  assert.equal((await waiting).kind, 'ready')
})
