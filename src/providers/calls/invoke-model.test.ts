import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plain } from '../../../test/harness/pictures.ts'
import { until as poll } from '../../../test/harness/wait.ts'
import type { ModelInvocation } from '../../domain/model.ts'
import { DependencyUnavailable, Fault, ResponseMismatch } from '../../errors.ts'
import { HttpProblem } from '../../net/provider-http.ts'
import { ProviderProblem } from '../define.ts'
import { movableClock, noHttp, openSetup, running, scripted, site, text, withoutPauses, write } from './test-calls.ts'

const byModel = (name = 'model', fields: Partial<ModelInvocation> = {}) => write({ model: `one/${name}`, ...fields })

/** The fault of a failed model call. */
async function failureOf(owner: Promise<unknown>): Promise<Fault> {
  try {
    await owner
  } catch (error) {
    assert.ok(error instanceof Fault, `${error}`)
    return error
  }
  return assert.fail('it did not fail')
}

test('records a response with its cost, and returns it for the same call without sending anything', async (t) => {
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', { start: () => text('red') })
  const owner = await setup.begin()
  const first = running()
  const response = await (await setup.modelClient([provider])).invoke(owner, site, byModel(), first.run)
  assert.deepEqual(response, { model: 'one/model', images: [], text: 'red' })
  assert.deepEqual(first.records, [{ model: 'one/model', outcome: 'done', costUsd: 0.1, costSource: 'computed' }])
  const again = running()
  const next = await setup.attempt(owner.executionId)
  assert.deepEqual(await (await setup.modelClient([provider])).invoke(next, site, byModel(), again.run), response)
  assert.equal(log.starts.length, 1)
  assert.deepEqual(again.records, first.records)
  const spent = await setup.stores.providerCalls.spentOf(setup.accountId, new Date().toISOString().slice(0, 7))
  assert.deepEqual(spent, { spentMicros: 100_000, reservedMicros: 0 })
})

test('decodes an image before it counts as a result, and keeps it for the next attempt', async (t) => {
  const setup = await openSetup(t)
  const png = await plain('png')
  const { provider, log } = scripted('one', { start: () => ({ done: { images: [png], seed: 7 } }) })
  const owner = await setup.begin()
  const modelClient = await setup.modelClient([provider])
  const invocation = byModel('model', { capability: 'generate' })
  const response = await modelClient.invoke(owner, site, invocation, running().run)
  assert.deepEqual(response, { model: 'one/model', images: [png], seed: 7 })
  assert.deepEqual(
    await modelClient.invoke(await setup.attempt(owner.executionId), site, invocation, running().run),
    response,
  )
  assert.equal(log.starts.length, 1)
})

test('reports bytes that are not an image as bad output that was billed, and calls the next model', async (t) => {
  const setup = await openSetup(t)
  const png = await plain('png')
  const one = scripted('one', { start: () => ({ done: { images: [png.subarray(0, 60)] } }) })
  const two = scripted('two', { start: () => ({ done: { images: [png] } }) })
  const runState = running()
  const invocation = byModel('model', { capability: 'generate', fallback: ['two/model'] })
  const response = await (await setup.modelClient([one.provider, two.provider])).invoke(
    await setup.begin(),
    site,
    invocation,
    runState.run,
  )
  assert.equal(response.model, 'two/model')
  assert.deepEqual(
    runState.records.map(({ outcome, costUsd }) => [outcome, costUsd]),
    [
      ['bad_output', 0.1],
      ['done', 0.1],
    ],
  )
})

test('fetches a damaged result file once more, and reports a missing one as expired', async (t) => {
  const pausesMs = withoutPauses(t)
  const setup = await openSetup(t)
  const png = await plain('png')
  const files = [png.subarray(0, 60), png]
  const http = { ...noHttp, download: async () => files.shift() ?? assert.fail('fetched too often') }
  const one = scripted('one', { start: () => ({ done: { images: [{ url: 'https://files.example.com/1' }] } }) })
  const invocation = byModel('model', { capability: 'generate' })
  const modelClient = await setup.modelClient([one.provider], { http })
  assert.deepEqual((await modelClient.invoke(await setup.begin(), site, invocation, running().run)).images, [png])
  const notYet = [new HttpProblem('broken', false, 'not yet', { status: 404 })]
  const late = { ...noHttp, download: async () => (notYet.length > 0 ? Promise.reject(notYet.pop()) : png) }
  const patient = await setup.modelClient([one.provider], { http: late })
  assert.deepEqual((await patient.invoke(await setup.begin(), site, invocation, running().run)).images, [png])
  const notFound = {
    ...noHttp,
    download: () => Promise.reject(new HttpProblem('broken', false, 'gone', { status: 404 })),
  }
  const other = await setup.modelClient([one.provider], { http: notFound })
  const fault = await failureOf(other.invoke(await setup.begin(), site, invocation, running().run))
  assert.deepEqual([fault.details.problem, fault.details.billed], ['expired', 'yes'])
  assert.deepEqual(pausesMs, [1_000, 1_000, 2_000, 4_000])
})

