/** Slots for work that runs workflows only to compare their images: few at the same time, at most one for each account. */
import { countdown } from '../../domain/clock.ts'
import { createFairQueue } from '../../domain/fair-queue.ts'
import { Fault, failure } from '../../errors.ts'

export interface ComparisonSlots {
  /**
   * Waits for a slot. Throws `unavailable` if the account has one already, if too many wait, or after the time; and the reason of
   * `caller`.
   */
  open(accountId: string, caller?: AbortSignal): Promise<Slot>
  /** Ends all comparisons and rejects new ones. */
  close(): void
}

export interface Slot {
  /** Aborts when the caller is gone, and when the service shuts down. */
  signal: AbortSignal
  /** Seconds until the work must have ended; more than 0. */
  secondsLeft(): number
  /** Lets another account go first, if one waits. Call it between two parts of the work. */
  pass(): Promise<void>
  end(): void
}

interface Options {
  /** How many run at the same time, each of a different account. */
  runningMax: number
  /** How many may wait. More are rejected. */
  waitingMax: number
  /** Time for all the work in one slot, with its wait. */
  seconds: number
}

export function createComparisonSlots({ runningMax, waitingMax, seconds }: Options): ComparisonSlots {
  const stop = new AbortController()
  const open = createFairQueue({ perAccount: 1 })
  const queue = createFairQueue({ slots: runningMax })

  return {
    async open(account, caller) {
      caller?.throwIfAborted()
      if (stop.signal.aborted) throw new Fault('unavailable', 'The service is shutting down. Retry later.')
      const close = open.tryEnter({ account })
      if (close === undefined)
        throw new Fault(
          'unavailable',
          'Another comparison or re-execution is already running for this account. Retry when it has ended.',
        )
      try {
        if (queue.waiting() >= waitingMax)
          throw new Fault(
            'unavailable',
            `The service has ${queue.waiting()} comparisons waiting, the maximum. Retry later.`,
          )
        const signal = caller ? AbortSignal.any([stop.signal, caller]) : stop.signal
        const secondsLeft = countdown(seconds)
        const enter = (most: number) =>
          queue.enter({ account, signal, deadline: { seconds: most, error: () => waitedFor(most) } })
        let leave = await enter(seconds)
        return {
          signal,
          secondsLeft,
          async pass() {
            if (queue.waiting() === 0) return
            leave()
            leave = await enter(secondsLeft())
          },
          end() {
            leave()
            close()
          },
        }
      } catch (error) {
        close()
        throw error
      }
    },

    close() {
      stop.abort(failure('cancelled', 'The service is shutting down. Retry later.'))
    },
  }
}

function waitedFor(seconds: number): Fault {
  return new Fault(
    'unavailable',
    `The comparison waited for more than ${Math.ceil(seconds)} s for others to end. Retry later.`,
  )
}
