import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelRequest } from '../../domain/model.ts'
import type { Budgets } from '../../domain/provider-call.ts'
import { ProviderProblem } from '../define.ts'
import { reserve } from './costs.ts'
import { openSetup, running, scripted, site, write } from './test-calls.ts'

test('replaces an implausible cost by the price of the table, and keeps the response', async (t) => {
  const setup = await openSetup(t)
  for (const costMicros of [Number.NaN, -5, Number.POSITIVE_INFINITY, 1e300]) {
    const { provider } = scripted('one', { start: () => ({ done: { text: 'red', costMicros } }) })
    const runState = running()
    const response = await (await setup.modelClient([provider])).invoke(
      await setup.begin(),
      site,
      write(),
      runState.run,
    )
    assert.equal(response.text, 'red')
    assert.deepEqual(
      runState.records.map(({ costUsd, costSource }) => [costUsd, costSource]),
      [[0.1, 'computed']],
    )
  }
})

test('a failure with an implausible cost counts with its reservation', async (t) => {
  const setup = await openSetup(t)
  const { provider } = scripted('one', {
    start: () => Promise.reject(new ProviderProblem('refused', 'no', { billed: 'yes', costMicros: 1e300 })),
  })
  const runState = running()
  await assert.rejects(async () =>
    (await setup.modelClient([provider])).invoke(
      await setup.begin(),
      site,
      write({ model: 'one/model' }),
      runState.run,
    ),
  )
  assert.deepEqual(
    runState.records.map(({ costUsd, costSource }) => [costUsd, costSource]),
    [[0.1, 'assumed']],
  )
})

test('reserves the maximum if the model chooses the size, however small the image', () => {
  const bytes = Buffer.alloc(0)
  const image = { bytes, mediaType: 'image/png', width: 100, height: 100 } as const
  const sizes = { listed: ['1000x1000', '2000x1000'] }
  const row = {
    name: 'model',
    can: { edit: { sizes }, inpaint: {} },
    price: { per: 'megapixel', usd: 1, asOf: '2026-11' } as const,
  }
  const model = { provider: 'one', row, unavailableReason: undefined }
  const budgets = { executionMicros: 1, accountMonthMicros: null }
  const set = (capability: ModelRequest['capability']) => reserve(model, { capability, images: [image] }, budgets)
  assert.equal(set('edit'), 2_000_000)
  assert.equal(set('inpaint'), 10_000)
})

test('a call of unknown price is refused under each kind of budget, and reserves nothing without one', () => {
  const model = { provider: 'one', row: { name: 'model', can: { write: {} } }, unavailableReason: undefined }
  const none = { executionMicros: null, accountMonthMicros: null }
  const set = (budgets: Partial<Budgets>) =>
    reserve(model, { capability: 'write', images: [] }, { ...none, ...budgets })
  assert.equal(set({}), 0)
  for (const budgets of [
    { executionMicros: 5 },
    { accountMonthMicros: 5 },
    { batch: { id: 'batch_1', micros: 5 } },
    { signingKeyMonthMicros: 5 },
  ])
    assert.equal(set(budgets), undefined, JSON.stringify(budgets))
})
