/**
 * Who may run in this process: any number of executions, uploads and comparisons at the same time, or a single execution that is
 * suspected of ending its process. Turns are given in the order in which they are wanted. An execution that only waits leaves its turn to others, and
 * takes it back without waiting: it may keep pixels that others need.
 */
import { Fault } from '../errors.ts'

export interface Turns {
  of(isAlone: boolean): Turn
}

export interface Turn {
  /** Whether `take` would have to wait. */
  mustWait(): boolean
  /** Rejects with the reason of the signal. */
  take(signal: AbortSignal): Promise<void>
  leave(): void
  takeBack(): void
}

interface Wanted {
  turn: Turn
  isAlone: boolean
  begin(): void
}

export function createTurns(): Turns {
  /** With whether they are to be alone. */
  const taken = new Map<Turn, boolean>()
  const wanted: Wanted[] = []

  function mayBegin(isAlone: boolean): boolean {
    return isAlone ? taken.size === 0 : ![...taken.values()].includes(true)
  }

  function giveTurns(): void {
    for (let next = wanted[0]; next !== undefined && mayBegin(next.isAlone); next = wanted[0]) {
      wanted.shift()
      taken.set(next.turn, next.isAlone)
      next.begin()
    }
  }

  return {
    of(isAlone) {
      const turn: Turn = {
        mustWait: () => wanted.length > 0 || !mayBegin(isAlone),
        async take(signal) {
          signal.throwIfAborted()
          if (!turn.mustWait()) return turn.takeBack()
          const { promise, resolve, reject } = Promise.withResolvers<void>()
          const waiting: Wanted = { turn, isAlone, begin: resolve }
          const onAbort = () => {
            wanted.splice(wanted.indexOf(waiting), 1)
            reject(signal.reason)
            giveTurns()
          }
          wanted.push(waiting)
          signal.addEventListener('abort', onAbort, { once: true })
          await promise.finally(() => signal.removeEventListener('abort', onAbort))
        },
        leave() {
          taken.delete(turn)
          giveTurns()
        },
        takeBack: () => void taken.set(turn, isAlone),
      }
      return turn
    },
  }
}

/**
 * Runs the work when it is its turn, next to other work. Rejects with the reason of the signal, and with `unavailable` if its
 * turn takes too long.
 */
export async function inTurn<Value>(
  turns: Turns,
  { signal, waitSecondsMax }: { signal: AbortSignal | undefined; waitSecondsMax: number },
  work: () => Promise<Value>,
): Promise<Value> {
  const turn = turns.of(false)
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(noTurn()), waitSecondsMax * 1_000)
  try {
    await turn.take(signal ? AbortSignal.any([signal, late.signal]) : late.signal)
  } finally {
    clearTimeout(timer)
  }
  try {
    return await work()
  } finally {
    turn.leave()
  }
}

function noTurn(): Fault {
  return new Fault(
    'unavailable',
    'No image is decoded while an execution runs that ended its process before. Try again.',
  )
}