test('requests a damaged image of a job once more before it is bad output', async (t) => {
  const setup = await openSetup(t)
  const png = await plain('png')
  const cut = png.subarray(0, 60)
  const files = [cut, png, cut, cut]
  const { provider, log } = scripted('one', {
    start: () => ({ handle: {}, waitMs: 1 }),
    poll: () => ({ done: { images: [files.shift() ?? assert.fail('fetched too often')] } }),
  })
  const invocation = byModel('model', { capability: 'generate' })
  const modelClient = await setup.modelClient([provider])
  assert.deepEqual((await modelClient.invoke(await setup.begin(), site, invocation, running().run)).images, [png])
  const fault = await failureOf(modelClient.invoke(await setup.begin(), site, invocation, running().run))
  assert.deepEqual([fault.details.problem, fault.details.billed], ['bad_output', 'yes'])
  assert.deepEqual([log.starts.length, log.polls], [2, 4])
})

test('a job continues after a crash: it is polled and not sent again', async (t) => {
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', {
    start: () => ({ handle: { job: 1 }, requestId: 'r1', waitMs: 60_000 }),
    poll: (n) => (n < 3 ? { pending: { waitMs: 1, handle: { job: 1, n } } } : { done: { text: 'red' } }),
  })
  const owner = await setup.begin()
  const first = running('handed_over')
  const going = (await setup.modelClient([provider])).invoke(owner, site, byModel(), first.run)
  await until(async () => (await setup.stores.providerCalls.at([owner.executionId], site))[0]?.state === 'accepted')
  first.controller.abort(new Error('the process ends'))
  await assert.rejects(going, /the process ends/)
  const next = running()
  const response = await (await setup.modelClient([provider])).invoke(
    await setup.attempt(owner.executionId),
    site,
    byModel(),
    next.run,
  )
  assert.equal(response.text, 'red')
  assert.deepEqual([log.starts.length, log.polls, log.cancels], [1, 3, 0])
  assert.deepEqual(
    next.records.map(({ requestId }) => requestId),
    ['r1'],
  )
})

test('waits through temporary failures of polls as long as the provider says, and reports a missing job as expired', async (t) => {
  const pausesMs = withoutPauses(t)
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', {
    start: () => ({ handle: {}, waitMs: 1 }),
    poll: (n) => {
      if (n === 1) throw new HttpProblem('broken', false, 'reset')
      if (n === 2)
        throw Object.assign(new Error('x'), { statusCode: 503, url: '', responseHeaders: { 'retry-after': '7' } })
      if (n === 3) return { done: { text: 'red' } }
      throw Object.assign(new Error('x'), { statusCode: 404, url: '' })
    },
  })
  const modelClient = await setup.modelClient([provider])
  assert.equal((await modelClient.invoke(await setup.begin(), site, byModel(), running().run)).text, 'red')
  const fault = await failureOf(modelClient.invoke(await setup.begin(), site, byModel(), running().run))
  assert.deepEqual([fault.details.reason, fault.details.problem], ['provider_unavailable', 'expired'])
  assert.deepEqual([log.starts.length, log.polls], [2, 4])
  assert.ok(pausesMs.includes(7_000), `${pausesMs}`)
})

test('does not send a request again that may have been carried out, and reports it as unknown with its reservation', async (t) => {
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', {
    start: () => Promise.reject(new HttpProblem('broken', false, 'the connection was reset')),
  })
  const owner = await setup.begin()
  const first = running()
  const invocation = byModel('model', { fallback: ['one/wonder'] })
  const modelClient = await setup.modelClient([provider])
  const fault = await failureOf(modelClient.invoke(owner, site, invocation, first.run))
  assert.deepEqual(
    [fault.details.reason, fault.details.problem, fault.details.billed, fault.details.model],
    ['provider_unavailable', 'outcome_unknown', 'unknown', 'one/model'],
  )
  assert.deepEqual(first.records, [
    { model: 'one/model', outcome: 'outcome_unknown', costUsd: 0.1, costSource: 'assumed' },
  ])
  const again = await failureOf(
    modelClient.invoke(await setup.attempt(owner.executionId), site, invocation, running().run),
  )
  assert.deepEqual(again.details, fault.details)
  assert.equal(log.starts.length, 1)
})

test('sends a request with an unknown outcome again if the node allows it, at most three times', async (t) => {
  withoutPauses(t)
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', {
    start: () => Promise.reject(new HttpProblem('timeout', false, 'no response')),
  })
  const invocation = byModel('model', { onUnknownOutcome: 'retry' })
  const modelClient = await setup.modelClient([provider])
  const fault = await failureOf(modelClient.invoke(await setup.begin(), site, invocation, running().run))
  assert.equal(fault.details.problem, 'outcome_unknown')
  assert.match(fault.message, /^one\/model may have completed the request up to 3 times, .* Execute again later\.$/)
  assert.equal(log.starts.length, 3)
})

