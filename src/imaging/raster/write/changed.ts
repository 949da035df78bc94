import type { Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import type { Rectangle } from '../region.ts'
import { eachRow } from '../rows.ts'

/** The smallest rectangle in which two images of the same size and channels differ; undefined if they are equal. */
export async function changedIn(
  before: Pixels,
  after: Pixels,
  context: Pick<JobContext, 'signal'>,
): Promise<Rectangle | undefined> {
  const { width, height, channels } = after
  const rowBytes = width * channels
  let [left, right, top, bottom] = [rowBytes, -1, -1, -1]
  await eachRow({ width, height }, context, (y) => {
    const start = y * rowBytes
    // Compares whole rows first: most rows of most animations are equal, and this is fast.
    if (before.data.compare(after.data, start, start + rowBytes, start, start + rowBytes) === 0) return
    if (top === -1) top = y
    bottom = y
    for (let at = 0; at < left; at += 1) if (before.data[start + at] !== after.data[start + at]) left = at
    for (let at = rowBytes - 1; at > right; at -= 1) if (before.data[start + at] !== after.data[start + at]) right = at
  })
  if (top === -1) return undefined
  const x = Math.floor(left / channels)
  return { x, y: top, width: Math.floor(right / channels) - x + 1, height: bottom - top + 1 }
}
