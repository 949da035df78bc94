/** A few slots for work of which each account has at most one: in order of arrival. */
export interface Turns {
  /** Resolves when a slot is free. Rejects with the signal's reason. */
  enter(signal: AbortSignal): Promise<void>
  leave(): void
  /** How many wait. */
  waiting(): number
}

export function createTurns(slots: number): Turns {
  let free = slots
  const line: (() => void)[] = []
  return {
    async enter(signal) {
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
    leave() {
      const next = line.shift()
      if (next) next()
      else free += 1
    },
    waiting: () => line.length,
  }
}
