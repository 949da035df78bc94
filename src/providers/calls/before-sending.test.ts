import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/harness/wait.ts'
import { ProviderProblem } from '../define.ts'
import { movableClock, noHttp, openHouse, running, scripted, site, text, write } from './test-calls.ts'

const byModel = (fallback: string[] = []) => write({ model: 'one/model', fallback })

test('a call that ends while its mask is made has sent nothing: it costs nothing, and the next attempt sends it', async (t) => {
  for (const ending of ['handed_over', 'cancelled'] as const) {
    const house = await openHouse(t)
    const told = running(ending)
    const { provider, asked } = scripted('one', {
      start: () => text('red'),
      // As the SDK tells what the maker of the mask has thrown.
      prepare(n) {
        if (n > 1) return
        told.controller.abort(new Error('the process ends'))
        throw new ProviderProblem('unsupported', 'It cannot be asked this.')
      },
    })
    const owner = await house.begin()
    const modelClient = await house.modelClient([provider])
    await assert.rejects(modelClient.invoke(owner, site, byModel(), told.run), /the process ends/)
    const answer = await modelClient.invoke(await house.attempt(owner.executionId), site, byModel(), running().run)
    assert.deepEqual([answer.text, asked.starts.length], ['red', 2])
    const spent = await house.stores.providerCalls.spentOf(house.accountId, new Date().toISOString().slice(0, 7))
    assert.deepEqual(spent, { spentMicros: 100_000, reservedMicros: 0 })
  }
})

test('a request that took long to build is not sent if the lease was lost meanwhile', async (t) => {
  const pass = movableClock(t)
  const house = await openHouse(t)
  let sent = 0
  const http = { ...noHttp, fetch: async () => new Response(`${++sent}`) }
  const owner = await house.begin()
  const told = running('lease_lost')
  const { provider, asked } = scripted('one', {
    start: () => text('red'),
    async prepare() {
      pass(2_050)
      await house.attempt(owner.executionId)
    },
  })
  const going = (await house.modelClient([provider], { http })).invoke(owner, site, byModel(), told.run)
  const ended = async () => (await house.stores.providerCalls.at([owner.executionId], site))[0]?.state === 'cancelled'
  await until('the call to be cancelled', async () => (await ended()) || undefined)
  told.controller.abort(new Error('right lost'))
  await assert.rejects(going, /right lost/)
  assert.deepEqual([asked.starts.length, sent], [1, 0])
})

test('a request that cannot be built costs nothing, and the next model is called', async (t) => {
  const house = await openHouse(t)
  const one = scripted('one', {
    start: () => text('red'),
    prepare: () => Promise.reject(new TypeError('no such field')),
  })
  const two = scripted('two', { start: () => text('blue') })
  const told = running()
  const modelClient = await house.modelClient([one.provider, two.provider])
  const answer = await modelClient.invoke(await house.begin(), site, byModel(['two/model']), told.run)
  assert.equal(answer.text, 'blue')
  assert.deepEqual(
    told.records.map(({ outcome, costUsd }) => [outcome, costUsd]),
    [
      ['down', 0],
      ['done', 0.1],
    ],
  )
})
