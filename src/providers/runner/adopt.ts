/** A call that stands open in the records: of an earlier attempt, or of this one while another ask meets it. */
import { elapsedSince, monotonicMs } from '../../domain/clock.ts'
import type { Ask } from '../../domain/model.ts'
import type { ProviderCall } from '../../domain/provider-call.ts'
import { findAtProvider } from './find.ts'
import { carryOn, follow, signOf } from './follow.ts'
import { endUnsent } from './give-up.ts'
import { type Control, type Job, type Outcome, startJob } from './job.ts'
import { hasEnded } from './records.ts'
import { type Asked, callNow, type Runner } from './runner.ts'
import { endedElsewhere, endFailed } from './settle.ts'
import { reachable, sleep } from './waiting.ts'

/** How often a row is looked at that another process may be about to change. */
const lookMs = 250

/** Goes on with it where it stands; sends nothing anew. `msLeft`: from now on. */
export function adoptCall(
  runner: Runner,
  call: ProviderCall,
  asked: Asked,
  accept: Ask['accept'],
  msLeft: () => number,
): Job {
  const known = runner.jobs.get(call.id)
  if (known) return known
  const job: Job = startJob(msLeft, async (control) => {
    try {
      if (call.state === 'accepted') return await told(runner, asked, follow(runner, call, asked, accept, control, 0))
      return await findOut(runner, call, asked, accept, control)
    } catch (error) {
      const how = control.stopped()
      if (how === undefined) throw error
      return how === 'deadline' ? await endUnknown(runner, call, asked) : { is: 'left' }
    } finally {
      runner.jobs.delete(call.id)
      runner.underWay.delete(job)
    }
  })
  runner.jobs.set(call.id, job)
  runner.underWay.add(job)
  return job
}

/** It was about to be sent. Only the provider knows whether it was. */
async function findOut(
  runner: Runner,
  call: ProviderCall,
  asked: Asked,
  accept: Ask['accept'],
  control: Control,
): Promise<Outcome> {
  const now = await awaitOthers(runner, call, control)
  if (hasEnded(now)) return endedElsewhere(runner, now)
  if (now.state === 'accepted') return told(runner, asked, follow(runner, now, asked, accept, control, 0))
  if (asked.provider.find) {
    const found = await findAtProvider(runner, call, asked, control)
    if (found === 'never') return endUnsent(runner, call, asked)
    if ('kind' in found) return endFailed(runner, call, asked, found)
    return told(runner, asked, carryOn(runner, call, found, asked, accept, control))
  }
  return endUnknown(runner, call, asked)
}

/** Of what goes on at the provider; that a process ended before is no fault of the provider. */
async function told(runner: Runner, { provider }: Asked, work: Promise<Outcome>): Promise<Outcome> {
  const outcome = await work
  await runner.gateOf(provider).tell(signOf(outcome))
  return outcome
}

function endUnknown(runner: Runner, call: ProviderCall, asked: Asked): Promise<Outcome> {
  const message = 'the service ended while it waited for the answer'
  return endFailed(runner, call, asked, { kind: 'outcome_unknown', message, facts: { billed: 'unknown' } })
}

async function awaitOthers(runner: Runner, call: ProviderCall, { waiting }: Control): Promise<ProviderCall> {
  const startMs = monotonicMs()
  for (;;) {
    const now = await reachable(callNow(runner, call))
    if (now.state !== 'submitting' || elapsedSince(startMs) >= runner.othersFinishMs) return now
    await sleep(lookMs, waiting)
  }
}
