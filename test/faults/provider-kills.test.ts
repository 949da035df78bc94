/**
 * The service is killed at each point of a model call, for every provider of the registry, and starts again on the same
 * data: its provider always bills one job. A request that may have been sent is not sent again, unless the node allows
 * it. `provider-random-kills.matrix.ts` kills it at random points.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fault } from '../../fakes/src/faults.ts'
import { polls, results, submits } from '../contract/providers-faults.ts'
import { until } from '../harness/wait.ts'
import { billedFor, documentOf, environmentOf, openWays, type Way } from './provider-scene.ts'
import { type ExecutionWithCost, openSetup, type Running, type Setup, spentOn } from './provider-setup.ts'

interface Point {
  /** A node with this name halts there, unless a fault of the fake stops the call; see halting-service.ts. */
  name: string
  isFor?(way: Way): boolean
  /** The fault with which the fake stops the call there. */
  held?(way: Way): Fault
  /** The number of jobs at the provider at that point. */
  sent: 0 | 1
  /** Whether the records determine the next action. */
  isKnown(way: Way): boolean
}

const always = () => true
const never = () => false
const isQueued = (way: Way) => way.isQueued
/** A provider with ten seconds between polls: a request at that point has been polled by then. */
const isSlow = ({ name }: Way) => name === 'stability/upscale-creative'
/**
 * Without the provider between two points, all providers behave the same, so one of each kind is enough: synchronous,
 * with jobs, and with a look-up by our id.
 */
const isExample = ({ subject }: Way) => ['openai', 'fal', 'comfyui'].includes(subject.provider.id)
const isQuick = (way: Way) => way.isQueued && !isSlow(way)
const poll = (nth: number, at?: 'after'): Fault => ({ when: { ...polls, nth }, do: 'hang', ...(at && { at }) })
const submit =
  (at?: Fault['at']) =>
  (way: Way): Fault => ({ when: submits(way.subject), do: 'hang', ...(at && { at }) })

const points: Point[] = [
  { name: 'begin_before', isFor: isExample, sent: 0, isKnown: always },
  { name: 'begin_after', sent: 0, isKnown: never },
  { name: 'request_sent', held: submit(), sent: 0, isKnown: never },
  { name: 'carried_out', held: submit('after'), sent: 1, isKnown: never },
  { name: 'answer_begun', held: submit('middle'), sent: 1, isKnown: never },
  { name: 'accept_before', isFor: isQueued, sent: 1, isKnown: never },
  { name: 'accept_after', isFor: isQuick, sent: 1, isKnown: always },
  { name: 'queued', isFor: isQuick, held: () => poll(1), sent: 1, isKnown: always },
  { name: 'running', isFor: isQuick, held: () => poll(2), sent: 1, isKnown: always },
  { name: 'ready', isFor: isQueued, held: () => poll(3, 'after'), sent: 1, isKnown: always },
  { name: 'downloading', isFor: isQueued, held: download, sent: 1, isKnown: always },
  { name: 'commit_before', isFor: isExample, sent: 1, isKnown: isQueued },
  { name: 'commit_after', isFor: isExample, sent: 1, isKnown: isQueued },
  { name: 'end_before', sent: 1, isKnown: isQueued },
  { name: 'end_after', isFor: isExample, sent: 1, isKnown: always },
  { name: 'complete_before', isFor: isExample, sent: 1, isKnown: always },
]

function download(way: Way): Fault {
  const when = results(way.subject)
  // If the result is the response of a poll, it is the third poll.
  return { when: isSlow(way) ? { ...when, nth: 3 } : when, do: 'hang', at: 'middle' }
}

/** Points at which a node with `onUnknownOutcome: retry` sends a new call. */
const retriedAt = ['begin_after', 'carried_out']
/** Points at which a failed execution is resumed, which sends calls with unknown outcomes again. */
const resumedAt = 'answer_begun'

interface Trial {
  way: Way
  point: Point
  number: number
  isRetried: boolean
  id: string
  what: string
}

test('a provider bills one job, at whatever point of a call the service is killed', async (t) => {
  const ways = await openWays()
  t.after(() => Promise.all(ways.map(({ fake }) => fake.close())))
  const setup = await openSetup(t, environmentOf(ways))
  const halting = await setup.startHalting()
  const trials = (await Promise.all(byFake(ways).map((all) => holdAll(all, setup, halting)))).flat()
  for (const { point, way, number, what } of trials) assert.equal(billedFor(way.fake, number), point.sent, what)
  await halting.kill()

  const { process: service } = await setup.start()
  await setup.allEnded()
  const unknown: Trial[] = []
  for (const trial of trials) if (await staysUnknown(setup, trial)) unknown.push(trial)
  t.diagnostic(`killed at ${trials.length} points of ${ways.length} ways; ${unknown.length} outcomes are unknown`)
  assert.ok(unknown.length >= ways.length && unknown.length < trials.length)
  await setup.accountsAreSettled()

  const resumed = unknown.filter(({ point, way }) => point.name === resumedAt && !isSlow(way))
  const [ids, going] = await Promise.all([
    Promise.all(resumed.map(({ id }) => setup.resume(id))),
    Promise.all(byFake(ways).map((all) => beginAll(all, setup))),
  ])
  service.signal('SIGTERM')
  assert.equal(await service.ended(), 0)

  await setup.start()
  await setup.allEnded()
  for (const [n, { way, number, what }] of resumed.entries()) {
    assert.equal((await setup.look(ids[n] ?? '')).status, 'completed', `${what}, and resumed`)
    assert.equal(billedFor(way.fake, number), 2, `${what}, and resumed`)
  }
  for (const { way, number, id } of going.flat()) {
    const what = `${way.name}, ended in an orderly way while it was asked`
    const { status, error } = await setup.look(id)
    assert.equal(status, 'completed', `${what}: ${JSON.stringify(error)}`)
    assert.equal(billedFor(way.fake, number), 1, what)
  }
  await setup.accountsAreSettled()
})

