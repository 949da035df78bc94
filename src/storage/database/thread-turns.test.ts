import assert from 'node:assert/strict'
import { mock, type TestContext, test } from 'node:test'
import { workFor } from '../../domain/client-of-work.ts'
import { countTurns } from '../../imaging/raster/test-turns.ts'
import { createThreadTurns } from './thread-turns.ts'

/** A clock that only work moves. */
function open(t: TestContext) {
  let ms = 0
  mock.method(performance, 'now', () => ms)
  t.after(() => mock.restoreAll())
  const turns = createThreadTurns()
  const order: string[] = []
  /** One statement, and work on its result of this time. */
  const statement = (client: string, takes: number) =>
    workFor(client, async () => {
      await turns.enter()
      turns.leave()
      ms += takes
      order.push(client)
    })
  return { statement, order, pass: (time: number) => (ms += time) }
}

test('clients take turns, however many statements each has', async (t) => {
  const { statement, order } = open(t)
  await Promise.all([...'AAAABBC'].map((client) => statement(client, 1)))
  assert.equal(order.join(''), 'AABCABA')
})

test('other work of the event loop comes before the next statement after 10 ms', async (t) => {
  const { statement } = open(t)
  const turns = countTurns()
  await Promise.all(Array.from({ length: 10 }, (_, at) => statement(`account ${at}`, 10)))
  turns.stop()
  assert.ok(turns.count() >= 8, `${turns.count()} turns`)
})

test('a client rests after a long turn, and all statements of another one come first', async (t) => {
  const { statement, order, pass } = open(t)
  const first = statement('A', 60)
  const second = statement('A', 60)
  await first
  for (let at = 0; at < 5; at++) await statement('B', 1)
  assert.equal(order.join(''), 'ABBBBB')
  pass(60)
  await second
  assert.equal(order.join(''), 'ABBBBBA')
})

test('the service itself does not rest', async (t) => {
  const { pass } = open(t)
  const turns = createThreadTurns()
  await turns.enter()
  turns.leave()
  pass(60)
  await turns.enter()
  turns.leave()
  await turns.enter()
})
