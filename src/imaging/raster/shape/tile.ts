/** A picture repeated over a plane. */
import type { Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'

export interface Tiling {
  width: number
  height: number
  /** Where the upper left corner of one of the tiles lies. */
  x: number
  y: number
  /** Between tiles. */
  gap: number
  /** Every other row is moved by half a tile. */
  brick: boolean
}

/** What lies between the tiles keeps `background`, which has as many channels as the tile. */
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
  // After so many rows all is as before.
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
    // The first of them turned to where the row begins, the others by doubling what is there.
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

/** 0 to divisor, also of what is negative. */
function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor
}
