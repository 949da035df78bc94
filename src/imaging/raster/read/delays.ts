/** Rounds delays to multiples of `unit` milliseconds so that the total duration is kept, not each delay. */
export function roundedDelays(delaysMs: readonly number[], unitMs: number): number[] {
  let [time, written] = [0, 0]
  return delaysMs.map((delay) => {
    time += delay
    const rounded = Math.round((time - written) / unitMs) * unitMs
    written += rounded
    return rounded
  })
}
