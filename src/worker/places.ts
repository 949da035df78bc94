/**
 * Places to run in this process: for any number of executions at the same time, or for one in its last attempt, which possibly crashed its process
 * before, and so runs alone. Places are granted in order of request. An execution that only waits releases its place, and gets it again without
 * waiting, because it may hold pixels that others need.
 */

export interface Places {
  of(isAlone: boolean): Place
  /** Does other work of this process in a place: it could crash the execution that runs alone. Rejects with the reason of the signal. */
  during<Value>(work: () => Promise<Value>, signal: AbortSignal | undefined): Promise<Value>
}

export interface Place {
  /** Whether `take` would have to wait. */
  mustWait(): boolean
  /** Rejects with the reason of the signal. */
  take(signal: AbortSignal): Promise<void>
  leave(): void
  takeBack(): void
}

interface WaitingPlace {
  place: Place
  isAlone: boolean
  start(): void
}

const never = new AbortController().signal

export function createPlaces(): Places {
  /** The places that run, and whether each runs alone. */
  const taken = new Map<Place, boolean>()
  const waiting: WaitingPlace[] = []

  function mayStart(isAlone: boolean): boolean {
    return isAlone ? taken.size === 0 : ![...taken.values()].includes(true)
  }

  function startWaiting(): void {
    for (let next = waiting[0]; next !== undefined && mayStart(next.isAlone); next = waiting[0]) {
      waiting.shift()
      taken.set(next.place, next.isAlone)
      next.start()
    }
  }

  const places: Places = {
    of(isAlone) {
      const place: Place = {
        mustWait: () => waiting.length > 0 || !mayStart(isAlone),
        async take(signal) {
          signal.throwIfAborted()
          if (!place.mustWait()) return place.takeBack()
          const { promise, resolve, reject } = Promise.withResolvers<void>()
          const entry: WaitingPlace = { place, isAlone, start: resolve }
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
          taken.delete(place)
          startWaiting()
        },
        takeBack: () => void taken.set(place, isAlone),
      }
      return place
    },
    async during(work, signal = never) {
      const place = places.of(false)
      await place.take(signal)
      try {
        return await work()
      } finally {
        place.leave()
      }
    },
  }
  return places
}
