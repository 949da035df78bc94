import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/harness/wait.ts'
import { DependencyUnavailable } from '../../errors.ts'
import { type Provider, ProviderProblem } from '../define.ts'
import { movableClock, openSetup, running, scripted, site, text, write } from './test-calls.ts'

const invocation = write({ model: 'one/model' })

test('calls that the budget rejects say nothing about the provider: five failures among them open the circuit', async (t) => {
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', { start: () => Promise.reject(new ProviderProblem('down', 'broken')) })
  // Free of charge where it fails; what has no room in the budget is not sent.
  const budgets = { executionMicros: 100_000, accountMonthMicros: null as number | null }
  const modelClient = await setup.modelClient([provider], { budgets })
  const owner = await setup.begin()
  const problems: unknown[] = []
  for (let ordinal = 0; ordinal < 10; ordinal++) {
    budgets.accountMonthMicros = ordinal % 2 ? 1 : null
    const error = await modelClient
      .invoke(owner, { ...site, ordinal }, invocation, running().run)
      .catch((error) => error)
    problems.push(error.details.problem)
  }
  assert.deepEqual(problems, [...Array(4).fill(['down', 'budget']).flat(), 'down', 'circuit_open'])
  assert.equal(log.starts.length, 5)
})

test('accepted jobs that never end open the circuit, of this attempt and of those that it takes over', async (t) => {
  const setup = await openSetup(t)
  const polled = new Set<unknown>()
  const poll: Provider['poll'] = async ({ job }) => {
    polled.add(job)
    return { pending: { waitMs: 5 } }
  }
  const { provider, log } = scripted('one', { start: ({ id }) => ({ handle: { job: id }, waitMs: 5 }) }, { poll })
  const modelClient = await setup.modelClient([provider])
  const owner = await setup.begin()
  const left = running('handed_over')
  const going = modelClient.invoke(owner, { ...site, ordinal: 9 }, invocation, left.run)
  await until('the first look at the job', () => polled.size > 0 || undefined)
  left.controller.abort(new Error('bye'))
  await assert.rejects(going, /bye/)
  polled.clear()
  const next = await setup.attempt(owner.executionId)
  const problemAt = (ordinal: number) =>
    modelClient
      .invoke(next, { ...site, ordinal }, invocation, running('cancelled').run)
      .catch((error) => error.details.problem)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const problems = Promise.all([9, 0, 1, 2, 3].map(problemAt))
  await until('a look at each of the five jobs', () => polled.size === 5 || undefined)
  t.mock.timers.tick(60_000)
  assert.deepEqual(await problems, Array(5).fill('timeout'))
  assert.equal(await problemAt(4), 'circuit_open')
  assert.equal(log.starts.length, 5)
})

test('sends nothing while the lease cannot be checked, and the execution is retried', async (t) => {
  const pass = movableClock(t)
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', { start: () => text('red') })
  let isAway = true
  const modelClient = await setup.modelClient([provider], {
    calls: (calls) => ({
      ...calls,
      async begin(...all) {
        const outcome = await calls.begin(...all)
        if (isAway) pass(2_050)
        return outcome
      },
    }),
    executions: (executions) => ({
      ...executions,
      whichRun: (runs) => (isAway ? Promise.reject(new Error('connection refused')) : executions.whichRun(runs)),
    }),
  })
  const owner = await setup.begin()
  await assert.rejects(modelClient.invoke(owner, site, invocation, running().run), DependencyUnavailable)
  assert.equal(log.starts.length, 0)
  isAway = false
  const response = await modelClient.invoke(await setup.attempt(owner.executionId), site, invocation, running().run)
  assert.deepEqual([response.text, log.starts.length], ['red', 1])
})

test('checks the lease again after a request that took long to build', async (t) => {
  const pass = movableClock(t)
  const setup = await openSetup(t)
  const { provider } = scripted('one', {
    start: () => assert.fail('sent'),
    prepare: async () => pass(2_050),
  })
  const modelClient = await setup.modelClient([provider], {
    executions: (executions) => ({ ...executions, whichRun: () => Promise.reject(new Error('connection refused')) }),
  })
  const owner = await setup.begin()
  await assert.rejects(modelClient.invoke(owner, site, invocation, running().run), DependencyUnavailable)
  const [call] = await setup.stores.providerCalls.at([owner.executionId], site)
  assert.deepEqual([call?.state, call?.costMicros], ['cancelled', 0])
})
