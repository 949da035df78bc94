/** Calls of test keys: no provider of the service sees them, whichever process continues them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { execution } from '../../../test/contract/records.ts'
import { twinOf } from '../../domain/accounts/twin.ts'
import { fakeOf } from '../fake.ts'
import { openSetup, running, scripted, site, write } from './test-calls.ts'

async function openTwin(t: Parameters<typeof openSetup>[0]) {
  const setup = await openSetup(t)
  const { stores, accountId } = setup
  const owner = (await stores.accounts.find(accountId)) ?? assert.fail()
  const id = twinOf(accountId)
  await stores.accounts.create({ ...owner, id })
  const { items } = await stores.workflows.list(accountId, { limit: 1, offset: 0 }, {})
  const begin = async () => {
    const created = { ...execution(items[0] ?? assert.fail()), accountId: id }
    await stores.executions.create(created)
    return { ...(await setup.attempt(created.id)), accountId: id }
  }
  return { ...setup, begin }
}

test('a call of a twin is answered by a fake, and its cost is 0', async (t) => {
  const setup = await openTwin(t)
  const { provider, log } = scripted('one', { start: () => ({ done: { text: 'real' } }) })
  const client = await setup.modelClient([provider], { configured: [], tests: [fakeOf(provider)] })
  const { text } = await client.invoke(await setup.begin(), site, write({ model: 'one/model' }), running().run)
  assert.match(text ?? '', /^FAKE one model/)
  assert.equal(log.starts.length, 0)
  const live = await setup.modelClient([provider], { tests: [fakeOf(provider)] })
  const owner = { ...(await setup.begin()), accountId: setup.accountId }
  assert.equal(
    (await live.invoke(owner, { ...site, ordinal: 1 }, write({ model: 'one/model' }), running().run)).text,
    'real',
  )
})

test('a fallback, a call that another process left open, and one that is orphaned reach no provider', async (t) => {
  const setup = await openTwin(t)
  const { provider, log } = scripted('one', {
    start: () => ({ done: { text: 'real' } }),
    find: () => ({ done: { text: 'real' } }),
  })
  const other = scripted('two', { start: () => ({ done: { text: 'real' } }) })
  const providers = [provider, other.provider]
  const refusing = {
    ...fakeOf(provider),
    start: () => Promise.reject(new Error('this process has ended')),
  }
  const owner = await setup.begin()
  const invocation = write({ model: 'one/model', fallback: ['two/model'] })
  const first = await setup.modelClient(providers, { tests: [refusing, fakeOf(other.provider)] })
  assert.match((await first.invoke(owner, site, invocation, running().run)).text ?? '', /^FAKE two model/)

  const created = Date.now() - 86_400_000
  const [row] = await setup.stores.providerCalls.at([owner.executionId], site)
  t.mock.method(setup.stores.providerCalls, 'listOrphaned', async () => [
    { ...row, id: 'call_lost', state: 'submitting', createdAt: created, updatedAt: created },
  ])
  t.mock.method(setup.stores.providerCalls, 'end', async () => true)
  const next = await setup.modelClient(providers, { tests: providers.map(fakeOf) })
  assert.equal(await next.cancelOrphanedCalls(10), 1)
  assert.deepEqual([log.starts.length, log.finds, log.cancels, other.log.starts.length], [0, 0, 0, 0])
})
