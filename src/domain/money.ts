/** Money: whole micro-dollars inside, US dollars outside. */
import type { Micros } from './models/model.ts'

export const microsOfDollar = 1_000_000

export function dollars(micros: Micros): number {
  return micros / microsOfDollar
}

/** Rounds to the nearest. */
export function micros(dollars: number): Micros {
  return Math.round(dollars * microsOfDollar)
}

/** Null where there is none. */
export function microsOrNull(dollars: number | undefined): Micros | null {
  return dollars === undefined ? null : micros(dollars)
}
