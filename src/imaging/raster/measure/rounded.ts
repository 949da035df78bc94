/** Rounds a measurement to four decimals for templates. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
