/** Colour matrices of the CSS filter effects, for stored sRGB values. */
export type Matrix = [Row, Row, Row]
type Row = [number, number, number]

/** Rec. 709 weights of red, green and blue. */
const luma: Row = [0.2126, 0.7152, 0.0722]

/** 0 is grey, 1 is unchanged, more is stronger. */
export function saturate(amount: number): Matrix {
  return matrix((row, column) => (luma[column] ?? 0) * (1 - amount) + (row === column ? amount : 0))
}

/** Rotates the hue by this many degrees and keeps the luma. */
export function hueRotate(degrees: number): Matrix {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  return matrix((row, column) => {
    const weight = luma[column] ?? 0
    const identity = row === column ? 1 : 0
    return weight + cos * (identity - weight) + sin * (turn[row]?.[column] ?? 0)
  })
}

/** The part for a rotation by 90 degrees: Filter Effects Module Level 1, `hueRotate`. */
const turn: Matrix = [
  [-0.213, -0.715, 0.928],
  [0.143, 0.14, -0.283],
  [-0.787, 0.715, 0.072],
]

/** First `b`, then `a`. */
export function multiply(a: Matrix, b: Matrix): Matrix {
  return matrix((row, column) => [0, 1, 2].reduce((sum, i) => sum + (a[row]?.[i] ?? 0) * (b[i]?.[column] ?? 0), 0))
}

function matrix(at: (row: number, column: number) => number): Matrix {
  const row = (index: number): Row => [at(index, 0), at(index, 1), at(index, 2)]
  return [row(0), row(1), row(2)]
}
