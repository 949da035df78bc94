/** Images of two colours and mixtures of them. */
import type { Pixels } from '../../types.ts'
import { alphaByte, type Color } from '../color.ts'
import type { Rows } from '../effect/box-blur.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'
import { rampOf } from './ramp.ts'

/**
 * Rows of shares, clipped to 0 and 1, define how much of `to` each pixel has; computing a pixel costs `cost` times a
 * copy.
 */
export async function twoTone(
  { width, height }: { width: number; height: number },
  { from, to, rows, cost }: { from: Color; to: Color; rows: Rows; cost: number },
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const channels = alphaByte(from) < 255 || alphaByte(to) < 255 ? 4 : 3
  const colors = rampOf([
    { at: 0, color: from },
    { at: 1, color: to },
  ])
  const table = Uint8Array.from(
    colors.flatMap((color) => [color.r, color.g, color.b, alphaByte(color)]),
    Math.round,
  )
  const data = Buffer.allocUnsafe(width * height * channels)
  const row = new Float32Array(width)
  await eachRow({ width: width * cost, height }, context, (y) => {
    rows(row)
    write(row, table, data, y * width * channels, channels)
  })
  return { data, width, height, channels }
}

function write(row: Float32Array, table: Uint8Array, data: Buffer, start: number, channels: 3 | 4): void {
  for (let x = 0, at = start; x < row.length; x += 1, at += channels) {
    const share = row[x] as number
    const entry = share <= 0 ? 0 : share >= 1 ? 255 * 4 : ((share * 255 + 0.5) | 0) * 4
    data[at] = table[entry] as number
    data[at + 1] = table[entry + 1] as number
    data[at + 2] = table[entry + 2] as number
    if (channels === 4) data[at + 3] = table[entry + 3] as number
  }
}
