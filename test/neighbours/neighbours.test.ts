/**
 * Account B is served while account A does its worst. These tests look at the order of events, at CPU time and at memory, which other work on
 * the machine doesn't change. Response times are measured by `npm run bench -- --only neighbours`.
 */
import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { repetitions } from '../harness/repetitions.ts'
import { until } from '../harness/wait.ts'
import { largeTemplates } from './attacks/large-templates.ts'
import { longContains } from './attacks/long-contains.ts'
import { refusedConnections } from './attacks/refused-connections.ts'
import { validateLarge } from './attacks/validate.ts'
import { wrongKeys } from './attacks/wrong-keys.ts'
import { type Attack, type Load, listAnswers } from './load.ts'
import { type Noticed, noticedNothing, probe, withHealth } from './probe.ts'
import { openDescriptors, openStage, residentBytes, type Stage } from './stage.ts'

const slots = 2
const linuxOnly = { skip: process.platform !== 'linux' && 'open descriptors are counted in /proc' }
/** A heap of 1 GiB, and the images of as many executions as there are slots. */
const residentBytesMax = 1_800_000_000
/** An event loop that is blocked for at most 50 ms by each of A's open requests, in the few turns that a health check takes. */
const mainThreadMsMax = 1_000

describe('next to an account that does its worst', { concurrency: 1 }, () => {
  let stage: Stage
  before(async () => {
    stage = await openStage({
      NODE_OPTIONS: '--max-old-space-size=1024',
      ...wrongKeys.settings,
      EXECUTIONS_RUNNING_MAX: String(slots),
    })
  })
  after(async () => {
    await stage?.close()
  })

  const begin = async (t: TestContext, attack: Attack): Promise<Load> => {
    const load = await attack.begin(stage)
    t.after(() => load.stop())
    return load
  }

  for (const attack of [largeTemplates, longContains, validateLarge]) {
    test(`the event loop stays free for another account: ${attack.name}`, async (t) => {
      const load = await begin(t, attack)
      assertServed(await notice(stage, 5), load)
    })
  }

  test('connections that were refused are released, although the client keeps them open', linuxOnly, async (t) => {
    const before = openDescriptors(stage.service)
    await begin(t, refusedConnections(repetitions(200, 500)))
    assertServed(await notice(stage, 5), undefined)
    await until('the connections to be released', () => openDescriptors(stage.service) <= before + 20 || undefined)
  })

  test('an address that sends wrong keys is limited, and another address is not', async (t) => {
    const load = await begin(t, wrongKeys)
    await until('a limit for both kinds of requests', () => (load.answers.get(429) ?? 0) >= 20 || undefined)
    assertServed(await notice(stage, 5), load)
    assert.deepEqual([...load.answers.keys()].sort(), [401, 429])
    assert.ok((load.answers.get(401) ?? 0) <= 2 * 160, listAnswers(load))
  })
})

/** Probes B, with health checks at the same time, and checks what these wait for. */
async function notice(stage: Stage, probes: number): Promise<Noticed> {
  const noticed = noticedNothing()
  const work = async () => {
    for (let i = 0; i < probes; i++) await probe(stage, noticed)
  }
  await withHealth(stage.service, noticed, work())
  const slowest = Math.max(...noticed.mainThreadMs)
  assert.ok(slowest <= mainThreadMsMax, `a health check waited for ${slowest} ms of CPU`)
  const resident = residentBytes(stage.service)
  assert.ok(resident < residentBytesMax, `${resident} bytes are resident`)
  return noticed
}

/** B had every response, while A still waited for its own. */
function assertServed({ refused }: Noticed, load: Load | undefined): void {
  assert.equal(refused, 0, 'requests of B were refused')
  if (load) assert.ok(load.open() > 0, `A no longer sends anything: ${listAnswers(load)}`)
}
