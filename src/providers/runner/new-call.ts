/** A new call: recorded before it is sent, sent once, and whatever comes of it written down. */
import { elapsedSince, monotonicMs } from '../../domain/clock.ts'
import { newId } from '../../domain/ids.ts'
import type { Ask, Asking, AskPlace, Micros } from '../../domain/model.ts'
import type { Budgets, ProviderCall } from '../../domain/provider-call.ts'
import { limits } from '../../limits.ts'
import type { ProblemKind, Started } from '../define.ts'
import type { Gate, Sign } from '../gates.ts'
import { openDoor } from './door.ts'
import { findAtProvider } from './find.ts'
import { carryOn, signOf } from './follow.ts'
import { endUnsent, giveUp } from './give-up.ts'
import { type Control, type Job, type Outcome, startJob } from './job.ts'
import { type Asked, callFor, contextOf, type Runner, troubleOf, waitFor } from './runner.ts'
import { endFailed } from './settle.ts'
import { backOffMs, persist, reachable } from './waiting.ts'

export interface NewCall extends Asked {
  asking: Asking
  place: AskPlace
  requestHash: string
  sequence: number
  budgets: Budgets
  reservedMicros: Micros
  accept: Ask['accept']
  /** Aborts when nobody waits for the answer any more; then the images that it is asked with cannot be made either. */
  asked: AbortSignal
  /** Until the deadline of this ask of this model. */
  msLeft(): number
}

/** What came of sending. */
type Sent =
  | { was: 'started'; call: ProviderCall; started: Started }
  /** It goes no further. `sign`: what that tells of the provider. */
  | { was: 'over'; outcome: Outcome; sign?: Sign }

/** Whether the right to write still stands is asked again when it was last known longer ago than this. */
const rightMs = 2_000

/** When a provider that has had too much does not say for how long. */
const crowdedMs = { firstMs: 1_000, mostMs: 20_000 }

export function makeCall(runner: Runner, plan: NewCall): Job {
  const carryOut = async (control: Control) => {
    try {
      return await work(runner, plan, control, (id) => runner.jobs.set(id, job))
    } finally {
      for (const [id, each] of runner.jobs) if (each === job) runner.jobs.delete(id)
      runner.underWay.delete(job)
    }
  }
  // Its job can be cancelled once it is known.
  const graceMs = plan.provider.cancel ? limits.providerCancelSeconds * 1000 : 0
  const job: Job = startJob(plan.msLeft, carryOut, graceMs)
  runner.underWay.add(job)
  return job
}

async function work(runner: Runner, plan: NewCall, control: Control, onCall: (id: string) => void): Promise<Outcome> {
  const gate = runner.gateOf(plan.provider)
  const model = plan.model.row.name
  const pausedMs = gate.pausedMs(model)
  if (pausedMs > 0 && pausedMs > plan.msLeft())
    return unsent('rate_limited', 'it has asked to be left alone for a while')
  let leave: () => void
  try {
    leave = await waitFor(plan, () => gate.enter(control.waiting, model))
  } catch (error) {
    return stoppedUnsent(control, error)
  }
  try {
    const ask = async () => {
      const sent = await sendCall(runner, plan, control, gate, onCall)
      if (sent.was === 'over') return sent
      // That it took a job says little: only a job that comes to its end does.
      const outcome = await carryOn(runner, sent.call, sent.started, plan, plan.accept, control)
      return { outcome, sign: signOf(outcome) }
    }
    const asked = await gate.guard(ask, ({ sign }) => sign)
    return asked === 'open' ? unsent('circuit_open', '') : asked.outcome
  } finally {
    leave()
  }
}

async function sendCall(
  runner: Runner,
  plan: NewCall,
  control: Control,
  gate: Gate,
  onCall: (id: string) => void,
): Promise<Sent> {
  const { asking, budgets, provider } = plan
  if (control.stopped() !== undefined) return over(stoppedUnsent(control))
  const call = rowOf(runner, plan)
  const startMs = monotonicMs()
  onCall(call.id)
  const begun = await persist(() => runner.calls.begin(call, asking.attempt, budgets), control.sending).catch((error) =>
    stoppedUnsent(control, error),
  )
  if (typeof begun === 'object' && 'is' in begun) return over(begun)
  if (begun !== 'begun') return over({ is: 'not_begun', begun })
  // Libraries wrap what they are thrown: it is kept here.
  let away: unknown
  const mayGoOn = () =>
    hasRight(runner, asking, startMs).catch((error: unknown) => {
      away = error
      return false
    })
  if (control.stopped() !== undefined || !(await mayGoOn())) return unsentOf(runner, call, plan, away)
  const context = contextOf(runner, provider, control.sending, control.secondsLeft)
  const mayPass = async () => control.stopped() !== 'cancel' && (await mayGoOn())
  const door = openDoor(context.http, mayPass, (wait) => waitFor(plan, wait))
  try {
    return { was: 'started', call, started: await provider.start(callFor(call, plan), { ...context, http: door.http }) }
  } catch (error) {
    if (door.state() === 'used') return afterTrouble(runner, call, plan, control, gate, error)
    const isOver = control.stopped() !== undefined || plan.asked.aborted || door.state() === 'shut'
    return isOver ? unsentOf(runner, call, plan, away) : beforeSending(runner, call, plan, error)
  }
}

