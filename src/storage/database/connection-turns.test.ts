import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { workFor } from '../../domain/client-of-work.ts'
import { createConnectionTurns } from './connection-turns.ts'

const open = (connections: number) => createConnectionTurns(connections, 1_000, () => new Error('too long'))

/** The requests of a test, and the turns of them that have begun. */
function recorder(turns: ReturnType<typeof open>) {
  const began: { client: string; end(): void }[] = []
  const request = (client: string) =>
    workFor(client, () => turns.enter()).then((end) => {
      began.push({ client, end })
    })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return { began, request, settled, clients: () => began.map(({ client }) => client).join('') }
}

test('one client has at most half of the connections, and others begin immediately', async () => {
  const { began, request, settled, clients } = recorder(open(4))
  for (const client of 'AAAAAB') void request(client)
  await settled()
  assert.equal(clients(), 'AAB')
  void request('C')
  await settled()
  assert.equal(clients(), 'AABC')
  began[2]?.end()
  await settled()
  assert.equal(clients(), 'AABC', 'a third connection for A')
  began[0]?.end()
  await settled()
  assert.equal(clients(), 'AABCA')
  // Those that wait begin and end, too.
  for (const { end } of began) {
    end()
    await settled()
  }
  assert.equal(clients(), 'AABCAAA')
})

test('clients that wait take turns, however many requests each has', async () => {
  const { began, request, settled, clients } = recorder(open(1))
  for (const client of 'AAAAABBC') void request(client)
  for (let at = 0; at < 8; at++) {
    await settled()
    began[at]?.end()
    // A second call has no effect.
    began[at]?.end()
  }
  assert.equal(clients(), 'AABCABAA')
})

test('the service itself may have all connections', async () => {
  const turns = open(3)
  const ends = await Promise.all([turns.enter(), turns.enter(), turns.enter()])
  let hasBegun = false
  const fourth = workFor('A', () => turns.enter()).then(() => {
    hasBegun = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(hasBegun, false)
  ends[0]?.()
  await fourth
})

test('a wait without end is refused, and its place is free', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.after(() => mock.timers.reset())
  const turns = open(1)
  const end = await turns.enter()
  const waiting = assert.rejects(turns.enter(), /too long/)
  mock.timers.tick(1_000)
  await waiting
  end()
  await turns.enter()
})
