/** Work over the rows of a picture that leaves room for everybody else. */
import { setImmediate } from 'node:timers/promises'
import { abortFault, type JobContext } from './jobs.ts'

/** Some 10 ms of the dearest work there is. Then others have a turn, and whoever has cancelled the execution is heard. */
const pixelsAtOnce = 250_000

/** Calls `work` with each row, from the top. */
export async function eachRow(
  { width, height }: { width: number; height: number },
  context: Pick<JobContext, 'signal'>,
  work: (y: number) => void,
): Promise<void> {
  const rowsAtOnce = Math.max(1, Math.floor(pixelsAtOnce / width))
  for (let y = 0; y < height; y += 1) {
    if (y % rowsAtOnce === 0) {
      if (y > 0) await setImmediate()
      if (context.signal.aborted) throw abortFault(context.signal)
    }
    work(y)
  }
}