test('looks an interrupted call up by its id if the provider supports it', async (t) => {
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', {
    start: () => Promise.reject(new HttpProblem('broken', false, 'reset')),
    find: (call) => ({ handle: { id: call.id }, waitMs: 1 }),
    poll: () => ({ done: { text: 'red' } }),
  })
  const modelClient = await setup.modelClient([provider])
  assert.equal((await modelClient.invoke(await setup.begin(), site, byModel(), running().run)).text, 'red')
  assert.deepEqual([log.starts.length, log.finds], [1, 1])
})

test('sends a request that was certainly not carried out again after the wait of the provider', async (t) => {
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', {
    start: (_call, n) => {
      if (n === 1) throw new ProviderProblem('rate_limited', 'slow down', { status: 429, retryAfterMs: 5 })
      if (n === 2) throw new ProviderProblem('down', 'busy', { status: 503, retryAfterMs: 5 })
      return text('red')
    },
  })
  const runState = running()
  const modelClient = await setup.modelClient([provider])
  assert.equal((await modelClient.invoke(await setup.begin(), site, byModel(), runState.run)).text, 'red')
  assert.deepEqual(
    runState.records.map(({ outcome, costUsd }) => [outcome, costUsd]),
    [
      ['rate_limited', 0],
      ['down', 0],
      ['done', 0.1],
    ],
  )
  assert.equal(log.starts.length, 3)
})

test('uses the next provider of the list after the last retry', async (t) => {
  const setup = await openSetup(t)
  const one = scripted('one', {
    start: () => Promise.reject(new ProviderProblem('rate_limited', '', { retryAfterMs: 1 })),
  })
  const two = scripted('two', { start: () => text('blue') })
  const modelClient = await setup.modelClient([one.provider, two.provider])
  const invocation = byModel('model', { fallback: ['two/model'] })
  assert.equal((await modelClient.invoke(await setup.begin(), site, invocation, running().run)).text, 'blue')
  assert.equal(one.log.starts.length, 3)
})

test('uses the next provider immediately if the wait exceeds the remaining time', async (t) => {
  const setup = await openSetup(t)
  const one = scripted('one', {
    start: () => Promise.reject(new ProviderProblem('rate_limited', '', { retryAfterMs: 3_600_000 })),
  })
  const two = scripted('two', { start: () => text('blue') })
  const modelClient = await setup.modelClient([one.provider, two.provider])
  const invocation = byModel('model', { fallback: ['two/model'] })
  assert.equal((await modelClient.invoke(await setup.begin(), site, invocation, running().run)).text, 'blue')
  const runState = running()
  await modelClient.invoke(await setup.begin(), site, invocation, runState.run)
  assert.equal(one.log.starts.length, 1, 'the next ask does not even try')
  assert.deepEqual(
    runState.records.map(({ outcome }) => outcome),
    ['rate_limited', 'done'],
  )
})

test('does not send declined content to the next model', async (t) => {
  const setup = await openSetup(t)
  const one = scripted('one', {
    start: () => Promise.reject(new ProviderProblem('refused', 'no such pictures', { status: 400, requestId: 'r9' })),
  })
  const two = scripted('two', { start: () => text('blue') })
  const invocation = byModel('model', { fallback: ['two/model'] })
  const modelClient = await setup.modelClient([one.provider, two.provider])
  const fault = await failureOf(modelClient.invoke(await setup.begin(), site, invocation, running().run))
  assert.deepEqual(
    [fault.details.reason, fault.details.problem, fault.details.billed],
    ['provider_refused', 'refused', 'no'],
  )
  assert.deepEqual([fault.details.status, fault.details.providerRequestId], [400, 'r9'])
  assert.match(fault.message, /one\/model rejected the content: no such pictures\. Change the prompt/)
  assert.equal(two.log.starts.length, 0)
})

test('skips a model without a key, and fails with the name of the variable if it is the only one', async (t) => {
  const setup = await openSetup(t)
  const one = scripted('one', { start: () => text('red') })
  const two = scripted('two', { start: () => text('blue') })
  const modelClient = await setup.modelClient([one.provider, two.provider], { configured: ['two'] })
  const runState = running()
  const invocation = byModel('model', { fallback: ['two/model'] })
  assert.equal((await modelClient.invoke(await setup.begin(), site, invocation, runState.run)).text, 'blue')
  assert.deepEqual(
    runState.records.map(({ outcome }) => outcome),
    ['not_configured', 'done'],
  )
  const fault = await failureOf(modelClient.invoke(await setup.begin(), site, byModel(), running().run))
  assert.equal(fault.details.reason, 'provider_not_configured')
  assert.match(fault.message, /ONE_KEY/)
  const none = await setup.modelClient([one.provider], { configured: [] })
  const noProvider = await failureOf(none.invoke(await setup.begin(), site, write(), running().run))
  assert.equal(noProvider.details.reason, 'provider_not_configured')
  assert.match(noProvider.message, /ONE_KEY/)
})

