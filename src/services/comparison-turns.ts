/** Turns of work that runs workflows only to compare their images: few at the same time, at most one for each account. */
import { countdown } from '../domain/clock.ts'
import { Fault, failure } from '../errors.ts'

export interface ComparisonTurns {
  /**
   * Waits for a turn. Throws `unavailable` if the account has one already, if too many wait, or after the time; and the reason of
   * `caller`.
   */
  open(accountId: string, caller?: AbortSignal): Promise<Turn>
  /** Ends all turns and rejects new ones. */
  close(): void
}

export interface Turn {
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
  /** Time for all the work of one turn, with its wait. */
  seconds: number
}

export function createComparisonTurns({ runningMax, waitingMax, seconds }: Options): ComparisonTurns {
  const stop = new AbortController()
  /** The accounts with a running or waiting comparison. */
  const accounts = new Set<string>()
  const slots = createSlots(runningMax)

  async function enter(signal: AbortSignal, secondsMax: number): Promise<void> {
    const late = new AbortController()
    const timer = setTimeout(() => {
      late.abort(
        new Fault(
          'unavailable',
          `The comparison waited for more than ${Math.ceil(secondsMax)} s for others to end. Retry later.`,
        ),
      )
    }, secondsMax * 1000)
    try {
      await slots.enter(AbortSignal.any([signal, late.signal]))
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async open(accountId, caller) {
      caller?.throwIfAborted()
      if (stop.signal.aborted) throw new Fault('unavailable', 'The service is shutting down. Retry later.')
      if (accounts.has(accountId))
        throw new Fault(
          'unavailable',
          'Another comparison or re-execution is already running for this account. Retry when it has ended.',
        )
      if (slots.waiting() >= waitingMax)
        throw new Fault(
          'unavailable',
          `The service has ${slots.waiting()} comparisons waiting, the maximum. Retry later.`,
        )
      accounts.add(accountId)
      const signal = caller ? AbortSignal.any([stop.signal, caller]) : stop.signal
      const secondsLeft = countdown(seconds)
      let isIn = false
      const end = () => {
        if (isIn) slots.leave()
        isIn = false
        accounts.delete(accountId)
      }
      try {
        await enter(signal, seconds)
        isIn = true
      } catch (error) {
        end()
        throw error
      }
      return {
        signal,
        secondsLeft,
        async pass() {
          if (slots.waiting() === 0) return
          slots.leave()
          isIn = false
          await enter(signal, secondsLeft())
          isIn = true
        },
        end,
      }
    },

    close() {
      stop.abort(failure('cancelled', 'The service is shutting down. Retry later.'))
    },
  }
}

/** In order of arrival. */
function createSlots(count: number) {
  let free = count
  const line: (() => void)[] = []
  return {
    /** Resolves when a slot is free. Rejects with the reason of the signal. */
    async enter(signal: AbortSignal): Promise<void> {
      signal.throwIfAborted()
      if (free > 0) {
        free -= 1
        return
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const onAbort = () => {
        line.splice(line.indexOf(start), 1)
        reject(signal.reason)
      }
      const start = () => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      }
      signal.addEventListener('abort', onAbort, { once: true })
      line.push(start)
      await promise
    },
    leave(): void {
      const next = line.shift()
      if (next) next()
      else free += 1
    },
    /** The number of waiting callers. */
    waiting: () => line.length,
  }
}
