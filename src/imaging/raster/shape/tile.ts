/** Repeats an image over a plane. */
import type { Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'

export interface Tiling {
  width: number
  height: number
  /** Position of the top left corner of one tile. */
  x: number
  y: number
  /** Space between tiles. */
  gap: number
  /** Shifts every other row by half a tile. */
  brick: boolean
}

/** Gaps keep `background`, which has the same channels as the tile. */
export async function tilePixels(
  tile: Pixels,
  background: Buffer,
  { width, height, x, y, gap, brick }: Tiling,
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const { channels } = tile
  const data = Buffer.allocUnsafe(width * height * channels)
  const rowBytes = width * channels
  const across = tile.width + gap
  const down = tile.height + gap
  // The period in rows.
  const period = brick ? 2 * down : down
  const line = Buffer.alloc(across * channels, background)
  await eachRow({ width, height }, context, (row) => {
    const at = row * rowBytes
    if (row >= period) {
      data.copyWithin(at, at - period * rowBytes, at - (period - 1) * rowBytes)
      return
    }
    const inPeriod = modulo(row - y, period)
    const inTile = inPeriod % down
    if (inTile >= tile.height) {
      data.fill(background, at, at + rowBytes)
      return
    }
    tile.data.copy(line, 0, inTile * tile.width * channels, (inTile + 1) * tile.width * channels)
    const moved = x + (inPeriod >= down ? Math.floor(across / 2) : 0)
    const from = modulo(-moved, across) * channels
    // Rotates the first tile to the start of the row, and copies the rest by doubling.
    const first = Buffer.concat([line.subarray(from), line.subarray(0, from)])
    let filled = first.copy(data, at, 0, Math.min(first.length, rowBytes))
    while (filled < rowBytes) {
      const more = Math.min(filled, rowBytes - filled)
      data.copyWithin(at + filled, at, at + more)
      filled += more
    }
  })
  return { data, width, height, channels }
}

/** 0 to divisor, also for negative values. */
function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor
}
