/**
 * Colours by code points (ITU-T H.273), as in `cICP` of a PNG and `nclx` of an AVIF, and by primaries and a gamma, as in the older chunks of
 * a PNG.
 */

export interface CodePoints {
  primaries: number
  transfer: number
}

/** x and y of white, red, green and blue in the diagram of CIE 1931. */
export type Primaries = readonly [number, number, number, number, number, number, number, number]

/** Conversion of a stored value to light, both from 0 to 1. PQ and HLG are HDR: their light has units, and is mapped to SDR. */
export type Transfer = 'srgb' | 'pq' | 'hlg' | { toLight(value: number): number }

export interface DeclaredColor {
  primaries: Primaries
  transfer: Transfer
}

const d65 = [0.3127, 0.329] as const
export const bt709: Primaries = [...d65, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06]
export const bt2020: Primaries = [...d65, 0.708, 0.292, 0.17, 0.797, 0.131, 0.046]

/** H.273, table 2. */
const primariesByCode: Record<number, Primaries> = {
  1: bt709,
  4: [0.31, 0.316, 0.67, 0.33, 0.21, 0.71, 0.14, 0.08],
  5: [...d65, 0.64, 0.33, 0.29, 0.6, 0.15, 0.06],
  6: [...d65, 0.63, 0.34, 0.31, 0.595, 0.155, 0.07],
  7: [...d65, 0.63, 0.34, 0.31, 0.595, 0.155, 0.07],
  8: [0.31, 0.316, 0.681, 0.319, 0.243, 0.692, 0.145, 0.049],
  9: bt2020,
  10: [1 / 3, 1 / 3, 1, 0, 0, 1, 0, 0],
  11: [0.314, 0.351, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06],
  12: [...d65, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06],
  22: [...d65, 0.63, 0.34, 0.295, 0.605, 0.155, 0.077],
}

/** H.273, table 3. */
const transferByCode: Record<number, Transfer> = {
  4: power(2.2),
  5: power(2.8),
  7: { toLight: (value) => (value < 4 * 0.0228 ? value / 4 : ((value + 0.1115) / 1.1115) ** (1 / 0.45)) },
  8: power(1),
  13: 'srgb',
  16: 'pq',
  17: { toLight: (value) => Math.min(1, (value ** 2.6 * 52.37) / 48) },
  18: 'hlg',
}

/** BT.709, BT.601, BT.2020 with 10 and 12 bits, and xvYCC: the curve of a camera, which a television shows with a gamma of 2.4. */
const cameraTransfers = new Set([1, 6, 11, 14, 15])

/**
 * Undefined if both are sRGB or unspecified. Primaries or a transfer that H.273 leaves unspecified, or that this table doesn't have, are
 * those of sRGB. `camera`: how the curve of a camera is shown.
 */
export function colorByCodePoints({ primaries, transfer }: CodePoints, camera: Transfer): DeclaredColor | undefined {
  return unlessSrgb({
    primaries: primariesByCode[primaries] ?? bt709,
    transfer: cameraTransfers.has(transfer) ? camera : (transferByCode[transfer] ?? 'srgb'),
  })
}

/** BT.1886. */
export const television = power(2.4)

export function power(exponent: number): Transfer {
  return { toLight: (value) => value ** exponent }
}

export function unlessSrgb(color: DeclaredColor): DeclaredColor | undefined {
  const isBt709 = color.primaries.every((value, at) => Math.abs(value - (bt709[at] ?? 0)) < 0.001)
  return isBt709 && color.transfer === 'srgb' ? undefined : color
}