test('the list continues at its position after a crash: failed models are not called again', async (t) => {
  const setup = await openSetup(t)
  const one = scripted('one', { start: () => Promise.reject(new ProviderProblem('auth', 'the key sk-123')) })
  const two = scripted('two', {
    start: (_call, n) => (n === 1 ? { handle: {}, waitMs: 60_000 } : assert.fail('sent twice')),
    poll: () => ({ done: { text: 'blue' } }),
  })
  const invocation = byModel('model', { fallback: ['two/model'] })
  const owner = await setup.begin()
  const first = running('handed_over')
  const going = (await setup.modelClient([one.provider, two.provider])).invoke(owner, site, invocation, first.run)
  await until(async () => (await setup.stores.providerCalls.at([owner.executionId], site))[1]?.state === 'accepted')
  first.controller.abort(new Error('bye'))
  await assert.rejects(going)
  const runState = running()
  const modelClient = await setup.modelClient([one.provider, two.provider])
  const response = await modelClient.invoke(await setup.attempt(owner.executionId), site, invocation, runState.run)
  assert.equal(response.text, 'blue')
  assert.equal(one.log.starts.length, 1)
  assert.deepEqual(
    runState.records.map(({ outcome }) => outcome),
    ['auth', 'done'],
  )
})

test('a cancelled call cancels its job at the provider, and its possible cost counts', async (t) => {
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', {
    start: () => ({ handle: {}, waitMs: 60_000 }),
    poll: () => assert.fail('polled'),
    cancel: () => Promise.reject(new Error('it does not like that')),
  })
  const owner = await setup.begin()
  const modelClient = await setup.modelClient([provider])
  const runState = running('cancelled')
  const going = modelClient.invoke(owner, site, byModel(), runState.run)
  await until(async () => (await setup.stores.providerCalls.at([owner.executionId], site))[0]?.state === 'accepted')
  runState.controller.abort(new Error('not wanted'))
  await assert.rejects(going, /not wanted/)
  assert.equal(log.cancels, 1)
  assert.match(modelClient.errors[0]?.message ?? '', /could not be cancelled/)
  assert.deepEqual(runState.records, [
    { model: 'one/model', outcome: 'cancelled', costUsd: 0.1, costSource: 'assumed' },
  ])
})

test('a call that is handed over during its request keeps the response for the next attempt', async (t) => {
  const setup = await openSetup(t)
  const response = Promise.withResolvers<void>()
  const { provider, log } = scripted('one', {
    async start(_call, _n, signal) {
      await response.promise
      assert.equal(signal.aborted, false)
      return text('red')
    },
  })
  const owner = await setup.begin()
  const modelClient = await setup.modelClient([provider])
  const runState = running('handed_over')
  const going = modelClient.invoke(owner, site, byModel(), runState.run)
  await until(async () => log.starts.length === 1)
  runState.controller.abort(new Error('shutting down'))
  await assert.rejects(going, /shutting down/)
  const next = modelClient.invoke(await setup.attempt(owner.executionId), site, byModel(), running().run)
  response.resolve()
  assert.equal((await next).text, 'red')
  assert.equal(log.starts.length, 1)
})

test('a call that is cancelled during its request waits briefly for its job, to cancel it', async (t) => {
  const setup = await openSetup(t)
  const response = Promise.withResolvers<void>()
  const { provider, log } = scripted('one', {
    async start(_call, _n, signal) {
      await response.promise
      assert.equal(signal.aborted, false)
      return { handle: { job: 7 }, requestId: 'job-7' }
    },
    poll: () => assert.fail('polled'),
  })
  const owner = await setup.begin()
  const modelClient = await setup.modelClient([provider])
  const runState = running('cancelled')
  const going = modelClient.invoke(owner, site, byModel(), runState.run)
  await until(async () => log.starts.length === 1)
  runState.controller.abort(new Error('not wanted'))
  response.resolve()
  await assert.rejects(going, /not wanted/)
  assert.equal(log.cancels, 1)
  const [call] = await setup.stores.providerCalls.at([owner.executionId], site)
  assert.deepEqual([call?.state, call?.requestId, call?.costSource], ['cancelled', 'job-7', 'assumed'])
})

