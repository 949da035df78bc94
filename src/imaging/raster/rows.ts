/** Work over the rows of a picture that leaves room for everybody else. */
import { setImmediate } from 'node:timers/promises'
import { abortFault, type JobContext } from './jobs.ts'

/** Some 10 ms of the dearest work there is. Then others have a turn, and whoever has cancelled the execution is heard. */
const pixelsAtOnce = 250_000

/** Calls `work` with each row, from the top. */
export async function eachRow(
  size: { width: number; height: number },
  context: Pick<JobContext, 'signal'>,
  work: (y: number) => void,
): Promise<void> {
  await eachBand(size, context, (top, bottom) => {
    for (let y = top; y < bottom; y += 1) work(y)
  })
}

/** Calls `work` with as many rows as may be done at one go, from the top: with all of a small picture. */
export async function eachBand(
  { width, height }: { width: number; height: number },
  context: Pick<JobContext, 'signal'>,
  work: (top: number, bottom: number) => void,
): Promise<void> {
  const rowsAtOnce = Math.max(1, Math.floor(pixelsAtOnce / width))
  for (let top = 0; top < height; top += rowsAtOnce) {
    if (top > 0) await setImmediate()
    if (context.signal.aborted) throw abortFault(context.signal)
    work(top, Math.min(height, top + rowsAtOnce))
  }
}
