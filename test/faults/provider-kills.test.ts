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
import { countBilledJobs, documentOf, environmentOf, type FakeModel, startFakeModels } from './fake-models.ts'
import { costMicrosOf, type ExecutionWithCost, openSetup, type Running, type Setup } from './provider-setup.ts'

interface Point {
  /** A node with this name halts there, unless a fault of the fake stops the call; see halting-service.ts. */
  name: string
  isFor?(model: FakeModel): boolean
  /** The fault with which the fake stops the call there. */
  faultOf?(model: FakeModel): Fault
  /** The number of jobs at the provider at that point. */
  sent: 0 | 1
  /** Whether the records determine the next action. */
  hasKnownOutcome(model: FakeModel): boolean
}

const always = () => true
const never = () => false
const isQueued = (model: FakeModel) => model.isQueued
/** A provider with ten seconds between polls: a request at that point has been polled by then. */
const isSlow = ({ name }: FakeModel) => name === 'stability/upscale-creative'
/**
 * Whether the model is one of the examples: without the provider between two points, all providers behave the same, so
 * one of each kind is enough (synchronous, with jobs, and with a look-up by our id).
 */
const isExample = ({ subject }: FakeModel) => ['openai', 'fal', 'comfyui'].includes(subject.provider.id)
const isQuick = (model: FakeModel) => model.isQueued && !isSlow(model)
const poll = (nth: number, at?: 'after'): Fault => ({ when: { ...polls, nth }, do: 'hang', ...(at && { at }) })
const submit =
  (at?: Fault['at']) =>
  (model: FakeModel): Fault => ({ when: submits(model.subject), do: 'hang', ...(at && { at }) })

const points: Point[] = [
  { name: 'begin_before', isFor: isExample, sent: 0, hasKnownOutcome: always },
  { name: 'begin_after', sent: 0, hasKnownOutcome: never },
  { name: 'request_sent', faultOf: submit(), sent: 0, hasKnownOutcome: never },
  { name: 'carried_out', faultOf: submit('after'), sent: 1, hasKnownOutcome: never },
  { name: 'answer_begun', faultOf: submit('middle'), sent: 1, hasKnownOutcome: never },
  { name: 'accept_before', isFor: isQueued, sent: 1, hasKnownOutcome: never },
  { name: 'accept_after', isFor: isQuick, sent: 1, hasKnownOutcome: always },
  { name: 'queued', isFor: isQuick, faultOf: () => poll(1), sent: 1, hasKnownOutcome: always },
  { name: 'running', isFor: isQuick, faultOf: () => poll(2), sent: 1, hasKnownOutcome: always },
  { name: 'ready', isFor: isQueued, faultOf: () => poll(3, 'after'), sent: 1, hasKnownOutcome: always },
  { name: 'downloading', isFor: isQueued, faultOf: download, sent: 1, hasKnownOutcome: always },
  { name: 'commit_before', isFor: isExample, sent: 1, hasKnownOutcome: isQueued },
  { name: 'commit_after', isFor: isExample, sent: 1, hasKnownOutcome: isQueued },
  { name: 'end_before', sent: 1, hasKnownOutcome: isQueued },
  { name: 'end_after', isFor: isExample, sent: 1, hasKnownOutcome: always },
  { name: 'complete_before', isFor: isExample, sent: 1, hasKnownOutcome: always },
]

function download(model: FakeModel): Fault {
  const when = results(model.subject)
  // If the result is the response of a poll, it is the third poll.
  return { when: isSlow(model) ? { ...when, nth: 3 } : when, do: 'hang', at: 'middle' }
}

/** Points at which a node with `onUnknownOutcome: retry` sends a new call. */
const retriedAt = ['begin_after', 'carried_out']
/** Points at which a failed execution is resumed, which sends calls with unknown outcomes again. */
const resumedAt = 'answer_begun'

interface Trial {
  model: FakeModel
  point: Point
  number: number
  isRetried: boolean
  id: string
  label: string
}

test('a provider bills one job, at whatever point of a call the service is killed', async (t) => {
  const models = await startFakeModels()
  t.after(() => Promise.all(models.map(({ fake }) => fake.close())))
  const setup = await openSetup(t, environmentOf(models))
  const halting = await setup.startHaltingService()
  const trials = (await Promise.all(groupByFake(models).map((all) => startTrials(all, setup, halting)))).flat()
  for (const { point, model, number, label } of trials)
    assert.equal(countBilledJobs(model.fake, number), point.sent, label)
  await halting.kill()

  const { process: service } = await setup.start()
  await setup.waitForExecutions()
  const unknown: Trial[] = []
  for (const trial of trials) if (await staysUnknown(setup, trial)) unknown.push(trial)
  t.diagnostic(`killed at ${trials.length} points of ${models.length} ways; ${unknown.length} outcomes are unknown`)
  assert.ok(unknown.length >= models.length && unknown.length < trials.length)
  await setup.checkCosts()

  const resumed = unknown.filter(({ point, model }) => point.name === resumedAt && !isSlow(model))
  const ids = await Promise.all(resumed.map(({ id }) => setup.resume(id)))
  // A resumed call could take the fault of another one, or be sent while the service ends.
  await setup.waitForExecutions()
  const restarted = await Promise.all(groupByFake(models).map((all) => startAll(all, setup)))
  service.signal('SIGTERM')
  assert.equal(await service.ended(), 0)

  await setup.start()
  await setup.waitForExecutions()
  for (const [n, { model, number, label }] of resumed.entries()) {
    const { status, error } = await setup.getExecution(ids[n] ?? '')
    assert.equal(status, 'completed', `${label}, and resumed: ${JSON.stringify(error)}`)
    assert.equal(countBilledJobs(model.fake, number), 2, `${label}, and resumed`)
  }
  for (const { model, number, id } of restarted.flat()) {
    const label = `${model.name}, stopped during its call`
    const { status, error } = await setup.getExecution(id)
    assert.equal(status, 'completed', `${label}: ${JSON.stringify(error)}`)
    assert.equal(countBilledJobs(model.fake, number), 1, label)
  }
  await setup.checkCosts()
})

