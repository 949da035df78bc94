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

interface WaitingTurn {
  turn: Turn
  isAlone: boolean
  start(): void
}

export function createTurns(): Turns {
  /** The turns that run, and whether each runs alone. */
  const taken = new Map<Turn, boolean>()
  const waiting: WaitingTurn[] = []

  function mayStart(isAlone: boolean): boolean {
    return isAlone ? taken.size === 0 : ![...taken.values()].includes(true)
  }

  function startWaiting(): void {
    for (let next = waiting[0]; next !== undefined && mayStart(next.isAlone); next = waiting[0]) {
      waiting.shift()
      taken.set(next.turn, next.isAlone)
      next.start()
    }
  }

  return {
    of(isAlone) {
      const turn: Turn = {
        mustWait: () => waiting.length > 0 || !mayStart(isAlone),
        async take(signal) {
          signal.throwIfAborted()
          if (!turn.mustWait()) return turn.takeBack()
          const { promise, resolve, reject } = Promise.withResolvers<void>()
          const entry: WaitingTurn = { turn, isAlone, start: resolve }
          const onAbort = () => {
            waiting.splice(waiting.indexOf(entry), 1)
            reject(signal.reason)
            startWaiting()
          }
          waiting.push(entry)
          signal.addEventListener('abort', onAbort, { once: true })
          await promise.finally(() => signal.removeEventListener('abort', onAbort))
        },
        leave() {
          taken.delete(turn)
          startWaiting()
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
  signal?.throwIfAborted()
  if (turn.mustWait()) await takeWithin(waitSecondsMax, turn, signal)
  else turn.takeBack()
  try {
    return await work()
  } finally {
    turn.leave()
  }
}

async function takeWithin(seconds: number, turn: Turn, signal: AbortSignal | undefined): Promise<void> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(noTurn()), seconds * 1_000)
  try {
    await turn.take(signal ? AbortSignal.any([signal, late.signal]) : late.signal)
  } finally {
    clearTimeout(timer)
  }
}

function noTurn(): Fault {
  return new Fault(
    'unavailable',
    'The service is retrying an execution whose process ended, and decodes no other image until it is done. Retry.',
  )
}