/** The response is in transit, or the job waits, when the service has to end. */
async function beginAll(ways: readonly Way[], setup: Setup): Promise<Pick<Trial, 'way' | 'number' | 'id'>[]> {
  const begun = []
  for (const [n, way] of ways.filter((each) => !isSlow(each)).entries()) {
    const number = orderlyFrom + n
    const fault: Fault = way.isQueued ? poll(1) : { when: submits(way.subject), do: 'slow', ms: 1_000 }
    const seen = way.fake.log.length
    way.fake.script(fault)
    const id = await setup.execute(documentOf(way, number, 'picture'))
    await until(way.name, () => way.fake.log.slice(seen).some((each) => each.fault === fault.do) || undefined, 30)
    begun.push({ way, number, id })
  }
  return begun
}

/** Numbers after those of the kills. */
const orderlyFrom = 500

/** One after the other if a fake stops calls, so that the fault applies to the right call. The others run concurrently. */
async function holdAll(ways: readonly Way[], setup: Setup, halting: Running): Promise<Trial[]> {
  const trials: Trial[] = []
  let number = 0
  const begin = async (way: Way, point: Point, isRetried: boolean) => {
    const own = ++number
    const params = isRetried ? { onUnknownOutcome: 'retry' } : {}
    const id = await setup.execute(documentOf(way, own, point.name, params))
    const what = `${way.name}, killed at ${point.name}${isRetried ? ', retried' : ''}`
    const trial = { way, point, number: own, isRetried, id, what }
    trials.push(trial)
    return trial
  }
  const all = ways.flatMap((way) =>
    points
      .filter(({ isFor = always }) => isFor(way))
      .flatMap((point) =>
        [false, ...(retriedAt.includes(point.name) && !isSlow(way) ? [true] : [])].map((is) => ({ way, point, is })),
      ),
  )
  for (const { way, point, is } of all.filter(({ point }) => point.held)) {
    const held = point.held?.(way) as Fault
    const seen = way.fake.log.length
    way.fake.script(held)
    const { what } = await begin(way, point, is)
    await until(what, () => way.fake.log.slice(seen).some(({ fault }) => fault === 'hang') || undefined, 30)
  }
  for (const { way, point, is } of all.filter(({ point }) => !point.held)) await begin(way, point, is)
  for (const { point, id, what } of trials)
    if (!point.held) await until(what, () => halting.halted.has(id) || undefined, 30)
  return trials
}

/** Whether its outcome stayed unknown. */
async function staysUnknown(setup: Setup, { way, point, number, isRetried, id, what }: Trial): Promise<boolean> {
  const isCertain = point.isKnown(way) || way.isFound
  const execution = await setup.look(id)
  const billed = billedFor(way.fake, number)
  await costIsReported(setup, execution, what)
  if (isCertain || isRetried) {
    assert.equal(execution.status, 'completed', `${what}: ${JSON.stringify(execution.error)}`)
    assert.equal(billed, isCertain ? 1 : point.sent + 1, `${what}: billed`)
    return false
  }
  const { reason, problem } = execution.error?.details ?? {}
  assert.deepEqual([execution.status, reason, problem], ['failed', 'provider_unavailable', 'outcome_unknown'], what)
  assert.equal(billed, point.sent, `${what}: billed`)
  return true
}

async function costIsReported(setup: Setup, { executionId, cost }: ExecutionWithCost, what: string): Promise<void> {
  const rows = await setup.callsOf(executionId)
  const sum = rows.reduce((total, row) => total + spentOn(row), 0)
  assert.equal(Math.round((cost?.usd ?? 0) * 1e6), sum, `${what}: its cost`)
  for (const { state, cost_micros, cost_source, reserved_micros } of rows) {
    const isAssumed = cost_source === 'assumed'
    if (state === 'unknown' && cost_micros !== null) assert.deepEqual([isAssumed, cost_micros], [true, reserved_micros])
    if (state === 'cancelled') assert.equal(cost_micros, 0, `${what}: nothing was sent`)
  }
}

function byFake(ways: readonly Way[]): Way[][] {
  return [...Map.groupBy(ways, ({ fake }) => fake).values()]
}
