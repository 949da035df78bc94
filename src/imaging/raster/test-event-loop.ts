/** Counts the turns of the event loop that other work has, from the call until `stop`. For tests. */
export function countLoopTicks(): { count(): number; stop(): void } {
  let turns = 0
  let isStopped = false
  const next = () => {
    turns += 1
    if (!isStopped) setImmediate(next)
  }
  setImmediate(next)
  return {
    count: () => turns,
    stop() {
      isStopped = true
    },
  }
}
