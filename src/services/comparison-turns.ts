/** Slots for work, in order of arrival. Each account uses at most one. */
export interface Turns {
  /** Resolves when a slot is free. Rejects with the reason of the signal. */
  enter(signal: AbortSignal): Promise<void>
  leave(): void
  /** The number of waiting callers. */
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
