import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/harness/wait.ts'
import { ProviderProblem } from '../define.ts'
import { movableClock, noHttp, openSetup, running, scripted, site, text, write } from './test-calls.ts'

const byModel = (fallback: string[] = []) => write({ model: 'one/model', fallback })

test('a call that ends while its mask is made has sent nothing: it costs nothing, and the next attempt sends it', async (t) => {
  for (const ending of ['handed_over', 'cancelled'] as const) {
    const setup = await openSetup(t)
    const runState = running(ending)
    const { provider, log } = scripted('one', {
      start: () => text('red'),
      // The form in which the SDK reports an error of the function that creates the mask.
      prepare(n) {
        if (n > 1) return
        runState.controller.abort(new Error('the process ends'))
        throw new ProviderProblem('unsupported', 'It cannot be asked this.')
      },
    })
    const owner = await setup.begin()
    const modelClient = await setup.modelClient([provider])
    await assert.rejects(modelClient.invoke(owner, site, byModel(), runState.run), /the process ends/)
    const response = await modelClient.invoke(await setup.attempt(owner.executionId), site, byModel(), running().run)
    assert.deepEqual([response.text, log.starts.length], ['red', 2])
    const spent = await setup.stores.providerCalls.spentOf(setup.accountId, new Date().toISOString().slice(0, 7))
    assert.deepEqual(spent, { spentMicros: 100_000, reservedMicros: 0 })
  }
})

test('a request that took long to build is not sent if the lease was lost meanwhile', async (t) => {
  const pass = movableClock(t)
  const setup = await openSetup(t)
  let sent = 0
  const http = { ...noHttp, fetch: async () => new Response(`${++sent}`) }
  const owner = await setup.begin()
  const runState = running('lease_lost')
  const { provider, log } = scripted('one', {
    start: () => text('red'),
    async prepare() {
      pass(2_050)
      await setup.attempt(owner.executionId)
    },
  })
  const going = (await setup.modelClient([provider], { http })).invoke(owner, site, byModel(), runState.run)
  const ended = async () => (await setup.stores.providerCalls.at([owner.executionId], site))[0]?.state === 'cancelled'
  await until('the call to be cancelled', async () => (await ended()) || undefined)
  runState.controller.abort(new Error('right lost'))
  await assert.rejects(going, /right lost/)
  assert.deepEqual([log.starts.length, sent], [1, 0])
})

test('a request that cannot be built costs nothing, and the next model is called', async (t) => {
  const setup = await openSetup(t)
  const one = scripted('one', {
    start: () => text('red'),
    prepare: () => Promise.reject(new TypeError('no such field')),
  })
  const two = scripted('two', { start: () => text('blue') })
  const runState = running()
  const modelClient = await setup.modelClient([one.provider, two.provider])
  const response = await modelClient.invoke(await setup.begin(), site, byModel(['two/model']), runState.run)
  assert.equal(response.text, 'blue')
  assert.deepEqual(
    runState.records.map(({ outcome, costUsd }) => [outcome, costUsd]),
    [
      ['down', 0],
      ['done', 0.1],
    ],
  )
})
