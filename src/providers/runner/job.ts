/**
 * A call that is under way in this process. It may outlive the ask that made it: what was sent cannot be taken back, and
 * its answer is worth keeping for the next attempt.
 */
import type { ModelAnswer } from '../../domain/model.ts'
import type { Begun, ProviderCall } from '../../domain/provider-call.ts'
import type { ProblemKind } from '../define.ts'

export type Outcome =
  /** Its row will not change any more. `answer`: where it is done. `afterMs`: when the provider wants to be asked again. */
  | { is: 'ended'; call: ProviderCall; answer?: ModelAnswer; afterMs?: number | undefined }
  /** Nothing was sent, and there is no row. */
  | { is: 'unsent'; kind: ProblemKind; message: string }
  /** The store did not let it begin. */
  | { is: 'not_begun'; begun: Exclude<Begun, 'begun'> }
  /** Its row stands as it is, for whoever comes next. */
  | { is: 'left' }

/** cancel: its answer is not wanted. leave: the next attempt goes on with it. deadline: it took too long. die: the process ends. */
export type Stop = 'cancel' | 'leave' | 'deadline' | 'die'

export class Stopped extends Error {
  readonly how: Stop
  constructor(how: Stop) {
    super(`stopped: ${how}`)
    this.name = 'Stopped'
    this.how = how
  }
}

/** What the work of a job listens to. */
export interface Control {
  /** For whatever can be taken up again: aborts on every stop. */
  waiting: AbortSignal
  /** For what cannot, because there is no handle yet: does not abort when it is only left. */
  sending: AbortSignal
  stopped(): Stop | undefined
  secondsLeft(): number
}

export interface Job {
  done: Promise<Outcome>
  stop(how: Stop): void
}

/**
 * `msLeft`: until the deadline. `graceMs`: for how long what was sent may still be answered when it is cancelled; only who
 * knows the job can give it up.
 */
export function startJob(msLeft: () => number, work: (control: Control) => Promise<Outcome>, graceMs = 0): Job {
  const waiting = new AbortController()
  const sending = new AbortController()
  let stopped: Stop | undefined
  let grace: NodeJS.Timeout | undefined
  function stop(how: Stop): void {
    // Whoever leaves it may find out later that it is not wanted; nothing is said after that.
    if (stopped !== undefined && stopped !== 'leave') return
    stopped = how
    const reason = new Stopped(how)
    if (how !== 'leave') {
      clearTimeout(timer)
      if (how === 'cancel' && graceMs > 0) grace = setTimeout(() => sending.abort(reason), graceMs)
      else sending.abort(reason)
    }
    waiting.abort(reason)
  }
  const timer = setTimeout(() => stop('deadline'), Math.max(0, msLeft()))
  const done = work({
    waiting: waiting.signal,
    sending: sending.signal,
    stopped: () => stopped,
    secondsLeft: () => Math.max(0.001, msLeft() / 1000),
  }).finally(() => {
    clearTimeout(timer)
    clearTimeout(grace)
  })
  // Whoever started it may have gone.
  done.catch(() => undefined)
  return { done, stop }
}