test('a call that is cancelled during its request aborts it if there is no job, and is not sent again', async (t) => {
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', {
    cancel: false,
    start: (_call, _n, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  })
  const owner = await setup.begin()
  const modelClient = await setup.modelClient([provider])
  const runState = running('cancelled')
  const going = modelClient.invoke(owner, site, byModel(), runState.run)
  await until(async () => log.starts.length === 1)
  runState.controller.abort(new Error('not wanted'))
  await assert.rejects(going, /not wanted/)
  assert.deepEqual(
    runState.records.map(({ outcome, costUsd }) => [outcome, costUsd]),
    [['cancelled', 0.1]],
  )
  const again = await failureOf(
    modelClient.invoke(await setup.attempt(owner.executionId), site, byModel(), running().run),
  )
  assert.equal(again.details.problem, 'cancelled')
  assert.match(
    again.message,
    /^one\/model was cancelled: by this service, because .* another step failed, .* Execute again\.$/,
  )
  assert.equal(log.starts.length, 1)
})

test('the next attempt sends a cancelled call without costs again', async (t) => {
  const setup = await openSetup(t)
  const price = { per: 'call', usd: 0, asOf: '2026-11' } as const
  const { provider, log } = scripted(
    'one',
    {
      start: (_call, n) => (n === 1 ? { handle: {}, waitMs: 60_000 } : text('red')),
      poll: () => assert.fail('polled'),
    },
    { models: [{ name: 'model', can: { write: {} }, price }] },
  )
  const owner = await setup.begin()
  const modelClient = await setup.modelClient([provider])
  const runState = running('cancelled')
  const going = modelClient.invoke(owner, site, byModel(), runState.run)
  await until(async () => (await setup.stores.providerCalls.at([owner.executionId], site))[0]?.state === 'accepted')
  runState.controller.abort(new Error('another step failed'))
  await assert.rejects(going, /another step failed/)
  const next = running()
  const response = await modelClient.invoke(await setup.attempt(owner.executionId), site, byModel(), next.run)
  assert.deepEqual([response.text, log.starts.length, log.cancels], ['red', 2, 1])
  assert.deepEqual(
    next.records.map(({ outcome, costUsd }) => [outcome, costUsd]),
    [
      ['cancelled', 0],
      ['done', 0],
    ],
  )
})

test('does not send a job again that was cancelled at its provider', async (t) => {
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', {
    start: () => ({ handle: {}, waitMs: 1 }),
    poll: () => Promise.reject(new ProviderProblem('cancelled', 'Someone interrupted the job.', { billed: 'no' })),
  })
  const modelClient = await setup.modelClient([provider])
  const fault = await failureOf(modelClient.invoke(await setup.begin(), site, byModel(), running().run))
  assert.equal(fault.details.problem, 'cancelled')
  assert.match(fault.message, /was cancelled: Someone interrupted the job\. Execute again\.$/)
  assert.equal(log.starts.length, 1)
})

test('cancels a job that exceeds the deadline, and calls no other model', async (t) => {
  const setup = await openSetup(t)
  const one = scripted('one', { start: () => ({ handle: {}, waitMs: 5 }), poll: () => ({ pending: { waitMs: 5 } }) })
  const two = scripted('two', { start: () => text('blue') })
  const modelClient = await setup.modelClient([one.provider, two.provider])
  const invocation = byModel('model', { fallback: ['two/model'] })
  const runState = running('cancelled')
  const owner = await setup.begin()
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const failing = failureOf(modelClient.invoke(owner, site, invocation, runState.run))
  await until(async () => one.log.polls > 0)
  t.mock.timers.tick(60_000)
  const fault = await failing
  assert.deepEqual([fault.details.reason, fault.details.billed], ['timeout', 'unknown'])
  assert.deepEqual([one.log.cancels, two.log.starts.length], [1, 0])
  assert.deepEqual(
    runState.records.map(({ outcome, costSource }) => [outcome, costSource]),
    [['timeout', 'assumed']],
  )
})

test('an attempt that was cancelled elsewhere cancels its job, and one that continues elsewhere keeps it', async (t) => {
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', {
    start: () => ({ handle: {}, waitMs: 60_000 }),
    poll: () => assert.fail('polled'),
  })
  const modelClient = await setup.modelClient([provider])
  for (const isCancelled of [false, true]) {
    const owner = await setup.begin()
    const runState = running('lease_lost')
    const going = modelClient.invoke(owner, site, byModel(), runState.run)
    await until(async () => (await setup.stores.providerCalls.at([owner.executionId], site))[0]?.state === 'accepted')
    const error = { code: 'workflow_failed', message: '', details: {} } as const
    if (isCancelled) await setup.stores.executions.cancel(owner.executionId, { error, completedAt: Date.now() })
    else await setup.attempt(owner.executionId)
    runState.controller.abort(new Error('right lost'))
    await assert.rejects(going, /right lost/)
    const [call] = await setup.stores.providerCalls.at([owner.executionId], site)
    assert.deepEqual([call?.state, log.cancels], isCancelled ? ['cancelled', 1] : ['accepted', 0])
  }
})

