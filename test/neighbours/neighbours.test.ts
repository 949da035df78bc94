/**
 * Account B is served while account A does its worst. These tests check the order of events, CPU time and memory, which
 * other work on the machine doesn't change. `npm run bench -- --only neighbours` measures response times.
 */
import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { repetitions } from '../harness/repetitions.ts'
import { until } from '../harness/wait.ts'
import { runningBatch } from './attacks/batches.ts'
import { costlySources } from './attacks/costly-sources.ts'
import { deliverySizes } from './attacks/delivery-urls.ts'
import { largeBodies } from './attacks/large-bodies.ts'
import { largeTemplates } from './attacks/large-templates.ts'
import { largeUploads } from './attacks/large-uploads.ts'
import { longContains } from './attacks/long-contains.ts'
import { longNumbers } from './attacks/long-numbers.ts'
import { longResponses } from './attacks/long-responses.ts'
import { longTexts } from './attacks/long-texts.ts'
import { refusedBodies } from './attacks/refused-bodies.ts'
import { refusedConnections } from './attacks/refused-connections.ts'
import { silentNames } from './attacks/silent-names.ts'
import { slowWebhooks } from './attacks/slow-webhooks.ts'
import { usedWorkflows } from './attacks/used-workflows.ts'
import { validateLarge } from './attacks/validate.ts'
import { waitingExecutions } from './attacks/waiting-executions.ts'
import { wrongKeys } from './attacks/wrong-keys.ts'
import { type Attack, type Load, listStatuses } from './load.ts'
import { assertServed, probeNeighbour } from './notice.ts'
import { openDescriptors, openSetup, type Setup } from './setup.ts'

const slots = 2
const backlog = waitingExecutions(60)
const linuxOnly = { skip: process.platform !== 'linux' && 'open descriptors are counted in /proc' }
describe('next to an account with hostile load', { concurrency: 1 }, () => {
  let setup: Setup
  before(async () => {
    setup = await openSetup({
      NODE_OPTIONS: '--max-old-space-size=1024',
      ...wrongKeys.settings,
      ...backlog.settings,
      EXECUTIONS_RUNNING_MAX: String(slots),
    })
  })
  after(async () => {
    await setup?.close()
  })

  const startAttack = async (t: TestContext, attack: Attack): Promise<Load> => {
    const load = await attack.start(setup)
    t.after(() => load.stop())
    return load
  }

  for (const attack of [
    largeTemplates,
    longContains,
    longNumbers,
    longTexts,
    validateLarge,
    usedWorkflows,
    largeBodies,
    longResponses,
  ]) {
    test(`the event loop stays free for another account: ${attack.name}`, async (t) => {
      const load = await startAttack(t, attack)
      assertServed(await probeNeighbour(setup, 5, attack), load)
      const isAccepted = () => [200, 201, 202].some((status) => load.responses.has(status))
      if (!attack.isRefused) await until('a request of the load to be accepted', () => isAccepted() || undefined)
    })
  }

  test('bodies that are refused leave time for another account', async (t) => {
    const load = await startAttack(t, refusedBodies)
    assertServed(await probeNeighbour(setup, 5))
    assert.deepEqual([...load.responses.keys()], [404])
  })

  test('refused connections are released, although the client keeps them open', linuxOnly, async (t) => {
    const before = openDescriptors(setup.service)
    await startAttack(t, refusedConnections(repetitions(200, 500)))
    assertServed(await probeNeighbour(setup, 5))
    await until('the connections to be released', () => openDescriptors(setup.service) <= before + 20 || undefined)
  })

  test('an address that sends wrong keys is limited, and another address is not', async (t) => {
    const load = await startAttack(t, wrongKeys)
    await until('a limit for both kinds of requests', () => (load.responses.get(429) ?? 0) >= 20 || undefined)
    assertServed(await probeNeighbour(setup, 5), load)
    assert.deepEqual([...load.responses.keys()].sort(), [401, 429])
    assert.ok((load.responses.get(401) ?? 0) <= 2 * 160, listStatuses(load))
  })

  test('look-ups at a silent name server do not delay fetches of another account', async (t) => {
    const load = await startAttack(t, silentNames)
    assertServed(await probeNeighbour(setup, 5, silentNames), load)
  })

  test('sources that take as long as they may to decode do not delay executions of another account', async (t) => {
    const load = await startAttack(t, costlySources)
    assertServed(await probeNeighbour(setup, 5, costlySources), load)
  })

  test('webhook receivers that do not respond do not delay the webhooks of another account', async (t) => {
    const load = await startAttack(t, slowWebhooks)
    const { b, outside, sourceUrl, tiny } = setup
    outside.serve('/webhook-of-b', (request, response) => {
      request.resume()
      response.end()
    })
    const json = { workflowId: tiny, webhookUrl: sourceUrl('/webhook-of-b') }
    for (let i = 1; i <= 3; i++) {
      assert.equal((await b.send('POST', '/workflows/execute', { json })).status, 200)
      const received = () => outside.requested.filter((path) => path === '/webhook-of-b').length
      await until('the webhook of B', () => received() >= i || undefined)
    }
    assertServed(await probeNeighbour(setup, 5), load)
  })

  /** Sends requests next to A before and after it has responses, each of which has one of these statuses. */
  const probeNextTo = async (t: TestContext, attack: Attack, statuses: number[]): Promise<void> => {
    const load = await startAttack(t, attack)
    assertServed(await probeNeighbour(setup, 5), load)
    await until('two responses to A', () => sumOf(load) >= 2 || undefined, 300)
    assertServed(await probeNeighbour(setup, 5), load)
    assert.deepEqual(
      [...load.responses.keys()].filter((status) => !statuses.includes(Number(status))),
      [],
      listStatuses(load),
    )
  }

  // Stored, or rejected with a reason: never an internal error or a broken connection.
  test('uploads that take much memory share it, and do not delay another account', (t) =>
    probeNextTo(t, largeUploads, [201, 400, 413, 429, 503]))

  test('sizes of an image by delivery URLs do not delay another account', (t) =>
    probeNextTo(t, deliverySizes, [200, 429, 503]))

  test('the rows of a batch do not delay another account', async (t) => {
    const load = await startAttack(t, runningBatch)
    assertServed(await probeNeighbour(setup, 5))
    await until('two uploads of rows', () => (load.responses.get(200) ?? 0) >= 2 || undefined)
    assertServed(await probeNeighbour(setup, 5))
  })

  test('waiting executions of an account, and those above its limit, do not delay another account', async (t) => {
    const load = await startAttack(t, backlog)
    assertServed(await probeNeighbour(setup, 5), load)
    assert.deepEqual(
      [...load.responses.keys()].filter((status) => status !== 202 && status !== 429),
      [],
    )
  })
})

function sumOf({ responses }: Load): number {
  return [...responses.values()].reduce((total, each) => total + each, 0)
}
