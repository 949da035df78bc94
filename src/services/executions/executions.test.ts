import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { execution, refused, step, tenant } from '../../../test/contract/records.ts'
import { newSqlite } from '../../../test/harness/sqlite.ts'
import { systemClock } from '../../domain/clock.ts'
import type { Execution } from '../../domain/executions/execution.ts'
import { newId } from '../../domain/ids.ts'
import type { ProviderCall } from '../../domain/models/provider-call.ts'
import { createChecker } from '../../engine/check/check.ts'
import { Fault } from '../../errors.ts'
import { catalogue } from '../../operations/index.ts'
import { createInProcessNotices } from '../../storage/queue/in-process-notices.ts'
import { createEventStreams } from '../event-streams.ts'
import { createDocumentChecks } from '../workflows/document-checks.ts'
import { createRunnableDrafts } from '../workflows/runnable-drafts.ts'
import { createVersionCache } from '../workflows/version-cache.ts'
import { createVersionChooser } from '../workflows/version-chooser.ts'
import { createExecutions } from './executions.ts'
import { createRequestParameters } from './request-parameters.ts'

async function openSetup(t: TestContext) {
  const { stores } = await newSqlite(t)
  const notices = createInProcessNotices({ onError: (error) => assert.fail(error as Error) })
  const documents = createDocumentChecks({ ...stores, check: createChecker(catalogue) })
  const versionCache = createVersionCache({ ...stores, documents })
  const executions = createExecutions({
    executions: stores.executions,
    calls: stores.providerCalls,
    previews: { withPreviews: async (steps) => steps },
    workflows: stores.workflows,
    versionChooser: createVersionChooser(stores),
    versionCache,
    runnableDrafts: createRunnableDrafts({ drafts: stores.drafts, workflows: stores.workflows, documents }),
    requestParameters: createRequestParameters({
      sources: { missing: async () => new Set() },
      images: { storeOnce: () => assert.fail('no data: URL is passed') },
      brands: { usedBy: async () => ({ values: undefined, issues: [] }) },
    }),
    queue: { add: (added, options) => stores.executions.create(added, options) },
    requireWebhookUrl: () => {},
    notices,
    streams: createEventStreams(1),
    clock: systemClock,
    waitingMax: 20,
    disk: { require: async () => {} },
  })
  const { workflow } = await tenant(stores)
  const record = execution(workflow)
  await stores.executions.create(record)
  /** Ends the execution like another process, of which no notice comes here. */
  const endWithoutNotice = () => stores.executions.cancel(record.id, { error: refused, completedAt: 30 })
  return { executions, stores, notices, record, endWithoutNotice }
}

test('a waiting request gets its response when the execution has ended', async (t) => {
  const { executions, record } = await openSetup(t)
  const waiting = executions.wait(record, 60)
  await executions.cancel(record.accountId, record.id)
  assert.equal((await waiting).status, 'failed')
})

test('a waiting request reads no record if the notice has the outcome', async (t) => {
  const { executions, notices, record } = await openSetup(t)
  const waiting = executions.wait(record, 60)
  const outcome = { status: 'completed', attempt: 1, output: null, startedAt: 20, completedAt: 30 } as const
  notices.send({ kind: 'ended', executionId: record.id, outcome })
  assert.deepEqual(await waiting, { ...record, ...outcome })
  assert.equal((await executions.find(record.accountId, record.id)).status, 'pending')
})

test('a request that waits for an ended execution gets its response immediately', async (t) => {
  const { executions, record, endWithoutNotice } = await openSetup(t)
  await endWithoutNotice()
  assert.equal((await executions.wait(record, 60)).status, 'failed')
})

test('a waiting request polls if notices may have been missed', async (t) => {
  const { executions, notices, record, endWithoutNotice } = await openSetup(t)
  const waiting = executions.wait(record, 60)
  await endWithoutNotice()
  notices.send({ kind: 'missed' })
  assert.equal((await waiting).status, 'failed')
})

test('waiting stops when the client disconnects', async (t) => {
  const { executions, record } = await openSetup(t)
  const client = new AbortController()
  const waiting = executions.wait(record, 60, client.signal)
  client.abort()
  assert.equal((await waiting).status, 'pending')
  assert.equal((await executions.wait(record, 60, client.signal)).status, 'pending')
})