test('two concurrent calls at one place send one request, and get the same response', async (t) => {
  const allRequested = Promise.withResolvers<void>()
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', {
    start: async () => {
      await allRequested.promise
      return text('red')
    },
  })
  const owner = await setup.begin()
  let startedCalls = 0
  const modelClient = await setup.modelClient([provider], {
    calls: (calls) => ({
      ...calls,
      async begin(...all) {
        const result = await calls.begin(...all)
        if (++startedCalls === 3) allRequested.resolve()
        return result
      },
    }),
  })
  const responses = await Promise.all([1, 2, 3].map(() => modelClient.invoke(owner, site, byModel(), running().run)))
  assert.deepEqual(
    responses.map((response) => response.text),
    ['red', 'red', 'red'],
  )
  assert.equal(log.starts.length, 1)
})

test('records the outcome of a call even if the records are briefly unavailable', async (t) => {
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', { start: () => text('red') })
  let tries = 0
  const modelClient = await setup.modelClient([provider], {
    calls: (calls) => ({
      ...calls,
      end: (...all) => (++tries === 1 ? Promise.reject(new Error('connection refused')) : calls.end(...all)),
    }),
  })
  const owner = await setup.begin()
  assert.equal((await modelClient.invoke(owner, site, byModel(), running().run)).text, 'red')
  const [call] = await setup.stores.providerCalls.at([owner.executionId], site)
  assert.deepEqual([call?.state, log.starts.length, tries], ['done', 1, 2])
})

test('does not send a request that was recorded too long ago to be sure of the lease, if the lease is lost', async (t) => {
  const pass = movableClock(t)
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', { start: () => text('red') })
  const modelClient = await setup.modelClient([provider], {
    calls: (calls) => ({
      ...calls,
      async begin(...all) {
        const outcome = await calls.begin(...all)
        pass(2_050)
        await setup.attempt(all[0].executionId)
        return outcome
      },
    }),
  })
  const owner = await setup.begin()
  const runState = running('lease_lost')
  const going = modelClient.invoke(owner, site, byModel(), runState.run)
  await until(async () => (await setup.stores.providerCalls.at([owner.executionId], site))[0]?.state === 'cancelled')
  runState.controller.abort(new Error('right lost'))
  await assert.rejects(going, /right lost/)
  const [call] = await setup.stores.providerCalls.at([owner.executionId], site)
  assert.deepEqual([log.starts.length, call?.costMicros], [0, 0])
})

test('rejects a call that would exceed a budget before sending, and a call without a price if there is a budget', async (t) => {
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', { start: () => text('red') })
  const modelClient = await setup.modelClient([provider], {
    budgets: { executionMicros: 150_000, accountMonthMicros: null },
  })
  const owner = await setup.begin()
  await modelClient.invoke(owner, site, byModel(), running().run)
  const over = await failureOf(modelClient.invoke(owner, { ...site, ordinal: 1 }, byModel(), running().run))
  assert.deepEqual([over.details.reason, over.details.problem], ['limit_exceeded', 'budget'])
  assert.match(over.message, /\$0\.10.*\$0\.10 of the budget per execution \(\$0\.15\) is spent/)
  const unknown = await failureOf(modelClient.invoke(owner, { ...site, ordinal: 2 }, byModel('wonder'), running().run))
  assert.match(unknown.message, /MODELS_FILE/)
  assert.equal(log.starts.length, 1)
})

test('a resumed execution reuses paid results of the earlier one, for equal requests only', async (t) => {
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', { start: (_call, n) => text(`response ${n}`) })
  const modelClient = await setup.modelClient([provider])
  const former = await setup.begin()
  await modelClient.invoke(former, site, byModel(), running().run)
  const next = { ...(await setup.begin(former.executionId)), resumeChain: [former.executionId] }
  const runState = running()
  assert.equal((await modelClient.invoke(next, site, byModel(), runState.run)).text, 'response 1')
  assert.deepEqual(
    runState.records.map(({ outcome, costUsd }) => [outcome, costUsd]),
    [['done', 0]],
  )
  const other = byModel('model', { request: async () => ({ prompt: 'something else', images: [] }) })
  assert.equal((await modelClient.invoke(next, site, other, running().run)).text, 'response 2')
  assert.equal(log.starts.length, 2)
})

test('five failures in a row open the circuit: the provider is not called, and the next one is', async (t) => {
  const setup = await openSetup(t)
  const one = scripted('one', { start: () => Promise.reject(new ProviderProblem('down', 'out of order')) })
  const two = scripted('two', { start: () => text('blue') })
  const modelClient = await setup.modelClient([one.provider, two.provider])
  const invocation = byModel('model', { fallback: ['two/model'] })
  const owner = await setup.begin()
  for (let ordinal = 0; ordinal < 7; ordinal++)
    await modelClient.invoke(owner, { ...site, ordinal }, invocation, running().run)
  assert.equal(one.log.starts.length, 5)
  const fault = await failureOf(modelClient.invoke(owner, { ...site, ordinal: 9 }, byModel(), running().run))
  assert.equal(fault.details.problem, 'circuit_open')
})

