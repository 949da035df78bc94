/** An account at a limit gets a rejection, or waits, and another account notices nothing. */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { isMany } from '../harness/backing.ts'
import type { Executions } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { connections } from './attacks/connections.ts'
import {
  fetchesMax,
  heldFetches,
  heldSlots,
  runningExecutions,
  runningMaxOfStarter,
} from './attacks/held-executions.ts'
import type { Attack, Load } from './load.ts'
import { assertServed, probeNeighbour } from './notice.ts'
import { addressOfA, bodyOf, openSetup, type Setup } from './setup.ts'

describe('next to an account at its limit', { concurrency: 1 }, () => {
  const startAttack = async (t: TestContext, attack: Attack): Promise<{ setup: Setup; load: Load }> => {
    const setup = await openSetup(attack.settings, attack)
    t.after(() => setup.close())
    const load = await attack.start(setup)
    t.after(() => load.stop())
    return { setup, load }
  }

  test('of running executions, another account executes, and those above the limit start when one ends', async (t) => {
    const { setup, load } = await startAttack(t, runningExecutions)
    const waiting = async () => {
      const response = await setup.a.send('GET', '/workflows/executions?status=pending')
      return bodyOf<Executions>(response).executions.length
    }
    assertServed(await probeNeighbour(setup, 5), load)
    assert.equal(load.open(), runningMaxOfStarter)
    assert.equal(await waiting(), 5)
    await load.stop()
    await until('the executions above the limit', async () => (await waiting()) === 0 || undefined)
  })

  test('of fetches, another account fetches from the same host, and the others of the account follow', async (t) => {
    const { setup, load } = await startAttack(t, heldFetches)
    const fetched = () => setup.outside.requested.filter((path) => path.startsWith('/fetches')).length
    assertServed(await probeNeighbour(setup, 5, heldFetches), load)
    assert.equal(fetched(), fetchesMax)
    await load.stop()
    await until('the fetches above the limit', () => fetched() === 12 || undefined)
  })

  test('of slots, which are full of executions that wait for a host that does not respond, another account executes', async (t) => {
    const { setup, load } = await startAttack(t, heldSlots)
    const held = load.open()
    assertServed(await probeNeighbour(setup, 5), load)
    assert.equal(load.open(), held)
  })

  const skip = isMany
    ? 'the balancer is the client of each process'
    : addressOfA === undefined && 'A has the address of B'
  test('of connections of its address, another address connects, and the open connections of A stay', {
    skip,
  }, async (t) => {
    const { setup, load } = await startAttack(t, connections)
    const [open, closed] = [load.open(), load.responses.get('error')]
    assertServed(await probeNeighbour(setup, 5), load)
    assert.deepEqual([load.open(), load.responses.get('error')], [open, closed])
    await load.stop()
    await until('a connection of A', async () => {
      const response = await setup.a.send('GET', '/projects').catch(() => undefined)
      return response?.status === 200 || undefined
    })
  })
})
