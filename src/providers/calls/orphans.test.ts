import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/harness/wait.ts'
import { openHouse, running, scripted, site, write } from './test-calls.ts'

test('a job that continues for a resuming execution is not cancelled, by other processes either', async (t) => {
  let isDone = false
  const house = await openHouse(t)
  const { provider, asked } = scripted('one', {
    start: () => ({ handle: { job: 1 }, waitMs: 60_000 }),
    poll: async () => {
      return isDone ? { done: { text: 'red' } } : { pending: { waitMs: 5 } }
    },
  })
  const owner = await house.begin()
  const told = running('handed_over')
  const going = (await house.modelClient([provider])).invoke(owner, site, write({ model: 'one/model' }), told.run)
  const row = async () => (await house.stores.providerCalls.at([owner.executionId], site))[0]
  await until('the job to be accepted', async () => (await row())?.state === 'accepted' || undefined)
  told.controller.abort(new Error('bye'))
  await assert.rejects(going)
  const error = { code: 'workflow_failed', message: '', details: {} } as const
  await house.stores.executions.cancel(owner.executionId, { error, completedAt: Date.now() })
  await house.stores.providerCalls.update((await row())?.id ?? '', { job: 1 }, 1_000)

  const next = await house.begin(owner.executionId)
  const resuming = { ...next, resumeChain: [owner.executionId] }
  const answer = (await house.modelClient([provider])).invoke(
    resuming,
    site,
    write({ model: 'one/model' }),
    running().run,
  )
  await until('the first look at the job', () => asked.polls > 0 || undefined)
  assert.equal(await (await house.modelClient([provider])).cancelOrphanedCalls(10), 0)
  isDone = true
  assert.equal((await answer).text, 'red')
  assert.deepEqual([asked.starts.length, asked.cancels], [1, 0])
})
