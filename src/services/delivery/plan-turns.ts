/**
 * Turns of accounts to plan the files of their delivery URLs. No rate limit applies to these requests, so an account plans one file at a time, and
 * pauses after a long plan: its URLs take at most a part of the time of a process.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { WorkTime } from '../../domain/clock.ts'
import { Fault } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { createAccountQueues } from '../account-queues.ts'

export interface PlanTurns {
  /** Throws `unavailable` if the account has no turn within `seconds`. The work adds its CPU time. */
  run<Value>(accountId: string, work: (time: WorkTime) => Promise<Value>): Promise<Value>
}

/** Shorter plans need no pause. */
const shortMs = 5

/** `pause`: the timer, which tests replace. */
export function createPlanTurns(
  seconds: number,
  pause: (ms: number) => Promise<unknown> = (ms) => sleep(ms, undefined, { ref: false }),
): PlanTurns {
  const queues = createAccountQueues(1)
  return {
    run: (accountId, work) =>
      new Promise((resolve, reject) => {
        const stop = new AbortController()
        const late = () => stop.abort(new Fault('unavailable', 'Too many files of the account wait. Retry.'))
        const timer = setTimeout(late, seconds * 1_000)
        const turn = async () => {
          clearTimeout(timer)
          const time = { ms: 0 }
          await work(time).then(resolve, reject)
          if (time.ms <= shortMs) return
          await pause(Math.min(time.ms * limits.deliveryPlanPauses, limits.deliveryPlanPauseSecondsMax * 1_000))
        }
        queues.run(accountId, stop.signal, turn).catch(reject)
      }),
  }
}
