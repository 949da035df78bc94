/** Lengths and transforms of SVG. */
import { SvgProblem } from './svg-problem.ts'

/** a, b, c, d, e, f of CSS: x' = a x + c y + e, y' = b x + d y + f. */
export type Matrix = readonly [number, number, number, number, number, number]

export const identity: Matrix = [1, 0, 0, 1, 0, 0]

export function multiply(m: Matrix, n: Matrix): Matrix {
  return [
    m[0] * n[0] + m[2] * n[1],
    m[1] * n[0] + m[3] * n[1],
    m[0] * n[2] + m[2] * n[3],
    m[1] * n[2] + m[3] * n[3],
    m[0] * n[4] + m[2] * n[5] + m[4],
    m[1] * n[4] + m[3] * n[5] + m[5],
  ]
}

/** The `transform` attribute. Unknown functions are ignored. */
export function transformOf(text = ''): Matrix {
  let matrix = identity
  for (const [, name = '', list = ''] of text.matchAll(/(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)\)/g)) {
    const n = numbersIn(list)
    const [a = 0, b, c = 0] = n
    if (name === 'matrix' && n.length === 6) matrix = multiply(matrix, n as unknown as Matrix)
    else if (name === 'translate') matrix = multiply(matrix, [1, 0, 0, 1, a, b ?? 0])
    else if (name === 'scale') matrix = multiply(matrix, [a, 0, 0, b ?? a, 0, 0])
    else if (name === 'skewX') matrix = multiply(matrix, [1, 0, Math.tan((a * Math.PI) / 180), 1, 0, 0])
    else if (name === 'skewY') matrix = multiply(matrix, [1, Math.tan((a * Math.PI) / 180), 0, 1, 0, 0])
    else if (name === 'rotate') {
      const angle = (a * Math.PI) / 180
      const turn: Matrix = [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0]
      const [x, y] = [b ?? 0, c]
      matrix = multiply(matrix, multiply([1, 0, 0, 1, x, y], multiply(turn, [1, 0, 0, 1, -x, -y])))
    }
  }
  return matrix
}

export function numbersIn(text = ''): number[] {
  return [...text.matchAll(/[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?/gi)].map(([digits]) => Number(digits))
}

const unitPixels: Record<string, number> = {
  px: 1,
  '': 1,
  pt: 96 / 72,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
  rem: 16,
  q: 96 / 101.6,
}

/** Length in CSS pixels. Undefined for a percentage without the length that it is of, or without a number. */
export function lengthOf(text: string | undefined, em = 16, full?: number): number | undefined {
  const [, number, unit = ''] =
    /^([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)\s*([a-z]*|%)$/i.exec(text?.trim() ?? '') ?? []
  if (number === undefined) return undefined
  const relative: Record<string, number | undefined> = { em, ex: em / 2, '%': full === undefined ? full : full / 100 }
  const factor = Object.hasOwn(relative, unit) ? relative[unit] : unitPixels[unit.toLowerCase()]
  return factor === undefined ? undefined : Number(number) * factor
}

/** A list of lengths, as far as they can be read. */
export function lengthsIn(text: string | undefined, full: number, em: number): number[] {
  const parts = (text ?? '').split(/[\s,]+/).filter((part) => part !== '')
  return parts.flatMap((part) => lengthOf(part, em, full) ?? [])
}

/** A number or a percentage. */
export function fractionOf(text: string | undefined): number | undefined {
  const number = Number.parseFloat(text ?? '')
  if (!Number.isFinite(number)) return undefined
  return text?.trim().endsWith('%') ? number / 100 : number
}

/** A number for CSS. Throws if the value is not finite: files can have numbers and products that are too large. */
export function rounded(value: number, digits = 2): number {
  const factor = 10 ** digits
  const result = Math.round(value * factor) / factor
  if (!Number.isFinite(result)) throw new SvgProblem('A length or a transform of the SVG is too large.')
  return result
}
