/** In whole units of so many milliseconds; such that all of it takes as long as it should, not each frame by itself. */
export function roundedDelays(delaysMs: readonly number[], unitMs: number): number[] {
  let [time, written] = [0, 0]
  return delaysMs.map((delay) => {
    time += delay
    const rounded = Math.round((time - written) / unitMs) * unitMs
    written += rounded
    return rounded
  })
}
