/** Work over the rows of an image, with pauses for other work. */
import { createPauses } from '../../domain/pauses.ts'
import { abortFault, type JobContext } from './jobs.ts'

/** Pixels: about 10 ms of the most expensive work. Then it may pause, and checks for cancellation. */
const pixelsAtOnce = 250_000

/** Calls `work` for each row, from the top. */
export async function eachRow(
  size: { width: number; height: number },
  context: Pick<JobContext, 'signal'>,
  work: (y: number) => void,
): Promise<void> {
  await eachBand(size, context, (top, bottom) => {
    for (let y = top; y < bottom; y += 1) work(y)
  })
}

/** Calls `work` with as many rows as one turn allows, from the top: a small image in one go. */
export async function eachBand(
  { width, height }: { width: number; height: number },
  context: Pick<JobContext, 'signal'>,
  work: (top: number, bottom: number) => void,
): Promise<void> {
  const rowsAtOnce = Math.max(1, Math.floor(pixelsAtOnce / width))
  const pauseIfDue = createPauses()
  for (let top = 0; top < height; top += rowsAtOnce) {
    await pauseIfDue()
    if (context.signal.aborted) throw abortFault(context.signal)
    work(top, Math.min(height, top + rowsAtOnce))
  }
}
