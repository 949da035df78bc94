/** The text of number fields. */

import { numberText } from '../../../../shared/values.ts'

/** The number that the text means. Undefined for an empty text. Other text is returned as it is. */
export function numberOf(text: string): number | string | undefined {
  const trimmed = text.trim().replace(/^\u2212/, '-')
  if (trimmed === '') return undefined
  const number = Number(trimmed)
  return numberText.test(trimmed) && Number.isFinite(number) ? number : text
}

/** The value after a step, within the bounds, without the rounding error of binary fractions. */
export function stepped(value: number, step: number, bounds: { minimum?: number; maximum?: number }): number {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = bounds
  const next = Number((value + step).toPrecision(12))
  return Math.min(Math.max(next, minimum), maximum)
}