/** `away`: why the right could not be asked after; then the execution comes again. */
async function unsentOf(runner: Runner, call: ProviderCall, plan: NewCall, away: unknown): Promise<Sent> {
  const outcome = await endUnsent(runner, call, plan)
  if (away !== undefined) throw away
  return over(outcome)
}

/** Before anything is sent, a row that this attempt may no longer act on is found out. Throws `Unreachable`. */
async function hasRight(runner: Runner, { executionId, attempt }: Asking, knownMs: number): Promise<boolean> {
  let known = knownMs
  while (elapsedSince(known) > rightMs) {
    known = monotonicMs()
    const running = await reachable(runner.executions.whichRun([{ executionId, attempt }]))
    if (!running.includes(executionId)) return false
  }
  return true
}

/** What the adapter, or whoever makes the images for it, found wrong: nothing was carried out. */
async function beforeSending(runner: Runner, call: ProviderCall, plan: NewCall, error: unknown): Promise<Sent> {
  const trouble = troubleOf(runner, plan.provider, error, 'submit')
  const { kind, message, facts } = trouble.next === 'unknown' ? unmade : trouble
  return over(await endFailed(runner, call, plan, { kind, message, facts }))
}

const unmade = { kind: 'down', message: 'the request could not be made', facts: { billed: 'no' } } as const

async function afterTrouble(
  runner: Runner,
  call: ProviderCall,
  plan: NewCall,
  control: Control,
  gate: Gate,
  error: unknown,
): Promise<Sent> {
  const { provider } = plan
  const trouble = isAbort(error, control.sending) ? undefined : troubleOf(runner, provider, error, 'submit')
  // A certain answer counts also where it came with the abort.
  if (trouble && trouble.next !== 'unknown') {
    if (trouble.kind === 'rate_limited') {
      gate.pause(trouble.facts.retryAfterMs ?? backOffMs(1, crowdedMs), plan.model.row.name)
    }
    return over(await endFailed(runner, call, plan, trouble), trouble.kind)
  }
  const how = control.stopped()
  if (how === 'die') return over({ is: 'left' })
  if (how === 'cancel') return over(await giveUp(runner, call, plan, 'cancelled'))
  if (how === 'deadline') return over(await giveUp(runner, call, plan, 'timeout'), 'timeout')
  if (provider.find) return lookedUp(runner, call, plan, control)
  const unknown = trouble ?? { kind: 'outcome_unknown' as const, message: '', facts: { billed: 'unknown' as const } }
  return over(await endFailed(runner, call, plan, unknown), unknown.kind)
}

/** Where the provider knows calls by our id, nothing need stay unknown. */
async function lookedUp(runner: Runner, call: ProviderCall, plan: NewCall, control: Control): Promise<Sent> {
  try {
    const found = await findAtProvider(runner, call, plan, control)
    if (found === 'never') return over(await endUnsent(runner, call, plan), 'down')
    if ('kind' in found) return over(await endFailed(runner, call, plan, found), found.kind)
    return { was: 'started', call, started: found }
  } catch (error) {
    const how = control.stopped()
    if (how === undefined) throw error
    if (how === 'cancel' || how === 'deadline') {
      const kind = how === 'cancel' ? 'cancelled' : 'timeout'
      return over(await giveUp(runner, call, plan, kind), how === 'deadline' ? kind : undefined)
    }
    return over({ is: 'left' })
  }
}

/** The abort itself, as libraries hand it on, rather than what the provider said. */
function isAbort(error: unknown, { aborted, reason }: AbortSignal): boolean {
  if (!aborted || !(error instanceof Error)) return false
  return error === reason || error.cause === reason || error.name === 'AbortError' || error.name === 'TimeoutError'
}

function rowOf({ clock }: Runner, plan: NewCall): ProviderCall {
  const { asking, place, model, request, requestHash, sequence, reservedMicros } = plan
  const now = clock.now()
  return {
    id: newId('call', now),
    accountId: asking.accountId,
    executionId: asking.executionId,
    workflowId: asking.workflowId,
    keyId: asking.keyId,
    node: place.node,
    item: place.item,
    ordinal: place.ordinal,
    sequence,
    capability: request.capability,
    provider: model.provider,
    model: model.row.name,
    requestHash,
    state: 'submitting',
    handle: null,
    answer: null,
    problem: null,
    reservedMicros,
    costMicros: null,
    costSource: null,
    requestId: null,
    createdAt: now,
    updatedAt: now,
  }
}

function over(outcome: Outcome, sign?: Sign): Sent & { was: 'over' } {
  return { was: 'over', outcome, sign }
}

function unsent(kind: ProblemKind, message: string): Outcome {
  return { is: 'unsent', kind, message }
}

/** Nothing is recorded yet: whoever stopped it has nothing to take back. */
function stoppedUnsent({ stopped }: Control, error?: unknown): Outcome {
  const how = stopped()
  if (how === 'deadline') return unsent('timeout', 'it could not be asked before the deadline')
  if (how === undefined) throw error
  return { is: 'left' }
}

/** Seconds that a call may take, by what it asks for. */
export const secondsOf: Record<Asked['request']['capability'], number> = {
  describe: limits.providerTextSeconds,
  write: limits.providerTextSeconds,
  judge: limits.providerTextSeconds,
  generate: limits.providerImageSeconds,
  edit: limits.providerImageSeconds,
  inpaint: limits.providerImageSeconds,
  'remove-background': limits.providerCutOutSeconds,
  upscale: limits.providerUpscaleSeconds,
}
