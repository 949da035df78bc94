/**
 * Turns to run in this process: any number of executions, uploads and comparisons at the same time, or one execution that is
 * suspected of crashing its process. Turns are granted in order of request. An execution that only waits gives its turn up, and
 * takes it back without waiting, because it may hold pixels that others need.
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
  start(): void
}

export function createTurns(): Turns {
  /** The waiting requests, and whether each needs to run alone. */
  const taken = new Map<Turn, boolean>()
  const wanted: Wanted[] = []

  function mayBegin(isAlone: boolean): boolean {
    return isAlone ? taken.size === 0 : ![...taken.values()].includes(true)
  }

  function giveTurns(): void {
    for (let next = wanted[0]; next !== undefined && mayBegin(next.isAlone); next = wanted[0]) {
      wanted.shift()
      taken.set(next.turn, next.isAlone)
      next.start()
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
          const waiting: Wanted = { turn, isAlone, start: resolve }
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
 * Runs the work when it gets a turn, next to other work. Rejects with the reason of the signal, and with `unavailable` if that
 * takes too long.
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
    'The service is retrying an execution whose process ended, and decodes no other image until it is done. Retry.',
  )
}
