/** A job that the provider has accepted: asked after until it is done, gone, or too late. */
import type { Ask } from '../../domain/model.ts'
import type { Handle, ProviderCall } from '../../domain/provider-call.ts'
import { limits } from '../../limits.ts'
import { type Polled, ProviderProblem, type Started } from '../define.ts'
import type { Sign } from '../gates.ts'
import { redact } from '../shared/redact.ts'
import { cancelAtProvider, giveUp } from './give-up.ts'
import type { Control, Outcome } from './job.ts'
import { kindOf } from './records.ts'
import { type Asked, callFor, callNow, contextOf, type Runner, secretsFor, troubleOf, waitFor } from './runner.ts'
import { endedElsewhere, endFailed, settle } from './settle.ts'
import { backOffMs, persist, sleep } from './waiting.ts'

/** Between two looks at a job, where the provider does not say: at first, and at most. */
const firstMs = 400
const mostMs = 5_000
const growth = 1.5

/** From the answer to the request on: done already, or a job to follow. */
export async function carryOn(
  runner: Runner,
  call: ProviderCall,
  started: Started,
  asked: Asked,
  accept: Ask['accept'],
  control: Control,
): Promise<Outcome> {
  if ('done' in started) {
    return untilStopped(runner, call, asked, control, () =>
      settle(runner, call, started.done, asked, accept, control.sending),
    )
  }
  const { handle, waitMs } = started
  const requestId = started.requestId
    ? redact(started.requestId, secretsFor(runner, asked.provider)).slice(0, 200)
    : call.requestId
  if (!asked.provider.poll || !isSmall(handle)) {
    const message = 'its adapter gave a job that cannot be followed'
    return endFailed(runner, call, asked, { kind: 'bad_output', message, facts: { billed: 'unknown' } })
  }
  const accepted: ProviderCall = { ...call, state: 'accepted', handle, requestId }
  const now = runner.clock.now()
  if (!(await persist(() => runner.calls.accept(call.id, handle, requestId, now)))) {
    // That it was accepted may have been written already, and only the answer was lost.
    const row = await callNow(runner, call)
    if (row.state !== 'accepted') return afterAll(runner, row, accepted, asked)
  }
  return follow(runner, accepted, asked, accept, control, waitMs)
}

export function follow(
  runner: Runner,
  call: ProviderCall,
  asked: Asked,
  accept: Ask['accept'],
  control: Control,
  waitMs: number | undefined,
): Promise<Outcome> {
  let current = call
  const work = async () => {
    const poll = (afterMs: number | undefined) =>
      waitFor(asked, () =>
        pollUntilDone(runner, current, asked, control, afterMs, (handle) => {
          current = { ...current, handle }
        }),
      )
    const polled = await poll(waitMs)
    return settle(runner, current, polled, asked, accept, control.waiting, () => poll(0))
  }
  return untilStopped(runner, call, asked, control, work, () => current)
}

/** What the end of a call that was sent tells of its provider: nothing where it was given up, or is left to others. */
export function signOf(outcome: Outcome): Sign {
  if (outcome.is !== 'ended' || outcome.call.state === 'cancelled') return undefined
  return outcome.call.state === 'done' ? 'answered' : kindOf(outcome.call)
}

/** What becomes of a call when the work on it ends early. */
async function untilStopped(
  runner: Runner,
  call: ProviderCall,
  asked: Asked,
  { stopped }: Control,
  work: () => Promise<Outcome>,
  current: () => ProviderCall = () => call,
): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    const how = stopped()
    if (how === 'leave' || how === 'die') return { is: 'left' }
    if (how === 'cancel') return giveUp(runner, current(), asked, 'cancelled')
    if (how === 'deadline') return giveUp(runner, current(), asked, 'timeout')
    if (!(error instanceof ProviderProblem)) throw error
    return endFailed(runner, current(), asked, troubleOf(runner, asked.provider, error, 'poll'))
  }
}

async function pollUntilDone(
  runner: Runner,
  call: ProviderCall,
  asked: Asked,
  { waiting, secondsLeft }: Control,
  firstWaitMs: number | undefined,
  onHandle: (handle: Handle) => void,
) {
  const context = contextOf(runner, asked.provider, waiting, secondsLeft)
  const description = callFor(call, asked)
  let handle = call.handle ?? {}
  let grownMs = firstMs
  let troubles = 0
  let waitMs = firstWaitMs ?? firstMs
  for (;;) {
    await sleep(waitMs, waiting)
    const polled = await poll()
    if (polled instanceof ProviderProblem) throw polled
    if (typeof polled === 'number') {
      waitMs = polled
      continue
    }
    troubles = 0
    if ('done' in polled) return polled.done
    const { pending } = polled
    grownMs = Math.min(mostMs, grownMs * growth)
    waitMs = pending.waitMs ?? grownMs
    if (pending.handle && isSmall(pending.handle)) {
      handle = pending.handle
      onHandle(handle)
      const now = runner.clock.now()
      // Another one may have ended it; that shows when it is to be ended here.
      await persist(() => runner.calls.update(call.id, handle, now), waiting)
    }
  }

  /** How long to wait after a trouble that may pass. */
  async function poll(): Promise<Polled | ProviderProblem | number> {
    try {
      const polled = await asked.provider.poll?.(handle, description, context)
      return polled ?? new ProviderProblem('bad_output', 'it cannot be asked after a job')
    } catch (error) {
      waiting.throwIfAborted()
      const { kind, message, facts, next } = troubleOf(runner, asked.provider, error, 'poll')
      if (next === 'repeat') return facts.retryAfterMs ?? firstMs + backOffMs(troubles++)
      return new ProviderProblem(kind, message, { billed: defaultBilling(kind, error), ...facts })
    }
  }
}

/** The end of a job, as its provider tells it, is free where it does not say otherwise; whatever else went wrong, it ran. */
function defaultBilling(kind: string, error: unknown): 'no' | 'unknown' {
  return error instanceof ProviderProblem && kind !== 'expired' ? 'no' : 'unknown'
}

/** Somebody else has ended the call that was just accepted: the provider works on it for nobody. */
async function afterAll(runner: Runner, ended: ProviderCall, accepted: ProviderCall, asked: Asked): Promise<Outcome> {
  if (ended.state !== 'done') await cancelAtProvider(runner, accepted, asked)
  return endedElsewhere(runner, ended)
}

function isSmall(handle: Handle): boolean {
  return Buffer.byteLength(JSON.stringify(handle)) <= limits.providerHandleBytesMax
}
