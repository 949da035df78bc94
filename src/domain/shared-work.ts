/** Work that several requests wait for, by key: the first one starts it, and the others get its result. */
import { orAbort } from './abortable.ts'

export interface SharedWork<Value> {
  /**
   * Joins the work of this key, or starts it. `signal`: the caller has gone; the work rejects with its reason for this caller only. When all callers have
   * gone, work that still waits ends with `abandoned`. Work that has started continues, and later callers join it.
   */
  join(key: string, signal: AbortSignal | undefined, start: (waiting: WaitingWork) => Promise<Value>): Promise<Value>
}

export interface WaitingWork {
  /** Signal for the queue in which the work waits. */
  signal: AbortSignal
  /** Called when the work starts. */
  begin(): void
}

interface Work<Value> {
  result: Promise<Value>
  callers: number
  hasStarted: boolean
  stop: AbortController
}

/** `abandoned`: the error of work that no one waits for. */
export function createSharedWork<Value>(abandoned: Error): SharedWork<Value> {
  const works = new Map<string, Work<Value>>()

  function remove(key: string, work: Work<Value>): void {
    if (works.get(key) === work) works.delete(key)
  }

  function begin(key: string, start: (waiting: WaitingWork) => Promise<Value>): Work<Value> {
    const stop = new AbortController()
    const state = { callers: 0, hasStarted: false, stop }
    const begins = () => {
      work.hasStarted = true
    }
    const result = Promise.resolve().then(() => start({ signal: stop.signal, begin: begins }))
    const work: Work<Value> = Object.assign(state, { result: result.finally(() => remove(key, work)) })
    works.set(key, work)
    return work
  }

  return {
    async join(key, signal, start) {
      signal?.throwIfAborted()
      const work = works.get(key) ?? begin(key, start)
      work.callers += 1
      try {
        return await (signal ? orAbort(work.result, signal) : work.result)
      } finally {
        work.callers -= 1
        if (work.callers === 0 && !work.hasStarted) {
          remove(key, work)
          work.stop.abort(abandoned)
        }
      }
    },
  }
}
