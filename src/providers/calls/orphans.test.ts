import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/harness/wait.ts'
import { DependencyUnavailable } from '../../errors.ts'
import { movableClock, openSetup, running, scripted, site, write } from './test-calls.ts'

test('a job that continues for a resuming execution is not cancelled, by other processes either', async (t) => {
  let isDone = false
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', {
    start: () => ({ handle: { job: 1 }, waitMs: 60_000 }),
    poll: async () => {
      return isDone ? { done: { text: 'red' } } : { pending: { waitMs: 5 } }
    },
  })
  const owner = await setup.begin()
  const runState = running('handed_over')
  const going = (await setup.modelClient([provider])).invoke(owner, site, write({ model: 'one/model' }), runState.run)
  const row = async () => (await setup.stores.providerCalls.at([owner.executionId], site))[0]
  await until('the job to be accepted', async () => (await row())?.state === 'accepted' || undefined)
  runState.controller.abort(new Error('bye'))
  await assert.rejects(going)
  const error = { code: 'workflow_failed', message: '', details: {} } as const
  await setup.stores.executions.cancel(owner.executionId, { error, completedAt: Date.now() })
  await setup.stores.providerCalls.update((await row())?.id ?? '', { job: 1 }, 1_000)

  const next = await setup.begin(owner.executionId)
  const resuming = { ...next, resumeChain: [owner.executionId] }
  const response = (await setup.modelClient([provider])).invoke(
    resuming,
    site,
    write({ model: 'one/model' }),
    running().run,
  )
  await until('the first look at the job', () => log.polls > 0 || undefined)
  assert.equal(await (await setup.modelClient([provider])).cancelOrphanedCalls(10), 0)
  isDone = true
  assert.equal((await response).text, 'red')
  assert.deepEqual([log.starts.length, log.cancels], [1, 0])
})

test('an orphaned call that cannot be ended keeps no others waiting', async (t) => {
  const setup = await openSetup(t)
  const { provider } = scripted('one', { start: () => ({ handle: { job: 1 }, waitMs: 60_000 }) })
  const modelClient = await setup.modelClient([provider])
  const lost = new Error('the row cannot be written')
  const ended: string[] = []
  const row = {
    accountId: 'acct_1',
    executionId: 'exec_1',
    provider: 'gone',
    model: 'a',
    capability: 'generate',
    state: 'accepted',
  }
  const rows = ['call_1', 'call_2', 'call_3'].map((id) => ({
    ...row,
    id,
    reservedMicros: 0,
    createdAt: 1,
    updatedAt: 1,
  }))
  t.mock.method(setup.stores.providerCalls, 'listOrphaned', async () => rows as never)
  t.mock.method(setup.stores.providerCalls, 'end', async (id: string) => {
    if (id === 'call_1') throw new DependencyUnavailable(lost)
    ended.push(id)
    return true
  })
  const pass = movableClock(t)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const cancelling = assert.rejects(modelClient.cancelOrphanedCalls(10), DependencyUnavailable)
  await until('the others to end', async () => {
    pass(31_000)
    t.mock.timers.tick(31_000)
    return ended.length === 2 || undefined
  })
  await cancelling
  assert.deepEqual(ended, ['call_2', 'call_3'])
})