/** The response is in transit, or the job waits, when the service has to end. */
async function startAll(models: readonly FakeModel[], setup: Setup): Promise<Pick<Trial, 'model' | 'number' | 'id'>[]> {
  const executions = []
  for (const [n, model] of models.filter((each) => !isSlow(each)).entries()) {
    const number = firstShutdownNumber + n
    const fault: Fault = model.isQueued ? poll(1) : { when: submits(model.subject), do: 'slow', ms: 1_000 }
    const requestsBefore = model.fake.log.length
    model.fake.script(fault)
    const id = await setup.execute(documentOf(model, number, 'picture'))
    await until(
      model.name,
      () => model.fake.log.slice(requestsBefore).some((each) => each.fault === fault.do) || undefined,
    )
    executions.push({ model, number, id })
  }
  return executions
}

/** Numbers after those of the kills. */
const firstShutdownNumber = 500

/** One after the other if a fake stops calls, so that the fault applies to the right call. The others run concurrently. */
async function startTrials(models: readonly FakeModel[], setup: Setup, halting: Running): Promise<Trial[]> {
  const trials: Trial[] = []
  let number = 0
  const startTrial = async (model: FakeModel, point: Point, isRetried: boolean) => {
    const trialNumber = ++number
    const params = isRetried ? { onUnknownOutcome: 'retry' } : {}
    const id = await setup.execute(documentOf(model, trialNumber, point.name, params))
    const label = `${model.name}, killed at ${point.name}${isRetried ? ', retried' : ''}`
    const trial = { model, point, number: trialNumber, isRetried, id, label }
    trials.push(trial)
    return trial
  }
  const all = models.flatMap((model) =>
    points
      .filter(({ isFor = always }) => isFor(model))
      .flatMap((point) =>
        [false, ...(retriedAt.includes(point.name) && !isSlow(model) ? [true] : [])].map((is) => ({
          model,
          point,
          is,
        })),
      ),
  )
  for (const { model, point, is } of all.filter(({ point }) => point.faultOf)) {
    const fault = point.faultOf?.(model) as Fault
    const requestsBefore = model.fake.log.length
    model.fake.script(fault)
    const { label } = await startTrial(model, point, is)
    await until(label, () => model.fake.log.slice(requestsBefore).some(({ fault }) => fault === 'hang') || undefined)
  }
  for (const { model, point, is } of all.filter(({ point }) => !point.faultOf)) await startTrial(model, point, is)
  for (const { point, id, label } of trials)
    if (!point.faultOf) await until(label, () => halting.halted.has(id) || undefined)
  return trials
}

/** Whether its outcome stayed unknown. */
async function staysUnknown(setup: Setup, { model, point, number, isRetried, id, label }: Trial): Promise<boolean> {
  const isKnown = point.hasKnownOutcome(model) || model.canBeLookedUp
  const execution = await setup.getExecution(id)
  const billed = countBilledJobs(model.fake, number)
  await checkReportedCost(setup, execution, label)
  if (isKnown || isRetried) {
    assert.equal(execution.status, 'completed', `${label}: ${JSON.stringify(execution.error)}`)
    assert.equal(billed, isKnown ? 1 : point.sent + 1, `${label}: billed`)
    return false
  }
  const { reason, problem } = execution.error?.details ?? {}
  assert.deepEqual([execution.status, reason, problem], ['failed', 'provider_unavailable', 'outcome_unknown'], label)
  assert.equal(billed, point.sent, `${label}: billed`)
  return true
}

async function checkReportedCost(setup: Setup, { executionId, cost }: ExecutionWithCost, label: string): Promise<void> {
  const rows = await setup.callsOf(executionId)
  const sum = rows.reduce((total, row) => total + costMicrosOf(row), 0)
  assert.equal(Math.round((cost?.usd ?? 0) * 1e6), sum, `${label}: its cost`)
  for (const { state, cost_micros, cost_source, reserved_micros } of rows) {
    const isAssumed = cost_source === 'assumed'
    if (state === 'unknown' && cost_micros !== null) assert.deepEqual([isAssumed, cost_micros], [true, reserved_micros])
    if (state === 'cancelled') assert.equal(cost_micros, 0, `${label}: nothing was sent`)
  }
}

function groupByFake(models: readonly FakeModel[]): FakeModel[][] {
  return [...Map.groupBy(models, ({ fake }) => fake).values()]
}
