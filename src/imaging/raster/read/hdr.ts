/**
 * HDR light as SDR: PQ and HLG (BT.2100) with the curve that browsers use for files that say nothing else, the reference white tone
 * mapping operator of SMPTE ST 2094-50 for a peak of 1,000 cd/m².
 */
import { toLight } from '../tone/srgb.ts'
import type { Transfer } from './code-points.ts'
import type { Matrix } from './color-matrix.ts'

/** Diffuse white of HDR, in cd/m² (BT.2408). Light is in multiples of it. */
const white = 203
const peak = 1_000 / white

export function isHdr(transfer: Transfer): transfer is 'pq' | 'hlg' {
  return transfer === 'pq' || transfer === 'hlg'
}

/** The light of a stored value: from 0 to 1, of PQ in multiples of white, of HLG that of the scene. */
export function lightOf(transfer: Transfer): (value: number) => number {
  if (typeof transfer === 'object') return transfer.toLight
  return { srgb: toLight, pq: lightOfPq, hlg: lightOfHlg }[transfer]
}

/** BT.2100, table 4. */
function lightOfPq(value: number): number {
  const [m1, m2] = [2_610 / 16_384, (2_523 / 4_096) * 128]
  const [c1, c2, c3] = [3_424 / 4_096, (2_413 / 4_096) * 32, (2_392 / 4_096) * 32]
  const root = value ** (1 / m2)
  return ((Math.max(root - c1, 0) / (c2 - c3 * root)) ** (1 / m1) * 10_000) / white
}

/** BT.2100, table 5. */
function lightOfHlg(value: number): number {
  const [a, b, c] = [0.17883277, 0.28466892, 0.55991073]
  return value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - c) / a) + b) / 12
}

/** Writes linear BT.2020, from 0 to 1, to `to`. `toBt2020`: from the primaries of the file. */
export function toneMap(transfer: 'pq' | 'hlg', toBt2020: Matrix) {
  const [a, b, c, d, e, f, g, h, i] = toBt2020
  return (red: number, green: number, blue: number, to: Float64Array): void => {
    const r = Math.max(a * red + b * green + c * blue, 0)
    const gr = Math.max(d * red + e * green + f * blue, 0)
    const bl = Math.max(g * red + h * green + i * blue, 0)
    // A display of 1,000 cd/m² shows the light of a scene with a gamma of 1.2 (BT.2100, table 5).
    const scale = transfer === 'hlg' ? peak * (0.2627 * r + 0.678 * gr + 0.0593 * bl) ** 0.2 : 1
    const gain = scale * gainAt(scale * Math.max(r, gr, bl))
    to[0] = r * gain
    to[1] = gr * gain
    to[2] = bl * gain
  }
}

/**
 * The factor for a colour by its largest channel: half up to white, then along a parabola to the peak, which is stored as 1. The
 * parabola is a Bézier curve whose middle point is 65 % of the way along the tangent at white.
 */
function gainAt(max: number): number {
  if (max <= 1) return whiteStored
  if (max >= peak) return 1 / max
  const [middleX, middleY] = [1 + share * (1 / whiteStored - 1), whiteStored + share * (1 - whiteStored)]
  // x(t) = max, with t from 0 to 1.
  const [square, linear] = [1 - 2 * middleX + peak, 2 * (middleX - 1)]
  const t = (Math.sqrt(linear ** 2 - 4 * square * (1 - max)) - linear) / (2 * square)
  const y = whiteStored * (1 - t) ** 2 + 2 * middleY * t * (1 - t) + t ** 2
  return y / max
}

const whiteStored = 0.5
const share = 0.65