test('a status check waits for the end, and frees its place', async (t) => {
  const { executions, record } = await openSetup(t)
  const { signal } = new AbortController()
  const waiting = executions.ended(record.accountId, record.id, { seconds: 60, signal })
  await executions.cancel(record.accountId, record.id)
  await waiting
  const { id } = await executions.start({ accountId: record.accountId }, record.workflowId, { headline: 'Hello' })
  await executions.ended(record.accountId, id, { seconds: 0.001, signal })
  assert.equal((await executions.find(record.accountId, id)).status, 'pending')
})

test('a status check waits no longer if its client disconnects or the service shuts down', async (t) => {
  const { executions, record } = await openSetup(t)
  const client = new AbortController()
  const wait = () => executions.ended(record.accountId, record.id, { seconds: 60, signal: client.signal })
  const left = wait()
  client.abort()
  await left
  const { signal } = new AbortController()
  const last = executions.ended(record.accountId, record.id, { seconds: 60, signal })
  executions.close()
  await last
})

test('status checks that wait have the places of event streams: others get 429, but not for an ended execution', async (t) => {
  const { executions, record } = await openSetup(t)
  const client = new AbortController()
  const wait = () => executions.ended(record.accountId, record.id, { seconds: 60, signal: client.signal })
  const first = wait()
  const refused = await Promise.allSettled([wait()])
  const [{ reason }] = refused as [PromiseRejectedResult]
  assert.deepEqual([reason.code, reason.details], ['rate_limited', { limit: 1, retryAfterSeconds: 5 }])
  await executions.cancel(record.accountId, record.id)
  await Promise.all([first, wait(), wait()])
})

test('status checks of another counted id leave the places of the account free', async (t) => {
  const { executions, record } = await openSetup(t)
  const { signal } = new AbortController()
  const wait = (countedId?: string) => executions.ended(record.accountId, record.id, { seconds: 60, signal }, countedId)
  const ofLink = wait('key_1')
  await assert.rejects(wait('key_1'), /has 1 open event streams/)
  const ofAccount = wait()
  await executions.cancel(record.accountId, record.id)
  await Promise.all([ofLink, ofAccount])
})

test('at the shutdown a waiting request gets the current state', async (t) => {
  const { executions, record } = await openSetup(t)
  const waiting = executions.wait(record, 60)
  await executions.drain(0)
  assert.equal((await waiting).status, 'pending')
})

test('of many concurrent executions of an account half of the queue limit is accepted, and the rest get 429', async (t) => {
  const { executions, stores, record } = await openSetup(t)
  const start = () => executions.start({ accountId: record.accountId }, record.workflowId, { headline: 'Hello' })
  const all = await Promise.allSettled(Array.from({ length: 40 }, start))
  const refusals = all.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  for (const reason of refusals) {
    assert.ok(reason instanceof Fault && reason.code === 'rate_limited', String(reason))
    assert.deepEqual(reason.details, { limit: 10, retryAfterSeconds: 5 })
  }
  assert.equal(await stores.executions.countPending(), 10)
  assert.equal(refusals.length, 31)
})

test('a step reports calls that ended after their process was killed, and none twice', async (t) => {
  const { executions, stores, record, endWithoutNotice } = await openSetup(t)
  const running = await stores.executions.claimNext(2)
  assert.ok(running)
  const ended = { state: 'done', costMicros: 70, costSource: 'reported' } as const
  const summary = { model: 'one/painter', outcome: 'done', costUsd: 0.00007, costSource: 'reported' } as const
  const kinds = [ended, ended, { ...ended, state: 'cancelled', costSource: 'assumed' }] as const
  for (const [item, end] of kinds.entries()) {
    const call = callAt(record, item)
    await stores.providerCalls.begin(call, 1, { executionMicros: null, accountMonthMicros: null })
    await stores.providerCalls.end(call.id, end, 3)
  }
  await stores.executions.saveSteps(record.id, 1, [step({ node: 'cover', calls: [summary] }), step({ node: 'other' })])
  await endWithoutNotice()
  const [cover, other] = await executions.steps(record.accountId, record.id)
  assert.deepEqual(cover?.calls, [summary, summary, { ...summary, outcome: 'cancelled', costSource: 'assumed' }])
  assert.equal(other?.calls, undefined)
})

function callAt({ id: executionId, accountId, workflowId }: Execution, item: number): ProviderCall {
  return {
    ...{ id: newId('call', 2), accountId, executionId, workflowId, keyId: null, node: 'cover', item, ordinal: 0 },
    ...{ sequence: 0, capability: 'generate', provider: 'one', model: 'painter', requestHash: 'h', requestId: null },
    ...{ state: 'submitting', handle: null, response: null, problem: null, reservedMicros: 70 },
    ...{ costMicros: null, costSource: null, createdAt: 2, updatedAt: 2 },
  }
}
