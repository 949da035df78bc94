import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type CallEnd, type CallState, callStates, type ProviderCall } from '../../domain/models/provider-call.ts'
import { CallRecord } from './call-record.ts'
import { type Transition, transitions } from './states.ts'
import { openSetup, running, scripted, site, text, write } from './test-calls.ts'

const noBudgets = { executionMicros: null, accountMonthMicros: null }

test('the README has the table of states that the code has', () => {
  const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8')
  const rows = [...readme.matchAll(/^\| `(\w+)` +\| `(\w+)` +\| (.+?) +\|$/gm)]
  assert.deepEqual(
    rows.map(([, from, to, when]) => ({ from, to, when })),
    transitions,
  )
  assert.ok(readme.trimEnd().split('\n').length <= 30)
})

test('every state can be reached, and a final state never changes', () => {
  assert.deepEqual(new Set(transitions.map(({ to }) => to)), new Set(callStates))
  const changing = new Set(transitions.map(({ from }) => from))
  assert.deepEqual(changing, new Set(['new', 'submitting', 'accepted']))
})

test('a record changes as the table says, in the store too, and throws at every other change', async (t) => {
  const setup = await openSetup(t)
  const template = await recordedCall(setup)
  const { stores, blobs } = setup
  const owner = await setup.begin()
  const dependencies = { calls: stores.providerCalls, executions: stores.executions, blobs, clock: { now: Date.now } }
  let sequence = 0
  for (const from of ['new', ...callStates] as const) {
    for (const to of callStates) {
      const record = new CallRecord(dependencies)
      const row: ProviderCall = { ...template, id: `call_${++sequence}`, executionId: owner.executionId, sequence }
      for (const state of pathTo(from)) await change(record, row, state)
      const stored = async () =>
        (await stores.providerCalls.at([owner.executionId], site)).find(({ id }) => id === row.id)?.state
      const isLegal = transitions.some((each) => each.from === from && each.to === to)
      const changing = change(record, row, to)
      if (isLegal) await changing
      else await assert.rejects(changing, new Error(`a model call can't change from ${from} to ${to}`))
      assert.equal(await stored(), isLegal ? to : from === 'new' ? undefined : from, `${from} -> ${to}`)
    }
  }

  async function change(record: CallRecord, row: ProviderCall, to: CallState): Promise<void> {
    if (to === 'submitting') {
      const outcome = await record.create(row, owner.attempt, noBudgets, new AbortController().signal)
      return assert.equal(outcome, 'started')
    }
    if (to === 'accepted') return assert.ok(await record.accept({ job: 1 }, null))
    const end: CallEnd = { state: to, costMicros: 0, costSource: 'computed' }
    assert.ok(await record.end(end))
  }
})

/** The changes that lead to a state. */
function pathTo(state: Transition['from']): CallState[] {
  if (state === 'new') return []
  return state === 'submitting'
    ? ['submitting']
    : state === 'accepted'
      ? ['submitting', 'accepted']
      : ['submitting', state]
}

async function recordedCall(setup: Awaited<ReturnType<typeof openSetup>>): Promise<ProviderCall> {
  const { provider } = scripted('one', { start: () => text('red') })
  const owner = await setup.begin()
  await (await setup.modelClient([provider])).invoke(owner, site, write({ model: 'one/model' }), running().run)
  const [row] = await setup.stores.providerCalls.at([owner.executionId], site)
  assert.ok(row)
  const ended = { response: null, costMicros: null, costSource: null } as const
  return { ...row, ...ended, state: 'submitting' }
}
