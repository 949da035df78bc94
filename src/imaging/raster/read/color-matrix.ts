/** Matrices between the linear light of colour spaces that primaries define (SMPTE RP 177). */
import type { Primaries } from './code-points.ts'

export type Matrix = readonly [number, number, number, number, number, number, number, number, number]

/** Conversion of one colour space to another, with the white of the first shown as the white of the other (Bradford, as in ICC.1:2022, annex E). */
export function matrixBetween(from: Primaries, to: Primaries): Matrix {
  return multiply(inverse(adaptedXyz(to)), adaptedXyz(from))
}

/** Whether the primaries have a triangle, and the white is a colour. */
export function isUsable(primaries: Primaries): boolean {
  const [, whiteY, , redY, , greenY, , blueY] = primaries
  if (whiteY === 0 || redY + greenY + blueY === 0) return false
  return adaptedXyz(primaries).every(Number.isFinite)
}

const bradford: Matrix = [0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296]

/** Conversion of linear light to XYZ, in which white is 1, 1, 1. */
function adaptedXyz([whiteX, whiteY, redX, redY, greenX, greenY, blueX, blueY]: Primaries): Matrix {
  const white = [whiteX / whiteY, 1, (1 - whiteX - whiteY) / whiteY] as const
  const columns: Matrix = [
    ...([redX, greenX, blueX] as const),
    ...([redY, greenY, blueY] as const),
    ...([1 - redX - redY, 1 - greenX - greenY, 1 - blueX - blueY] as const),
  ]
  const strengths = apply(inverse(columns), white)
  const toXyz = multiply(columns, diagonal(strengths))
  const [long, medium, short] = apply(bradford, white)
  const [longTo, mediumTo, shortTo] = apply(bradford, [1, 1, 1])
  const adaptation = diagonal([longTo / long, mediumTo / medium, shortTo / short])
  return multiply(multiply(inverse(bradford), multiply(adaptation, bradford)), toXyz)
}

type Triple = readonly [number, number, number]

function diagonal([a, b, c]: Triple): Matrix {
  return [a, 0, 0, 0, b, 0, 0, 0, c]
}

function apply([a, b, c, d, e, f, g, h, i]: Matrix, [x, y, z]: Triple): Triple {
  return [a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z]
}

function multiply(left: Matrix, [a, b, c, d, e, f, g, h, i]: Matrix): Matrix {
  const [r0, g0, b0] = apply(left, [a, d, g])
  const [r1, g1, b1] = apply(left, [b, e, h])
  const [r2, g2, b2] = apply(left, [c, f, i])
  return [r0, r1, r2, g0, g1, g2, b0, b1, b2]
}

function inverse([a, b, c, d, e, f, g, h, i]: Matrix): Matrix {
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
  const cofactors = [
    ...[e * i - f * h, c * h - b * i, b * f - c * e],
    ...[f * g - d * i, a * i - c * g, c * d - a * f],
    ...[d * h - e * g, b * g - a * h, a * e - b * d],
  ]
  return cofactors.map((value) => value / determinant) as unknown as Matrix
}
