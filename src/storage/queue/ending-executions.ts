/**
 * Executions that have left their slot before their end, because their files are being stored, or because their outcome only has to be recorded. Their
 * files are in memory without being counted elsewhere, so the number of executions and their bytes are limited. Others keep their slots until there is room.
 */
export interface EndingExecutions {
  /** Calls `leave` as soon as there is room, now or later. Returns a function to call when the execution has ended. */
  enter(bytes: number, leave: () => void): () => void
}

export function createEndingExecutions({
  executionsMax,
  bytesMax,
}: {
  executionsMax: number
  bytesMax: number
}): EndingExecutions {
  /** Callers that wait, at most as many as there are slots. */
  const waiting = new Set<() => void>()
  let executions = 0
  let bytesInAll = 0
  return {
    enter(bytes, leave) {
      let isOutside = false
      function tryEnter(): void {
        if (executions >= executionsMax || bytesInAll + bytes > bytesMax) return
        waiting.delete(tryEnter)
        isOutside = true
        executions += 1
        bytesInAll += bytes
        leave()
      }
      waiting.add(tryEnter)
      tryEnter()
      return () => {
        waiting.delete(tryEnter)
        if (!isOutside) return
        executions -= 1
        bytesInAll -= bytes
        for (const next of waiting) next()
      }
    },
  }
}