test('a response that the operation rejects is bad output, with the message of the operation', async (t) => {
  const setup = await openSetup(t)
  const { provider } = scripted('one', { start: () => text('maybe') })
  const modelClient = await setup.modelClient([provider])
  const invocation = byModel('model', { accept: () => Promise.reject(new Error('it says neither yes nor no')) })
  const fault = await failureOf(modelClient.invoke(await setup.begin(), site, invocation, running().run))
  assert.deepEqual([fault.details.problem, fault.details.billed], ['bad_output', 'yes'])
  assert.match(fault.message, /neither yes nor no/)
})

/** Requires JSON with a headline. */
const structured = (fields: Partial<ModelInvocation> = {}) =>
  byModel('model', {
    request: async () => ({ prompt: 'A card', images: [], schema: { type: 'object' } }),
    async accept({ text: response = '' }) {
      if (!response.includes('headline')) throw new ResponseMismatch('headline is required.')
    },
    ...fields,
  })

test('a response that does not match the schema is requested once more, with the difference', async (t) => {
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', { start: (_, n) => text(n === 1 ? '{}' : '{"headline":"A"}') })
  const owner = await setup.begin()
  const first = running()
  const response = await (await setup.modelClient([provider])).invoke(owner, site, structured(), first.run)
  assert.equal(response.text, '{"headline":"A"}')
  assert.deepEqual(
    first.records.map(({ outcome, costUsd }) => [outcome, costUsd]),
    [
      ['mismatch', 0.1],
      ['done', 0.1],
    ],
  )
  const [one, two] = log.starts.map(({ request }) => request)
  assert.match(
    one?.prompt ?? '',
    /^A card\n\nRespond with nothing but JSON that matches this JSON Schema.*\{"type":"object"\}$/s,
  )
  assert.match(two?.prompt ?? '', /did not match the schema: headline is required\.\nCorrect that\.$/)
  // The schema is sent only to models whose provider supports it.
  assert.equal(one?.schema, undefined)
  // The next attempt sends nothing, and a resumed execution finds the response of the same request.
  const next = await setup.attempt(owner.executionId)
  const again = await (await setup.modelClient([provider])).invoke(next, site, structured(), running().run)
  const resumed = await setup.attempt((await setup.begin(owner.executionId)).executionId, [owner.executionId])
  const later = await (await setup.modelClient([provider])).invoke(resumed, site, structured(), running().run)
  assert.deepEqual([again.text, later.text, log.starts.length], [response.text, response.text, 2])
})

test('after two responses that do not match, the next model is called, or the step fails with the difference', async (t) => {
  const setup = await openSetup(t)
  const one = scripted('one', { start: () => text('{}') })
  const two = scripted('two', { start: () => text('{"headline":"B"}') })
  const runState = running()
  const modelClient = await setup.modelClient([one.provider, two.provider])
  const invocation = structured({ fallback: ['two/model'] })
  const response = await modelClient.invoke(await setup.begin(), site, invocation, runState.run)
  assert.deepEqual([response.model, response.text], ['two/model', '{"headline":"B"}'])
  assert.deepEqual(
    runState.records.map(({ outcome }) => outcome),
    ['mismatch', 'mismatch', 'done'],
  )
  const fault = await failureOf(modelClient.invoke(await setup.begin(), site, structured(), running().run))
  assert.deepEqual(
    [fault.details.reason, fault.details.problem, fault.details.billed],
    ['provider_unavailable', 'mismatch', 'yes'],
  )
  assert.match(
    fault.message,
    /one\/model returned a response that does not match the schema: headline is required\. Execute again/,
  )
  assert.equal(one.log.starts.length, 4)
})

test('after a crash, a response that did not match still counts', async (t) => {
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', { start: () => text('{}') })
  const owner = await setup.begin()
  const first = running()
  const begun = (await setup.modelClient([provider])).invoke(
    owner,
    site,
    structured({
      async accept() {
        first.controller.abort(new Error('the process ends'))
        throw new ResponseMismatch('headline is required.')
      },
    }),
    first.run,
  )
  await assert.rejects(begun, /the process ends/)
  await until(async () => (await setup.stores.providerCalls.at([owner.executionId], site))[0]?.state === 'failed')
  const next = await setup.attempt(owner.executionId)
  await failureOf((await setup.modelClient([provider])).invoke(next, site, structured(), running().run))
  assert.equal(log.starts.length, 2)
})

test('a model with structured output gets the schema, and the prompt without it', async (t) => {
  const setup = await openSetup(t)
  const models = [{ name: 'model', can: { write: { structuredOutput: true } } }]
  const { provider, log } = scripted('one', { start: () => text('{"headline":"A"}') }, { models })
  await (await setup.modelClient([provider])).invoke(await setup.begin(), site, structured(), running().run)
  const [call] = log.starts
  assert.deepEqual([call?.request.prompt, call?.request.schema], ['A card', { type: 'object' }])
})

test('text has no control characters and at most the requested length', async (t) => {
  const setup = await openSetup(t)
  const { provider } = scripted('one', { start: () => text('  a\u0000\u001b[1mb\n🎈🎈🎈  ') })
  const modelClient = await setup.modelClient([provider])
  const invocation = byModel('model', { request: async () => ({ prompt: 'x', images: [], charsMax: 8 }) })
  assert.equal((await modelClient.invoke(await setup.begin(), site, invocation, running().run)).text, 'a[1mb\n🎈🎈')
})

test('reports unreachable records before sending, and sends nothing', async (t) => {
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', { start: () => text('red') })
  const away = { ...setup.stores.providerCalls, at: () => Promise.reject(new Error('connection refused')) }
  const modelClient = await setup.modelClient([provider], { calls: () => away })
  await assert.rejects(modelClient.invoke(await setup.begin(), site, byModel(), running().run), DependencyUnavailable)
  assert.equal(log.starts.length, 0)
})

test('runs a local model in this process, and skips it if it is not installed', async (t) => {
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', { start: () => text('red') })
  const local = [{ name: 'here', can: { write: {} } }]
  const modelClient = await setup.modelClient([provider], { local })
  const names: string[] = []
  const invocation = write({ model: 'here', fallback: ['one/model'], local: async (name) => void names.push(name) })
  assert.deepEqual(await modelClient.invoke(await setup.begin(), site, invocation, running().run), {
    model: 'local/here',
    images: [],
  })
  assert.deepEqual([names, log.starts.length], [['local/here'], 0])
  const missing = () =>
    Promise.reject(new Fault('workflow_failed', 'It is not installed.', { reason: 'provider_not_configured' }))
  const response = await modelClient.invoke(await setup.begin(), site, { ...invocation, local: missing }, running().run)
  assert.equal(response.text, 'red')
})

test('cancels calls whose execution has ended without them, at the provider too', async (t) => {
  const setup = await openSetup(t)
  const { provider, log } = scripted('one', {
    start: () => ({ handle: {}, waitMs: 60_000 }),
    poll: () => assert.fail('polled'),
  })
  const owner = await setup.begin()
  const runState = running('handed_over')
  const going = (await setup.modelClient([provider])).invoke(owner, site, byModel(), runState.run)
  await until(async () => (await setup.stores.providerCalls.at([owner.executionId], site))[0]?.state === 'accepted')
  runState.controller.abort(new Error('bye'))
  await assert.rejects(going)
  const [open] = await setup.stores.providerCalls.at([owner.executionId], site)
  await setup.stores.providerCalls.update(open?.id ?? '', {}, 1_000)
  const modelClient = await setup.modelClient([provider])
  assert.equal(await modelClient.cancelOrphanedCalls(10), 0, 'while it runs')
  const error = { code: 'workflow_failed', message: '', details: {} } as const
  await setup.stores.executions.cancel(owner.executionId, { error, completedAt: Date.now() })
  assert.equal(await modelClient.cancelOrphanedCalls(10), 1)
  const [call] = await setup.stores.providerCalls.at([owner.executionId], site)
  assert.deepEqual([call?.state, call?.costMicros, call?.costSource, log.cancels], ['cancelled', 100_000, 'assumed', 1])
})

test('no report of a call contains the key of a provider', async (t) => {
  const setup = await openSetup(t)
  const key = 'secret-key-of-one'
  for (const start of [
    () => Promise.reject(new ProviderProblem('invalid_request', `bad ${key} ${encodeURIComponent(key)}`)),
    () => Promise.reject(Object.assign(new Error(`wrong key ${key}`), { statusCode: 400, url: '', responseBody: key })),
    () => Promise.reject(new TypeError(`cannot read ${Buffer.from(`${key}:`).toString('base64')}`)),
  ]) {
    const { provider } = scripted('one', { start })
    const modelClient = await setup.modelClient([provider])
    const owner = await setup.begin()
    const fault = await failureOf(modelClient.invoke(owner, site, byModel(), running().run))
    const rows = await setup.stores.providerCalls.at([owner.executionId], site)
    const all = JSON.stringify([fault.message, fault.details, rows, modelClient.errors.map(({ message }) => message)])
    assert.doesNotMatch(all, /secret-key-of|c2VjcmV0LWtle/)
  }
})

function until(is: () => Promise<boolean>): Promise<true> {
  return poll('the call to get there', async () => (await is()) || undefined)
}
